"""Who is affected: rates and errors by segment with intervals, which rules make the gap; and where to cut.

In: a session, a column, a label. Out: plain data, counted on rows kept apart where there are enough. The cut-off is
 for programs with a grade: for each of some probabilities, what deciding by it would get right and wrong.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.evaluate.audit import audit
from unless.explain.faces.audit_report import AuditReport
from unless.logic.program import label_text
from unless.logic.reason.recourse import label_named
from unless.web.explained_row import LANGUAGE

if TYPE_CHECKING:
    from unless.web.session import Session

PARTS = 6
"""Numbers are looked at in about so many ranges."""
MOST_GROUPS = 40
ENOUGH = 100
"""With fewer rows kept apart, all rows are looked at, and that is said."""
CUTS = 101


def segments(session: Session, by: str, label: str, split: str) -> dict[str, Any]:
    """Look at the groups of a column."""
    program = session.need_program()
    opened = session.need_table()
    column = opened.table.column(by)
    rows = np.flatnonzero(session.rows(split))
    if len(rows) < ENOUGH and split != "all":
        split, rows = "all", np.flatnonzero(session.rows("all"))
    kind = session.settings.kinds[by]
    if opened.readings.get(by):
        msg = f"column {by!r} is read as {opened.readings[by]}; groups are made of words and plain numbers."
        raise DataError(msg)
    groups = by
    if kind == "numerical":
        numbers = opened.read(column, "numerical").numbers
        distinct = np.unique(numbers[~np.isnan(numbers)]) if numbers is not None else np.empty(0)
        if len(distinct) > PARTS:
            groups = f"{by}:{_width(float(distinct[0]), float(distinct[-1])):g}"
    words = opened.read(column, "categorical").words
    if groups == by and words is not None and len(words.lexicon) > MOST_GROUPS:
        msg = f"column {by!r} has {len(words.lexicon):,} different words; at most {MOST_GROUPS} groups are shown."
        raise DataError(msg)
    found = audit(program, opened.table.take(rows), groups, label_named(program, label))
    report = AuditReport(program, [found])
    return {"split": split, "n_rows": len(rows), **report.data(lang=LANGUAGE)[0], "text": report.text(lang=LANGUAGE)}


def _width(low: float, high: float) -> float:
    """Return a round width that makes a few ranges."""
    step = (high - low) / PARTS
    power = 10.0 ** math.floor(math.log10(step))
    return next(power * part for part in (1, 2, 5, 10) if power * part >= step)


def cutoffs(session: Session, split: str) -> dict[str, Any]:
    """Count right and wrong for deciding by the probability, at many cut-offs, and as the rules decide."""
    program = session.need_program()
    view = session.on_table(program).view
    if not view.probabilities or view.actual is None:
        msg = "this needs a program with a grade and a table with labels; learn again, or run `unless grade`."
        raise DataError(msg)
    rows = session.rows(split)
    split = split if rows.any() else "all"
    rows = session.rows(split)
    label, chances = next(iter(view.probabilities.items()))
    chance, actual = chances[rows], (view.actual == 0)[rows]
    cuts = np.unique(np.concatenate([np.linspace(0, 1, CUTS), np.quantile(chance, np.linspace(0, 1, CUTS))]).round(4))
    yes, no = np.sort(chance[actual]), np.sort(chance[~actual])
    missed = np.searchsorted(yes, cuts, side="left")
    refused = np.searchsorted(no, cuts, side="left")
    predicted = (view.predicted == 0)[rows]
    return {
        "split": split,
        "n_rows": int(rows.sum()),
        "label": label,
        "other": next(label_text(each) for each in reversed(view.labels) if label_text(each) != label),
        "n_label": len(yes),
        "n_other": len(no),
        "is_old": program.has_old_grade,
        "cuts": [
            {"cut": cut, "hits": len(yes) - m, "missed": m, "false": len(no) - r, "right_other": r}
            for cut, m, r in zip(cuts.tolist(), missed.tolist(), refused.tolist(), strict=True)
        ],
        "rules": {
            "hits": int((predicted & actual).sum()),
            "missed": int((~predicted & actual).sum()),
            "false": int((predicted & ~actual).sum()),
            "right_other": int((~predicted & ~actual).sum()),
        },
    }
