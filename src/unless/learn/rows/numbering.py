"""The distinct numbers of a column, and the rank of each cell's number among them, by hashing.

Sorting every cell of a long column costs several times as much: most columns have few distinct numbers, and only those
are sorted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unless.learn.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

MANY = 1 << 15
"""More distinct numbers than this are found by sorting the cells: the hash table would not stay in the cache."""

FEW = 1 << 12
"""So few cells are sorted and searched: that takes less time than to load the kernel, let alone to compile it."""

INFINITY = 0x7FF0_0000_0000_0000
"""The bits of infinity; those of a NaN are more, sign apart."""

WITHOUT_SIGN = 0x7FFF_FFFF_FFFF_FFFF
"""The bits of a number but its sign."""

SPREAD = 0x1E37_79B9_7F4A_7C15
"""An odd number without pattern: multiplying by it spreads the bits of a number upwards."""


HALF, LOWEST = 32, 24
"""The high half of a number is folded into the low one; below the lowest bit kept, the product is not spread yet."""


def distinct(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distinct numbers, ascending; NaN is none."""
    return numbered(values)[0]


def numbered(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int32] | None]:
    """Return the distinct numbers, ascending, and where hashing found them, the rank of each value; -1 for NaN."""
    if len(values) <= FEW:
        return _distinct_in_order(values), None
    known, found = np.empty(min(MANY, len(values)), dtype=np.int64), np.empty(len(values), dtype=np.int32)
    done, n_known = number(_bits(values), _slots(len(known)), known, 0, found)
    if done < len(values):
        return _distinct_in_order(values), None
    met = known[:n_known].view(np.float64)
    order = np.argsort(met)
    rank_of = np.full(n_known + 1, -1, dtype=np.int32)  # the last entry serves -1, NaN
    rank_of[order] = np.arange(n_known)
    return met[order], rank_of[found]


def _distinct_in_order(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Do the same by sorting all values."""
    ascending: NDArray[np.float64] = np.sort(values) + 0.0  # NaN last
    ascending = ascending[: int(np.searchsorted(ascending, np.inf, side="right"))]
    is_first = np.ones(len(ascending), dtype=np.bool_)
    is_first[1:] = ascending[1:] != ascending[:-1]  # a difference may be beyond all numbers
    return ascending[is_first]


def ranks(values: NDArray[np.float64], numbers: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the rank of each value among the numbers, which are distinct and have them all; -1 for NaN."""
    if len(values) <= FEW or len(numbers) > MANY + len(values):
        return _ranks_in_order(values, numbers)
    known, slots = np.empty(len(numbers), dtype=np.int64), _slots(len(numbers))
    number(_bits(numbers), slots, known, 0, np.empty(len(numbers), dtype=np.int32))
    found = np.empty(len(values), dtype=np.int32)
    number(_bits(values), slots, known, len(known), found)
    return found


def _ranks_in_order(values: NDArray[np.float64], numbers: NDArray[np.float64]) -> NDArray[np.int32]:
    """Do the same by searching for the values in ascending order, which finds each near the one before."""
    order = np.argsort(values)
    found = np.empty(len(values), dtype=np.int32)
    found[order] = np.searchsorted(numbers, values[order])
    found[np.isnan(values)] = -1
    return found


def _bits(values: NDArray[np.float64]) -> NDArray[np.int64]:
    return (values + 0.0).view(np.int64)  # -0.0 becomes 0.0: equal numbers have equal bits


def _slots(room: int) -> NDArray[np.int32]:
    """Return an empty hash table that stays half empty."""
    return np.full(2 << room.bit_length(), -1, dtype=np.int32)


@kernel
def number(
    bits: NDArray[np.int64],
    slots: NDArray[np.int32],
    known: NDArray[np.int64],
    n_known: int,
    found: NDArray[np.int32],
) -> tuple[int, int]:
    """Write into found (out) the index among the known numbers (out) of each number; -1 for NaN.

    New numbers join the known ones. Slots (out) is a hash table of their indices, a power of two long. Returns where
    the room for known numbers ended, and how many are known.
    """
    last = len(slots) - 1
    for i in range(len(bits)):
        one = bits[i]
        if one & WITHOUT_SIGN > INFINITY:
            found[i] = -1
            continue
        slot = ((one ^ (one >> HALF)) * SPREAD >> LOWEST) & last
        while slots[slot] >= 0 and known[slots[slot]] != one:
            slot = (slot + 1) & last
        if slots[slot] < 0:
            if n_known == len(known):
                return i, n_known
            slots[slot] = n_known
            known[n_known] = one
            n_known += 1
        found[i] = slots[slot]
    return len(bits), n_known
