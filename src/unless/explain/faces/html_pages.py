"""Proofs and programs as HTML: pages that can be mailed, and fragments for notebooks.

In: a proof or a program. Out: markup without scripts or links, legible on a phone and on paper. Everything is escaped
by `markup`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from unless.explain.faces.markup import Markup, element, page, scrolled, style
from unless.explain.faces.plain_text import opened
from unless.explain.words.constraint_sentences import constraint_sentences
from unless.explain.words.grade_words import grade_words
from unless.explain.words.language import capital, language
from unless.explain.words.program_lines import program_lines
from unless.explain.words.risk import risk_points, risk_sentences
from unless.explain.words.sentences import with_next
from unless.explain.words.short_proof import short_proof
from unless.explain.words.wording import row_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unless.explain.proof.tree import Proof
    from unless.explain.words.grade_words import CardWords, ColumnWords
    from unless.explain.words.language import Language
    from unless.explain.words.program_lines import ProgramLine
    from unless.explain.words.sentences import ProofSentence
    from unless.logic.program import Program

MARKS = {True: "yes", False: "no", None: "fact"}


class _Item(NamedTuple):
    """A line that may have others below it; `mark` is the class of its look. Lines of points are pairs, all in one."""

    depth: int
    text: str
    mark: str
    number: str | None = None
    awards: tuple[tuple[str, str], ...] = ()


def proofs_page(proofs: Sequence[Proof], *, lang: str = "en") -> str:
    """Make a page of proofs by one program: each with its row, then the program."""
    words = language(lang)
    parts = [part for proof in proofs for part in (*_proof_parts(proof, words), *_row_table(proof, words))]
    titles = dict.fromkeys(_proof_title(proof, words) for proof in proofs)
    return _page("; ".join(titles), [*parts, _program_text(proofs[0].program, words)], words)


def program_page(program: Program, *, lang: str = "en") -> str:
    """Make a page of a program in plain language and as text."""
    words = language(lang)
    graded = [element("h2", words.say("report", "grade")), *grade_html(program, words)] if program.grade else []
    asked = [element("p", sentence) for sentence in constraint_sentences(program, words)]
    parts = [*program_html(program, words), *asked, *graded, _program_text(program, words)]
    return _page(_program_title(program, words), parts, words)


def proof_fragment(proof: Proof, *, lang: str = "en") -> str:
    """Make a piece of HTML of a proof, as notebooks show it."""
    return _fragment(_proof_parts(proof, language(lang)))


def program_fragment(program: Program, *, lang: str = "en") -> str:
    """Make a piece of HTML of a program, as notebooks show it."""
    words = language(lang)
    return _fragment([*program_html(program, words), _program_text(program, words)])


def _fragment(parts: Iterable[Markup]) -> Markup:
    return element("div", style("outline.css"), *parts, class_="unless")


def _page(title: str, parts: Iterable[Markup], words: Language) -> str:
    title = capital(title)
    footer = element("footer", words.say("page", "made_by"))
    body = element("div", element("h1", title), *parts, footer, class_="unless")
    return page(title, ("outline_page.css", "outline.css"), body, lang=words.name)


def _proof_title(proof: Proof, words: Language) -> str:
    target = proof.program.target
    if proof.label is None:
        return words.column(target.column)
    gaps = {"column": words.column(target.column), "value": words.label(proof.label)}
    return words.say("page", "proof_title", **gaps)


def _program_title(program: Program, words: Language) -> str:
    labels = words.listed([words.label(label) for label in program.target.labels], "list_or")
    return words.say("page", "program_title", column=words.column(program.target.column), value=labels)


def _proof_parts(proof: Proof, words: Language) -> Iterator[Markup]:
    yield from short_html(proof, words)
    yield from (element("p", sentence) for sentence in risk_sentences(proof.risk, words))
    tree = _nested(_item(sentence) for sentence in opened(proof, words))
    yield element("details", element("summary", words.say("page", "in_full")), *tree, *risk_html(proof, words))


def risk_html(proof: Proof, words: Language) -> Iterator[Markup]:
    """Write the points behind the risk of a row, by column; nothing where there are none."""
    points = risk_points(proof, words)
    if proof.risk is not None and points:
        yield element("p", capital(words.say("grade", "title", label=words.label(proof.risk.label))))
        yield points_html(points)


def short_html(proof: Proof, words: Language) -> Iterator[Markup]:
    """Write a proof in short: sentences, and a table where points decided."""
    short = short_proof(proof, words)
    yield from (element("p", sentence) for sentence in short.sentences)
    if short.awards:
        yield points_html([(words.whole(points), fact) for points, fact in short.awards])


def points_html(awards: Iterable[tuple[str, str]]) -> Markup:
    """Write a table of points."""
    rows = [element("tr", element("td", points, class_="points"), element("td", text)) for points, text in awards]
    return element("table", *rows, class_="awards")


def program_html(program: Program, words: Language) -> list[Markup]:
    """Write a program's lines: rules with their exceptions inside, points as tables."""
    return _nested(_line_items(program_lines(program, words)))


def grade_html(program: Program, words: Language) -> Iterator[Markup]:
    """Write the grade of a program as tables: points by column, then bands."""
    for card in grade_words(program, words):
        yield element("h3", card.title)
        yield by_column_html(card)
        if card.bands:
            head = element("tr", *(element("th", name, scope="col") for name in card.band_head))
            rows = [element("tr", *(element("td", cell) for cell in cells)) for cells in card.bands]
            table = element("table", element("thead", head), element("tbody", *rows), class_="bands")
            yield scrolled(card.title, table)
            yield element("p", card.note, class_="quiet")


def by_column_html(card: CardWords) -> Markup:
    """Write a table of points by column: what every row begins with, the columns, then what asks more than one."""
    columns = [element("tbody", *_column_rows(each)) for each in card.columns]
    start, lines = (element("tbody", *map(_line_row, pairs)) if pairs else "" for pairs in (card.start, card.lines))
    return element("table", start, *columns, lines, class_="by-column")


def _column_rows(column: ColumnWords) -> Iterator[Markup]:
    """Write a column: its name beside the first of its entries, and over the height of all."""
    name = element("th", column.column, scope="rowgroup", rowspan=len(column.entries))
    for i, (points, text) in enumerate(column.entries):
        yield element("tr", *([] if i else [name]), element("td", text), element("td", points, class_="points"))


def _line_row(line: tuple[str, str]) -> Markup:
    return element("tr", element("td", line[1], colspan=2), element("td", line[0], class_="points"))


def _item(sentence: ProofSentence) -> _Item:
    if sentence.points is not None:
        return _Item(sentence.depth, "", "award", awards=((str(sentence.points), sentence.text),))
    return _Item(sentence.depth, sentence.text, MARKS[sentence.holds])


def _line_items(lines: Iterable[ProgramLine]) -> Iterator[_Item]:
    for line in lines:
        if line.points is not None:
            yield _Item(line.depth, "", "award", awards=((line.points, line.text),))
        else:
            yield _Item(line.depth, line.text, "rule", line.number)


def _nested(items: Iterable[_Item]) -> list[Markup]:
    """Put lines inside those above them that are less deep; a line with others below it can be folded."""
    written: list[list[Markup]] = [[]]
    titles: list[_Item] = []

    def close() -> None:
        below = written.pop()
        written[-1].append(_foldable(titles.pop(), below))

    for item, after in with_next(_one_table(items)):
        while len(titles) > item.depth:
            close()
        if after is not None and after.depth > item.depth:
            titles.append(item)
            written.append([])
        else:
            written[-1].append(points_html(item.awards) if item.awards else element("p", _marked(item)))
    while titles:
        close()
    return written[0]


def _one_table(items: Iterable[_Item]) -> list[_Item]:
    """Put lines of points that follow each other into one table."""
    found: list[_Item] = []
    for item in items:
        if item.awards and found and found[-1].awards and found[-1].depth == item.depth:
            found[-1] = found[-1]._replace(awards=(*found[-1].awards, *item.awards))
        else:
            found.append(item)
    return found


def _foldable(item: _Item, below: list[Markup]) -> Markup:
    return element("details", element("summary", _marked(item)), element("div", *below, class_="below"), open="")


def _marked(item: _Item) -> Markup:
    number = () if item.number is None else (element("b", item.number), " ")
    return element("span", *number, item.text, class_=item.mark)


def _row_table(proof: Proof, words: Language) -> Iterator[Markup]:
    yield element("h2", words.say("page", "values_title"))
    rows = [
        element("tr", element("th", name, scope="row"), element("td", value))
        for name, value in row_words(proof.program.columns, proof.values, words, proof.program.thresholds)
    ]
    yield element("table", *rows)


def _program_text(program: Program, words: Language) -> Markup:
    return element("details", element("summary", words.say("page", "program_text")), element("pre", str(program)))
