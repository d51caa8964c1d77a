"""Who is affected: rates and errors by segment with intervals, which rules make the gap; and where to cut.

In: a session, a column, a label. Out: plain data, counted on rows kept apart where there are enough. The cut-off is
 for programs with a grade: for each of some probabilities, what deciding by it would get right and wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError
from unless.evaluate.audit import audit_groups
from unless.explain.faces.audit_report import AuditReport
from unless.logic.program import label_text
from unless.logic.reason.recourse import label_named
from unless.web.explained_row import LANGUAGE
from unless.web.studio.segment_groups import segment_groups
from unless.web.studio.table_files import file_of, free_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.evaluate.audit import Audit
    from unless.evaluate.view import View
    from unless.logic.program import Program
    from unless.web.session import Session
    from unless.web.studio.program_work import Which
    from unless.web.studio.table_files import FileForm

    Segments = dict[str, Any]

ENOUGH = 100
"""With fewer rows kept apart, all rows are looked at, and that is said."""
CUTS = 101
SHARES = {
    "predicted": "predicted {label}",
    "actual": "actually {label}",
    "wrong": "wrong",
    "false_positive": "wrongly {label}",
    "false_negative": "{label} missed",
}
"""What is counted in each segment, as the heads of a file say it."""


def segments(session: Session, by: str, label: str, split: str, which: Which, step: Callable[[], object]) -> Segments:
    """Look at the segments of a column; `step` is called now and then, and may raise."""
    program = session.chosen(which)
    found, split, n_rows = _audited(session, program, by, label, split, step)
    report = AuditReport(program, [found])
    data = report.data(lang=LANGUAGE)[0]
    return {"split": split, "n_rows": n_rows, "which": which, **data, "text": report.text(lang=LANGUAGE)}


def _audited(
    session: Session, program: Program, by: str, label: str, split: str, step: Callable[[], object]
) -> tuple[Audit, str, int]:
    rows = session.rows(split)
    if rows.sum() < ENOUGH:
        split, rows = "all", session.rows("all")
    view = session.on_table(program).view
    groups = segment_groups(session, by, rows)
    return audit_groups(view, by, groups, label_named(program, label), step), split, int(rows.sum())


def segments_file(session: Session, by: str, label: str, split: str, which: Which, form: FileForm) -> bytes:
    """Write a line for each segment: how many rows, and each share as counts, share and interval."""
    found = segments(session, by, label, split, which, bool)
    lines: dict[str, list[Any]] = {by: [group["name"] for group in found["groups"]]}
    lines[free_name("rows", lines)] = [group["predicted"]["of"] for group in found["groups"]]
    for name, text in SHARES.items():
        if name not in found["groups"][0]:
            continue
        title = text.format(label=label)
        shares = [group[name] for group in found["groups"]]
        lines[free_name(f"{title}, rows", lines)] = [share["n"] for share in shares]
        lines[free_name(f"{title}, of", lines)] = [share["of"] for share in shares]
        lines[free_name(f"{title}, share", lines)] = [share["share"] if share["of"] else None for share in shares]
        for i, end in enumerate(("95 % from", "95 % to")):
            lines[free_name(f"{title}, {end}", lines)] = [s["interval"][i] if s["of"] else None for s in shares]
    return file_of(pl.DataFrame(lines, strict=False), form)


def _are_labels(session: Session, view: View, labels: set[str]) -> bool:
    """Tell whether these are all labels of the column that is to be predicted: costs can be given for them."""
    if view.target is None or view.target != session.settings.target:
        return False
    known = session.need_table().summary(view.target, "categorical", session.settings.missing)
    return {each["word"] for each in known["words"]} == labels


def cutoffs(session: Session, label: str, split: str, which: Which) -> dict[str, Any]:
    """Count right and wrong for deciding by the probability of a label, at many cut-offs, and as the rules decide.

    Of more than two labels the others are taken together; then `other` is None.
    """
    program = session.chosen(which)
    view = session.on_table(program).view
    _ = view.predicted  # a column that the rules test and the table lacks is named first
    if not view.probabilities or view.actual is None:
        msg = "this needs a program with a grade and a table with labels; learn again, or run `unless grade`."
        raise DataError(msg)
    rows = session.rows(split)
    split = split if rows.any() else "all"
    rows = session.rows(split)
    label = label_text(label_named(program, label))
    texts = [label_text(each) for each in view.labels]
    index = texts.index(label)
    chance, actual = view.probabilities[label][rows], (view.actual == index)[rows]
    cuts = np.unique(np.concatenate([np.linspace(0, 1, CUTS), np.quantile(chance, np.linspace(0, 1, CUTS))]).round(4))
    yes, no = np.sort(chance[actual]), np.sort(chance[~actual])
    missed = np.searchsorted(yes, cuts, side="left")
    refused = np.searchsorted(no, cuts, side="left")
    predicted = (view.predicted == index)[rows]
    others = set(texts) - {label}
    other = others.pop() if len(others) == 1 else None
    return {
        "split": split,
        "which": which,
        "n_rows": int(rows.sum()),
        "label": label,
        "other": other,
        "can_learn": other is not None and _are_labels(session, view, {label, other}),
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
