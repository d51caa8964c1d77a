"""A program while it grows: from a state onto the boards of kernels, and back.

In: a state, with rules or without, and limits. Out: boards that kernels work on, the state that they stand for, and the
program without its rows, to be planted on others. There is room for more rules whenever a rule is to be added.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.optimise.bins import Test
from unless.learn.optimise.body.bodies import line_of, read_test
from unless.learn.optimise.body.body_search import MAX_SAMPLE
from unless.learn.optimise.body.body_solver import SCORE
from unless.learn.optimise.body.scorecard_board import N_PARTS, THRESHOLD
from unless.learn.optimise.body.scorecards import Score, ScoreLines, score_of
from unless.learn.optimise.growing.program_board import (
    DEPTH,
    IS_LOCKED,
    IS_THERE,
    N_RULES,
    NOBODY,
    PARENT,
    SIGN,
    GrownOn,
    make_growing,
    make_held_out,
)
from unless.learn.optimise.growing.rule_rows import predict_held_out, write_rows
from unless.learn.optimise.layout import KIND
from unless.learn.optimise.state import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.body.bodies import BinLiteral
    from unless.learn.optimise.growing.growth_limits import Limits
    from unless.learn.optimise.growing.program_board import HeldOut
    from unless.learn.optimise.layout import Bytes, Ints
    from unless.learn.optimise.state import State

FEW = 16
"""Room for so many rules to begin with."""


@dataclass(frozen=True, eq=False)
class PlainProgram:
    """A program without its rows: rules by slot, their order, their bodies."""

    facts: Ints
    order: Ints
    bodies: list[NDArray[Any]]

    @property
    def n_rules(self) -> int:
        """Count the rules, exceptions included; those that stay as they are do not count."""
        return int(np.count_nonzero(self.facts[self.order, IS_LOCKED] == 0))


class GrowingProgram:
    """A program on boards, and the rows that it grows on."""

    def __init__(self, state: State, limits: Limits) -> None:
        self._empty, nodes = copy(state), list(state.nodes())
        self.width = max([limits.max_literals, *(len(node.body) for node in nodes)])
        self.has_scores = limits.points or any(isinstance(one, Score) for node in nodes for one in node.body)
        self.grown_on = _grown_on(state, limits)
        self.boards = make_growing(max(FEW, 2 * len(nodes)), self.width, state.bins.n_rows, len(state.bins.books))
        self._n_locked = sum(node.is_locked for node in nodes)
        self._held_out: HeldOut | None = None
        for slot, node in enumerate(nodes):
            self._put(slot, node, NOBODY if node.parent is None else nodes.index(node.parent))

    def _put(self, slot: int, node: Node, parent: int) -> None:
        """Put a rule into a slot, behind all others."""
        rules, bodies = self.boards.rules, self.boards.bodies
        rules.facts[slot, [PARENT, SIGN, DEPTH]] = parent, node.sign, node.depth
        rules.facts[slot, [IS_LOCKED, IS_THERE]] = node.is_locked, True
        rules.order[slot], rules.holds[slot], rules.fires[slot] = slot, node.holds, node.fires
        rules.counters[N_RULES] += 1
        bodies.lengths[slot] = len(node.body)
        for i, literal in enumerate(node.body):
            if isinstance(literal, Test):
                bodies.facts[slot, i], bodies.tables[slot, i] = line_of(literal), literal.table
            else:
                assert isinstance(literal, Score)
                n, lines = len(literal.parts), literal.lines
                bodies.facts[slot, i] = 0, SCORE, 0, literal.size
                bodies.parts[slot, [N_PARTS, THRESHOLD]] = n, literal.threshold
                bodies.points[slot, :n], bodies.part_facts[slot, :n] = lines.points, lines.tests
                bodies.part_tables[slot, :n] = lines.tables

    @property
    def n_rules(self) -> int:
        """Count the rules, exceptions included; those that stay as they are do not count."""
        return int(self.boards.rules.counters[N_RULES]) - self._n_locked

    def make_room(self, n: int = 1) -> None:
        """Make room for so many rules more."""
        n_there, n_slots = int(self.boards.rules.counters[N_RULES]), len(self.boards.rules.facts)
        if n_there + n > n_slots:
            n_rows, n_columns = len(self.grown_on.rows), len(self.grown_on.spans)
            larger = make_growing(max(2 * n_slots, n_there + n), self.width, n_rows, n_columns)
            for old, new in zip(_arrays_of(self.boards), _arrays_of(larger), strict=True):
                new[tuple(map(slice, old.shape))] = old
            self.boards = larger

    def forget(self) -> None:
        """Forget what was searched and polished."""
        self.boards.memory.is_searched[:] = 0
        self.boards.memory.is_polished[:] = 0

    def state(self) -> State:
        """Return the program as a state."""
        rules, state, nodes = self.boards.rules, copy(self._empty), dict[int, Node]()
        state.tops = []
        for slot in rules.order[: rules.counters[N_RULES]].tolist():
            facts, body = rules.facts[slot].tolist(), self._body(slot)
            parent = nodes.get(facts[PARENT])
            rows = rules.holds[slot].copy(), rules.fires[slot].copy()
            node = Node(body, parent, facts[SIGN], facts[DEPTH], *rows, is_locked=bool(facts[IS_LOCKED]))
            nodes[slot] = node
            state.siblings(parent).append(node)
        return state

    def _body(self, slot: int) -> tuple[BinLiteral, ...]:
        return tuple(self._literal(slot, i) for i in range(self.boards.bodies.lengths[slot]))

    def _literal(self, slot: int, i: int) -> BinLiteral:
        bodies, bins = self.boards.bodies, self._empty.bins
        if bodies.facts[slot, i, KIND] != SCORE:
            return read_test(bins, bodies.facts[slot, i], bodies.tables[slot, i])
        n, threshold = bodies.parts[slot].tolist()
        facts, tables = bodies.part_facts[slot, :n].copy(), bodies.part_tables[slot, :n].copy()
        return score_of(bins, ScoreLines(bodies.points[slot, :n].copy(), facts, tables), threshold)

    def plain(self) -> PlainProgram:
        """Return the program of the moment without its rows."""
        rules, bodies = self.boards.rules, self.boards.bodies
        order = rules.order[: rules.counters[N_RULES]].copy()
        n = int(order.max(initial=-1)) + 1
        return PlainProgram(rules.facts[:n].copy(), order, [each[:n].copy() for each in _arrays_of(bodies)])

    def plant(self, program: PlainProgram) -> None:
        """Become a program that has grown on other rows of the same table, of which the same rules stay."""
        n, n_slots = len(program.order), len(program.facts)
        self.make_room(max(0, n_slots - int(self.boards.rules.counters[N_RULES])))
        rules = self.boards.rules
        rules.counters[N_RULES] = 0  # until all is there: Ctrl-C may come in between
        rules.facts[:, IS_THERE] = 0
        rules.facts[:n_slots], rules.order[:n] = program.facts, program.order
        for mine, other in zip(_arrays_of(self.boards.bodies), program.bodies, strict=True):
            mine[:n_slots] = other
        self.forget()
        rules.counters[N_RULES] = n
        write_rows(self.grown_on, self.boards)

    def predicted(self, by_column: Bytes, rows: Ints, given: Bytes) -> Bytes:
        """Return which held-out rows, the same ones always, it gives to its class.

        `given` is where rules that stay fire. It is asked after every step, and few bodies change in one.
        """
        n_slots = len(self.boards.rules.facts)
        if self._held_out is None or len(self._held_out.versions) < n_slots:
            self._held_out = make_held_out(n_slots, len(rows))
        predict_held_out(self.boards.rules, self.boards.bodies, by_column, rows, given, self._held_out)
        return self._held_out.marks.copy()


def _grown_on(state: State, limits: Limits) -> GrownOn:
    """Return the rows of a state, and what is allowed, as kernels want them."""
    bins, n_columns = state.bins, len(state.bins.books)
    rivals = np.zeros((n_columns if limits.rivals else 0, n_columns), dtype=np.uint8)
    for column, others in limits.rivals.items():
        rivals[column, list(others)] = 1
    hashes: Ints = np.zeros(0, dtype=np.int64)
    if limits.points and not limits.rivals:  # a sum of columns that are apart is no rule
        hashes = np.zeros(bins.n_rows, dtype=np.int64)
        if bins.n_rows > MAX_SAMPLE:
            hashes = (bins.hashes >> np.uint64(1)).astype(np.int64)
    return GrownOn(
        bins.bin_index, bins.by_column, np.arange(bins.n_rows), hashes, bins.spans, bins.kinds, np.stack(limits.kinds),
        rivals, np.stack(state.gains), state.right, state.weights,
        np.array([limits.max_literals, limits.max_depth], dtype=np.int64),
    )  # fmt: skip


def _arrays_of(record: Any) -> list[NDArray[Any]]:
    """Return all arrays of a record, and of those that it holds."""
    return [record] if isinstance(record, np.ndarray) else [array for field in record for array in _arrays_of(field)]
