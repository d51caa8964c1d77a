"""Regions as plain data for JSON: spans of numbers, words, and whether missing is in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.logic.reason.region_values import values_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.logic.forms.value_sets import NumberSpan
    from unless.logic.reason.regions import Region


def region_data(regions: Iterable[Region]) -> dict[str, Any]:
    """Return the values that are in one of some regions as plain data.

    >>> from unless.logic.reason.regions import region_of
    >>> from unless.logic.rules import Literal
    >>> region_data([region_of(Literal("age", ">", 3.0))])["numbers"]
    [{'above': 3.0}]
    """
    values = values_of(regions)
    return {
        "numbers": [_span(span) for span in values.spans],
        ("words_but" if values.others else "words"): sorted(values.words),
        "missing": values.missing,
    }


def _span(span: NumberSpan) -> dict[str, float]:
    found = {}
    if span.has_low:
        found["above" if span.low.after else "from"] = span.low.number
    if span.has_high:
        found["to" if span.high.after else "below"] = span.high.number
    return found
