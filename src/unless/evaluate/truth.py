"""What holds where: the truth of literals, clauses and helper predicates over whole columns.

The fast, column-wise twin of `logic.holds`. Each distinct literal is tested once over its whole column, each helper
predicate once, those called first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unless.logic.clause import Points
from unless.logic.rules import OPERATORS, Literal
from unless.table.cells import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from unless.logic.clause import Clause, Goal
    from unless.logic.program import Program
    from unless.table.cells import Cells


@dataclass(frozen=True)
class Truth:
    """The truth of literals, clauses and helper predicates over the rows of a table.

    `known` are helpers whose truth is known already, so that their columns need not be there.
    """

    program: Program
    columns: Mapping[str, Cells]
    n_rows: int
    known: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)

    @cached_property
    def decided(self) -> NDArray[np.intp]:
        """Return for each row the index of its label among the target's labels; the default comes after them."""
        labels = self.program.target.labels
        result = np.full(self.n_rows, len(labels), dtype=np.intp)
        for index in reversed(range(len(labels))):
            for clause in self.program.clauses_for(labels[index]):
                result[self.clause(clause)] = index
        return result

    @cached_property
    def helpers(self) -> dict[str, NDArray[np.bool_]]:
        """Return the rows for which each helper predicate holds."""
        known: dict[str, NDArray[np.bool_]] = {}
        for name in self.program.order:
            if name in self.known:
                known[name] = self.known[name]
                continue
            holds = np.zeros(self.n_rows, dtype=bool)
            for clause in self.program.helpers[name]:
                holds |= self._clause(clause, known)
            known[name] = holds
        return known

    @cached_property
    def _literals(self) -> dict[Literal, NDArray[np.bool_]]:
        return {}

    def clause(self, clause: Clause) -> NDArray[np.bool_]:
        """Return the rows for which a clause's body holds."""
        return self._clause(clause, self.helpers)

    def goal(self, goal: Goal) -> NDArray[np.bool_]:
        """Return the rows for which a goal holds."""
        return self._goal(goal, self.helpers)

    def all_hold(self, goals: Iterable[Goal]) -> NDArray[np.bool_]:
        """Return the rows for which all of the goals hold."""
        holds = np.ones(self.n_rows, dtype=bool)
        for goal in goals:
            holds &= self.goal(goal)
        return holds

    def literal(self, literal: Literal) -> NDArray[np.bool_]:
        """Return the rows for which a literal holds."""
        if literal not in self._literals:
            self._literals[literal] = test(literal, self.columns[literal.column])
        return self._literals[literal]

    def _clause(self, clause: Clause, known: Mapping[str, NDArray[np.bool_]]) -> NDArray[np.bool_]:
        holds = np.ones(self.n_rows, dtype=bool)
        for goal in clause.body:
            holds &= self._goal(goal, known)
        return holds

    def _goal(self, goal: Goal, known: Mapping[str, NDArray[np.bool_]]) -> NDArray[np.bool_]:
        if isinstance(goal, Literal):
            return self.literal(goal)
        if isinstance(goal, Points):
            total = np.zeros(self.n_rows, dtype=np.int64)
            for points, case in goal.awards:
                total += points * known[case]
            return total >= goal.threshold
        return ~known[goal.name] if goal.negated else known[goal.name]


def test(literal: Literal, column: Cells) -> NDArray[np.bool_]:
    """Test one literal over a whole column."""
    operator = OPERATORS[literal.op]
    if operator.tests == "number":
        if column.numbers is None:
            return np.zeros(column.n_rows, dtype=bool)
        return np.asarray(operator.compare(column.numbers, literal.value))  # NaN compares as false
    words = column.words
    if words is None:
        return np.full(column.n_rows, operator.compare(None, literal.value))
    code = words.lexicon.index(str(literal.value)) if literal.value in words.lexicon else MISSING - 1
    return np.asarray(operator.compare(words.codes, code))
