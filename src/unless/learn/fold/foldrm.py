"""More than two classes: rules in an order, of which the first that holds decides.

In: rows of each class against the rest, or class codes. Out: rules whose heads are labels, in order. `FoldRM` learns
one rule at a time, always for the commonest class of the rows that are left (FOLD-RM); `learn_ordered` gives a learner
of two classes one class after the other. Both leave the rows that no rule covers to a default class, and
`logic.forms.flatten.flatten_ordered` writes the order into the program, so that its text needs none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from unless.learn.fold.foldrpp import Progress
from unless.learn.rows.row_set import Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unless.learn.fold.foldrpp import Fold, Learned
    from unless.logic.rules import Label, Rule

    Learner = Callable[[int, NDArray[np.intp], NDArray[np.bool_]], tuple[Sequence[Rule], NDArray[np.bool_]]]

R = TypeVar("R", bound=Rows)


@dataclass(frozen=True, slots=True)
class FoldRM(Generic[R]):
    """The learner of ordered rules: FOLD-R++ for each single rule, and who watches."""

    fold: Fold[R]

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

    def _round(self, left: Sequence[R], labels: Sequence[Label]) -> Learned[R] | None:
        """Learn one rule, for the commonest class that has one; of equally common ones the first."""
        if sum(rows.n_pos > 0 for rows in left) < 2:
            return None
        for place in sorted(range(len(left)), key=lambda place: -left[place].n_pos):
            if left[place].n_pos == 0:
                break
            learned = self.fold.rule(left[place], labels[place])
            if learned.holds.n_pos >= self.fold.least:
                return learned
        return None


class Ordered(NamedTuple):
    """Rules in their order, and the place of the class of the rows that none covers."""

    rules: tuple[Rule, ...]
    default: int


def learn_ordered(
    codes: NDArray[np.intp], n_classes: int, learn: Learner, weights: NDArray[np.integer[Any]] | None = None
) -> Ordered:
    """Learn one class after the other against the rest, by any learner of two classes.

    `codes` are the places of the rows' classes. `learn(place, rows, positive)` gets a class, the numbers of the rows
    that no earlier class has taken, and which of them are of the class; it returns rules (whose heads are its label)
    and which of these rows they cover. The rarest class comes first; the commonest needs no rules. Each class sees only
    what the classes before it left, and the rows that all leave decide the default.
    """
    weights = np.ones(len(codes), dtype=np.int64) if weights is None else weights
    counts = np.bincount(codes, weights, n_classes)
    left = np.arange(len(codes))
    rules: list[Rule] = []
    for place in np.argsort(counts, kind="stable").tolist()[:-1]:
        positive = codes[left] == place
        if not positive.any() or positive.all():
            continue
        learned, covered = learn(place, left, positive)
        rules += learned
        left = left[~covered]
    rest = np.bincount(codes[left], weights[left], n_classes) if len(left) else counts
    return Ordered(tuple(rules), int(np.argmax(rest)))
