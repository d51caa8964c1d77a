"""A view of a program on a table becomes one page: scores, picture, rules, figures, and proofs that can be searched.

In: a `View`, what the data is called, and the rows whose proofs are wanted. Out: HTML with its style and a few lines of
script inside, and nothing from elsewhere. Without scripts the page is the same, only the search box does nothing.
Everything is escaped by `markup`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from unless import __version__
from unless.errors import DataError
from unless.evaluate.coverage import view_coverage, view_seen
from unless.evaluate.row_risk import row_risk
from unless.explain.faces.coverage_table import coverage_html
from unless.explain.faces.html_pages import grade_html, program_html, risk_html, short_html
from unless.explain.faces.markup import Markup, element, page, script, scrolled
from unless.explain.faces.picture import NARROW, picture
from unless.explain.faces.plain_text import joined, opened
from unless.explain.faces.report_scores import report_scores
from unless.explain.proof.prover import prove_values
from unless.explain.words.finding_sentences import finding_text
from unless.explain.words.language import capital, language
from unless.explain.words.risk import risk_sentences
from unless.explain.words.wording import row_words
from unless.logic.check.findings import check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from unless.evaluate.view import View
    from unless.explain.proof.tree import Proof
    from unless.explain.words.language import Language
    from unless.explain.words.sentences import ProofSentence

MAX_PROOFS = 5000
"""More proofs than this make a page that browsers open slowly."""


def view_report(
    view: View, data_name: str, rows: Iterable[int], *, held_out: NDArray[np.bool_] | None = None, lang: str = "en"
) -> str:
    """Write the report of a program on a table, with the proofs of some rows.

    `held_out` says which rows of the table the program has not learned from, if that is known.
    """
    words = language(lang)
    program = view.program
    coverage = view_coverage(view)
    title = words.say("report", "title", target=program.target.column)
    about = {"data": data_name, "rows": words.count("rows", view.table.n_rows), "version": __version__}
    proofs = list(_proofs(view, rows, words))
    sections = {
        "scores": report_scores(view, data_name, held_out, words),
        "rules": _rules(view, words),
        "picture": [
            element("div", picture(program, coverage, lang=lang), class_="picture"),
            element("div", picture(program, coverage, lang=lang, width=NARROW), class_="picture-phone"),
        ],
        "figures": [scrolled(words.say("report", "figures"), coverage_html(coverage, lang=lang))],
        "grade": list(grade_html(program, words)),
        "program": [element("pre", str(program))],
    }
    return page(
        title,
        ("report.css",),
        element("header", element("h1", title), element("p", words.say("report", "about", **about), class_="quiet")),
        *(_section(words.say("report", key), *parts) for key, parts in sections.items() if parts),
        _section(words.count("proofs_of_rows", len(proofs)), *_searchable(proofs, words)),
        script("report.js"),
        lang=lang,
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


def _section(title: str, *body: object) -> Markup:
    return element("section", element("h2", title), *body)


def _rules(view: View, words: Language) -> Iterator[Markup]:
    yield element("div", *program_html(view.program, words), class_="program")
    findings = check(view.program, view_seen(view))
    if findings:
        yield element("h3", words.say("report", "findings"))
        said = (finding_text(finding, lang=words.name, program=view.program) for finding in findings)
        yield element("ul", *(element("li", text) for text in said))


def _proofs(view: View, rows: Iterable[int], words: Language) -> Iterator[Markup]:
    for row in rows:
        values = view.row(row)
        proof = prove_values(view.program, values, row_name=view.table.number(row))
        if view.probabilities:
            proof = replace(proof, risk=row_risk(view.program, values))
        yield _proof(view, row, proof, words)


def _proof(view: View, row: int, proof: Proof, words: Language) -> Markup:
    predicted, actual = view.predicted_text(row), view.actual_text(row)
    wrong = actual is not None and actual != predicted
    gaps = {"row": view.table.number(row), "predicted": predicted, "actual": actual}
    said = words.say("report", "row_wrong" if wrong else "row", **gaps)
    cells = row_words(view.program.columns, proof.values, words, view.program.thresholds)
    values = ", ".join(f"{name}: {value}" for name, value in cells)
    tree = [_sentence(sentence, words) for sentence in joined(opened(proof, words), words)]
    return element(
        "details",
        element("summary", said, class_="wrong" if wrong else None),
        *short_html(proof, words),
        *(element("p", sentence) for sentence in risk_sentences(proof.risk, words)),
        element("p", values, class_="quiet"),
        element(
            "details",
            element("summary", words.say("page", "in_full")),
            element("ul", *tree, class_="lines"),
            *risk_html(proof, words),
            class_="full",
        ),
    )


def _sentence(sentence: ProofSentence, words: Language) -> Markup:
    look = {True: "yes", False: "no", None: "fact"}[sentence.holds]
    return element("li", capital(sentence.numbered(words)), style=f"--depth:{sentence.depth}", class_=look)


def _searchable(proofs: list[Markup], words: Language) -> Iterator[Markup]:
    if not proofs:
        yield element("p", words.say("report", "no_rows"), class_="quiet")
        return
    box = element("input", id="search", type="search", placeholder=words.say("report", "search_hint"))
    found = element("output", id="found", aria_live="polite", data_phrase=words.say("report", "found"))
    yield element("p", element("label", words.say("report", "search"), " ", box), " ", found)
    yield element("div", *proofs, id="proofs")
