"""Chosen conditions are said in values; rows by their points become bands.

In: bins, and conditions of bins. Out: conditions of a grade, and the rows for which they hold; `Band`s.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.logistic.best_condition import BLANK, GT, LE, WORDS
from unless.learn.logistic.bin_condition import DECISION, opposite
from unless.learn.optimise import layout
from unless.learn.optimise.bins import make_test
from unless.learn.optimise.thresholds import write_test
from unless.logic.grade import Band, Blank, Both, Decided
from unless.logic.rules import Literal, OneOf

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unless.learn.logistic.bin_condition import BinCondition
    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.layout import Floats, Ints
    from unless.learn.rows.codes import Codebook
    from unless.logic.grade import CellCondition, GradeCondition

N_BANDS = 10
TINY = 1e-12
KINDS = {LE: layout.LE, GT: layout.GT, WORDS: layout.ONE_OF}


def write_condition(bins: Bins, condition: BinCondition) -> GradeCondition:
    """Say a condition in values; of two together the column that stands first comes first."""
    if condition is DECISION:
        return Decided()
    if condition.within is None:
        return _write_one(bins, condition)
    first, second = sorted((condition.within, condition), key=lambda part: part.column)
    return Both(_write_one(bins, first), _write_one(bins, second))


def _write_one(bins: Bins, condition: BinCondition) -> CellCondition:
    if condition.kind == BLANK:
        return Blank(bins.books[condition.column].name)
    first = int(bins.layout.n_numbers[condition.column])
    words = tuple(first + word for word in condition.words)
    simple = write_test(bins, make_test(bins, condition.column, KINDS[condition.kind], condition.at, words))
    assert isinstance(simple, Literal | OneOf)
    return simple


def truth_of_codes(book: Codebook, condition: CellCondition, codes: NDArray[Any]) -> NDArray[np.bool_]:
    """Return the rows, by the codes of a column, for which a condition on it holds."""
    if isinstance(condition, Blank):
        return np.asarray(codes == book.missing)
    if isinstance(condition, OneOf):
        truth = np.zeros(book.missing + 1, dtype=np.bool_)
        truth[[book.code(word) for word in condition.words]] = True
        return np.asarray(truth[codes])
    if isinstance(condition.value, str):
        return np.asarray(codes == book.code(condition.value))
    above = int(np.searchsorted(book.numbers, condition.value, side="right"))
    if condition.op == "=<":
        return np.asarray(codes < above)
    return np.asarray((codes >= above) & (codes < book.n_numbers))


def complement(bins: Bins, condition: BinCondition) -> CellCondition | None:
    """Return what holds where a condition of one column does not, of numbers or words; None if it cannot be said."""
    other = opposite(bins.layout, condition)
    return None if other is None else _write_one(bins, other)


def part_in_bands(totals: Ints, is_label: NDArray[np.bool_], curve: Callable[[Floats], Floats]) -> tuple[Band, ...]:
    """Part the rows by their points into about ten bands; the curve gives the probabilities of points.

    Of a band count its share of all rows, of those with the label, and of the way from the least to the largest
    probability: so a rare label does not have most of its rows in the last band, and no band spans what is far apart.
    """
    low, n_label = int(totals.min()), max(int(is_label.sum()), 1)
    rows, label = np.bincount(totals - low), np.bincount(totals - low, is_label).astype(np.int64)
    occupied = np.flatnonzero(rows)
    chances = curve(np.asarray(occupied + low, dtype=np.float64))
    way = np.abs(np.diff(chances, prepend=chances[:1])) / max(abs(float(chances[-1] - chances[0])), TINY)
    shares: list[float] = (rows[occupied] / len(totals) + label[occupied] / n_label + way).tolist()
    left = math.fsum(shares)
    share, bands = left / N_BANDS, list[Band]()
    start, mine = 0, 0.0
    for end, one, after in zip(occupied.tolist(), shares, [*shares[1:], math.inf], strict=True):
        mine, left = mine + one, left - one
        is_full = (mine >= share or mine + after > 1.5 * share) and left >= share / 2
        if is_full or after == math.inf:
            part = slice(start, end + 1)
            bands.append(Band(low + start, low + end, int(rows[part].sum()), int(label[part].sum())))
            start, mine = end + 1, 0.0
    return tuple(bands)
