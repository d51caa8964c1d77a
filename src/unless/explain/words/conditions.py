"""Conditions in words: "relationship is Husband or Wife", "capital gain above 5,100", "at least 7 of these 10 are 1".

In: the conditions of an outline's entry, and the words of a language. Out: phrases without a helper's name. What a test
lets through is said, not how it is written: a set of words in place, two bounds as a range, the one number of few that
passes as an equality, blank where missing passes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from unless.logic.forms.entries import ColumnTest, Either, PointsTable
from unless.logic.forms.value_sets import EVERY_NUMBER, named_numbers
from unless.logic.readings import is_calendar
from unless.logic.relations import TRUE, said_of_row

if TYPE_CHECKING:
    from unless.explain.words.language import Language
    from unless.logic.forms.entries import Entry, EntryCondition
    from unless.logic.forms.value_sets import NumberSpan
    from unless.logic.rules import Column, Value

MARK = "•"
"""Stands before a case where all count alike."""
MANY = 8
"""More words than these are counted before they are listed."""
SOME = 6
"""Where room is short, of more words than these only the first `FEW` are listed."""
FEW = 3


def bound_section(column: Column) -> str:
    """Return where the words for bounds of a column stand: dates come after one another, numbers are above."""
    return "bound_date" if is_calendar(column.reading) else "bound"


def beside(test: ColumnTest, value: Value | None = None) -> list[float]:
    """Return the numbers that those of a test must differ from in words: bounds on its column, the `value` of a row."""
    bounds = [cut.number for span in test.values.spans for cut in span]
    return [*test.beside, *bounds, *([value] if isinstance(value, float) else [])]


@dataclass(frozen=True)
class Conditions:
    """Says conditions in a language; `is_short` lists only the first of many words."""

    words: Language
    is_short: bool = False

    def body(self, entry: Entry, *, with_table: bool = True) -> str:
        """Say what an entry needs; `with_table` says a table of points too, which else stands below."""
        conditions = [c for c in entry.conditions if with_table or not self.is_table(c)]
        said = [self.condition(condition) for condition in conditions]
        text = self.words.listed(said) if said else self.words.say("conditions", "always")
        exceptions = [self.body(below) for below in entry.entries if not below.number]
        if exceptions:
            text = self.words.say(
                "conditions", "unless", body=text, exceptions=self.words.listed(exceptions, "list_or")
            )
        if entry.cut and not entry.number:
            text = self.words.say(
                "conditions", "unless", body=text, exceptions=self.words.say("conditions", "left_out")
            )
        return text

    def is_table(self, condition: EntryCondition) -> bool:
        """Tell whether a condition is better shown as a table of points than in a sentence."""
        return isinstance(condition, PointsTable) and self.counted(condition) is None

    def needed(self, table: PointsTable) -> str:
        """Say what a table of points needs: "5 points or more", "at least 2 of these 4"."""
        if table.n_needed is None:
            points = self.words.count("points", table.goal.threshold)
            return self.words.say("points", "needed_sum", points=points)
        return self.words.say("points", "needed_count", n=table.n_needed, all=len(table.awards))

    def awards(self, table: PointsTable) -> list[tuple[str, str]]:
        """Return the lines of a table: the points of each case, or a mark where all count alike, and what it is."""
        is_count = table.n_needed is not None
        return [(MARK if is_count else self.words.whole(points), self.body(case)) for points, case in table.awards]

    def condition(self, condition: EntryCondition) -> str:
        """Say one condition."""
        if isinstance(condition, ColumnTest):
            return self.test(condition)
        if isinstance(condition, PointsTable):
            return self._points(condition)
        if isinstance(condition, Either):
            cases = [self.body(case) for case in condition.cases]
            return cases[0] if len(cases) == 1 else self.words.say("conditions", "either", cases=self._cases(cases))
        return self.words.say("conditions", "left_out")

    def test(self, test: ColumnTest) -> str:
        """Say a test with its column: "age above 9", "town is Bath or Leeds", "some car is long"."""
        if test.column.atoms:
            return self.related(test.column, holds=test.values.has(TRUE))
        key = "test_is" if self._is_equality(test) else "test"
        return self.words.say("conditions", key, column=self.words.column(test.column.name), bound=self.bound(test))

    def related(self, column: Column, *, holds: bool) -> str:
        """Say that a conjunction over relations holds, or that it does not."""
        return said_of_row(column.atoms, self.words.phrases["relations"], holds=holds)

    def bound(self, test: ColumnTest, value: Value | None = None) -> str:
        """Say what a test lets through, without its column: "above 9", "Bath or Leeds", "not Bath".

        A `value` that passes and is none of the numbers that would be named is said with the bounds that it passes.
        """
        if isinstance(value, str):  # the row at hand shows that words stand there, even if no rule names one
            test = replace(test, is_mixed=True)
        values = test.values
        is_numerical = test.column.kind == "numerical"
        if values.others and (not is_numerical or values.spans == EVERY_NUMBER):
            return self._all_but(test)
        if barred := self.barred(test, value):
            return self._none_of(barred)
        pieces = self._numbers(test, value) if is_numerical else []
        if not values.others:
            pieces += self._listed(test)
        elif values.words:
            pieces.append(self.words.say("bound", "other_word", words=self.words.listed(self._listed(test), "list_or")))
        elif not values.missing or not test.is_mixed:
            pieces += [] if values.missing else [self.words.say("bound", "word")]
        if values.missing:
            no_number = values.others and not values.words and test.is_mixed
            pieces.append(self.words.say("bound", "no_number") if no_number else self.words.value(None))
        return self.words.listed(pieces, "list_or") if pieces else self.words.say("bound", "nothing")

    def counted(self, table: PointsTable) -> tuple[str, list[str]] | None:
        """Return, where all cases test alike, what they test for, and the columns: "1", ["a1", "a2"]."""
        tests = [case.conditions[0] for _, case in table.awards if len(case.conditions) == 1 and not case.entries]
        found = [test for test in tests if isinstance(test, ColumnTest) and not test.column.atoms]
        bounds = {self.bound(test) for test in found}
        if table.n_needed is None or len(found) < len(table.awards) or len(bounds) != 1:
            return None
        return bounds.pop(), [self.words.column(test.column.name) for test in found]

    def _points(self, table: PointsTable) -> str:
        needed, n = table.n_needed, len(table.awards)
        alike = self.counted(table)
        if alike is not None:
            columns = ", ".join(alike[1])
            return self.words.say("points", "count_alike", n=needed, all=n, bound=alike[0], columns=columns)
        if needed is not None:
            cases = "; ".join(self.body(case) for _, case in table.awards)
            return self.words.say("points", "count", n=needed, all=n, cases=cases)
        awards = "; ".join(
            self.words.say("points", "award", points=self.words.whole(points), case=self.body(case))
            for points, case in table.awards
        )
        return self.words.say("points", "sum", needed=self.words.count("points", table.goal.threshold), awards=awards)

    def _cases(self, cases: list[str]) -> str:
        *first, last = cases
        return self.words.say("join", "list_or", first=", ".join(first) + ",", second=last)

    def _is_equality(self, test: ColumnTest) -> bool:
        """Tell whether what a test lets through is said after "is": a word, or a number of few."""
        if test.column.kind == "categorical" or not test.values.spans or test.values.spans == EVERY_NUMBER:
            return True
        return bool(named_numbers(test.column, test.values))

    def _numbers(self, test: ColumnTest, value: Value | None) -> list[str]:
        named = named_numbers(test.column, test.values)
        is_another = isinstance(value, float) and value not in named and test.values.has(value)
        if named and not is_another:
            return [self.words.number_of(test.column, number, beside(test, value)) for number in named]
        return [self._span(span, test.column, beside(test, value)) for span in test.values.spans]

    def _span(self, span: NumberSpan, column: Column, others: list[float]) -> str:
        low, high = (self.words.number_of(column, cut.number, others) for cut in span)
        section = bound_section(column)
        if not span.has_low:
            return self.words.say(section, "=<" if span.high.after else "<", bound=high)
        if not span.has_high:
            return self.words.say(section, ">" if span.low.after else ">=", bound=low)
        key = f"{'above' if span.low.after else 'from'}_{'to' if span.high.after else 'below'}"
        return self.words.say(section, key, low=low, high=high)

    def barred(self, test: ColumnTest, value: Value | None) -> list[str]:
        """Spell the few numbers that do not pass, where all else of a mixed column does, and they are fewer."""
        values = test.values
        named = named_numbers(test.column, values)
        if not (test.is_mixed and values.others and not values.words and values.missing and named):
            return []
        if isinstance(value, float) and value not in test.column.values:
            return []
        barred = [number for number in map(float, test.column.values) if not values.has(number)]
        return [self.words.number_of(test.column, number) for number in barred] if len(barred) <= len(named) else []

    def _listed(self, test: ColumnTest) -> list[str]:
        """Spell the words of a test; of many first how many, and where room is short only the first."""
        among_numbers = test.column.kind == "numerical"
        spelled = [self.words.word(word, among_numbers=among_numbers) for word in sorted(test.values.words)]
        if len(spelled) <= (SOME if self.is_short else MANY):
            return spelled
        key = "none_of" if test.values.others else "one_of"
        shown = [*spelled[:FEW], "…"] if self.is_short else spelled
        return [self.words.say("bound", key, n=len(spelled), words=", ".join(shown))]

    def _all_but(self, test: ColumnTest) -> str:
        """Say the words that do not pass, where everything else does."""
        spelled = self._listed(test)
        if not spelled:
            text = self.words.say("bound", "anything")
        elif len(spelled) == 1 and len(test.values.words) > 1:
            text = spelled[0]  # none of so many
        else:
            text = self._none_of(spelled)
        return text if test.values.missing else self.words.say("bound", "not_blank", bound=text)

    def _none_of(self, spelled: list[str]) -> str:
        """Say that a value is none of some."""
        if len(spelled) == 2:
            return self.words.say("bound", "neither", first=spelled[0], second=spelled[1])
        return self.words.say("bound", "!=", bound=self.words.listed(spelled, "list_or"))
