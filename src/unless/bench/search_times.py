"""The complexity claim, measured: one literal search against rows M and distinct values N.

FOLD-R as published classifies all M rows anew for each of the N values of a column, O(M·N); with counts and prefix
sums a search is O(M), whatever N. Both searches here are compiled, on one column of random numbers, and must find the
same literal; the best of a few repetitions counts, in time of the processor, as other work does not concern it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from unless.errors import UnlessError
from unless.learn.compiled import kernel
from unless.learn.fold.foil import GainChooser, weighted_gain
from unless.learn.rows.codes import encode
from unless.learn.rows.row_set import all_rows
from unless.table.cells import Cells

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

T = TypeVar("T")
ROWS = (1_000, 3_000, 10_000, 30_000, 100_000)
VALUES = (10, 100, 1_000, 10_000)
FIXED_ROWS = 30_000
FIXED_VALUES = 1_000
REPEATS = 3


@dataclass(frozen=True, slots=True)
class Timing:
    """One search: rows, distinct values, and the seconds of both ways."""

    rows: int
    values: int
    anew: float
    counted: float


def time_searches() -> list[Timing]:
    """Time both searches, with growing rows and with growing values."""
    sizes = [(m, FIXED_VALUES) for m in ROWS] + [(FIXED_ROWS, n) for n in VALUES if n != FIXED_VALUES]
    _time(ROWS[0], VALUES[0])  # compiles
    return [_time(m, n) for m, n in sizes]


def _time(n_rows: int, n_values: int) -> Timing:
    chance = np.random.default_rng(0)
    numbers = chance.integers(0, n_values, n_rows).astype(np.float64)
    positive = chance.random(n_rows) < 0.2 + 0.6 * numbers / n_values
    columns = encode({"a": Cells(n_rows, numbers)})
    chooser = GainChooser(columns)
    anew, slow = _best_of(lambda: search_anew(numbers, positive, columns.books[0].numbers))
    counted, choice = _best_of(lambda: chooser.best(all_rows(columns, positive)))
    if choice is None or slow != (0 if choice.op == "=<" else 1, choice.code):
        msg = f"the two searches differ on {n_rows} rows with {n_values} values: {slow}, {choice}."
        raise UnlessError(msg)
    return Timing(n_rows, len(columns.books[0].numbers), anew, counted)


def _best_of(search: Callable[[], T]) -> tuple[float, T]:
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        found = search()
        seconds.append(time.process_time() - start)
    return min(seconds), found


@kernel
def search_anew(
    numbers: NDArray[np.float64], positive: NDArray[np.bool_], values: NDArray[np.float64]
) -> tuple[int, int]:
    """Return operator and value of the literal of the largest gain, classifying all rows for each."""
    all_pos = 0
    for row in range(len(positive)):
        all_pos += positive[row]
    all_neg = len(positive) - all_pos
    best, best_op, best_code = 0.0, 0, -1
    for code in range(len(values)):
        p, n = 0, 0
        for row in range(len(numbers)):
            if numbers[row] <= values[code]:
                p += positive[row]
                n += not positive[row]
        gain = weighted_gain(p, n, all_pos, all_neg)
        if gain > best:
            best, best_op, best_code = gain, 0, code
        gain = weighted_gain(all_pos - p, all_neg - n, all_pos, all_neg)
        if gain > best:
            best, best_op, best_code = gain, 1, code
    return best_op, best_code
