"""Accuracy against size: one program per price, from one literal to the limits.

In: a table. Out: `FrontierPoint`s, ever larger, each with its cross-validated accuracy, and its AUC if asked. The price
falls step by step and each program grows out of the one before it, in the whole table and in each fold, so the whole
path costs about as much as n_folds + 1 fits. Invariant: sizes rise strictly along the path.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.optimise.choosing import FIRST_ERROR
from unless.learn.optimise.folds import make_folds
from unless.learn.optimise.growing.grow import Grower
from unless.learn.optimise.growing.growth_limits import ignore
from unless.learn.optimise.merge_conditions import merge_conditions
from unless.learn.optimise.thresholds import refit, write_rules
from unless.learn.optimise.training import N_FOLDS
from unless.learn.size_path import FrontierPoint, PathStep

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unless.learn.optimise.fit import Run
    from unless.learn.optimise.folds import HeldOutFold
    from unless.learn.optimise.growing.growth_limits import Limits, Step
    from unless.learn.optimise.layout import Bytes, Floats
    from unless.learn.optimise.training import TrainingRows
    from unless.logic.rules import Label

    Rank = Callable[[HeldOutFold, Bytes], float | None]
    """Returns the AUC of a fold's program on the rows kept aside, of which it says so much."""

STEP = 0.75
LOWEST = 0.25
"""The path ends at this share of the default price."""
MAX_STEPS = 40


def frontier(
    run: Run,
    head: Label,
    n_folds: int = N_FOLDS,
    watch: Callable[[Any], None] | None = None,
    rank: Rank | None = None,
) -> tuple[FrontierPoint, ...]:
    """Return the programs of the frontier, short ones first, and with `rank` how well each ranks.

    Who watches hears of `PathStep`s, and may end it by raising.
    """
    # A path cut short would compare programs that had different chances: here there is no stopping halfway.
    task, limits = run.task, replace(run.limits, should_stop=lambda: False, on_progress=ignore)
    default = task.price(FIRST_ERROR)
    prices = _prices(task, limits, default)
    progress = _PathProgress(watch or ignore, (1 + n_folds) * len(prices))
    limits = replace(limits, on_progress=progress.hear)
    path: list[FrontierPoint] = []
    scores, ranks = np.zeros((n_folds, len(prices))), np.full((n_folds, len(prices)), np.nan)
    grower = Grower(task.state(), limits, prices[0])
    for price in prices:
        grower.run(price)
        path.append(_freeze(grower, head, price / default))
        progress.part_is_done()
    for i, fold in enumerate(make_folds(task, limits, n_folds)):
        scores[i], ranks[i] = _score_fold(fold, prices, progress, rank)
    return _thin(path, scores, ranks)


class _PathProgress:
    """Counts the parts of a path that are done, and hands on where it is."""

    def __init__(self, watch: Callable[[Any], None], n_parts: int) -> None:
        self._watch, self._n_parts, self._n_done, self._n_rules = watch, n_parts, 0, 0

    def hear(self, step: Step) -> None:
        """Hear of a step of growing."""
        self._n_rules = step.n_rules
        self._watch(PathStep(self._n_done, self._n_parts, self._n_rules))

    def part_is_done(self) -> None:
        """Hear that the program of a price is grown."""
        self._n_done += 1
        self._watch(PathStep(self._n_done, self._n_parts, self._n_rules))


def elbow(path: Sequence[FrontierPoint]) -> int:
    """Return the index of the smallest program within one standard error of the most accurate."""
    best = max(path, key=lambda point: point.accuracy)
    return next(i for i, point in enumerate(path) if point.accuracy >= best.accuracy - best.spread)


def _prices(task: TrainingRows, limits: Limits, default: float) -> Floats:
    """Return prices from where the first literal pays down to a share of the default."""
    first = Grower(task.state(), replace(limits, max_rules=1, max_literals=1, points=False), 1e-9)
    top = max(0.5 * first.best_new_rule() * (1 - 1e-6), default)
    n_steps = min(MAX_STEPS, 1 + int(np.ceil(np.log(LOWEST * default / top) / np.log(STEP))))
    return np.asarray(top * STEP ** np.arange(n_steps), dtype=np.float64)


def _freeze(grower: Grower, head: Label, penalty: float) -> FrontierPoint:
    """Write down the program of the moment; how it does on held-out rows is not known yet."""
    state = grower.state
    merge_conditions(state, grower.limits.kinds)
    refit(state, grower.price)
    free = [node for node in state.nodes() if not node.is_locked]
    right = 1 - state.errors() / float(state.weights.sum())
    return FrontierPoint(write_rules(state, head), float(penalty), len(free), state.size - len(free), right)


def _score_fold(
    fold: HeldOutFold, prices: Floats, progress: _PathProgress, rank: Rank | None
) -> tuple[Floats, list[float]]:
    """Return the held-out accuracy of one fold at each price, and the AUC, NaN where there is none."""
    weights = fold.task.weights
    held_out = weights[fold.test].sum()
    # Fewer rows, fewer errors to save: the price shrinks with them, so that sizes correspond.
    share = 1 - float(held_out) / float(weights.sum())
    right, errors, ranks = fold.task.right[fold.test], [], []
    for price in prices:
        said = fold.predicted(price * share)
        errors.append(weights[fold.test] @ (said != right))
        found = None if rank is None else rank(fold, said)
        ranks.append(math.nan if found is None else found)
        progress.part_is_done()
    return np.asarray(1 - np.array(errors) / max(1, held_out), dtype=np.float64), ranks


def _thin(path: list[FrontierPoint], scores: Floats, ranks: Floats) -> tuple[FrontierPoint, ...]:
    """Keep strictly growing programs; a later program that is no larger replaces the one before."""
    kept: list[FrontierPoint] = []
    for point, folds, areas in zip(path, scores.T, ranks.T, strict=True):
        if not point.rules:
            continue
        spread = float(folds.std(ddof=1) / np.sqrt(len(folds)))
        while kept and kept[-1].n_literals >= point.n_literals:
            kept.pop()
        area = None if np.isnan(areas).all() else float(np.nanmean(areas))
        kept.append(replace(point, accuracy=float(folds.mean()), spread=spread, auc=area))
    return tuple(kept)
