"""A program that is served: made ready once, with a name and a version; beside answers it says what is odd in a row.

In: a program and a name; then rows. Out: for each row its label, probability, deciding rule and reason as plain data,
with warnings where a cell is of the wrong kind or absent. The version is a digest of the program's text, so equal
programs have equal versions, wherever they are served.
"""

from __future__ import annotations

import hashlib
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from unless.errors import DataError, NotePart, listing
from unless.explain.words.grade_words import weighed_words
from unless.explain.words.language import capital, language
from unless.explain.words.service_reasons import ServiceReasons
from unless.logic.column_names import matched, names_note, no_column, sought_names
from unless.logic.graded import graded_columns, graded_texts
from unless.logic.program import OLD_GRADE, label_text
from unless.logic.readings import source_column
from unless.logic.row_program import RowProgram
from unless.web.column_facts import column_facts
from unless.web.refusals import RequestError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from unless.logic.program import Program
    from unless.logic.row_program import Decision
    from unless.logic.rules import Column, Value
    from unless.web.column_facts import ColumnFacts

SHOWN = 40
"""So much of a cell's text is repeated in a warning."""
KEPT_NAMES = 256
"""Of so many kinds of rows it is remembered which column is which."""


class ServedProgram:
    """A program, ready to answer."""

    def __init__(self, name: str, program: Program) -> None:
        self.name = name
        self.program = program
        self.version = version_of(program)
        self.ready = RowProgram(program)
        self.reasons = ServiceReasons(self.ready)
        self._texts = [] if program.grade is None else graded_texts(program)
        self._checked = tuple((i, column.name, self.facts[column.name]) for i, column in enumerate(self.ready.columns))
        sought = sought_names(program)
        self._otherwise = lru_cache(maxsize=KEPT_NAMES)(lambda names: _otherwise(sought, names))
        self._sources = {name: _sources(program, name) for name in program.used_columns}
        self._graded_only = {
            name: _sources(program, name) for name in graded_columns(program) if name not in self._sources
        }

    @cached_property
    def facts(self) -> dict[str, ColumnFacts]:
        """Say what the program knows of each of its columns."""
        return column_facts(self.program)

    def called(
        self, rows: Sequence[Mapping[str, Any]], *, strict: bool = False
    ) -> tuple[list[Mapping[str, Any]], list[str]]:
        """Return rows under the program's names of columns, and what to say where they have others.

        `strict` refuses other names. So is refused a column that rules test and no row has, as in a table.
        """
        other: dict[str, str] = {}
        named = [self._called(row, other) for row in rows]
        note = names_note(other)
        said = [capital(str(NotePart(*note)))] if note else []
        if said and strict:
            msg = f"{said[0]} This server is strict: columns must have the names that they have in the program."
            raise RequestError(msg)
        self._refuse_absent(named)
        return named, said

    def _called(self, row: Mapping[str, Any], other: dict[str, str]) -> Mapping[str, Any]:
        """Return a row under the program's names; `other` (out) has those of the row by them, where they differ."""
        changed = self._otherwise(tuple(row))
        if not changed:
            return row
        other.update((called, name) for name, called in changed.items())
        return {changed.get(name, name): cell for name, cell in row.items()}

    def _refuse_absent(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Refuse a column that rules test and no row has: it is misspelt, not missing.

        Those that only a grade tests may be absent, which is blank.
        """
        if not rows:
            return
        first = rows[0]
        for name, sources in self._sources.items():
            if not any(source in first for source in sources) and not any(s in row for row in rows for s in sources):
                known = tuple(dict.fromkeys(name for row in rows for name in row))
                msg = f"the program tests a column that no row has: {no_column(name, known, 'the rows')}"
                raise DataError(msg + " A missing value is null.")

    def remarks(self, rows: Sequence[Mapping[str, Any]]) -> list[str]:
        """Say what is odd about the probabilities of all answers: whose they are, and what they lack in every row."""
        gaps = (
            name for name, sources in self._graded_only.items() if not any(s in row for row in rows for s in sources)
        )
        absent = listing(map(repr, gaps)) if rows else ""
        gap = f"No row has {absent}, which the grade tests: the probabilities are as for missing values."
        return [*self._whose, gap] if absent else self._whose

    @cached_property
    def _whose(self) -> list[str]:
        """Say whose probabilities they are, where they are not those of the program on rows as they are."""
        old = [capital(OLD_GRADE)] if self.program.has_old_grade else []
        return [*old, *weighed_words(self.program, language("en"))]

    def answer(self, row: Mapping[str, Any], index: int, *, strict: bool = False) -> tuple[dict[str, Any], Decision]:
        """Answer one row; `strict` refuses what else is a warning."""
        try:
            values = self.ready.read(row)
        except DataError as error:
            msg = f"row {index}: {error}"
            raise RequestError(msg) from None
        found = self.ready.decide(values)
        answer: dict[str, Any] = {
            "label": found.label,
            "rule": found.rule,
            "reason": self.reasons.reason(found, values),
        }
        if found.probabilities is not None:
            answer["probability"] = found.probabilities[self._texts.index(label_text(found.label))]
            answer["probabilities"] = dict(zip(self._texts, found.probabilities, strict=True))
        if found.as_they_are is not None:
            answer["as_they_are"] = dict(zip(self._texts, found.as_they_are, strict=True))
        odd = [said for _, said in self._oddities(row, values, strict=strict)]
        if odd and strict:
            msg = f"row {index}: {odd[0]}"
            raise RequestError(msg)
        if odd:
            answer["warnings"] = odd
        return answer, found

    def oddities(self, row: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Say of which columns of a row the cells are odd, and what is odd about each."""
        return list(self._oddities(row, self.ready.read(row), strict=False))

    def _oddities(
        self, row: Mapping[str, Any], values: Sequence[Value | None], *, strict: bool
    ) -> Iterator[tuple[str, str]]:
        for i, name, facts in self._checked:
            value = values[i]
            if value is None:
                if name not in row and name in self._sources and not any(s in row for s in self._sources[name]):
                    taken = "" if strict else "; it was taken as missing"
                    yield name, f"column {name!r} is absent{taken}. A missing value is null."
            elif facts.kind == "numerical":
                if value.__class__ is str and value not in facts.words:
                    yield name, f"column {name!r} {_asks(facts.column)} {_shown(row.get(name))}, which is no number."
            elif facts.has_plain_words and row.get(name).__class__ is not str:
                yield name, f"column {name!r} holds words and was given {_shown(row.get(name))}, which is none."


def _asks(column: Column) -> str:
    """Say what a column of numbers holds: plain ones, or such as it writes."""
    return f"is written as {column.reading} and holds" if column.reading else "is numerical and holds"


def version_of(program: Program) -> str:
    """Return the version of a program: the first digits of a digest of its text."""
    return hashlib.sha256(str(program).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _otherwise(sought: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Return what a program calls the columns of a row, where the row calls them otherwise."""
    found = matched(sought, [name for name in names if isinstance(name, str)])
    return {name: called for called, name in found.items() if called != name}


def _shown(cell: object) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    text = repr(cell)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def _sources(program: Program, name: str) -> tuple[str, ...]:
    """Return the columns of a row from which a column of the program can be read: itself, or the date it is part of."""
    column = next(column for column in program.columns if column.name == name)
    return tuple(dict.fromkeys((name, source_column(column))))
