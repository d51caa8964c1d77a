"""How well the grade of a program ranks rows that it has not seen.

In: an inner fold, and what its program, grown on the other rows, says of the rows kept aside. Out: the AUC of the grade
that those other rows give the program, before its weights are held back and become whole points. As in any grade, no
chance contradicts the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unless.evaluate.reliability import auc
from unless.learn.grading.evidence import Evidence
from unless.learn.logistic.bin_condition import DECISION
from unless.learn.logistic.select_conditions import LabelRows, select
from unless.learn.logistic.whole_points import sigmoid

if TYPE_CHECKING:
    from unless.learn.logistic.condition_limits import ConditionLimits
    from unless.learn.optimise.folds import HeldOutFold
    from unless.learn.optimise.layout import Bytes
    from unless.learn.task import TrainingData


def held_out_auc(fold: HeldOutFold, said: Bytes, limits: ConditionLimits, data: TrainingData) -> float | None:
    """Return the AUC on the rows of the data kept aside; None where those, or the others, are all alike."""
    rows, cells = fold.rows, fold.task.bins.by_column[:, fold.test]
    decided = fold.grower.state.predicted().view(np.bool_)
    says = bool(decided.any() and not decided.all())
    is_label, evidence = rows.right.view(np.bool_), Evidence(data, rows.rows)
    mine = LabelRows(rows.bins, evidence.weights, evidence.unit(is_label), is_label, decided if says else None)
    if not mine.has_both:
        return None
    chosen = select(mine, limits)
    heights = np.full(len(fold.test), float(chosen.beta[-1]))
    for weight, condition in zip(chosen.beta[:-1].tolist(), chosen.conditions, strict=True):
        heights += weight * (said if condition is DECISION else condition.holds(cells))
    chances = sigmoid(heights)
    agreeing = np.where(said, np.maximum(chances, 0.5), np.minimum(chances, 0.5))
    return auc(agreeing, fold.task.right[fold.test].view(np.bool_))
