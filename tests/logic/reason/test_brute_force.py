"""The engine against brute force: every combination of cells of random programs, up to a million, by plain arrays.

A part of the search by default; all of it, 1,000 programs and 1,000 edits of one literal:

    HYPOTHESIS_PROFILE=wild pytest tests/logic/reason/test_brute_force.py --hypothesis-show-statistics
"""

from __future__ import annotations

import math
import time

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

from random_programs import AWKWARD, SPREAD, composed, edits, programs
from unless.logic.clause import Call, Points
from unless.logic.holds import decide, literal_holds
from unless.logic.program import same_label
from unless.logic.reason.boxes import boxes_of
from unless.logic.reason.questions import Decides, Differs
from unless.logic.reason.reasoner import Engine
from unless.logic.reason.rule_changes import rule_changes
from unless.logic.rules import Literal

MOST_CELLS = 1_000_000
SOME_ROWS = 20


def fits(*some):
    return Engine(some).space.size <= MOST_CELLS


SINGLE = (programs(SPREAD, at_least=2) | composed(SPREAD) | programs(AWKWARD, at_least=2)).filter(fits)
EDITED = (edits(programs(SPREAD, at_least=2), SPREAD) | edits(composed(SPREAD), SPREAD)).filter(lambda two: fits(*two))


def labels_of(program):
    return (*program.target.labels, program.target.default)


class AllCells:
    """What a program decides in every combination of cells, as an array with an axis for each column."""

    def __init__(self, program, space):
        self.program, self.space = program, space
        self.shape = tuple(len(cells) for cells in space.cells.values())
        self.known = {}
        for name in program.order:
            self.known[name] = self.any_clause(program.helpers[name])
        self.decided = np.full(self.shape, len(program.target.labels))
        for i, label in reversed(list(enumerate(program.target.labels))):
            self.decided[self.any_clause(program.clauses_for(label))] = i

    def any_clause(self, clauses):
        found = np.zeros(self.shape, bool)
        for clause in clauses:
            found |= np.logical_and.reduce([np.broadcast_to(self.goal(goal), self.shape) for goal in clause.body])
        return found

    def goal(self, goal):
        if isinstance(goal, Literal):
            axis = self.space.columns.index(goal.column)
            truth = [literal_holds(goal, cell.value) for cell in self.space.cells[goal.column]]
            return np.reshape(truth, [-1 if i == axis else 1 for i in range(len(self.shape))])
        if isinstance(goal, Points):
            return sum(points * self.known[case].astype(int) for points, case in goal.awards) >= goal.threshold
        assert isinstance(goal, Call)
        return self.known[goal.name] != goal.negated

    def where(self, label):
        """Return where the program decides a label, which two numbers may stand for."""
        same = [i for i, each in enumerate(labels_of(self.program)) if same_label(each, label)]
        return np.isin(self.decided, same)

    def numbers(self, labels):
        """Return the decisions as numbers of some labels."""
        to = [next(i for i, known in enumerate(labels) if same_label(known, x)) for x in labels_of(self.program)]
        return np.array(to)[self.decided]


def by_diagram(compiled, decision, space):
    """Follow every combination of cells down a diagram."""
    diagrams, found = compiled.diagrams, np.array(decision)
    for level, size in enumerate(len(cells) for cells in space.cells.values()):
        nodes, at = np.unique(found, return_inverse=True)
        children = [diagrams.branches(int(n), level) for n in nodes]
        found = np.array(children).reshape(len(nodes), size)[at.reshape(found.shape)]
    return found


def without_diagrams(some, space):
    """Return an engine that tries near rows and asks the solver, as for programs whose diagrams do not fit."""
    engine = Engine(some, space=space)
    engine.compiled = None
    return engine


def say_size(space, program):
    event(f"cells: up to 10^{math.ceil(math.log10(max(space.size, 2)))}")
    event(f"labels: {len({repr(x) for x in labels_of(program)})}")
    event(f"points: {any(True for clause in program.clauses for _ in clause.points)}")
    event(f"helpers: {bool(program.helpers)}")


def row_at(space, flat, shape):
    return space.row([int(i) for i in np.unravel_index(flat, shape)])


@settings(deadline=None)
@given(SINGLE, st.randoms(use_true_random=False))
def test_a_program_is_its_diagram_in_every_cell(program, rng):
    engine = Engine([program])
    compiled, space = engine.compiled, engine.space
    say_size(space, program)
    every = AllCells(program, space)
    expected = every.numbers(compiled.labels)
    assert (by_diagram(compiled, compiled.decisions[0], space) == expected).all()
    for label in labels_of(program):
        assert engine.find(Decides(program, label)).verdict == ("yes" if every.where(label).any() else "no")
    for flat in [rng.randrange(expected.size) for _ in range(SOME_ROWS)]:  # the array itself, by the definition
        assert same_label(decide(program, row_at(space, flat, every.shape)), compiled.labels[expected.flat[flat]])


@settings(deadline=None)
@given(EDITED, st.randoms(use_true_random=False))
def test_an_edit_of_one_literal_is_found_exactly(two, rng):
    old, new = two
    engine = Engine(two)
    compiled, space = engine.compiled, engine.space
    say_size(space, old)
    arrays = [AllCells(program, space) for program in two]
    before, after = (every.numbers(compiled.labels) for every in arrays)
    differs = before != after
    answer = engine.find(Differs(old, new))
    event(f"equal: {not differs.any()}")
    assert answer.verdict == ("yes" if differs.any() else "no")
    assert (compiled.decisions[0] == compiled.decisions[1]) == (not differs.any())
    assert without_diagrams(two, space).find(Differs(old, new)).verdict == answer.verdict
    if answer.row is not None:
        assert differs[space.indices(answer.row)]
    flips = [row_at(space, i, differs.shape) for i in rng.sample(range(differs.size), min(differs.size, SOME_ROWS))]
    flips = [row for row in flips if differs[space.indices(row)]]
    for found in (
        boxes_of(engine, flips, most=10, until=time.monotonic() + 10),
        rule_changes(engine, flips, most=10, until=time.monotonic() + 10),
    ):
        check_parts(found, space, differs, before, after, compiled)


def check_parts(found, space, differs, before, after, compiled):
    """Boxes hold nothing but what changes as they say; parts that are complete hold all of it."""
    assert found.verdict == ("yes" if differs.any() else "no")
    held = np.zeros(differs.shape, bool)
    for part in found.parts:
        inside = np.ix_(*(_chosen(part, space, c) for c in space.columns))
        held[inside] = True
        if part.rules is None:
            assert (before[inside] == compiled.number_of(part.old)).all()
            assert (after[inside] == compiled.number_of(part.new)).all()
            assert math.isclose(part.share, held[inside].size / differs.size)
    if found.is_complete:
        assert not (differs & ~held).any()


def _chosen(part, space, column):
    cells = space.cells[column]
    return [i for i, cell in enumerate(cells) if column not in part.cells or cell in part.cells[column]]


@settings(deadline=None)
@given(SINGLE, st.randoms(use_true_random=False))
def test_the_cheapest_way_is_the_cheapest_of_all_cells(program, rng):
    engine = Engine([program])
    space = engine.space
    every = AllCells(program, space)
    costs = [[rng.choice((0.0, 1.0, 1.5, 2.25, math.inf)) for _ in cells] for cells in space.cells.values()]
    total = np.zeros(())
    for cost in costs:
        total = total[..., None] + np.array(cost)
    for label in labels_of(program):
        wanted = np.where(every.where(label), total, math.inf)
        for each in (engine, without_diagrams([program], space)):
            answer = each.find(Decides(program, label), costs)
            if math.isinf(wanted.min()):
                assert answer.verdict == "no"
            else:
                assert math.isclose(answer.cost, wanted.min())
