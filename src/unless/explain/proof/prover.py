"""A program and a row give a `Proof`, tree and all.

The label is always the one that `holds.decide` gives; a property test holds the two together. Nothing here recurses, so
the length of a chain of exceptions does not matter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from unless.evaluate.row_risk import row_risk
from unless.explain.proof.tree import ClauseNode, LiteralNode, PointsNode, PredicateNode, Proof
from unless.logic.clause import Call, Points
from unless.logic.graded import graded_columns
from unless.logic.holds import literal_holds, read_row
from unless.logic.rules import Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.logic.clause import Goal
    from unless.logic.program import Program
    from unless.logic.rules import Label, Value


def prove(
    program: Program, row: Mapping[str, object], *, row_name: int | str | None = None, all_rules: bool = False
) -> Proof:
    """Prove which label a row has; `all_rules` shows every clause of that label that holds, not just the first."""
    values = read_row(program, row, graded_columns(program))
    used = {name: values[name] for name in program.used_columns}
    return with_risk(prove_values(program, used, row_name=row_name, all_rules=all_rules), values)


def with_risk(proof: Proof, values: Mapping[str, Value | None]) -> Proof:
    """Return a proof with the values of all columns that the program and its grade test, and the row's probability."""
    return replace(proof, values=values, risk=row_risk(proof.program, values))


def prove_values(
    program: Program,
    values: Mapping[str, Value | None],
    *,
    row_name: int | str | None = None,
    all_rules: bool = False,
) -> Proof:
    """Prove which label a row has, given the values of the columns that the program tests."""
    prover = Prover(program, values, all_rules=all_rules)
    label, holds, reasons = program.target.default, False, []
    for index, candidate in enumerate(program.target.labels):
        node = prover.label(index)
        reasons.append(node)
        if node.holds:
            label, holds = candidate, True
            break
    return Proof(program, row_name, values, label, holds, tuple(reasons))


class Prover:
    """Proves labels and helpers of one program for one row; each helper is proved at most once."""

    def __init__(self, program: Program, values: Mapping[str, Value | None], *, all_rules: bool = False) -> None:
        self.program = program
        self.values = values
        self.all_rules = all_rules
        self.proved: dict[str, PredicateNode] = {}

    def label(self, index: int) -> PredicateNode:
        """Prove or refute one of the target's labels."""
        label = self.program.target.labels[index]
        return self._predicate(None, label, self.program.label_clauses[index], all_of_them=self.all_rules)

    def helper(self, name: str) -> PredicateNode:
        """Prove or refute a helper; what it calls first, without recursion."""
        waiting = [name]
        while waiting:
            top = waiting[-1]
            needed = [] if top in self.proved else [n for n in self.program.calls[top] if n not in self.proved]
            if needed:
                # Reversed: the first call is proved first. Calls form no cycle, so this ends.
                waiting.extend(reversed(needed))
                continue
            waiting.pop()
            if top not in self.proved:
                self.proved[top] = self._predicate(top, None, self.program.helper_clauses[top])
        return self.proved[name]

    def literal(self, literal: Literal) -> LiteralNode:
        """Test a literal."""
        value = self.values.get(literal.column)
        return LiteralNode(literal, value, literal_holds(literal, value))

    def _predicate(
        self, name: str | None, label: Label | None, numbers: Iterable[int], *, all_of_them: bool = False
    ) -> PredicateNode:
        holding, failing = [], []
        for number in numbers:
            node = self.clause(number)
            if not node.holds:
                failing.append(node)
                continue
            holding.append(node)
            if not all_of_them:
                break
        return PredicateNode(name, label, bool(holding), tuple(holding or failing))

    def clause(self, number: int) -> ClauseNode:
        """Prove or refute a clause by its number."""
        clause = self.program.clauses[number - 1]
        values = self.values
        for goal in clause.body:
            # Most goals are tests that need no node of their own: one is made for the test that fails, or for all.
            if isinstance(goal, Literal):
                if not literal_holds(goal, values.get(goal.column)):
                    return ClauseNode(number, clause, False, (self.literal(goal),))
                continue
            node = self._goal(goal)
            if node.holds == (isinstance(goal, Call) and goal.negated):
                return ClauseNode(number, clause, False, (node,))
        return ClauseNode(number, clause, True, tuple(map(self._goal, clause.body)))

    def _goal(self, goal: Goal) -> LiteralNode | PredicateNode | PointsNode:
        if isinstance(goal, Literal):
            return self.literal(goal)
        if isinstance(goal, Points):
            return PointsNode(goal, tuple(self._called(case) for _, case in goal.awards))
        return self._called(goal.name)

    def _called(self, name: str) -> PredicateNode:
        return self.proved.get(name) or self.helper(name)
