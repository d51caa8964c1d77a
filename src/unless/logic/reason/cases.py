"""Tests of a program: named rows with the label that is expected, and properties that are proved for all rows.

In: a program and the plain data of a file of cases. Out: checks, each with a name, and what came out of each. Cases
that contradict each other are refused before anything is checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless.errors import DataError, listing
from unless.logic.column_names import no_column, resolved_name
from unless.logic.forms.outline import outline
from unless.logic.holds import decide, read_row
from unless.logic.program import label_text
from unless.logic.reason.changed_parts import NO_RULE
from unless.logic.reason.deciding import deciding_rule
from unless.logic.reason.properties import Property, read_property
from unless.logic.reason.recourse import label_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.program import Program
    from unless.logic.reason.questions import Row, RowAnswer, Verdict
    from unless.logic.rules import Label

KEYS = {"name", "row", "expect", "rule"}


@dataclass(frozen=True, slots=True)
class Case:
    """A row, the label that is expected, and perhaps the number of the rule that decides ("" for none)."""

    name: str
    program: Program
    row: Row
    expect: Label
    rule: str | None = None

    def run(self, seconds: float = 10.0) -> Outcome:
        """Decide the row."""
        del seconds
        if label_text(decide(self.program, self.row)) != label_text(self.expect):
            return Outcome(self, "no", self.row)
        right = self.rule is None or deciding_rule(self.program, self.row) == self.rule
        return Outcome(self, "yes" if right else "no", self.row)


@dataclass(frozen=True, slots=True)
class Proved:
    """A property that is to be proved."""

    name: str
    what: Property

    def run(self, seconds: float = 10.0) -> Outcome:
        """Look for a row that breaks it."""
        answer: RowAnswer = self.what.counterexample(seconds=seconds)
        verdicts: dict[Verdict, Verdict] = {"no": "yes", "yes": "no", "not decided": "not decided"}
        return Outcome(self, verdicts[answer.verdict], answer.row, answer.other)


Check = Case | Proved


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a check passed; if not, the row (or the two rows) that break it."""

    check: Check
    passed: Verdict
    row: Row | None = None
    other: Row | None = None


def read_checks(data: Any, program: Program, folder: Path | None = Path()) -> list[Check]:
    """Read cases and properties from plain data: `{"cases": [...], "properties": [...]}`.

    Files that properties name are looked for in the folder; where there is none, they are not read.
    """
    if not isinstance(data, dict) or not {"cases", "properties"} & data.keys() or data.keys() - {"cases", "properties"}:
        msg = (
            "a file of cases has 'cases', a list of rows with what is expected, and 'properties', a list of sentences."
        )
        raise DataError(msg)
    cases = [_case(each, i, program) for i, each in enumerate(data.get("cases") or (), 1)]
    _refuse_contradictions(cases)
    properties = data.get("properties") or ()
    return [*cases, *(Proved(str(each), read_property(each, program, folder)) for each in properties)]


def _case(data: Any, number: int, program: Program) -> Case:
    if not isinstance(data, dict) or not {"row", "expect"} <= data.keys() or data.keys() - KEYS:
        msg = f"case {number} needs a 'row' and what to 'expect', and may have a 'name' and a 'rule'; it has {data!r}."
        raise DataError(msg)
    name = str(data.get("name") or f"case {number}")
    row: Mapping[str, object] = data["row"]
    if not isinstance(row, dict):
        msg = f"{name}: a 'row' names columns with their values, such as {{income: 42000}}; this one is {row!r}."
        raise DataError(msg)
    row = {_column(str(column), name, program): cell for column, cell in row.items()}
    rule = data.get("rule")
    numbers = [entry.number for entry in outline(program)]
    if rule is not None and str(rule) not in (NO_RULE, *numbers):
        msg = f"{name}: the program has no rule {str(rule)!r}; its rules: {listing(numbers)}; '' is none of them."
        raise DataError(msg)
    expect = label_named(program, data["expect"])
    return Case(name, program, read_row(program, row), expect, None if rule is None else str(rule))


def _column(column: str, case: str, program: Program) -> str:
    """Return what the program calls a column of a case."""
    called = resolved_name(column, program.kinds)
    if called not in program.kinds:
        raise DataError(f"{case}: " + no_column(column, program.kinds, "the program"))
    return called


def _refuse_contradictions(cases: Sequence[Case]) -> None:
    """Refuse two cases with one row and different labels."""
    seen: dict[tuple[object, ...], Case] = {}
    for case in cases:
        key = tuple(case.row.get(column) for column in case.program.used_columns)
        before = seen.setdefault(key, case)
        if label_text(before.expect) != label_text(case.expect):
            expected = f"{label_text(before.expect)!r} and {label_text(case.expect)!r}"
            msg = f"{before.name!r} and {case.name!r} are the same row to the program, but expect {expected}."
            raise DataError(msg)
