"""A view of a program on a table becomes one page: scores, picture, rules, figures, and proofs that can be searched.

In: a `View`, what the data is called, and the rows whose proofs are wanted. Out: HTML with its style and a few lines of
script inside, and nothing from elsewhere. Without scripts the page is the same, only the search box does nothing.
Everything is escaped by `markup`.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from unless import __version__
from unless.errors import DataError
from unless.evaluate.coverage import view_coverage, view_seen
from unless.explain.faces.coverage_table import coverage_html, percent
from unless.explain.faces.markup import Markup, element, page, script
from unless.explain.faces.picture import picture
from unless.explain.faces.plain_text import joined, opened
from unless.explain.proof.prover import prove_values
from unless.explain.words.language import capital, language
from unless.explain.words.program_lines import program_lines
from unless.logic.check.findings import check
from unless.logic.program import label_text
from unless.logic.values import number_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unless.evaluate.scores import Scores
    from unless.evaluate.view import View
    from unless.explain.proof.tree import Proof
    from unless.explain.words.language import Language
    from unless.explain.words.sentences import Sentence

MAX_PROOFS = 5000
"""More proofs than this make a page that browsers open slowly."""


def view_report(view: View, data_name: str, rows: Iterable[int], *, lang: str = "en") -> str:
    """Write the report of a program on a table, with the proofs of some rows."""
    words = language(lang)
    program = view.program
    title = f"{program.target.column}: rules and reasons"
    proofs = list(_proofs(view, rows, words))
    return page(
        title,
        _asset("report.css"),
        element(
            "header",
            element("h1", title),
            element("p", f"{data_name}, {view.table.n_rows:,} rows. Made by unless {__version__}.", class_="quiet"),
        ),
        _section("Scores", *_scores(view)),
        _section("Rules", *_rules(view, words)),
        _section("Picture", element("div", picture(program, view_coverage(view)), class_="picture")),
        _section("Figures", element("div", coverage_html(view_coverage(view)), class_="wide")),
        _section("Program", element("pre", str(program))),
        _section(f"Proofs of {len(proofs):,} rows", *_searchable(proofs)),
        script(_asset("report.js")),
    )


def rows_from(text: str, n_rows: int) -> list[int]:
    """Read row numbers such as "0-49,77"; each must be in the table.

    >>> rows_from("0-2,7", 10)
    [0, 1, 2, 7]
    """
    found: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            msg = f"{part!r} is not a row or a range of rows; write for instance 0-49,77."
            raise DataError(msg)
        start, end = int(first), int(last or first)
        if max(start, end) >= n_rows:
            msg = f"there is no row {max(start, end)}; the table has {n_rows:,} rows, from 0."
            raise DataError(msg)
        found |= dict.fromkeys(range(start, end + 1))
    if len(found) > MAX_PROOFS:
        msg = f"{len(found):,} rows are asked for; a report has at most {MAX_PROOFS:,} proofs."
        raise DataError(msg)
    return list(found)


def _asset(name: str) -> str:
    return files("unless.explain.faces").joinpath("pages", name).read_text(encoding="utf-8")


def _section(title: str, *body: object) -> Markup:
    return element("section", element("h2", title), *body)


def _scores(view: View) -> Iterator[Markup]:
    if view.actual is None:
        yield element("p", "The rows came without labels, so nothing is known of right and wrong.", class_="quiet")
        return
    labels = [label_text(label) for label in view.program.target.labels]
    head = [element("th", name, scope="col") for name in ("label", "precision", "recall", "F1", "right", "wrong")]
    body = [_score_line(view.scores(text)) for text in labels]
    yield element("p", element("strong", percent(view.accuracy())), " of all rows are told right.")
    yield element("table", element("thead", element("tr", *head)), element("tbody", *body))


def _score_line(scores: Scores) -> Markup:
    shares = (scores.precision, scores.recall, scores.f1)
    cells = [*(percent(share) for share in shares), f"{scores.tp:,}", f"{scores.fp + scores.fn:,}"]
    return element(
        "tr", element("th", scores.positive, scope="row"), *(element("td", c, class_="number") for c in cells)
    )


def _rules(view: View, words: Language) -> Iterator[Markup]:
    lines = [
        element("li", line.text, style=f"--depth:{line.depth}", class_="rule" if line.depth == 0 else None)
        for line in program_lines(view.program, words)
    ]
    yield element("ul", *lines, class_="lines")
    findings = check(view.program, view_seen(view))
    if findings:
        yield element("h3", "To think about")
        yield element("ul", *(element("li", str(finding)) for finding in findings))


def _proofs(view: View, rows: Iterable[int], words: Language) -> Iterator[Markup]:
    for row in rows:
        proof = prove_values(view.program, view.row(row), row_name=row)
        yield _proof(view, row, proof, words)


def _proof(view: View, row: int, proof: Proof, words: Language) -> Markup:
    told, true = view.predicted_text(row), view.actual_text(row)
    wrong = true is not None and true != told
    said = f"row {row}: {told}" + (f", but is {true}" if wrong else "")
    values = ", ".join(f"{name}: {_value(value)}" for name, value in proof.values.items())
    return element(
        "details",
        element("summary", said, class_="wrong" if wrong else None),
        element("p", values, class_="quiet"),
        element("ul", *(_sentence(s, words) for s in joined(opened(proof, words), words)), class_="lines"),
    )


def _sentence(sentence: Sentence, words: Language) -> Markup:
    text = words.say("plain", "again", claim=sentence.text) if sentence.again else sentence.text
    look = {True: "yes", False: "no", None: "fact"}[sentence.holds]
    return element("li", capital(text), style=f"--depth:{sentence.depth}", class_=look)


def _searchable(proofs: list[Markup]) -> Iterator[Markup]:
    if not proofs:
        yield element("p", "No rows were asked for.", class_="quiet")
        return
    box = element("input", id="search", type="search", placeholder="a row number, a value, a rule ...")
    yield element("p", element("label", "Search: ", box), " ", element("output", id="found", aria_live="polite"))
    yield element("div", *proofs, id="proofs")


def _value(value: float | str | None) -> str:
    if value is None:
        return "missing"
    return value if isinstance(value, str) else number_word(value)
