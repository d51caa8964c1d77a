"""Proofs and programs as HTML: pages that can be mailed, and fragments for notebooks.

In: a proof or a program. Out: markup without scripts or links, legible on a phone and on paper. Everything is escaped
by `markup`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from unless.explain.faces.markup import Markup, element, page, style
from unless.explain.faces.plain_text import opened
from unless.explain.words.language import capital, language
from unless.explain.words.program_lines import program_lines
from unless.explain.words.risk import risk_sentences
from unless.explain.words.sentences import with_next

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unless.explain.proof.tree import Proof
    from unless.explain.words.language import Language
    from unless.explain.words.sentences import ProofSentence
    from unless.logic.program import Program
    from unless.logic.rules import Value

MARKS = {True: "yes", False: "no", None: "fact"}


class _Item(NamedTuple):
    """A line that may have others below it; `mark` is the class of its look."""

    depth: int
    text: str
    mark: str


def proof_page(proof: Proof, *, lang: str = "en") -> str:
    """Make a page of a proof: the proof, the row, the program."""
    return proofs_page([proof], lang=lang)


def proofs_page(proofs: Sequence[Proof], *, lang: str = "en") -> str:
    """Make a page of proofs by one program: each with its row, then the program."""
    words = language(lang)
    parts = [part for proof in proofs for part in (*_proof_parts(proof, words), *_row_table(proof, words))]
    titles = dict.fromkeys(_proof_title(proof, words) for proof in proofs)
    return _page("; ".join(titles), [*parts, _program_text(proofs[0].program, words)], words)


def program_page(program: Program, *, lang: str = "en") -> str:
    """Make a page of a program in plain language and as text."""
    words = language(lang)
    parts = [*_program_parts(program, words), _program_text(program, words)]
    return _page(_program_title(program, words), parts, words)


def proof_fragment(proof: Proof, *, lang: str = "en") -> str:
    """Make a piece of HTML of a proof, as notebooks show it."""
    return _fragment(_proof_parts(proof, language(lang)))


def program_fragment(program: Program, *, lang: str = "en") -> str:
    """Make a piece of HTML of a program, as notebooks show it."""
    words = language(lang)
    return _fragment([*_program_parts(program, words), _program_text(program, words)])


def _fragment(parts: Iterable[Markup]) -> Markup:
    return element("div", style("outline.css"), *parts, class_="unless")


def _page(title: str, parts: Iterable[Markup], words: Language) -> str:
    title = capital(title)
    footer = element("footer", words.say("page", "made_by"))
    body = element("main", element("div", element("h1", title), *parts, footer, class_="unless"))
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
    yield from _nested(_item(sentence, words) for sentence in opened(proof, words))
    yield from (element("p", sentence) for sentence in risk_sentences(proof.risk, words))


def _item(sentence: ProofSentence, words: Language) -> _Item:
    if sentence.again:
        return _Item(sentence.depth, words.say("plain", "again", claim=sentence.text), "again")
    return _Item(sentence.depth, sentence.text, MARKS[sentence.holds])


def _program_parts(program: Program, words: Language) -> list[Markup]:
    return _nested(_Item(line.depth, line.text, "rule") for line in program_lines(program, words))


def _nested(items: Iterable[_Item]) -> list[Markup]:
    """Put lines inside those above them that are less deep; a line with others below it can be folded."""
    written: list[list[Markup]] = [[]]
    titles: list[_Item] = []

    def close() -> None:
        below = written.pop()
        written[-1].append(_foldable(titles.pop(), below))

    for item, after in with_next(list(items)):
        while len(titles) > item.depth:
            close()
        if after is not None and after.depth > item.depth:
            titles.append(item)
            written.append([])
        else:
            written[-1].append(element("p", _marked(item)))
    while titles:
        close()
    return written[0]


def _foldable(item: _Item, below: list[Markup]) -> Markup:
    return element("details", element("summary", _marked(item)), element("div", *below, class_="below"), open="")


def _marked(item: _Item) -> Markup:
    return element("span", item.text, class_=item.mark)


def _row_table(proof: Proof, words: Language) -> Iterator[Markup]:
    yield element("h2", words.say("page", "values_title"))
    rows = [
        element("tr", element("th", name, scope="row"), element("td", _cell(value, words)))
        for name, value in proof.values.items()
    ]
    yield element("table", *rows)


def _cell(value: Value | None, words: Language) -> str:
    return words.cell(None) if value is None else words.value(value)


def _program_text(program: Program, words: Language) -> Markup:
    return element("details", element("summary", words.say("page", "program_text")), element("pre", str(program)))
