"""The same questions by OR-tools' CP-SAT, for programs whose diagrams grow too large; the extra `unless[reason]`.

A row is a choice of one cell in each column; whether literals, clauses, helpers and sums of points hold is a Boolean
each, tied to the choice both ways. Cells are whole numbers to the solver, so no threshold is rounded. The solver's
answers are exact: optimal or infeasible, or none within the budget; a model that takes longer to write down than there
is time raises `OutOfBudgetError`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from unless.errors import EngineError
from unless.logic.clause import Points
from unless.logic.program import label_text, same_label
from unless.logic.reason.diagrams import OutOfBudgetError
from unless.logic.reason.helper_order import called_first
from unless.logic.reason.questions import NO, NOT_DECIDED, All, BodyHolds, Decides, Differs, Not, RowAnswer, Within
from unless.logic.reason.questions import Any as AnyOf
from unless.logic.rules import Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unless.logic.clause import Clause, Goal
    from unless.logic.program import Program
    from unless.logic.reason.column_cells import Space
    from unless.logic.reason.questions import Question
    from unless.logic.rules import Label

    Boolean = Any
    """A Boolean of the model, or its negation; OR-tools has no public name for both."""
    Costs = Sequence[Sequence[float]]

SCALE = 1_000_000
"""The solver adds whole numbers: costs are counted in millionths, and added up again exactly from its row."""


class CellSolver:
    """One model: a row or two of one space, and what must be true of them."""

    def __init__(self, space: Space, *, seconds: float) -> None:
        self.until = time.monotonic() + seconds
        try:
            from ortools.sat.python import cp_model
        except ImportError:
            msg = "this program is too large for decision diagrams and needs a solver: pip install 'unless[reason]'."
            raise EngineError(msg) from None
        self.space = space
        self.cp = cp_model
        self.model = cp_model.CpModel()
        self.true = self.model.new_constant(1)
        self.row = SolverRow(self, {column: self._choice(column) for column in space.columns})

    def second_row(self, column: str) -> SolverRow:
        """Return a row that is the same but for one column."""
        return SolverRow(self, {**self.row.cells, column: self._choice(column)})

    @property
    def left(self) -> float:
        """Return the seconds that are left, or raise `OutOfBudgetError`."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise OutOfBudgetError
        return left

    def solve(self, costs: Costs | None = None, *, other: SolverRow | None = None) -> RowAnswer:
        """Search for the row, the cheapest if there are costs."""
        if costs is not None:
            self._minimise(costs)
        solver = self.cp.CpSolver()
        solver.parameters.max_time_in_seconds = self.left
        solver.parameters.num_workers = 1  # one answer, whatever the machine
        status = solver.solve(self.model)
        if status == self.cp.INFEASIBLE:
            return NO
        # A row that is not proved to be the cheapest is no answer to a question of costs.
        if status != self.cp.OPTIMAL and not (status == self.cp.FEASIBLE and costs is None):
            return NOT_DECIDED
        found = self.row.chosen(solver)
        cost = 0.0 if costs is None else sum(cost[i] for cost, i in zip(costs, found, strict=True))
        pair = None if other is None else self.space.row(other.chosen(solver))
        return RowAnswer("yes", self.space.row(found), pair, cost)

    def both(self, parts: Iterable[Boolean]) -> Boolean:
        """Return a Boolean that is true exactly when all are."""
        parts = list(parts)
        if len(parts) < 2:
            return parts[0] if parts else self.true
        found = self.model.new_bool_var("")
        self.model.add_bool_and(parts).only_enforce_if(found)
        self.model.add_bool_or([found, *(~part for part in parts)])
        return found

    def either(self, parts: Iterable[Boolean]) -> Boolean:
        """Return a Boolean that is true exactly when one is."""
        return ~self.both([~part for part in parts])

    def at_least(self, awards: Sequence[tuple[int, Boolean]], threshold: int) -> Boolean:
        """Return a Boolean that is true exactly when the points reach the threshold."""
        found = self.model.new_bool_var("")
        total = sum(points * part for points, part in awards)
        self.model.add(total >= threshold).only_enforce_if(found)
        self.model.add(total < threshold).only_enforce_if(~found)
        return found

    def one_of(self, parts: Sequence[Boolean]) -> Boolean:
        """Return a Boolean that is true exactly when one is, of which at most one can be."""
        if not parts:
            return ~self.true
        found = self.model.new_bool_var("")
        self.model.add(sum(parts) == found)
        return found

    def allow_pairs(self, one: Sequence[Boolean], other: Sequence[Boolean], pairs: Iterable[tuple[int, int]]) -> None:
        """Let only some pairs of choices through."""
        self.model.add_bool_or([self.both([one[i], other[k]]) for i, k in pairs] or [~self.true])

    def _choice(self, column: str) -> list[Boolean]:
        choice = [self.model.new_bool_var("") for _ in self.space.cells[column]]
        self.model.add_exactly_one(choice)
        return choice

    def _minimise(self, costs: Costs) -> None:
        total = []
        for column, cost in zip(self.space.columns, costs, strict=True):
            for part, each in zip(self.row.cells[column], cost, strict=True):
                if each == float("inf"):
                    self.model.add(part == 0)
                elif each:
                    total.append(round(each * SCALE) * part)
        self.model.minimize(sum(total))


class SolverRow:
    """One row of a model: the choice of its cells, and what holds for it."""

    def __init__(self, solver: CellSolver, cells: Mapping[str, list[Boolean]]) -> None:
        self.solver = solver
        self.cells = cells
        self._known: dict[object, Boolean] = {}

    def chosen(self, solution: Any) -> list[int]:
        """Return the cells that a solution takes."""
        columns = self.solver.space.columns
        return [next(i for i, part in enumerate(self.cells[c]) if solution.value(part)) for c in columns]

    def require(self, question: Question) -> None:
        """Let only rows through for which a question has the answer yes."""
        self.solver.model.add_bool_and([self.asked(question)])

    def asked(self, question: Question) -> Boolean:  # noqa: PLR0911 - one for each kind of question
        """Return the Boolean of a question."""
        match question:
            case Decides(program, label):
                return self._decides(program, label)
            case Differs(old, new):
                labels = (*old.target.labels, old.target.default)
                one = [self.solver.both([self._decides(old, x), ~self._decides(new, x)]) for x in labels]
                return self.solver.either(one)
            case BodyHolds(program, clause):
                return self._clause(program, clause)
            case Within(column, region):
                cells = zip(self.cells[column], self.solver.space.cells[column], strict=True)
                return self.solver.one_of([choice for choice, cell in cells if cell.value in region])
            case Not(inner):
                return ~self.asked(inner)
            case All(inner):
                return self.solver.both([self.asked(each) for each in inner])
            case AnyOf(inner):
                return self.solver.either([self.asked(each) for each in inner])

    def _decides(self, program: Program, label: Label) -> Boolean:
        target = program.target
        none_before: list[Boolean] = []
        ways: list[Boolean] = []
        for each in target.labels:
            holds = self._label(program, each)
            if same_label(each, label):
                ways.append(self.solver.both([holds, *none_before]))
            none_before.append(~holds)
        if same_label(target.default, label):
            ways.append(self.solver.both(none_before))
        return self.solver.either(ways)

    def _label(self, program: Program, label: Label) -> Boolean:
        key = id(program), label_text(label)
        if key not in self._known:
            self._known[key] = self.solver.either([self._clause(program, c) for c in program.clauses_for(label)])
        return self._known[key]

    def _helper(self, program: Program, name: str) -> Boolean:
        for each in called_first(program, name, lambda other: (id(program), other, "helper") in self._known):
            clauses = [self._clause(program, clause) for clause in program.helpers[each]]
            self._known[id(program), each, "helper"] = self.solver.either(clauses)
        return self._known[id(program), name, "helper"]

    def _clause(self, program: Program, clause: Clause) -> Boolean:
        _ = self.solver.left  # a large model takes long to write down
        return self.solver.both([self._goal(program, goal) for goal in clause.body])

    def _goal(self, program: Program, goal: Goal) -> Boolean:
        if isinstance(goal, Literal):
            return self._literal(goal)
        if isinstance(goal, Points):
            awards = [(points, self._helper(program, case)) for points, case in goal.awards]
            return self.solver.at_least(awards, goal.threshold)
        holds = self._helper(program, goal.name)
        return ~holds if goal.negated else holds

    def _literal(self, literal: Literal) -> Boolean:
        if literal not in self._known:
            cells, truth = self.cells[literal.column], self.solver.space.truth(literal)
            self._known[literal] = self.solver.one_of([c for c, holds in zip(cells, truth, strict=True) if holds])
        return self._known[literal]
