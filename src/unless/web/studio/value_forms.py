"""The values that a condition lets through, as a form has them: bounds, words, and whether blank passes.

In: a form, or a set of values. Out: the other one, exactly; a set that no form can show says so. Bounds may be typed as
the column writes its cells: a date as a date.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from unless.errors import DataError
from unless.explain.words.language import language
from unless.logic.forms.value_sets import EVERY_NUMBER, FIRST, LAST, Cut, NumberSpan, ValueSet
from unless.logic.program import label_text
from unless.logic.readings import is_date, say_number, typed_value
from unless.table.cells import MISSING
from unless.web.explained_row import LANGUAGE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.logic.rules import Column
    from unless.table.cells import Cells, Words
    from unless.web.session import Session

    Rows = NDArray[np.bool_]

MOST_CUTS = 200
"""A slider has at most so many steps."""
MOST_WORDS = 200
N_PARTS = 24
"""The picture above a slider has at most so many bars."""
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


def column_choices(session: Session, program: Program, name: str, label: str = "") -> dict[str, Any]:
    """Return what a column holds, to choose bounds and words from, and how often a label goes with it."""
    column = column_of(program, name)
    cells = _cells(session, program, column)
    labels = _shown_labels(session, program, label)
    numbers = np.sort(cells.known_numbers())
    return {
        "column": name,
        "kind": column.kind,
        "is_date": is_date(column.reading),
        "reading": column.reading,
        "n_rows": cells.n_rows,
        "n_missing": cells.count_missing(),
        "n_numbers": len(numbers),
        "cuts": _cuts(numbers, column),
        "parts": [] if labels is None or cells.numbers is None else _parts(cells.numbers, labels, column),
        "words": [] if cells.words is None else _words(cells.words, labels),
    }


def bounds_of(session: Session, program: Program, name: str, form: ValuesForm) -> dict[str, Any]:
    """Read the bounds of a form as numbers, with how many rows lie at most there: typed ones are where sliders are."""
    column = column_of(program, name)
    numbers = _cells(session, program, column).numbers
    found: dict[str, Any] = {}
    for side, bound, is_in in (("low", form.low, not form.low_in), ("high", form.high, form.high_in)):
        if column.kind == "categorical" or bound is None or numbers is None:
            continue
        number = _number(bound, column)
        below = int((numbers <= number).sum() if is_in else (numbers < number).sum())
        found[side] = {"value": number, "said": language(LANGUAGE).number_of(column, number), "below": below}
    return found


def _cells(session: Session, program: Program, column: Column) -> Cells:
    opened = session.need_table()
    return opened.read(opened.table.column(column.name), column.kind, program.missing, column.reading)


def _shown_labels(session: Session, program: Program, label: str) -> tuple[Rows, Rows] | None:
    """Return the rows learned from and which rows have a label: rows kept apart shall not say where to cut."""
    view = session.on_table(program).view
    labels = [label_text(each) for each in view.labels]
    if view.actual is None or label not in labels:
        return None
    return session.rows("training"), view.actual == labels.index(label)


def _words(words: Words, labels: tuple[Rows, Rows] | None) -> list[dict[str, Any]]:
    """Return the commonest words with how many rows have each, and the share of the label among those learned from."""
    counts = _counted(words, None)
    order = np.argsort(-counts, kind="stable")[:MOST_WORDS]
    found = [{"word": words.lexicon[i], "n": int(counts[i]), "share": None} for i in order.tolist() if counts[i]]
    if labels is not None:
        seen, has_label = labels
        n_seen, hits = _counted(words, seen), _counted(words, seen & has_label)
        for entry, i in zip(found, order.tolist(), strict=False):
            entry["share"] = float(hits[i] / n_seen[i]) if n_seen[i] else None
    return found


def _counted(words: Words, rows: Rows | None) -> NDArray[np.intp]:
    codes = words.codes if rows is None else words.codes[rows]
    return np.bincount(codes[codes != MISSING], minlength=len(words.lexicon))


def _parts(numbers: NDArray[np.float64], labels: tuple[Rows, Rows], column: Column) -> list[dict[str, Any]]:
    """Cut the rows learned from into parts of about as many rows, each with its share of the label."""
    seen, has_label = labels
    known = np.flatnonzero(seen & ~np.isnan(numbers))
    order = known[np.argsort(numbers[known], kind="stable")]
    _, starts = np.unique(numbers[order], return_index=True)
    if not len(starts):
        return []
    # Equal numbers stay together: a part begins where a number does.
    wanted = np.linspace(0, len(order), min(N_PARTS, len(starts)) + 1)[1:-1]
    begins = np.unique(starts[np.minimum(np.searchsorted(starts, wanted), len(starts) - 1)])
    words = language(LANGUAGE)
    found: list[dict[str, Any]] = []
    for rows in np.split(order, begins[begins > 0]):
        ends = dict.fromkeys((float(numbers[rows[0]]), float(numbers[rows[-1]])))
        said = " to ".join(words.number_of(column, number, ends) for number in ends)
        share = float(has_label[rows].mean())
        found.append({"low": min(ends), "high": max(ends), "said": said, "n": len(rows), "share": share})
    return found


def _cuts(numbers: Any, column: Column) -> list[dict[str, Any]]:
    """Return numbers to cut at, with how many rows are at most each: all of few, evenly spread ones of many."""
    distinct, counts = np.unique(numbers, return_counts=True)
    below = np.cumsum(counts)
    if len(distinct) > MOST_CUTS:
        wanted = np.linspace(0, len(numbers) - 1, MOST_CUTS).astype(int)
        kept = np.unique(np.searchsorted(below, wanted, side="right"))
        distinct, below = distinct[kept], below[kept]
    words = language(LANGUAGE)
    cuts = distinct.tolist()
    said = [words.number_of(column, number, cuts) for number in cuts]
    return [
        {"value": number, "text": bound_text(number, column), "said": text, "below": int(n)}
        for number, text, n in zip(cuts, said, below.tolist(), strict=True)
    ]


def _number(bound: float | str, column: Column) -> float:
    if not isinstance(bound, str):
        return float(bound)
    value = typed_value(column, bound)
    if isinstance(value, str) or not isfinite(value):
        kind = f"written like {column.reading}" if column.reading else "a number"
        msg = f"{bound!r} is no bound for column {column.name!r}; it must be {kind}."
        raise DataError(msg)
    return value
