"""What a program knows of its columns: kind, words it tests, thresholds, whole numbers seen in training.

In: a program. Out: `ColumnFacts` for each column that its rules or its grade test, and an example row made from them.
This is what the schema of the API, its examples and its warnings are made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from unless.logic.date_parts import date_part
from unless.logic.grade import Blank, cell_conditions
from unless.logic.graded import graded_columns
from unless.logic.readings import say_number, source_column
from unless.logic.rules import Literal
from unless.logic.values import number_word, read_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.logic.program import Program
    from unless.logic.rules import Column


@dataclass(frozen=True)
class ColumnFacts:
    """What is known of one column. `words` are those that some test names: others may be given, too."""

    column: Column
    words: tuple[str, ...]
    thresholds: tuple[float, ...]
    is_needed: bool
    """A rule tests it; else only the grade does."""

    @property
    def kind(self) -> str:
        """Return numerical or categorical."""
        return self.column.kind

    @cached_property
    def has_plain_words(self) -> bool:
        """Tell whether no word that is tested could have been a number or a truth value in JSON."""
        return bool(self.words) and not any(
            read_number(word) is not None or word.lower() in ("true", "false") for word in self.words
        )

    @property
    def source(self) -> str:
        """Return the column that a row should have: itself, or the date it is a part of."""
        return source_column(self.column)

    @property
    def examples(self) -> list[Any]:
        """Return some values: the words that are tested, or numbers on both sides of each threshold."""
        if self.kind == "categorical":
            return list(self.words[:5])
        if self.column.values:
            return list(self.column.values)
        numbers = _around(self.thresholds)
        if self.column.reading:
            part = date_part(self.column.reading)
            if part is not None:
                return []
            return [say_number(self.column, number) for number in self.thresholds[:3]]
        return [*numbers, *self.words[:2]]

    def described(self) -> str:
        """Say what is known, in a sentence."""
        parts = [f"{self.kind.capitalize()}, tested by {'a rule' if self.is_needed else 'the grade only'}."]
        if self.words:
            parts.append(f"Words that are tested: {_listed(self.words)}; others may be given.")
        if self.thresholds:
            said = [say_number(self.column, n) if self.column.reading else number_word(n) for n in self.thresholds]
            parts.append(f"Thresholds: {_listed(said)}.")
        if self.column.values:
            parts.append(f"Seen in training: {_listed(map(str, self.column.values))}.")
        if self.column.reading:
            parts.append(f"Written as {self.column.reading}.")
        return " ".join([*parts, "null is missing."])


def column_facts(program: Program) -> dict[str, ColumnFacts]:
    """Say what a program knows of the columns that it tests."""
    names = graded_columns(program)
    words: dict[str, dict[str, None]] = {name: {} for name in names}
    numbers: dict[str, set[float]] = {name: set() for name in names}
    for column, value in _tested(program):
        if isinstance(value, str):
            words[column][value] = None
        else:
            numbers[column].add(value)
    columns = {column.name: column for column in program.columns}
    needed = set(program.used_columns)
    return {
        name: ColumnFacts(columns[name], tuple(words[name]), tuple(sorted(numbers[name])), name in needed)
        for name in names
    }


def example_row(facts: dict[str, ColumnFacts]) -> dict[str, Any]:
    """Return a row that can be sent."""
    return {each.source: each.examples[0] if each.examples else None for each in facts.values()}


def _tested(program: Program) -> Iterator[tuple[str, float | str]]:
    """Yield each column with a word or number that is tested: first by the rules, then by the grade."""
    for clause in program.clauses:
        for literal in clause.literals:
            yield literal.column, literal.value
    graded = () if program.grade is None else program.grade.conditions
    for condition in (part for each in graded for part in cell_conditions(each)):
        if isinstance(condition, Literal):
            yield condition.column, condition.value
        elif not isinstance(condition, Blank):
            for word in condition.words:
                yield condition.column, word


def _around(thresholds: tuple[float, ...]) -> list[float | int]:
    """Return a number in the midst of the thresholds, one below all and one above all."""
    if not thresholds:
        return []
    low, high = thresholds[0], thresholds[-1]
    middle = thresholds[len(thresholds) // 2]
    step = (high - low) / 4 or abs(low) / 4 or 1.0
    below = max(low - step, 0.0) if low > 0 else low - step
    return [_short(number) for number in dict.fromkeys((middle, below, high + step))]


def _short(number: float) -> float | int:
    """Round an example to a few digits: it is no threshold."""
    found = float(f"{number:.3g}")
    return int(found) if found.is_integer() and abs(found) < 2**53 else found


def _listed(items: object) -> str:
    shown = [str(item) for item in items]  # type: ignore[attr-defined]
    more = len(shown) - 20
    return ", ".join(shown[:20]) + (f" and {more} more" if more > 0 else "")
