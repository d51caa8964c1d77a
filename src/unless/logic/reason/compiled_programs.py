"""Programs become diagrams: what they decide, and where each helper and clause holds, over one space of cells.

In: programs that speak of the same columns. Out: a `Compiled`, in which equal programs have the same decision. The
order of the columns matters to the size of diagrams, not to the answers; `compile_all` tries the orders of `ORDERS`
within a budget and raises `OutOfBudgetError` when none is small enough.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from functools import cached_property
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from unless.logic.clause import Points
from unless.logic.program import same_label
from unless.logic.reason.column_cells import space_of
from unless.logic.reason.diagrams import FALSE, TRUE, Diagrams, OutOfBudgetError
from unless.logic.reason.helper_order import called_first
from unless.logic.rules import Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from unless.logic.clause import Clause, Goal
    from unless.logic.program import Program
    from unless.logic.reason.column_cells import ColumnCell, Space
    from unless.logic.rules import Label, Value

SECONDS = 5.0
STEPS = 6_000_000
"""Some seconds of work: what fits is found within steps, so that it does not depend on how busy the machine is."""
FIRST_TRY = 0.15
"""The share of the steps that all orders but the last get."""


class Compiled:
    """Some programs as functions of one space."""

    def __init__(self, programs: Sequence[Program], space: Space) -> None:
        self.programs = tuple(programs)
        self.space = space
        self.labels = _labels_of(programs)
        sizes = [len(space.cells[column]) for column in space.columns]
        self.diagrams = Diagrams(sizes, len(self.labels))
        self._helpers: dict[int, dict[str, int]] = {}
        self._decisions: dict[int, int] = {}
        self._where: dict[tuple[int, int], int] = {}
        self._kept: list[Program] = []  # so that no other program gets the identity of one that is known

    @cached_property
    def decisions(self) -> tuple[int, ...]:
        """Return what each program decides: diagrams that end in the numbers of labels."""
        return tuple(self.decision(program) for program in self.programs)

    def number_of(self, label: Label) -> int:
        """Return the end that stands for a label."""
        return next(i for i, known in enumerate(self.labels) if same_label(known, label))

    def decision(self, program: Program) -> int:
        """Return what one program decides."""
        if id(program) not in self._decisions:
            found = self.number_of(program.target.default)
            for label in reversed(program.target.labels):
                holds = self.diagrams.either(self.clause(program, clause) for clause in program.clauses_for(label))
                found = self.diagrams.choose(holds, self.number_of(label), found)
            self._kept.append(program)
            self._decisions[id(program)] = found
        return self._decisions[id(program)]

    def decides_the_same_without(self, program: Program, left_out: Collection[int]) -> bool:
        """Tell whether a program decides the same without some of its clauses, which are named by their index."""
        skipped = {id(program.clauses[i]) for i in left_out}
        known: dict[str, int] = {}
        for name in program.order:
            kept = [clause for clause in program.helpers[name] if id(clause) not in skipped]
            known[name] = self._any_of(kept, known)
        found = self.number_of(program.target.default)
        for label in reversed(program.target.labels):
            kept = [clause for clause in program.clauses_for(label) if id(clause) not in skipped]
            holds = self.diagrams.either(self._body(clause, known) for clause in kept)
            found = self.diagrams.choose(holds, self.number_of(label), found)
        return found == self.decision(program)

    def helper(self, program: Program, name: str) -> int:
        """Return where a helper predicate holds."""
        known = self._helpers.setdefault(id(program), {})
        for each in called_first(program, name, known.__contains__):
            known[each] = self._any_of(program.helpers[each], known)
        return known[name]

    def clause(self, program: Program, clause: Clause) -> int:
        """Return where the body of a clause holds."""
        return self._body(clause, {name: self.helper(program, name) for name in clause.called})

    def _any_of(self, clauses: Iterable[Clause], helpers: Mapping[str, int]) -> int:
        """Return where one of some clauses holds; a set of words, a clause for each, is one test of its column."""
        words: dict[str, list[Literal]] = {}
        others: list[Clause] = []
        for clause in clauses:
            if len(clause.body) == 1 and isinstance(clause.body[0], Literal) and clause.body[0].op == "=":
                words.setdefault(clause.body[0].column, []).append(clause.body[0])
            else:
                others.append(clause)
        sets = [self.diagrams.test(self.space.level[c], self.space.any_word(c, of)) for c, of in words.items()]
        return self.diagrams.either([*sets, *(self._body(clause, helpers) for clause in others)])

    def _body(self, clause: Clause, helpers: Mapping[str, int]) -> int:
        return self.diagrams.both(self._goal(goal, helpers) for goal in clause.body)

    def _goal(self, goal: Goal, helpers: Mapping[str, int]) -> int:
        if isinstance(goal, Literal):
            return self.literal(goal)
        if isinstance(goal, Points):
            awards = [(points, helpers[case]) for points, case in goal.awards]
            return self.diagrams.at_least(awards, goal.threshold)
        node = helpers[goal.name]
        return self.diagrams.negation(node) if goal.negated else node

    def literal(self, literal: Literal) -> int:
        """Return where a literal holds."""
        return self.diagrams.test(self.space.level[literal.column], self.space.truth(literal))

    def decides(self, decision: int, row: Mapping[str, Value | None]) -> Label:
        """Return the label of a row."""
        return self.labels[self.diagrams.end_of(decision, self.space.indices(row))]

    def where(self, decision: int, label: Label) -> int:
        """Return where a decision is a label."""
        key = decision, self.number_of(label)
        if key not in self._where:
            self._where[key] = self.diagrams.map_ends(decision, lambda end: int(end == key[1]))
        return self._where[key]

    def difference(self, a: int, b: int) -> int:
        """Return where two decisions differ."""
        return self.diagrams.combine(a, b, lambda one, other: int(one != other))

    def witness(self, question: int) -> dict[str, Value | None] | None:
        """Return a row for which a function is true, as few of its cells missing or unheard of as can be."""
        if question == FALSE:
            return None
        costs = [[oddity(cell) for cell in cells] for cells in self.space.cells.values()]
        return self.space.row(self.cheapest(question, costs)[1])

    def cheapest(self, question: int, costs: Sequence[Sequence[float]]) -> tuple[float, list[int]]:
        """Return the least cost of a row for which a function is true, and its cells; infinite costs are never paid."""
        usual = [min(range(len(cost)), key=cost.__getitem__) for cost in costs]
        extra = [[each - cost[cell] for each in cost] for cost, cell in zip(costs, usual, strict=True)]
        least = sum(cost[cell] for cost, cell in zip(costs, usual, strict=True))
        came = self._nearest_true(question, extra) if math.isfinite(least) else {}
        if question != TRUE and TRUE not in came:
            return math.inf, usual
        chosen, node = list(usual), TRUE
        while node != question:
            node, cell = came[node]
            chosen[self.diagrams.level(node)] = cell
        return sum(cost[cell] for cost, cell in zip(costs, chosen, strict=True)), chosen

    def _nearest_true(self, question: int, extra: Sequence[Sequence[float]]) -> dict[int, tuple[int, int]]:
        """Walk down from a node, the cheapest way first, until true; return from where and by which cell nodes came."""
        diagrams, came = self.diagrams, dict[int, tuple[int, int]]()
        best, waiting = {question: 0.0}, [(0.0, 0, question)]
        while waiting:
            cost, _, node = heappop(waiting)
            if node == TRUE:
                break
            if cost > best[node] or diagrams.is_end(node):
                continue
            for cell, (child, more) in enumerate(
                zip(diagrams.children(node), extra[diagrams.level(node)], strict=True)
            ):
                if child != FALSE and cost + more < best.get(child, math.inf):
                    best[child], came[child] = cost + more, (node, cell)
                    # Of equally cheap nodes the lowest first: it is nearer to an end.
                    heappush(waiting, (cost + more, -diagrams.level(child), child))
        return came


def compile_all(programs: Sequence[Program], space: Space | None = None, *, seconds: float = SECONDS) -> Compiled:
    """Compile programs and what they decide, perhaps in part of the space, or raise `OutOfBudgetError`."""
    until = time.monotonic() + seconds
    space = space_of(programs) if space is None else space
    *first, last = ORDERS
    for order in first:
        compiled = Compiled(programs, space.ordered(order(programs, space)))
        compiled.diagrams.renew(int(STEPS * FIRST_TRY), max(until - time.monotonic(), 0.0))
        try:
            _ = compiled.decisions
        except OutOfBudgetError:
            continue
        break
    else:
        compiled = Compiled(programs, space.ordered(last(programs, space)))
        compiled.diagrams.renew(STEPS, max(until - time.monotonic(), 0.0))
        _ = compiled.decisions
    compiled.diagrams.renew(STEPS, max(until - time.monotonic(), 0.0))
    return compiled


def _by_use(programs: Sequence[Program], space: Space) -> list[str]:
    """Order columns by how many literals test them, the most used first."""
    uses = Counter(x.column for program in programs for clause in program.clauses for x in clause.literals)
    return sorted(space.columns, key=lambda column: -uses[column])


def _by_appearance(programs: Sequence[Program], space: Space) -> list[str]:
    """Order columns as the rules come to them, with the helpers that each rule calls."""
    found: dict[str, None] = {}
    for program in programs:
        for clause in program.clauses:
            if clause.name is None:
                found.update(dict.fromkeys(_columns_under(program, clause)))
    return [*found, *(column for column in space.columns if column not in found)]


def _columns_under(program: Program, clause: Clause) -> Iterator[str]:
    """Yield the columns of a clause, then of the helpers that it calls, each helper once, however deep the calls go."""
    seen: set[str] = set()
    waiting: list[Clause | str] = [clause]
    while waiting:
        here = waiting.pop()
        if not isinstance(here, str):
            yield from (literal.column for literal in here.literals)
            waiting += reversed(list(here.called))
        elif here not in seen:
            seen.add(here)
            waiting += reversed(program.helpers[here])


def _by_cells(programs: Sequence[Program], space: Space) -> list[str]:
    """Order columns by their number of cells, the fewest first."""
    return sorted(_by_use(programs, space), key=lambda column: len(space.cells[column]))


ORDERS: tuple[Callable[[Sequence[Program], Space], list[str]], ...] = (_by_use, _by_appearance, _by_cells)


def _labels_of(programs: Iterable[Program]) -> tuple[Label, ...]:
    found: list[Label] = []
    for program in programs:
        for label in (*program.target.labels, program.target.default):
            if not any(same_label(label, known) for known in found):
                found.append(label)
    return tuple(found)


def oddity(cell: ColumnCell) -> float:
    """Return how much a reader would wonder at a cell: numbers and named words are plain, missing is odd."""
    if cell.value is None:
        return 1.0
    return 0.5 if cell.region.others else 0.0
