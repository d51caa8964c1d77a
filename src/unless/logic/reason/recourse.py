"""What would change a decision: the cheapest changes of a row that a person can make, as conditions.

In: a program, a row, the label that is wanted, and `ChangeLimits`: what may change, in which direction, to which words,
at what price. Out: `Recourse`: several ways, each the cheapest that leaves one column of every way before it alone; or
the proof that no allowed change helps; or that it was not decided. A change to a number is priced by the share of known
numbers that it passes, on top of the price of the column, so that the nearest of two rules wins.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.logic.column_names import found_keys, found_names
from unless.logic.holds import decide
from unless.logic.program import label_text, same_label
from unless.logic.readings import can_hold, source_column
from unless.logic.reason.questions import All, Any, Decides, Within
from unless.logic.reason.reasoner import Engine, holds_for
from unless.logic.values import read_number

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from unless.logic.program import Program
    from unless.logic.reason.column_cells import ColumnCell
    from unless.logic.reason.questions import Question, Row, Verdict
    from unless.logic.reason.regions import Region
    from unless.logic.rules import Label, Literal, Value

NEVER = float("inf")
MANY = 2000
"""So many rows are tried at most to widen a change; beyond it the change is said as narrowly as it was found."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a column: its words, and its numbers in order."""

    words: Collection[str] = ()
    numbers: Sequence[float] = ()


@dataclass(frozen=True)
class ChangeLimits:
    """What may change. Columns that are not named may change to any number or known word, at the price 1."""

    frozen: Collection[str] = ()
    only_up: Collection[str] = ()
    only_down: Collection[str] = ()
    words: Mapping[str, Collection[str]] = field(default_factory=dict)
    prices: Mapping[str, float] = field(default_factory=dict)
    condition: Question | None = None
    """What must be true of the changed row besides, such as changes that go together."""
    further: Collection[Literal] = ()
    """The literals that the condition tests."""

    def checked(self, program: Program) -> ChangeLimits:
        """Return the limits by the program's names; refuse what contradicts itself, and prices below zero."""
        names = partial(found_names, known=program.kinds, where="the program")
        keys = partial(found_keys, known=program.kinds, where="the program")
        found = replace(
            self,
            frozen=_frozen(program, self.frozen),
            only_up=names(self.only_up),
            only_down=names(self.only_down),
            words=keys(self.words),
            prices=keys(self.prices),
        )
        found._check(program)
        return found

    def _check(self, program: Program) -> None:
        self._check_directions(program)
        for name, price in self.prices.items():
            if not 0 <= price < NEVER:
                msg = (
                    f"the price of changing {name!r} is {price}; accepted: a number from 0. Freeze what cannot change."
                )
                raise DataError(msg)

    def _check_directions(self, program: Program) -> None:
        for name in (*self.only_up, *self.only_down):
            if program.kinds[name] == "categorical":
                msg = (
                    f"{name!r} holds words only, which do not rise or fall; say which words are allowed, or freeze it."
                )
                raise DataError(msg)
            if name in self.frozen or (name in self.only_up and name in self.only_down):
                said = "frozen" if name in self.frozen else "to rise only and to fall only"
                msg = f"{name!r} is {said} and is limited again; say one thing of a column."
                raise DataError(msg)
        columns = {column.name: column for column in program.columns}
        for name, words in self.words.items():
            number = next((word for word in words if read_number(word) is not None), None)
            if number is not None and program.kinds[name] == "numerical":
                msg = f"{number!r} is a number of {name!r}; allowed are words. Numbers only rise, fall or stay."
                raise DataError(msg)
            never = next((word for word in words if not can_hold(columns[name], word, program.missing)), None)
            if never is not None:
                msg = f"no cell of {name!r} is read as the word {never!r}, so nothing can change to it; see %@ missing."
                raise DataError(msg)


def _frozen(program: Program, names: Collection[str]) -> tuple[str, ...]:
    """Return the names of frozen columns; with a date its parts are frozen, which change with it alone."""
    sources = {column.name: source_column(column) for column in program.columns}
    frozen = found_names(names, known=dict.fromkeys((*sources, *sources.values())), where="the program")
    return (*frozen, *(name for name, source in sources.items() if source in frozen and name not in frozen))


@dataclass(frozen=True, slots=True)
class Change:
    """One column's change: from a value to any value in the region; `value` is one of them."""

    column: str
    before: Value | None
    region: Region
    value: Value | None


@dataclass(frozen=True, slots=True)
class Way:
    """Changes that together give the label wanted, and the row with them made."""

    changes: tuple[Change, ...]
    cost: float
    row: Row


@dataclass(frozen=True, slots=True)
class Recourse:
    """The ways found, cheapest first; `verdict` is "no" when it is proved that there is none."""

    verdict: Verdict
    ways: tuple[Way, ...] = ()


def label_named(program: Program, want: Label) -> Label:
    """Return the label that is meant, by itself or by its text."""
    labels = (*program.target.labels, program.target.default)
    for same in (same_label, lambda a, b: label_text(a) == label_text(b)):
        found = next((label for label in labels if same(label, want)), None)
        if found is not None:
            return found
    known = ", ".join(map(label_text, labels))
    msg = f"{label_text(want)!r} is no label of {program.target.column!r}; labels: {known}."
    raise DataError(msg)


class Advisor:
    """Finds ways for the rows of one program; the program is compiled once."""

    def __init__(
        self, program: Program, limits: ChangeLimits, known: Mapping[str, Known] | None = None, *, seconds: float = 10.0
    ):
        self.program = program
        self.limits = limits.checked(program)
        self.known = known or {}
        self.engine = Engine([program], limits.further, seconds=seconds)

    def ways(self, row: Row, want: Label, most: int = 3) -> Recourse:
        """Find the cheapest ways from a row to a label."""
        want = label_named(self.program, want)
        if same_label(decide(self.program, row), want):
            return Recourse("yes", (Way((), 0.0, dict(row)),))
        costs = self.costs(row)
        asked: list[Question] = [Decides(self.program, want)]
        if self.limits.condition is not None:
            asked.append(self.limits.condition)
        found: list[Way] = []
        while len(found) < most:
            answer = self.engine.find(All(tuple(asked)), costs)
            if answer.row is None:
                verdict: Verdict = "yes" if found else answer.verdict
                return Recourse(verdict, tuple(found))
            way = self._way(row, answer.row, answer.cost, want)
            found.append(way)
            own = [self._own_cell(change.column, row) for change in way.changes]
            asked.append(Any(tuple(Within(c.column, cell.region) for c, cell in zip(way.changes, own, strict=True))))
        return Recourse("yes", tuple(found))

    def costs(self, row: Row) -> list[list[float]]:
        """Price the change of a row to each cell of each column."""
        return [self._costs(column, row.get(column)) for column in self.engine.space.columns]

    def _own_cell(self, column: str, row: Row) -> ColumnCell:
        space = self.engine.space
        return space.cells[column][space.cell_of(column, row.get(column))]

    def _way(self, row: Row, found: Row, cost: float, want: Label) -> Way:
        space = self.engine.space
        found = self._without_needless(row, found, want)
        changed = [c for c in space.columns if space.cell_of(c, row.get(c)) != space.cell_of(c, found[c])]
        cells = {c: [space.cell_of(c, found[c])] for c in changed}
        for column in changed:
            self._widen(row, cells, column, want)
        values = {c: self._value(c, space.cells[c][space.cell_of(c, found[c])], row.get(c)) for c in changed}
        changes = tuple(
            Change(c, row.get(c), _joined([space.cells[c][i].region for i in cells[c]]), values[c]) for c in changed
        )
        return Way(changes, cost, {**row, **values})

    def _without_needless(self, row: Row, found: Row, want: Label) -> Row:
        """Take back each change that costs nothing and is not needed."""
        space = self.engine.space
        for column in (c for c in space.columns if self.limits.prices.get(c) == 0):
            kept = {**found, column: row.get(column)}
            if same_label(decide(self.program, kept), want) and self._is_possible(kept):
                found = kept
        return found

    def _widen(self, row: Row, cells: dict[str, list[int]], column: str, want: Label) -> None:
        """Add neighbouring cells of numbers, and allowed words, as long as every combination gives the label."""
        costs = self._costs(column, row.get(column))
        all_cells = self.engine.space.cells[column]
        if not all_cells[cells[column][0]].region.has_numbers:
            return
        for step in (1, -1):
            at = cells[column][0]
            while 0 <= (at := at + step) < len(all_cells) and all_cells[at].region.has_numbers and costs[at] < NEVER:
                if not self._all_reach(row, {**cells, column: [at]}, want):
                    break
                cells[column].append(at)

    def _all_reach(self, row: Row, cells: Mapping[str, Sequence[int]], want: Label) -> bool:
        space, columns = self.engine.space, list(cells)
        combinations = list(product(*cells.values()))
        if len(combinations) > MANY:
            return False
        rows = (
            {**row, **{c: space.cells[c][i].value for c, i in zip(columns, each, strict=True)}} for each in combinations
        )
        return all(same_label(decide(self.program, each), want) and self._is_possible(each) for each in rows)

    def _is_possible(self, row: Row) -> bool:
        return self.limits.condition is None or holds_for(self.limits.condition, row)

    def _costs(self, column: str, value: Value | None) -> list[float]:
        """Price the change of a row's value to each cell of a column."""
        own = self.engine.space.cell_of(column, value)
        cells = self.engine.space.cells[column]
        return [0.0 if i == own else self._cost(column, value, cell) for i, cell in enumerate(cells)]

    def _cost(self, column: str, value: Value | None, cell: ColumnCell) -> float:
        limits = self.limits
        if column in limits.frozen or cell.value is None:
            return NEVER  # nobody can make a value unknown
        price = limits.prices.get(column, 1.0)
        if cell.region.has_numbers:
            return self._number_cost(column, value, cell, price)
        if column in limits.only_up or column in limits.only_down:
            return NEVER
        return price if self._words_in(column, cell) else NEVER

    def _number_cost(self, column: str, value: Value | None, cell: ColumnCell, price: float) -> float:
        rises = isinstance(value, float) and cell.region.low > value
        if isinstance(value, float) and column in (self.limits.only_down if rises else self.limits.only_up):
            return NEVER
        numbers = self.known[column].numbers if column in self.known else ()
        if not isinstance(value, float) or not len(numbers):
            return price
        low, high = (value, cell.region.low) if rises else (cell.region.high, value)
        passed = bisect_left(numbers, high) - bisect_right(numbers, low)
        return price * (1 + max(passed, 0) / len(numbers))

    def _words_in(self, column: str, cell: ColumnCell) -> list[str]:
        """Return the words of a cell that a person may change to: allowed, or known, or named by the program."""
        allowed = self.limits.words.get(column)
        if allowed is None:
            known = self.known[column].words if column in self.known else ()
            allowed = known or ([] if cell.region.others else sorted(cell.region.words))
        return [word for word in allowed if word in cell.region]

    def _value(self, column: str, cell: ColumnCell, before: Value | None) -> Value | None:
        """Return a value of a cell that a person might have: the nearest number, or a word that is known."""
        if not cell.region.has_numbers:
            return self._words_in(column, cell)[0]
        numbers = self.known[column].numbers if column in self.known else ()
        inside = numbers[bisect_left(numbers, cell.region.low) : bisect_right(numbers, cell.region.high)]
        if len(inside) and isinstance(before, float):
            return float(inside[0] if cell.region.low > before else inside[-1])
        return cell.value


def _joined(regions: Sequence[Region]) -> Region:
    """Return the region of neighbouring intervals, or of one cell."""
    first = regions[0]
    if len(regions) == 1:
        return first
    low, high = min(region.low for region in regions), max(region.high for region in regions)
    return type(first)(low, high, others=False, missing=False)
