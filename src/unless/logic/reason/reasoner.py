"""One engine for questions about all rows: decision diagrams first, a solver where they do not fit, and a budget.

In: the programs that questions are about, and what else questions will test. Out: answers (`questions`), exact or
not decided. Every row that is answered is decided again by `holds` before anyone sees it.
"""

from __future__ import annotations

import time
from functools import cached_property
from math import inf, isinf
from typing import TYPE_CHECKING

from unless.errors import EngineError
from unless.logic.holds import clause_holds, decide, helpers_hold
from unless.logic.program import same_label
from unless.logic.reason.column_cells import space_of
from unless.logic.reason.compiled_programs import compile_all, oddity
from unless.logic.reason.diagrams import FALSE, OutOfBudgetError
from unless.logic.reason.questions import NO, NOT_DECIDED, All, Any, BodyHolds, Decides, Differs, Not, RowAnswer, Within
from unless.logic.reason.solver import CellSolver

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unless.logic.program import Program
    from unless.logic.reason.column_cells import Space
    from unless.logic.reason.compiled_programs import Compiled
    from unless.logic.reason.questions import Question, Row
    from unless.logic.reason.regions import Region
    from unless.logic.rules import Literal

    Costs = Sequence[Sequence[float]]

SECONDS = 10.0
DIAGRAMS = 0.5
"""The share of the time after which diagrams are given up for the solver."""


class Engine:
    """Answers questions about some programs, each within so many seconds."""

    def __init__(
        self,
        programs: Iterable[Program],
        further: Iterable[Literal] = (),
        *,
        seconds: float = SECONDS,
        space: Space | None = None,
    ) -> None:
        self.programs = tuple(programs)
        self.seconds = seconds
        self._cells = space_of(self.programs, further) if space is None else space

    @cached_property
    def space(self) -> Space:
        """Return the cells that questions are answered on: of all rows, or of the part that was given."""
        return self._cells if self.compiled is None else self.compiled.space

    def within(self, regions: Mapping[str, Region], *, seconds: float | None = None) -> Engine:
        """Return an engine for the rows of which some columns are in a region."""
        seconds = self.seconds if seconds is None else seconds
        return type(self)(self.programs, seconds=seconds, space=self.space.within(regions))

    @cached_property
    def compiled(self) -> Compiled | None:
        """Return the diagrams, or None where they do not fit."""
        try:
            return compile_all(self.programs, self._cells, seconds=self.seconds * DIAGRAMS)
        except OutOfBudgetError:
            return None

    def find(self, question: Question, costs: Costs | None = None, *, seconds: float | None = None) -> RowAnswer:
        """Find a row for which a question has the answer yes: with costs of cells the cheapest, else a plain one."""
        seconds = self.seconds if seconds is None else seconds
        until = time.monotonic() + seconds
        answer = self._by_diagrams(question, costs, seconds)
        if answer.verdict == "not decided" and costs is not None:
            answer = self._by_near_rows(question, costs, until)
        if answer.verdict == "not decided":
            answer = self._by_solver(question, costs, until - time.monotonic())
        _check(question, answer.row)
        return answer

    def find_pair(self, one: Question, other: Question, column: str, *, rising: bool = False) -> RowAnswer:
        """Find two rows that differ in one column only, `one` true of the first and `other` of the second.

        `rising` asks for numbers of which the second is larger.
        """
        if column not in self.space.level:
            return NO  # no program tests it, so it makes no difference
        until = time.monotonic() + self.seconds
        answer = self._pair_by_diagrams(one, other, column, rising=rising)
        if answer.verdict == "not decided":
            answer = self._pair_by_solver(one, other, column, until - time.monotonic(), rising=rising)
        _check(one, answer.row)
        _check(other, answer.other)
        return answer

    def node(self, compiled: Compiled, question: Question) -> int:  # noqa: PLR0911 - one for each kind of question
        """Return the diagram of a question."""
        match question:
            case Decides(program, label):
                return compiled.where(compiled.decision(program), label)
            case Differs(old, new):
                return compiled.difference(compiled.decision(old), compiled.decision(new))
            case BodyHolds(program, clause):
                return compiled.clause(program, clause)
            case Within(column, region):
                truth = (cell.value in region for cell in self.space.cells[column])
                return compiled.diagrams.test(self.space.level[column], truth)
            case Not(inner):
                return compiled.diagrams.negation(self.node(compiled, inner))
            case All(inner):
                return compiled.diagrams.both([self.node(compiled, each) for each in inner])
            case Any(inner):
                return compiled.diagrams.either([self.node(compiled, each) for each in inner])

    def _by_diagrams(self, question: Question, costs: Costs | None, seconds: float) -> RowAnswer:
        compiled = self.compiled
        if compiled is None:
            return NOT_DECIDED
        compiled.diagrams.renew_seconds(seconds)
        try:
            node = self.node(compiled, question)
        except OutOfBudgetError:
            return NOT_DECIDED
        if node == FALSE:
            return NO
        cost, cells = compiled.cheapest(node, costs if costs is not None else oddities(self.space))
        if cost == float("inf"):
            return NO
        return RowAnswer("yes", self.space.row(cells), cost=0.0 if costs is None else cost)

    def _by_near_rows(self, question: Question, costs: Costs, until: float) -> RowAnswer:
        """Try the row of the cheapest cells, and those beside it that cost no more than any with two other cells."""
        rest = [min(range(len(cost)), key=cost.__getitem__) for cost in costs]
        extra = [[each - cost[cell] for each in cost] for cost, cell in zip(costs, rest, strict=True)]
        steps = sorted((more, i, k) for i, each in enumerate(extra) for k, more in enumerate(each) if k != rest[i])
        nearest = sorted(
            min((more for k, more in enumerate(each) if k != rest[i]), default=inf) for i, each in enumerate(extra)
        )
        most = sum(nearest[:2]) if len(nearest) > 1 else inf
        for more, i, cell in [(0.0, 0, rest[0]), *steps]:
            if not more <= most or isinf(more) or time.monotonic() > until:
                break
            cells = [*rest[:i], cell, *rest[i + 1 :]]
            row = self.space.row(cells)
            if holds_for(question, row):
                cost = sum(cost[at] for cost, at in zip(costs, cells, strict=True))
                return RowAnswer("yes", row, cost=cost) if not isinf(cost) else NO
        return NOT_DECIDED

    def _by_solver(self, question: Question, costs: Costs | None, seconds: float) -> RowAnswer:
        try:
            solver = CellSolver(self.space, seconds=seconds)
            solver.row.require(question)
            return solver.solve(costs)
        except OutOfBudgetError:
            return NOT_DECIDED

    def _pair_by_diagrams(self, one: Question, other: Question, column: str, *, rising: bool) -> RowAnswer:
        compiled, level = self.compiled, self.space.level[column]
        if compiled is None:
            return NOT_DECIDED
        diagrams = compiled.diagrams
        diagrams.renew_seconds(self.seconds)
        try:
            first, second = self.node(compiled, one), self.node(compiled, other)
            for i, k in _pairs(self.space, column, rising=rising):
                both = diagrams.both([diagrams.fixed(first, {level: i}), diagrams.fixed(second, {level: k})])
                if both != FALSE:
                    cells = compiled.cheapest(both, oddities(self.space))[1]
                    rows = [self.space.row([*cells[:level], at, *cells[level + 1 :]]) for at in (i, k)]
                    return RowAnswer("yes", rows[0], rows[1])
        except OutOfBudgetError:
            return NOT_DECIDED
        return NO

    def _pair_by_solver(
        self, one: Question, other: Question, column: str, seconds: float, *, rising: bool
    ) -> RowAnswer:
        try:
            solver = CellSolver(self.space, seconds=seconds)
            second = solver.second_row(column)
            solver.row.require(one)
            second.require(other)
            mine, theirs = solver.row.cells[column], second.cells[column]
            if rising:
                solver.allow_pairs(mine, theirs, _pairs(self.space, column, rising=True))
            return solver.solve(other=second)
        except OutOfBudgetError:
            return NOT_DECIDED


def oddities(space: Space) -> list[list[float]]:
    """Return costs that make rows plain to read: few cells missing or unheard of."""
    return [[oddity(cell) for cell in cells] for cells in space.cells.values()]


def _pairs(space: Space, column: str, *, rising: bool) -> list[tuple[int, int]]:
    cells = space.cells[column]
    if not rising:
        return [(i, k) for i in range(len(cells)) for k in range(len(cells)) if i != k]
    numbers = [i for i, cell in enumerate(cells) if cell.region.has_numbers]
    return [(i, k) for i in numbers for k in numbers if i < k]


def _check(question: Question, row: Row | None) -> None:
    """Decide a row again by the definition of truth."""
    if row is not None and not holds_for(question, row):
        msg = "a row that the engine found is decided otherwise; this is a fault of ours, please report it."
        raise EngineError(msg)


def holds_for(question: Question, row: Row) -> bool:  # noqa: PLR0911 - one return for each kind of question
    """RowAnswer a question for one row, by `holds`."""
    match question:
        case Decides(program, label):
            return same_label(decide(program, row), label)
        case Differs(old, new):
            return not same_label(decide(old, row), decide(new, row))
        case BodyHolds(program, clause):
            return clause_holds(clause, row, helpers_hold(program, row))
        case Within(column, region):
            return row.get(column) in region
        case Not(inner):
            return not holds_for(inner, row)
        case All(inner):
            return all(holds_for(each, row) for each in inner)
        case Any(inner):
            return any(holds_for(each, row) for each in inner)
