"""Inner choices by evidence: scorecards or not, the price of a literal, up and down, and what finds the program.

In: a task, limits, the price at an error. Out: `Choices`, with what the programs of the inner folds said of the rows
they had not seen. Candidates race: whoever is decided after some of the folds runs no further. Every comparison is in
standard errors, counted on the rows that two candidates tell apart. Cut short, what is known so far stands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.optimise.folds import MAX_TRAIN, FoldAhead, make_folds, n_inner_folds, twins
from unless.learn.optimise.logistic_scorecard import scorecard_predicted
from unless.learn.optimise.side_by_side import Threads

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from unless.learn.learners import PointsChoice
    from unless.learn.logistic.condition_limits import ConditionLimits
    from unless.learn.optimise.folds import HeldOutFold
    from unless.learn.optimise.growing.growing_program import PlainProgram
    from unless.learn.optimise.growing.growth_limits import Limits
    from unless.learn.optimise.layout import Bytes, Floats, Ints
    from unless.learn.optimise.training import TrainingRows

FIRST_ERROR = 0.15
NEAR = 1.25
"""A price that differs by less needs no new programs."""
RACED = 2
"""So many folds decide between two kinds of program."""
DECIDED = 1.5
"""Standard errors by which one kind must be off its margin for fewer folds to decide."""
BEHIND, A_STEP = 1.0, 0.5
"""Standard errors, on the rows of a fold, by which a program that grows on may be behind what it was, and what every
step must bring."""
CHEAPER_WINS, SKEWED_CHEAPER_WINS = 2.0, 3.0
"""Standard errors by which a lower price must win, and where the rows of one label weigh far more: few decide then."""
SKEWED_POINTS = -2.0
"""Standard errors by which scorecards may lose where the rows of one label weigh far more: one sum says with fewer
conditions what takes several rules there."""
ON_THE_WAY = 0.5
"""Standard errors by which a candidate may be behind what its margin asks for after as many folds."""
MAX_RISES = 2
FEW = 1000
"""Up to here folds cannot show that a higher price costs nothing: it must win by a standard error."""
WHOLE = 0.75
"""A higher price is tried where folds are grown on this share of their rows at least: a sample bears less."""
MANY, WORTH_IT = 10_000, 0.01
"""With twice so many rows scorecards, which take their time there, must be right on this share of them more."""
PER_LITERAL_MORE = 0.5
"""The share of its price that each literal which a weighed scorecard has more than rules must save on held-out rows."""
MIN_ROWS = 10
ALONE = Threads()


@dataclass(frozen=True)
class Choices:
    """What was chosen; `out_of_fold` says of each row whether a program grown without it gives it to its class.

    `grown` are the inner folds' programs. `is_weighed` says that the program is a scorecard weighed by regression.
    """

    points: bool
    price: float
    out_of_fold: NDArray[np.int8] | None = None
    grown: tuple[PlainProgram, ...] = ()
    is_weighed: bool = False


class Contest:
    """One candidate on the inner folds: what its programs say, fold by fold."""

    def __init__(self, folds: list[HeldOutFold], price: float, side_by_side: Threads = ALONE) -> None:
        self.folds = folds
        self.price = price
        self.task = folds[0].task
        self.side_by_side = side_by_side
        self.said: NDArray[np.int8] = np.full(self.task.bins.n_rows, -1, dtype=np.int8)
        self.n_done = 0
        self.grown: list[PlainProgram] = []
        self._next: FoldAhead | None = None

    def go_on(self, rival: Contest, ahead: float) -> bool:
        """Grow the program of one more fold; False if there is none, or no time.

        A program that is not on its way to be ahead of a rival's, while it grows, is grown no further. The next fold
        begins in another thread, if there is one: who goes on no more says so by `end`.
        """
        if self.n_done == len(self.folds):
            return False
        fold, begun = self.folds[self.n_done], self._next
        self._next = self._begin(self.n_done + 1, rival, ahead)
        if begun is not None:
            return self.note(begun.predicted())
        return self.note(fold.predicted(self.price, rival.bears(fold.test, ahead)))

    def _begin(self, k: int, rival: Contest, ahead: float) -> FoldAhead | None:
        """Begin to grow the program of a fold, if there are threads, and such a fold."""
        pool = self.side_by_side.pool
        if k == len(self.folds) or pool is None:
            return None
        return FoldAhead(self.folds[k], self.price, rival.bears(self.folds[k].test, ahead), pool)

    def end(self) -> None:
        """Leave the folds that were not gone on to as they were."""
        if self._next is not None:
            self._next.give_up()
            self._next = None

    def note(self, said: Bytes) -> bool:
        """Take down what the program of the next fold says; False if it was cut short."""
        fold = self.folds[self.n_done]
        if fold.limits.should_stop():
            return False
        self.take(said)
        self.grown.append(fold.grower.program.plain())
        return True

    def take(self, said: Bytes) -> None:
        """Take down what somebody says of the held-out rows of the next fold."""
        self.said[self.folds[self.n_done].test] = said
        self.n_done += 1

    def bears(self, rows: Ints, most: float) -> Callable[[Bytes], bool]:
        """Return what tells, step by step, whether another program is on its way to be ahead of this one by so much.

        It is asked after each step what that program says of some rows: each must bring something.
        """
        right, weights, mine = self.task.right[rows], self.task.weights[rows], self.said[rows]
        steps = count(1)

        def is_hopeful(said: Bytes) -> bool:
            return _ahead(mine != right, said != right, weights) >= min(most, next(steps) * A_STEP - BEHIND)

        return is_hopeful

    def finish(self, n_folds: int | None = None) -> bool:
        """Grow the programs of all folds, or of the first so many; False if time ran out."""
        left = self.folds[self.n_done : n_folds]
        return all(list(map(self.note, self.side_by_side.map(lambda fold: fold.predicted(self.price), left))))

    def wrong(self) -> Floats:
        """Return 1 for the rows that programs grown without them get wrong; rows not reached count as right."""
        return np.asarray((self.said >= 0) & (self.said != self.task.right), dtype=np.float64)

    @property
    def errors(self) -> float:
        """Return the weight of the rows that programs grown without them get wrong."""
        return float(np.sum(self.task.weights * self.wrong()))

    @property
    def error(self) -> float:
        """Return the share of the weight of the rows reached that is wrong."""
        return self.errors / max(1.0, float(self.task.weights[self.said >= 0].sum()))

    @property
    def is_full(self) -> bool:
        """Tell whether the limit of rules kept a program from growing: then only scorecards could say more."""
        return any(fold.is_full for fold in self.folds[: self.n_done])

    def at(self, price: float) -> Contest:
        """Return the same folds at another price: their programs grow on."""
        return Contest(self.folds, price, self.side_by_side)


def gain(one: Contest, other: Contest) -> float:
    """Return how much more weight the other gets right, in standard errors, on the rows that both reached."""
    rows = np.flatnonzero((one.said >= 0) & (other.said >= 0) & (one.said != other.said))  # others are alike
    right, weights = one.task.right[rows], one.task.weights[rows]
    return _ahead(one.said[rows] != right, other.said[rows] != right, weights)


def _ahead(one: NDArray[Any], other: NDArray[Any], weights: Ints) -> float:
    """Return how much less weight the other gets wrong, in standard errors."""
    apart = (one.astype(np.float64) - other) * weights
    spread = math.sqrt(float(np.sum(apart * apart)))
    return float(apart.sum()) / spread if spread else 0.0


def points_margin(n_rows: int) -> float:
    """Return the standard errors by which scorecards must win.

    A rule reads better than a sum. But few rows cannot show a gain, and there the steadier sum is right more often: it
    must only not lose by one. Many rows can, and there sums take their time.
    """
    return min(2.0, max(-1.0, 1.5 * math.log10(max(1, n_rows) / 1000) - 1.0))


def dearer_margin(n_rows: int) -> float:
    """Return the standard errors by which a higher price must win: none where there are many rows."""
    return max(0.0, min(1.0, 2.0 - n_rows / FEW))


def cheaper_margin(skew: float) -> float:
    """Return the standard errors by which a lower price must win, the more so the more the rows of one label weigh."""
    return CHEAPER_WINS + skew * (SKEWED_CHEAPER_WINS - CHEAPER_WINS)


def worth_it(n_rows: int) -> float:
    """Return the share of the rows on which scorecards must be right more: from nothing, it rises with the rows."""
    return WORTH_IT * min(1.0, max(0.0, n_rows / MANY - 1.0))


def choose(
    task: TrainingRows,
    limits: Limits,
    price_at: Callable[[float], float],
    points: PointsChoice,
    tried: list[HeldOutFold] | None = None,
    side_by_side: Threads = ALONE,
    scorecards: ConditionLimits | None = None,
) -> Choices:
    """Choose by inner folds, listed in `tried` (out); what is grown anyway may be grown side by side.

    Weighed `scorecards`, where they may be programs, are tried under these limits.
    """
    first = price_at(FIRST_ERROR)
    usual = Choices(points is True, first)
    if task.bins.n_rows < MIN_ROWS:
        return usual
    plain, scored = contestants(task, limits, first, points, side_by_side)
    if tried is not None:
        tried += [*plain.folds, *(scored.folds if scored else ())]
    best = plain if scored is None else _choose_points(plain, scored)
    usual = replace(usual, points=best.folds[0].limits.points)
    best.finish(RACED)
    if best.n_done == 0:
        return usual
    price = price_at(best.error)
    if max(price, first) > NEAR * min(price, first):
        best = best.at(price)
    if not best.finish():
        return replace(usual, price=price)
    start, best = best, _choose_price(best, price_at(0.0))
    said = best.said if (best.said >= 0).all() else None
    price = price_at(start.error) if best is start else best.price
    if scorecards is not None and best.folds[0].share >= WHOLE:
        weighed = _weighed_if_better(best, scorecards)
        if weighed is not None:
            return Choices(usual.points, price, weighed.said, is_weighed=True)
    return Choices(usual.points, price, said, tuple(best.grown))


def contestants(
    task: TrainingRows, limits: Limits, price: float, points: PointsChoice, side_by_side: Threads = ALONE
) -> tuple[Contest, Contest | None]:
    """Return the candidates: programs under the limits and, where that is to be found out, with scorecards."""
    limits = replace(limits, is_rough=True)
    plain = Contest(make_folds(task, limits, n_inner_folds(task.bins.n_rows), MAX_TRAIN), price, side_by_side)
    if points != "auto":
        return plain, None
    return plain, Contest(twins(plain.folds, replace(limits, points=True)), price, side_by_side)


def _choose_points(plain: Contest, scored: Contest) -> Contest:
    """Let programs with and without scorecards race."""
    while scored.n_done < RACED and not _is_decided(plain, scored) and _both_go_on(plain, scored):
        pass
    margin, least = _asked_of_points(plain)
    is_worth_it = scored.error + least <= plain.error or least == 0.0
    return scored if scored.n_done and gain(plain, scored) >= margin and is_worth_it else plain


def _is_decided(plain: Contest, scored: Contest) -> bool:
    """Tell whether one is so far ahead after some of the folds that the others would hardly turn it."""
    margin, _ = _asked_of_points(plain)
    return abs(gain(plain, scored) - margin * math.sqrt(scored.n_done / RACED)) >= DECIDED if scored.n_done else False


def _asked_of_points(plain: Contest) -> tuple[float, float]:
    """Return the standard errors by which scorecards must win, and the share of rows."""
    task = plain.task
    margin, least = points_margin(task.bins.n_rows), worth_it(task.bins.n_rows)
    margin += task.skew * min(0.0, SKEWED_POINTS - margin)
    if plain.is_full:
        # On all rows more could be said than on a sample, but not by rules: there the race says little.
        margin, least = min(-math.inf if plain.folds[0].share < 1 else 0.0, margin), 0.0
    return margin, least


def _both_go_on(one: Contest, other: Contest) -> bool:
    """Grow the programs of one more fold of two candidates; False if there is none, or no time."""
    if one.n_done == len(one.folds):
        return False
    pair = (one, other)
    grown = one.side_by_side.map(lambda each: each.folds[each.n_done].predicted(each.price), pair)
    return all(each.note(said) for each, said in zip(pair, grown, strict=True))


def _choose_price(best: Contest, least: float) -> Contest:
    """Halve the price while that wins; if it never does, double it where that costs nothing."""
    start = best
    while best.price / 2 >= least:
        cheaper = best.at(best.price / 2)
        if not _wins(best, cheaper, cheaper_margin(start.task.skew)):
            break
        best = cheaper
    task = start.task
    if best is start and start.folds[0].share >= WHOLE:
        margin = dearer_margin(task.bins.n_rows)
        for _ in range(MAX_RISES):
            dearer = best.at(2 * best.price)
            if not _wins(start, dearer, margin):
                break
            best = dearer
    return best


def _weighed_if_better(best: Contest, limits: ConditionLimits) -> Contest | None:
    """Weigh a scorecard without the held-out rows of each fold; None if it is not right on enough more of them."""
    if not any(fold.grower.errors for fold in best.folds):
        return None  # without noise rules are exact
    weighed, larger = Contest(best.folds, best.price), 0
    for fold in best.folds:
        if fold.limits.should_stop():
            return None
        said, size = scorecard_predicted(fold, limits)
        weighed.take(said)
        larger += size - fold.grower.size
        if gain(best, weighed) < -ON_THE_WAY:
            return None
    saved, asked = best.errors - weighed.errors, PER_LITERAL_MORE * best.price * larger / len(best.folds)
    return weighed if saved > 0.0 and saved >= asked else None


def _wins(best: Contest, other: Contest, margin: float) -> bool:
    """Tell whether another candidate wins by a margin; one that is not on its way to it after a fold is out."""
    n_folds = len(other.folds)
    try:
        while other.go_on(best, margin / math.sqrt(n_folds) - ON_THE_WAY):
            if gain(best, other) < margin * math.sqrt(other.n_done / n_folds) - ON_THE_WAY:
                return False
    finally:
        other.end()
    return other.n_done == n_folds and gain(best, other) >= margin
