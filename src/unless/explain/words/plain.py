"""Facts about a row in plain language: "income is 34,000 (above 30,200)", "town is York (Bath or Leeds is needed)".

In: a condition of the outline, and the row. Out: a phrase that needs no knowledge of programs, or None where a person's
template hides it. A template that matches has the say: over a column's fact, a label, a helper.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from unless.explain.proof.row_truth import RowTruth
from unless.explain.words.conditions import Conditions, beside
from unless.explain.words.wording import Wording
from unless.logic.forms.entries import ColumnTest, Either, PointsTable
from unless.logic.program import label_text
from unless.logic.rules import OPERATORS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.logic.forms.entries import Entry, EntryCondition
    from unless.logic.rules import Column, Label, Value
    from unless.logic.templates import Subject


@dataclass(frozen=True)
class Plain(Wording):
    """Plain language about the row of a proof."""

    @cached_property
    def truth(self) -> RowTruth:
        """What holds for the row."""
        return RowTruth(self.program, self.proof.values)

    @cached_property
    def conditions(self) -> Conditions:
        """How conditions are said; of long sets only the first words."""
        return Conditions(self.language, is_short=True)

    def row_text(self) -> str:
        """Name the row, or say "this row"."""
        name = self.proof.row_name
        return self.language.say("plain", "this_row") if name is None else str(name)

    def value_text(self, value: Value | None, column: Column | None = None) -> str:
        """Spell a value as the language does, or as the column's cells are written."""
        return "" if value is None else self.language.value(value, column, self._numbers(column))

    def label(self, label: Label) -> str | None:
        """Say a label: by its template, else the label as it is; None where it is hidden."""
        found, text = self.templated("target", self.program.target.column, label_text(label), holds=True)
        return text if found else self.language.label(label)

    def helper(self, name: str | None, *, holds: bool) -> tuple[bool, str | None]:
        """Return whether a person worded a helper, and the words; None hides it."""
        return (False, None) if name is None else self.templated("helper", name, None, holds=holds)

    def facts(self, conditions: Iterable[EntryCondition], *, needed: bool = True) -> str:
        """Say the facts of several conditions together."""
        said = [text for text in (self.fact(condition, needed=needed) for condition in conditions) if text is not None]
        return self.language.listed(said) if said else self.language.say("conditions", "always")

    def fact(self, condition: EntryCondition, *, needed: bool = True) -> str | None:
        """Say what the row has, and what was asked; of a condition that fails what is `needed`, or what it is not."""
        if isinstance(condition, ColumnTest):
            return self._test(condition, needed)
        if isinstance(condition, PointsTable):
            return self.points(condition)
        if isinstance(condition, Either):
            return self._either(condition)
        return self.language.say("plain", "left_out_holds" if self.truth.meets(condition) else "left_out_fails")

    def points(self, table: PointsTable) -> str:
        """Say the sum of points, or how many cases hold, and what is needed."""
        words, needed = self.language, table.n_needed
        if needed is None:
            total = words.count("points", self.truth.total(table))
            return words.say("points", "total", total=total, needed=words.whole(table.goal.threshold))
        n = sum(self.truth.holds(case) for _, case in table.awards)
        gaps = {"n": n, "all": len(table.awards), "needed": needed}
        alike = self.conditions.counted(table)
        if alike is None:
            return words.say("points", "counted", **gaps)
        others = [case.conditions[0] for _, case in table.awards if not self.truth.holds(case)]
        counted = words.say("points", "counted_alike", **gaps, bound=alike[0])
        if not others or len(others) > 5:
            return counted
        values = [t.column.name for t in others if isinstance(t, ColumnTest)]
        return words.say("points", "counted_but", counted=counted, others=self._grouped(values))

    def case(self, case: Entry) -> str:
        """Say of a case of points what the row has, and where it gives none what stops it."""
        failing = self.truth.failing(case)
        stopping = [c for below in self.truth.applying(case) for c in below.conditions]
        return self.facts(failing or ((*case.conditions, *stopping) if stopping else case.conditions), needed=False)

    def awards(self, table: PointsTable) -> list[tuple[int, str]]:
        """Return what each case gave the row, the most first, with its fact."""
        is_count = table.n_needed is not None
        given = [
            ((1 if is_count else points) if self.truth.holds(case) else 0, self.case(case))
            for points, case in table.awards
        ]
        return sorted(given, key=lambda award: -award[0])

    def _grouped(self, names: list[str]) -> str:
        """Say columns by the value that they have: "a2 and a9 are 0"."""
        by_value: dict[str, list[str]] = {}
        for name in names:
            column = self.columns[name]
            value = self.language.value(self.proof.values.get(name), column, self._numbers(column))
            by_value.setdefault(value, []).append(self.language.column(name))
        said = []
        for value, columns in by_value.items():
            key = "is_one" if len(columns) == 1 else "are"
            said.append(self.language.say("points", key, columns=self.language.listed(columns), value=value))
        return self.language.listed(said)

    def _numbers(self, column: Column | None) -> list[float]:
        """Return the numbers that the column of the row is compared with, and its own."""
        if column is None:
            return []
        own = self.proof.values.get(column.name)
        return [*self.program.thresholds.get(column.name, ()), *([own] if isinstance(own, float) else [])]

    def _either(self, either: Either) -> str | None:
        holds = self.truth.helpers[either.helper]
        found, text = self.helper(either.helper, holds=holds)
        if found:
            return text
        if holds:
            case = next(case for case in either.cases if self.truth.holds(case))
            return self.facts(case.conditions)
        bound = self.conditions.condition(either)
        return self.language.say("plain", "either_needed", bound=bound)

    def _test(self, test: ColumnTest, needed: bool) -> str | None:
        value, holds = self.proof.values.get(test.column.name), self.truth.meets(test)
        if test.column.atoms:
            return self._related(test.column, holds=value is not None)
        found, text = self._templated_denial(test, holds)
        if found and (text is not None or value is not None):
            return text
        found, text = self._templated_value(test, value)
        if found and text is None:
            return None
        if text is None:
            text = self.language.say(
                "plain", "fact", column=self.language.column(test.column.name), value=self._value(test)
            )
        compared = self._compared(test, value, holds) if found else None
        if compared is not None:
            return self.language.say("join", "both", first=text, second=compared)
        return self._with_bound(text, test, value, needed)

    def _related(self, column: Column, *, holds: bool) -> str:
        """Say that a conjunction over relations holds, with the things that make it so, or that it does not."""
        text = self.conditions.related(column, holds=holds)
        things = self.proof.witnesses.get(column.name, {}) if holds else {}
        named = [self.language.say("relations", "thing", noun=noun, name=name) for noun, name in things.items()]
        return self.language.say("relations", "witness", claim=text, things=", ".join(named)) if named else text

    def _with_bound(self, fact: str, test: ColumnTest, value: Value | None, needed: bool) -> str:
        """Say beside a fact what was asked for, unless the value says it all."""
        holds, bound = test.values.has(value), self.conditions.bound(test, value)
        is_named = isinstance(value, str) and value in test.values.words
        if is_named or (not holds and value is not None and self.conditions.barred(test, value)):
            return fact if holds or not needed else self.language.say("plain", "fact_must_not", fact=fact)
        if value is None and not (holds and test.values.words):
            return fact  # it is blank: that fails every test, but those that only refuse words
        if isinstance(value, float) and holds and bound == self._value(test):
            return fact
        key = "fact_bound" if holds else "fact_needed" if needed else "fact_not"
        return self.language.say("plain", key, fact=fact, bound=bound)

    def _value(self, test: ColumnTest) -> str:
        value = self.proof.values.get(test.column.name)
        return self.language.value(value, test.column, beside(test, value))

    def _templated_denial(self, test: ColumnTest, holds: bool) -> tuple[bool, str | None]:
        """Look for the words of a person for the one word that is tested and not there."""
        if len(test.values.words) != 1 or holds != test.values.others:
            return False, None
        subject: Subject = "words" if test.column.kind == "numerical" else "column"
        return self.templated(subject, test.column.name, next(iter(test.values.words)), holds=False)

    def _templated_value(self, test: ColumnTest, value: Value | None) -> tuple[bool, str | None]:
        """Look for the words of a person for the value that the row has."""
        if value is None:
            return False, None
        among_numbers = test.column.kind == "numerical" and isinstance(value, str)
        return self.templated("words" if among_numbers else "column", test.column.name, value, holds=True)

    def _compared(self, test: ColumnTest, value: Value | None, holds: bool) -> str | None:
        """Word how a number compares with one bound by a person's template."""
        if not isinstance(value, float) or len(test.values.spans) != 1:
            return None
        (low, high) = test.values.spans[0]
        span = test.values.spans[0]
        if span.has_low and span.has_high:
            return None
        op, bound = ("=<" if high.after else "<", high) if span.has_high else (">" if low.after else ">=", low)
        return self.compared(test.column.name, op if holds else OPERATORS[op].opposite, value, bound.number)
