"""What a draft would change: which rows flip, right or wrong, on unseen rows first, and who they are.

In: a session with a draft. Out: plain data: the change in words, scores before and after by kind of rows, the rows that
flip, and what is common among them: values that are more frequent there than in the whole table.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError, UnlessError
from unless.explain.words.conditions import bound_section
from unless.explain.words.edit_words import edit_sentences
from unless.explain.words.language import language
from unless.logic.program import label_text
from unless.table.cells import MISSING
from unless.web.explained_row import LANGUAGE
from unless.web.refusals import error_detail
from unless.web.studio.program_work import parsed
from unless.web.studio.rule_lines import SPLITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unless.evaluate.view import View
    from unless.logic.program import Program
    from unless.web.session import Session

    Rows = NDArray[np.bool_]

SHOWN_FLIPS = 20
FEW_ALIKE = 3
CLEARLY = 0.15
"""A value is said to be common among the rows that flip if its share is larger by this there."""
PARTS = 4
"""Numbers are looked at in so many parts of about equal size."""


def effect(session: Session, text: str) -> dict[str, Any]:
    """Say what a text in the editor would change, or where it is wrong."""
    nothing: dict[str, Any] = {"problem": None, "comparison": None, "findings": [], "said": [], "splits": [], "who": []}
    try:
        draft = parsed(text)
    except UnlessError as error:
        return {**nothing, "problem": error_detail(error)}
    program = session.program
    said = [] if program is None else edit_sentences(program, draft, language(LANGUAGE))
    if session.opened is None:
        return {**nothing, "said": said}
    try:
        on_table = session.on_table(draft)
        findings = [finding.as_dict() for finding in on_table.findings]
        if program is None:
            return {**nothing, "findings": findings}
        comparison = session.comparison(draft).as_dict(SHOWN_FLIPS)
        before, after = session.on_table(program).view, on_table.view
        splits = list(_splits(session, before, after))
        who = alike(session, draft, before.predicted_texts() != after.predicted_texts())
    except DataError as error:
        return {**nothing, "problem": error_detail(error), "said": said}
    return {**nothing, "said": said, "findings": findings, "comparison": comparison, "splits": splits, "who": who}


def _splits(session: Session, before: View, after: View) -> Iterator[dict[str, Any]]:
    """Yield flips and accuracy, kind of rows by kind of rows, those that were held out first."""
    old, new = before.predicted_texts(), after.predicted_texts()
    flips = old != new
    actual = None if after.actual is None else _texts(after)
    for split in SPLITS:
        rows = session.rows(split)
        if not rows.any() or (split != "all" and not session.rows("held_out").any()):
            continue
        found: dict[str, Any] = {"split": split, "n_rows": int(rows.sum()), "n_flips": int((flips & rows).sum())}
        if actual is not None:
            found["better"] = int((flips & rows & (new == actual)).sum())
            found["worse"] = int((flips & rows & (old == actual)).sum())
            found["before"], found["after"] = (float((texts == actual)[rows].mean()) for texts in (old, new))
        found["changes"] = _changes(old[flips & rows], new[flips & rows])
        yield found


def _texts(view: View) -> NDArray[np.str_]:
    assert view.actual is not None
    names = np.array([*map(label_text, view.labels), ""])
    return names[view.actual]


def _changes(old: NDArray[np.str_], new: NDArray[np.str_]) -> list[dict[str, Any]]:
    """Count the rows that flip by the label before and after, the most frequent first."""
    counted = Counter(zip(old.tolist(), new.tolist(), strict=True))
    return [{"before": before, "after": after, "n": n} for (before, after), n in counted.most_common()]


def alike(session: Session, program: Program, rows: Rows) -> list[dict[str, Any]]:
    """Return the values that are clearly more frequent among some rows than among all, the clearest first."""
    if not rows.any():
        return []
    found = [best for column in session.on_table(program).view.cells for best in _best(session, program, column, rows)]
    found.sort(key=lambda each: each["of_all"] - each["share"])
    return [each for each in found if each["share"] - each["of_all"] >= CLEARLY][:FEW_ALIKE]


def _best(session: Session, program: Program, column: str, rows: Rows) -> Iterator[dict[str, Any]]:
    """Yield the value or range of a column that is most over-represented."""
    cells = session.on_table(program).view.cells[column]
    words, described = language(LANGUAGE), {each.name: each for each in program.columns}
    candidates: list[tuple[float, float, str]] = []
    if cells.words is not None and len(cells.words.lexicon):
        codes, n = cells.words.codes, len(cells.words.lexicon)
        inside = np.bincount(codes[rows & (codes != MISSING)], minlength=n) / rows.sum()
        overall = np.bincount(codes[codes != MISSING], minlength=n) / len(codes)
        i = int((inside - overall).argmax())
        text = words.say("conditions", "test_is", column=words.column(column), bound=words.word(cells.words.lexicon[i]))
        candidates.append((float(inside[i]), float(overall[i]), text))
    if cells.numbers is not None and not np.isnan(cells.numbers).all():
        numbers = cells.numbers
        for cut in np.unique(np.nanquantile(numbers, np.linspace(0, 1, PARTS + 1)[1:-1], method="lower")).tolist():
            for op, passing in (("=<", numbers <= cut), (">", numbers > cut)):
                bound = words.say(bound_section(described[column]), op, bound=words.number_of(described[column], cut))
                text = words.say("conditions", "test", column=words.column(column), bound=bound)
                candidates.append((float(passing[rows].mean()), float(passing.mean()), text))
    if candidates:
        share, overall_share, text = max(candidates, key=lambda each: each[0] - each[1])
        yield {"text": text, "share": share, "of_all": overall_share}
