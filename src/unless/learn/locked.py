"""Rules to keep as they are: read, checked, and where they hold in the training rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.evaluate.truth import Truth
from unless.learn.rows.decoded import DecodedCells, known_helpers
from unless.logic.forms.flatten import flatten
from unless.logic.program import Program, label_text
from unless.logic.renamed_columns import called_like
from unless.logic.rules import Rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unless.learn.rows.source import LocalTable
    from unless.logic.clause import Clause

    LockedRules = str | Program | Sequence[Rule]


def locked_label(locked: LockedRules, classes: NDArray[Any]) -> int | None:
    """Return the index of the label that the locked rules conclude; None where they do not say."""
    if not isinstance(locked, str | Program):
        return None
    concluded = label_text(_program(locked).target.labels[0])
    found = [index for index, label in enumerate(classes.tolist()) if label_text(label) == concluded]
    return found[0] if found else None


def locked_clauses(theory: Program, locked: LockedRules | None) -> tuple[Clause, ...]:
    """Return the clauses of the locked rules."""
    if locked is None:
        return ()
    if not isinstance(locked, str | Program):
        if wrong := [rule for rule in locked if not isinstance(rule, Rule)]:
            msg = f"locked holds {wrong[0]!r}; accepted: a program, its text (all clauses in one), or a list of rules."
            raise DataError(msg)
        return flatten(locked, theory.target, theory.columns, theory.missing).clauses
    label = theory.target.labels[0]
    clauses = called_like(_program(locked), theory).clauses
    for clause in clauses:
        if clause.name is None and label_text(clause.label or "") != label_text(label):
            msg = f"a locked rule concludes {clause.label!r}; locked rules must conclude {label!r}, "
            msg += "the positive label. Hint: set positive."
            raise DataError(msg)
    return tuple(c if c.name is not None else replace(c, label=label) for c in clauses)


def where_locked_hold(theory: Program, table: LocalTable, clauses: Sequence[Clause]) -> list[NDArray[np.uint8]]:
    """Return where each locked rule holds, beside the background of a theory."""
    if not clauses:
        return []
    whole = replace(theory, clauses=(*clauses, *theory.clauses))
    truth = Truth(whole, DecodedCells(table), len(table.labels), known_helpers(table, theory.helpers))
    return [truth.clause(clause).astype(np.uint8) for clause in clauses if clause.name is None]


def _program(locked: str | Program) -> Program:
    if isinstance(locked, Program):
        return locked
    from unless.logic.text.parser import parse

    return parse(locked)
