"""What a fit needs: the binned table, the class as bytes, weights as integers, and folds of its rows.

In: coded columns, labels, weights. Out: `TrainingRows`, its price formula, and folds. Invariant: folds
come from the contents of the rows and weights are integers, so the order of the rows cannot change anything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.optimise.bins import make_bins
from unless.learn.optimise.state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.layout import Bytes, Ints
    from unless.learn.rows.codes import Columns

N_FOLDS = 5
MIN_PRICE = 0.3
MAX_WEIGHT = 2**30
SKEWED = 4.0
"""So many times as much the rows of one class weigh, or more, where labels count as wholly unlike."""
DEVIATIONS = 1 / 3
"""Standard deviations of the weight of errors that a literal must save there."""


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Everything a fit needs: the class as bytes, weights as integers, `unit` that of a row that counts.

    `heavier` is the unit of the class whose rows weigh more: literals are paid in its rows. `skew` says how much more
    they weigh (see `skew_of`).
    `rows` are the numbers that the rows have in the table; `locked` says for each rule to be kept where it fires.
    """

    bins: Bins
    right: Bytes
    weights: Ints
    unit: float
    heavier: float
    skew: float
    rows: Ints
    locked: tuple[Bytes, ...] = ()

    def take(self, rows: Ints) -> TrainingRows:
        """Keep some rows."""
        locked = tuple(fires[rows] for fires in self.locked)
        bins, right, weights = self.bins.take(rows), self.right[rows], self.weights[rows]
        return TrainingRows(bins, right, weights, self.unit, self.heavier, self.skew, self.rows[rows], locked)

    def price(self, error: float) -> float:
        """Return the price of a literal at an error, in weight of errors.

        By rows of the class that weighs more: where few rows weigh much, what a literal saves is mostly some of them,
        and it must be as many as where all weigh the same.
        """
        return price_of(error, float(self.weights.sum()) / self.heavier, self.heavier, self.skew)

    @property
    def is_weighed(self) -> bool:
        """Tell whether some rows weigh more than others."""
        return bool((self.weights != self.weights[0]).any())

    def state(self) -> State:
        """Return the program before learning: the locked rules only."""
        state = State(self.bins, self.right, self.weights, self.skew)
        for fires in self.locked:
            state.add_locked(fires)
        return state


def make_training_rows(
    columns: Columns,
    right: NDArray[np.bool_],
    weight: NDArray[Any] | None,
    locked: tuple[Bytes, ...] = (),
    *,
    have_costs: bool = False,
    labels: NDArray[np.intp] | None = None,
    n_threads: int = 1,
) -> TrainingRows:
    """Bin the table; rows of no weight are left out. Weights may have the costs of labels in them.

    `labels` are the indices of the rows' labels, where there are more than two.
    """
    weights, are_counts = whole_weights(weight, len(right))
    # Fractions of a row say nothing about how many rows there are: then each counts once. Nor do costs, and a word on a
    # row or two is not tested however dear they are; but where labels are dear, numbers are cut the finer.
    each = np.sign(weights)
    counts = weights if are_counts else each
    by_label = np.bincount(right if labels is None else labels, counts)
    rarest = int(by_label[by_label > 0].min(initial=counts.sum()))
    bins = make_bins(columns, counts, each if have_costs else None, rarest, n_threads)
    units = unit_of(weights[right]), unit_of(weights[~right])
    rows, unit, skew = np.arange(len(right)), unit_of(weights), skew_of(*units)
    task = TrainingRows(bins, right.astype(np.uint8), weights, unit, max(units), skew, rows, locked)
    return task if weights.all() else task.take(np.flatnonzero(weights))


def whole_weights(weight: NDArray[Any] | None, n_rows: int) -> tuple[Ints, bool]:
    """Return weights as integers, whose sums do not depend on the order of the rows, and whether they count rows."""
    if weight is None:
        return np.ones(n_rows, dtype=np.int64), True
    weight = np.asarray(weight, dtype=np.float64)
    most = float(weight.max())
    if most * n_rows < MAX_WEIGHT / 2 and np.array_equal(weight, np.rint(weight)):
        return weight.astype(np.int64), True
    shares = weight / most  # first: the sum of huge weights would be infinite
    if ((shares == 0.0) | (shares == 1.0)).all():  # rows that weigh the same are rows: large numbers round otherwise
        return shares.astype(np.int64), False
    total = float(np.sort(shares[shares > 0]).sum())  # sorted: a sum of fractions depends on their order
    return np.rint(shares * (MAX_WEIGHT / total)).astype(np.int64), False


def unit_of(weights: Ints) -> float:
    """Return the weight of the row that an average unit of weight belongs to.

    Equal rows weigh that much. Where few rows weigh much, an error saved is mostly one of them: a literal must pay by
    several rows, not by one heavy row. Added up in whole numbers, so the order of the rows cannot matter.
    """
    if not weights.any():
        return 1.0
    if (weights == weights[0]).all():
        return float(weights[0])
    values, counts = np.unique(weights, return_counts=True)
    sums = [(value * n, value * value * n) for value, n in zip(values.tolist(), counts.tolist(), strict=True)]
    return float(sum(squared for _, squared in sums) / sum(plain for plain, _ in sums))


def unit_of_labels(weights: Ints, is_label: NDArray[np.bool_]) -> float:
    """Return the weight that counts as one row where rows with a label and others are weighed by log-loss.

    The units of both, each by the other's share of the weight: slopes of the log-loss then vary as those of so many
    plain rows do (the ratio of the inner and the outer part of the sandwich estimator, where nothing is known yet).
    """
    mine, others = unit_of(weights[is_label]), unit_of(weights[~is_label])
    share = int(weights[is_label].sum()) / int(weights.sum())
    return mine if mine == others else mine * (1.0 - share) + others * share


def typical_weight(weights: Ints) -> float:
    """Return the weight of a row near the middle: rows that weigh at most so much have two fifths of the weight.

    Not half: of two classes that weigh the same it is to be the lighter one's, whatever rounding says.
    """
    ordered = np.sort(weights)
    up_to = np.cumsum(ordered)
    return float(ordered[np.searchsorted(up_to, up_to[-1] * 0.4)])


def skew_of(one: float, other: float) -> float:
    """Return how unlike the rows of two classes weigh: from 0 where they weigh the same to 1 at four to one."""
    return min(1.0, math.log(max(one, other) / min(one, other)) / math.log(SKEWED))


def price_of(error: float, n_rows: float, unit: float, skew: float = 0.0) -> float:
    """Return the price of a literal, in weight of errors.

    It rises with the fourth root of the rows where they weigh the same. The more those of one class weigh, the more it
    rises with the square root, as chance does: it is then a share of the standard deviation of the errors, where that
    is more. Not less: what few heavy rows have in common by chance must not pay.
    """
    root = math.sqrt(math.sqrt(n_rows))
    steeper = math.pow(max(1.0, DEVIATIONS * root), skew)
    return unit * max(MIN_PRICE, math.sqrt(error * (1 - error)) * root * steeper)


def deal_order(task: TrainingRows) -> Ints:
    """Return the rows class by class, in each in an order that is chance, but comes from their contents.

    A row more leaves the others in their order. Of equal rows each has a number of its own, so they are spread.
    """
    return np.lexsort((*_ties(task), _drawn(task), task.right))


def first_dealt(task: TrainingRows, most: int) -> Ints:
    """Return at most so many of the rows, the first of each class in that order: a row more changes one or none.

    Of many rows few are wanted, and to put all of them in order would take a tenth of a fit.
    """
    n_rows, drawn = len(task.right), _drawn(task)
    most = min(most, n_rows)
    n_right = round(most * int(np.count_nonzero(task.right)) / n_rows)
    numbers = (most - n_right, n_right)
    return np.concatenate([_lowest(task, drawn, np.flatnonzero(task.right == k), numbers[k]) for k in (0, 1)])


def _lowest(task: TrainingRows, drawn: NDArray[np.uint64], rows: Ints, n: int) -> Ints:
    """Return the n rows of lowest number among some, in order."""
    if 0 < n < len(rows):
        rows = rows[drawn[rows] <= np.partition(drawn[rows], n - 1)[n - 1]]
    keys = (*(key[rows] for key in _ties(task)), drawn[rows])
    return rows[np.lexsort(keys)][:n]


def _ties(task: TrainingRows) -> tuple[NDArray[Any], ...]:
    return (task.weights, *task.locked)


def _drawn(task: TrainingRows) -> NDArray[np.uint64]:
    """Return a number for each row, as if drawn; rows of equal bins are numbered, and have different ones.

    Numbered by their exact cells, not as they stand: a program grown without one of them may be another than one grown
    without the other, and its grade looks at exact cells.
    """
    hashes = task.bins.hashes
    ordered = np.sort(hashes)
    repeated = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    copies = np.zeros(len(hashes), dtype=np.uint64)
    if len(repeated):  # only rows whose hash stands there again can be equal: all others need no sorting
        rows = np.flatnonzero(repeated[np.minimum(np.searchsorted(repeated, hashes), len(repeated) - 1)] == hashes)
        keys = tuple(key[rows] for key in (*_ties(task), hashes, task.right))
        copies[rows] = _copies(task.bins.exact_hashes(rows), keys)
    return mix(hashes + copies * MIXED_BY[0])


def _copies(exact: NDArray[np.uint64], keys: tuple[NDArray[Any], ...]) -> NDArray[np.intp]:
    """Return for each row how many of the rows with its keys come before it, by their exact cells."""
    sorted_rows = np.lexsort((exact, *keys))
    is_new = np.zeros(len(sorted_rows), dtype=np.bool_)
    is_new[:1] = True
    for key in keys:
        is_new[1:] |= np.diff(key[sorted_rows].astype(np.uint64)) != 0
    counted = np.arange(len(sorted_rows))
    copies = np.empty(len(sorted_rows), dtype=np.intp)
    copies[sorted_rows] = counted - np.maximum.accumulate(np.where(is_new, counted, 0))
    return copies


MIXED_BY = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return other numbers, as if drawn, of which equal ones are equal (the end of splitmix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * MIXED_BY[1]
    numbers = (numbers ^ (numbers >> np.uint64(27))) * MIXED_BY[2]
    return numbers ^ (numbers >> np.uint64(31))
