"""More than two classes: rules in an order, of which the first that holds decides.

In: rows of each class against the rest. Out: rules whose heads are labels, in order. One rule is learned at a time,
always for the commonest class of the rows that are left (FOLD-RM). Rows that no rule covers are left to a default
class, and `logic.forms.flatten.flatten_ordered` writes the order into the program, so that its text needs none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from unless.learn.fold.foldrpp import Progress
from unless.learn.rows.row_set import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unless.learn.fold.foldrpp import FoldRPP, LearnedRule
    from unless.logic.rules import Label, Rule


R = TypeVar("R", bound=Rows)


@dataclass(frozen=True, slots=True)
class FoldRM(Generic[R]):
    """The learner of ordered rules: FOLD-R++ for each single rule, and who watches."""

    fold: FoldRPP[R]

    def learn(self, by_class: Sequence[R], labels: Sequence[Label]) -> tuple[tuple[Rule, ...], NDArray[np.intp]]:
        """Learn ordered rules; `by_class` are the same rows once for each label, those of the label positive.

        Return also how many rows of each class each rule decides and, last, how many none does.

        Rows that a rule covers are gone, of whatever class, since the first rule that holds decides. A class for which
        no rule is found waits until others have taken rows away. When one class is left, the default is enough.
        """
        rules: list[Rule] = []
        left = list(by_class)
        n_left = [[rows.n_pos for rows in left]]
        n_all = left[0].n_pos + left[0].n_neg
        while (learned := self._round(left, labels)) is not None:
            rules.append(learned.rule)
            left = [rows.without(learned.holds).without(learned.holds.swap()) for rows in left]
            n_left.append([rows.n_pos for rows in left])
            if self.fold.on_rule is not None:
                self.fold.on_rule(Progress(len(rules), left[0].n_pos + left[0].n_neg, n_all, learned.rule))
        return tuple(rules), -np.diff(np.array([*n_left, [0] * len(left)]), axis=0)

    def _round(self, left: Sequence[R], labels: Sequence[Label]) -> LearnedRule[R] | None:
        """Learn one rule, for the commonest class that has one; of equally common ones the first."""
        if sum(rows.n_pos > 0 for rows in left) < 2:
            return None
        for label in sorted(range(len(left)), key=lambda label: -left[label].n_pos):
            if left[label].n_pos == 0:
                break
            learned = self.fold.rule(left[label], labels[label])
            if learned.holds.n_pos >= self.fold.least:
                return learned
        return None
