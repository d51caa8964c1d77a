"""A program made ready for one row after the other: the fast twin of `logic.holds` for services, in plain Python.

In: a program, once; then rows as JSON objects, a cell per column. Out: a `Decision` each: the label, the rule that
decided, by its number as people count, and the probability of each label where the program has a grade. Tests become
small functions, a helper is asked at most once a row and only if its truth matters. Label, rule and probabilities are
those of `logic.holds`, `logic.reason.deciding` and `evaluate.probabilities`; tests hold them together.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from unless.errors import DataError
from unless.logic.clause import Points
from unless.logic.forms.outline import outline
from unless.logic.grade import Blank, Both, Decided, unweighed
from unless.logic.graded import agreeing_line, graded_columns, graded_texts, raw_line
from unless.logic.program import label_text, same_label
from unless.logic.readings import read_column_cell, read_part_cell
from unless.logic.rules import OPERATORS, Literal, OneOf
from unless.logic.values import missing_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.logic.clause import Clause, Goal
    from unless.logic.forms.entries import Entry
    from unless.logic.grade import Award, Card, CellCondition, GradeCondition
    from unless.logic.program import Program
    from unless.logic.rules import Column, Label, Value

State = list[Any]
"""The values of a row by the index of their column, then the truth of the helpers by theirs, None until asked."""
Test = Callable[[State], bool]
KEPT_TEXTS = 4096
"""So many texts of a column are remembered with their values: most cells have been seen before."""
DEEP = 40
"""Where helpers call each other in longer chains than this, all are asked in order, so that nothing recurses."""


class Decision(NamedTuple):
    """A row's label, and the rule or exception behind it.

    `entry` is the rule that holds; where none does, the exception that stopped the first rule whose conditions hold,
    and None where there is no such rule. `as_they_are` are the probabilities among rows as they are, where rows weighed
    differently in learning and they are known.
    """

    label: Label
    entry: Entry | None
    probabilities: list[float] | None
    as_they_are: list[float] | None = None

    @property
    def rule(self) -> str | None:
        """Return the number of the rule or exception."""
        return None if self.entry is None else self.entry.number


class RowProgram:
    """A program, ready to decide rows."""

    def __init__(self, program: Program) -> None:
        self.program = program
        by_name = {column.name: column for column in program.columns}
        self.columns = tuple(by_name[name] for name in graded_columns(program))
        self._read = tuple((column, _reader(column, program.missing)) for column in self.columns)
        builder = _Builder(program, [column.name for column in self.columns])
        self._blank = [None] * len(program.helpers)
        self._all = tuple(builder.helper(name) for name in program.order) if builder.is_deep else ()
        self._rules = tuple(builder.rule(entry) for entry in outline(program))
        self._texts = [] if program.grade is None else graded_texts(program)
        self._cards = () if program.grade is None else tuple(builder.card(card) for card in program.grade.cards)
        self._ratio = None if program.grade is None else program.grade.cost_ratio

    def needed(self, *, with_probabilities: bool = False) -> tuple[Column, ...]:
        """Return the columns that a table must have, or else the dates that they are parts of."""
        tested = {column.name for column in self.columns} if with_probabilities else set(self.program.used_columns)
        return tuple(column for column in self.columns if column.name in tested)

    def read(self, row: Mapping[str, object]) -> State:
        """Read the cells of a row as the program's columns see them; a column that the row lacks is missing."""
        return [read(row) for _, read in self._read]

    def decide(self, values: State) -> Decision:
        """Decide a row."""
        state = values + self._blank
        for helper in self._all:
            helper(state)
        for entry, holds, _, _ in self._rules:
            if holds(state):
                return Decision(entry.label, entry, *self._probabilities(state, entry.label))
        default = self.program.target.default
        return Decision(default, self._stopping(state), *self._probabilities(state, default))

    def _stopping(self, state: State) -> Entry | None:
        """Return the exception that stopped the first rule whose conditions hold."""
        for _, _, conditions, exceptions in self._rules:
            if exceptions and conditions(state):
                return next((below for below, holds in exceptions if holds(state)), None)
        return None

    def _probabilities(self, state: State, label: Label) -> tuple[list[float] | None, list[float] | None]:
        """Return the probability of each label, and the same among rows as they are where that is another."""
        if not self._cards:
            return None, None
        by_card = [(card.text, card.probability(card.total(state, label))) for card in self._cards]
        line = agreeing_line(raw_line(self._texts, by_card), self._texts.index(label_text(label)))
        if self._ratio is None:
            return line, None
        (text, probability), *_ = by_card
        return line, raw_line(self._texts, [(text, float(unweighed(probability, self._ratio)))])


class _ReadyCard:
    """A card of a grade with its tests; the curve is worked out once for each number of points."""

    def __init__(self, card: Card, awards: Iterable[tuple[int, Test | None]]) -> None:
        self.text = label_text(card.label)
        self.label = card.label
        tested = tuple(awards)
        self.awards = tuple((points, test) for points, test in tested if test is not None)
        self.if_decided = sum(points for points, test in tested if test is None)
        self.probability = lru_cache(maxsize=4096)(card.probability)

    def total(self, state: State, decided: Label) -> int:
        """Add up the points of a row."""
        total = self.if_decided if same_label(self.label, decided) else 0
        for points, test in self.awards:
            if test(state):
                total += points
        return total


class _Builder:
    """Makes functions of literals, clauses, helpers and cards."""

    def __init__(self, program: Program, columns: list[str]) -> None:
        self.program = program
        self.index = {name: i for i, name in enumerate(columns)}
        self.slots = {name: len(columns) + i for i, name in enumerate(program.order)}
        self.is_deep = _longest_chain(program) > DEEP
        self.helpers: dict[str, Test] = {}
        for name in program.order:
            self.helpers[name] = self._helper(name)

    def helper(self, name: str) -> Test:
        """Return the test of a helper."""
        return self.helpers[name]

    def rule(self, entry: Entry) -> tuple[Entry, Test, Test, tuple[tuple[Entry, Test], ...]]:
        """Return a rule with the tests whether it holds, whether its conditions do, and those of its exceptions."""
        below = tuple((exception, self._all(exception.when)) for exception in entry.entries)
        return entry, self._all(entry.when), self._all(entry.goals), below

    def card(self, card: Card) -> _ReadyCard:
        """Return a card with its tests."""
        return _ReadyCard(card, ((award.points, self._award(award)) for award in card.awards))

    def _award(self, award: Award) -> Test | None:
        test = self._graded(award.condition)
        return test if test is None or not award.unless else _denied(test)

    def _graded(self, condition: GradeCondition) -> Test | None:
        if isinstance(condition, Decided):
            return None
        if isinstance(condition, Both):
            return _every((self._cell(condition.first), self._cell(condition.second)))
        return self._cell(condition)

    def _cell(self, condition: CellCondition) -> Test:
        i = self.index[condition.column]
        if isinstance(condition, Blank):
            return lambda state: state[i] is None
        if isinstance(condition, OneOf):
            return _is_among(i, frozenset(condition.words), negated=condition.negated)
        return self._literal(condition)

    def _helper(self, name: str) -> Test:
        clauses, slot = self.program.helpers[name], self.slots[name]
        words = _one_set(clauses)
        if words is not None:
            return _is_among(self.index[words[0]], words[1], negated=False)
        return _asked_once(slot, tuple(self._all(clause.body) for clause in clauses))

    def _all(self, goals: Iterable[Goal]) -> Test:
        return _every(tuple(self._goal(goal) for goal in goals))

    def _goal(self, goal: Goal) -> Test:
        if isinstance(goal, Literal):
            return self._literal(goal)
        if isinstance(goal, Points):
            return _reaches(tuple((n, self.helpers[case]) for n, case in goal.awards), goal.threshold)
        test = self.helpers[goal.name]
        return _denied(test) if goal.negated else test

    def _literal(self, literal: Literal) -> Test:
        i, value = self.index[literal.column], literal.value
        if OPERATORS[literal.op].tests == "word":
            return (lambda state: state[i] != value) if literal.op == "!=" else (lambda state: state[i] == value)
        compare = OPERATORS[literal.op].compare
        return lambda state: state[i].__class__ is float and compare(state[i], value)


def _one_set(clauses: tuple[Clause, ...]) -> tuple[str, frozenset[str]] | None:
    """Return the column and the words of a helper that asks whether a column holds one of some words."""
    bodies = [clause.body for clause in clauses]
    literals = [body[0] for body in bodies if len(body) == 1]
    found = [goal for goal in literals if isinstance(goal, Literal) and goal.op == "="]
    columns = {literal.column for literal in found}
    if len(found) != len(bodies) or len(columns) != 1:
        return None
    return columns.pop(), frozenset(str(literal.value) for literal in found)


def _is_among(i: int, words: frozenset[str], *, negated: bool) -> Test:
    return (lambda state: state[i] not in words) if negated else (lambda state: state[i] in words)


def _asked_once(slot: int, bodies: tuple[Test, ...]) -> Test:
    def asked(state: State) -> bool:
        known: bool | None = state[slot]
        if known is None:
            known = state[slot] = any(body(state) for body in bodies)
        return known

    return asked


def _denied(test: Test) -> Test:
    return lambda state: not test(state)


def _every(tests: tuple[Test, ...]) -> Test:
    """Join tests; most bodies are short, and a call of `all` costs more than they do."""
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        first, second = tests
        return lambda state: first(state) and second(state)

    def every(state: State) -> bool:
        return all(test(state) for test in tests)

    return every


def _reaches(awards: tuple[tuple[int, Test], ...], threshold: int) -> Test:
    return lambda state: sum(points for points, case in awards if case(state)) >= threshold


def _longest_chain(program: Program) -> int:
    depth: dict[str, int] = {}
    for name in program.order:
        depth[name] = 1 + max((depth[called] for called in program.calls[name]), default=0)
    return max(depth.values(), default=0)


def _reader(column: Column, missing: tuple[str, ...]) -> Callable[[Mapping[str, object]], Value | None]:
    """Return what reads the cell of a column in a row: the usual cells at once, all others as `logic.readings` does."""
    name, is_numerical, is_plain = column.name, column.kind == "numerical", not column.reading
    read_text = lru_cache(maxsize=KEPT_TEXTS)(lambda text: read_column_cell(column, text, missing))
    gone = missing_numbers(missing)

    def read(row: Mapping[str, object]) -> Value | None:
        cell = row.get(name)
        if cell.__class__ is str:
            return read_text(cell)
        if is_plain and is_numerical and (cell.__class__ is float or cell.__class__ is int):
            try:
                number = float(cell)
            except OverflowError:
                raise DataError(_infinite(name)) from None
            if isfinite(number):
                return None if number in gone else number + 0.0
        if cell is None and is_plain:
            return None
        try:
            return read_part_cell(column, row, missing)
        except OverflowError:
            raise DataError(_infinite(name)) from None

    return read


def _infinite(name: str) -> str:
    return f"column {name!r} holds a number beyond all floats; numbers must be finite."
