"""What people take along: predictions with what they ask for beside them, as CSV, Excel or Parquet.

In: a session and what is wanted. Out: bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unless.errors import DataError
from unless.evaluate.region_rows import deciding_rules
from unless.explain.proof.prover import prove
from unless.explain.words.language import language
from unless.explain.words.short_proof import short_proof
from unless.logic.program import label_text
from unless.web.explained_row import LANGUAGE
from unless.web.studio.shown_cells import shown_cells
from unless.web.studio.table_files import file_of, free_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unless.web.session import Session
    from unless.web.studio.table_files import FileForm

MOST_REASONS = 20_000
"""A reason is proved row by row; for more rows that takes longer than a page waits."""


@dataclass(frozen=True)
class PredictionFile:
    """What stands beside each prediction."""

    form: FileForm = "csv"
    id_column: str | None = None
    columns: bool = False
    probability: bool = True
    rule: bool = True
    reason: bool = False
    split: str = "all"


def predictions(session: Session, wanted: PredictionFile, step: Callable[[], object] = bool) -> bytes:
    """Write a line for each row; `step` is called now and then, and may raise."""
    return file_of(_frame(session, wanted, step), wanted.form, "predictions")


def _frame(session: Session, wanted: PredictionFile, step: Callable[[], object]) -> pl.DataFrame:
    program, opened = session.need_program(), session.need_table()
    view = session.on_table(program).view
    rows = np.flatnonzero(session.rows(wanted.split))
    taken: dict[str, Any] = {"row": rows}
    names = list(opened.table.names) if wanted.columns else []
    if wanted.id_column is not None:
        names = [wanted.id_column, *(name for name in names if name != wanted.id_column)]
    for name in names:
        step()
        taken[free_name(name, taken)] = shown_cells(session, name, rows)
    labels = np.array([label_text(label) for label in view.labels], dtype=object)
    taken[free_name(f"{program.target.column} predicted", taken)] = _texts(labels[view.predicted[rows]])
    if wanted.probability:
        for label, chances in view.probabilities.items():
            taken[free_name(f"probability of {label}", taken)] = chances[rows]
    if wanted.rule:
        taken[free_name("rule", taken)] = _texts(deciding_rules(view)[rows])
    if wanted.reason:
        taken[free_name("reason", taken)] = _reasons(session, rows.tolist(), step)
    return pl.DataFrame([pl.Series(name, values) for name, values in taken.items()])


def _texts(values: NDArray[Any]) -> pl.Series:
    return pl.Series(values.tolist(), dtype=pl.String)


def _reasons(session: Session, rows: list[int], step: Callable[[], object]) -> list[str]:
    if len(rows) > MOST_REASONS:
        msg = f"reasons are written for at most {MOST_REASONS:,} rows at once, and these are {len(rows):,}."
        raise DataError(msg + " Hint: `unless explain` has no limit.")
    program, words = session.need_program(), language(LANGUAGE)
    view = session.on_table(program).view
    found = []
    for row in rows:
        step()
        found.append(" ".join(short_proof(prove(program, view.row(row)), words).sentences))
    return found
