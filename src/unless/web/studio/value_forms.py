"""The values that a condition lets through, as a form has them: bounds, words, and whether blank passes.

In: a form, or a set of values. Out: the other one, exactly; a set that no form can show says so. Bounds may be typed as
the column writes its cells: a date as a date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from unless.errors import DataError
from unless.explain.words.language import language
from unless.logic.forms.value_sets import EVERY_NUMBER, FIRST, LAST, Cut, NumberSpan, ValueSet
from unless.logic.readings import is_date, read_value, say_number
from unless.table.cells import MISSING
from unless.web.explained_row import LANGUAGE

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.logic.rules import Column
    from unless.web.session import Session

MOST_CUTS = 200
"""A slider has at most so many steps."""
MOST_WORDS = 200
Bound = FiniteFloat | Annotated[str, Field(max_length=200)] | None
Word = Annotated[str, Field(max_length=10_000)]


class ValuesForm(BaseModel):
    """Which values pass: numbers between two bounds, words listed or all but those, blank and further words.

    What else a form shows, such as bounds as texts, is left alone.
    """

    model_config = ConfigDict(extra="ignore")

    low: Bound = None
    high: Bound = None
    low_in: bool = False
    high_in: bool = True
    words: Annotated[list[Word], Field(max_length=10_000)] = []
    all_but: bool = False
    blank: bool = False


def values_of_form(form: ValuesForm, column: Column) -> ValueSet:
    """Return the values that a form lets through."""
    words = frozenset(form.words)
    if column.kind == "categorical" or (form.low is None and form.high is None):
        return ValueSet(words=words) if form.all_but else ValueSet((), words, others=False, missing=False)
    low = FIRST if form.low is None else Cut(_number(form.low, column), not form.low_in)
    high = LAST if form.high is None else Cut(_number(form.high, column), form.high_in)
    if low >= high:
        msg = f"no number of {column.name!r} is above {form.low} and at most {form.high}; the first must be smaller."
        raise DataError(msg)
    spans = (NumberSpan(low, high),)
    if form.blank:
        return ValueSet(spans, words if form.all_but else frozenset(), others=True, missing=True)
    return ValueSet(spans, frozenset() if form.all_but else words, others=False, missing=False)


def form_of_values(values: ValueSet, column: Column) -> dict[str, Any] | None:
    """Return the form that lets these values through; None where none does."""
    all_numbers = values.spans == EVERY_NUMBER
    form: dict[str, Any] = {"words": sorted(values.words), "all_but": values.others and bool(values.words)}
    form |= {"low": None, "high": None, "low_in": False, "high_in": True, "blank": values.missing}
    if len(values.spans) > 1:
        return None
    if values.spans and not all_numbers:
        (span,) = values.spans
        form["low"] = span.low.number if span.has_low else None
        form["high"] = span.high.number if span.has_high else None
        form |= {"low_in": not span.low.after, "high_in": span.high.after}
        form |= {f"{name}_text": bound_text(form[name], column) for name in ("low", "high")}
    asked = values_of_form(ValuesForm(**{k: v for k, v in form.items() if not k.endswith("_text")}), column)
    if column.kind == "categorical":
        asked = asked if values.others == asked.others and values.words == asked.words else ValueSet()
    return form if asked == values or column.kind == "categorical" else None


def bound_text(number: float | None, column: Column) -> str:
    """Write a bound as a person types it: plainly, or as the cells of the column are."""
    if number is None:
        return ""
    return say_number(column, number)


def column_of(program: Program, name: str) -> Column:
    """Return a column of a program."""
    found = next((column for column in program.columns if column.name == name), None)
    if found is None:
        msg = f"the program knows no column {name!r}."
        raise DataError(msg)
    return found


def column_choices(session: Session, program: Program, name: str) -> dict[str, Any]:
    """Return what a column holds, to choose bounds and words from."""
    column, opened = column_of(program, name), session.need_table()
    cells = opened.read(opened.table.column(name), column.kind, program.missing, column.reading)
    numbers = np.empty(0) if cells.numbers is None else np.sort(cells.numbers[~np.isnan(cells.numbers)])
    words: list[dict[str, Any]] = []
    if cells.words is not None:
        codes = cells.words.codes
        counts = np.bincount(codes[codes != MISSING], minlength=len(cells.words.lexicon))
        order = np.argsort(-counts, kind="stable")[:MOST_WORDS]
        words = [{"word": cells.words.lexicon[i], "n": int(counts[i])} for i in order.tolist() if counts[i]]
    return {
        "column": name,
        "kind": column.kind,
        "is_date": is_date(column.reading),
        "reading": column.reading,
        "n_rows": opened.table.n_rows,
        "n_missing": cells.count_missing(),
        "n_numbers": len(numbers),
        "cuts": _cuts(numbers, column),
        "words": words,
    }


def _cuts(numbers: Any, column: Column) -> list[dict[str, Any]]:
    """Return numbers to cut at, with how many rows are at most each: all of few, evenly spread ones of many."""
    distinct, counts = np.unique(numbers, return_counts=True)
    below = np.cumsum(counts)
    if len(distinct) > MOST_CUTS:
        wanted = np.linspace(0, len(numbers) - 1, MOST_CUTS).astype(int)
        kept = np.unique(np.searchsorted(below, wanted, side="right"))
        distinct, below = distinct[kept], below[kept]
    words = language(LANGUAGE)
    return [
        {"value": number, "text": bound_text(number, column), "said": words.number_of(column, number), "below": int(n)}
        for number, n in zip(distinct.tolist(), below.tolist(), strict=True)
    ]


def _number(bound: float | str, column: Column) -> float:
    if not isinstance(bound, str):
        return float(bound)
    value = read_value(column, bound)
    if isinstance(value, str):
        kind = f"written like {column.reading}" if column.reading else "a number"
        msg = f"{bound!r} is no bound for column {column.name!r}; it must be {kind}."
        raise DataError(msg)
    return value
