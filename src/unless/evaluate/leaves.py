"""The ways in which a program comes to a label, and which of them decides each row.

A leaf is the clause that concludes a label, or for the default label the clause that nearly did and the call that
stopped it. A classifier tells rows apart by it (`apply`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unless.evaluate.truth import Truth
from unless.logic.clause import Call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from unless.logic.clause import Clause
    from unless.logic.program import Program
    from unless.table.cells import Cells


@dataclass(frozen=True, slots=True)
class Leaf:
    """One way to a label: the clause that concludes it, or for the default the clause and the call that stopped it.

    `label` is its index among the target's labels; the default comes after them.
    """

    label: int
    clause: Clause | None = None
    stopped_by: Call | None = None


def leaves(program: Program) -> tuple[Leaf, ...]:
    """List the ways in which a program comes to a label, in the order in which they are tried."""
    labels = program.target.labels
    last = len(labels)
    concluding = [Leaf(i, c) for i, label in enumerate(labels) for c in program.clauses_for(label)]
    stopped = [Leaf(last, leaf.clause, call) for leaf in concluding for call in _denied(leaf.clause)]
    return (*concluding, *stopped, Leaf(last))


def _denied(clause: Clause | None) -> list[Call]:
    return [] if clause is None else [call for call in clause.calls if call.negated]


def leaf_indices(program: Program, columns: Mapping[str, Cells], n_rows: int) -> NDArray[np.intp]:
    """Return for each row the index of the leaf that decides it."""
    truth = Truth(program, columns, n_rows, {})
    every = leaves(program)
    result = np.full(n_rows, len(every) - 1, dtype=np.intp)
    for index, leaf in reversed(list(enumerate(every))):
        if leaf.stopped_by is not None and leaf.clause is not None:
            asked = [goal for goal in leaf.clause.body if not (isinstance(goal, Call) and goal.negated)]
            result[truth.all_hold(asked) & truth.helpers[leaf.stopped_by.name]] = index
        elif leaf.clause is not None:
            result[truth.clause(leaf.clause)] = index
    return result
