"""Regions as value sets: what is exact for the engine becomes what can be said.

In: regions of one column. Out: a `ValueSet`. A region begins and ends at floats; the first number above 30,000 is none
that anyone would say. The border between two neighbouring floats is named by the shorter of them, which is
the threshold that a person or a learner wrote, and is exactly the same border.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.logic.forms.value_sets import FIRST, LAST, NOTHING, Cut, NumberSpan, ValueSet
from unless.logic.reason.regions import LARGEST
from unless.logic.values import number_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.logic.reason.regions import Region


def values_of(regions: Iterable[Region]) -> ValueSet:
    """Return the values that are in one of some regions.

    >>> from unless.logic.reason.regions import region_of
    >>> from unless.logic.rules import Literal
    >>> literals = Literal("age", ">", 3.0), Literal("age", "=<", 0.5), Literal("town", "=", "Rome")
    >>> values_of(map(region_of, literals[:2])) == ValueSet.of(literals[0]) | ValueSet.of(literals[1])
    True
    >>> values_of([region_of(literals[2])]) == ValueSet.of(literals[2])
    True
    """
    found = NOTHING
    for region in regions:
        found |= _values(region)
    return found


def _values(region: Region) -> ValueSet:
    spans = (NumberSpan(_cut_below(region.low), _cut_below(math.nextafter(region.high, math.inf))),)
    return ValueSet(spans if region.has_numbers else (), region.words, region.others, region.missing)


def _cut_below(number: float) -> Cut:
    """Return the border between a number and the one just below it."""
    if number <= -LARGEST:
        return FIRST
    if number > LARGEST:
        return LAST
    below = math.nextafter(number, -math.inf)
    # Of two equally short ones the lower: "at most 1" and "above 1" are how thresholds are written.
    return Cut(below, after=True) if len(number_word(below)) <= len(number_word(number)) else Cut(number, after=False)
