"""Stage 5: FOLD-R++ itself (the paper's Algorithm 2), over the `Rows` protocol.

In: rows of two classes. Out: nested rules, exactly those that the laws in docs/how-it-works.md give. This file knows
nothing of arrays, files or machines: it asks the rows for counts and subsets, and `Chooser` for the best literal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from unless.learn.rows import Rows
from unless.rules import Label, Literal, Rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.learn.splits import Chooser, Pair

R = TypeVar("R", bound=Rows)
NOTHING: frozenset[Pair] = frozenset()


@dataclass(frozen=True, slots=True)
class Progress:
    """What a watcher of the learner is told after each rule."""

    n_rules: int
    n_left: int
    n_all: int


@dataclass(frozen=True, slots=True)
class Learned(Generic[R]):
    """A rule and the rows at hand for which it holds."""

    rule: Rule
    holds: R


@dataclass(frozen=True, slots=True)
class Fold(Generic[R]):
    """The learner: a chooser of literals, the exception ratio, and who watches."""

    chooser: Chooser
    ratio: float
    on_rule: Callable[[Progress], None] | None = None

    def learn(self, rows: R, label: Label) -> tuple[tuple[Rule, ...], R]:
        """Learn rules for the positive rows, with the label as their head; return also the rows that none covers."""
        learned = self._rules(rows, label, NOTHING, self.on_rule)
        for one in learned:
            rows = rows.without(one.holds)
        return tuple(one.rule for one in learned), rows

    def _rules(
        self,
        rows: R,
        label: Label | None,
        used: frozenset[Pair],
        watch: Callable[[Progress], None] | None = None,
    ) -> list[Learned[R]]:
        """Cover the positives rule by rule (function FOLD_RPP); the negatives stay whole."""
        rules: list[Learned[R]] = []
        n_all = rows.n_pos
        while rows.n_pos > 0:
            learned = self._rule(rows, label, used)
            covered = learned.holds.positives()
            if covered.n_pos == 0:
                break
            rows = rows.without(covered)
            rules.append(learned)
            if watch is not None:
                watch(Progress(len(rules), rows.n_pos, n_all))
        return rules

    def _rule(self, rows: R, label: Label | None, used: frozenset[Pair]) -> Learned[R]:
        """Add best literals until the negatives are few, then learn the exceptions (function LEARN_RULE)."""
        body: list[Literal] = []
        while True:
            choice = self.chooser.best(rows, used)
            if choice is None:
                # An empty body without exceptions never holds, so such a rule covers nothing.
                return Learned(Rule(label, tuple(body)), rows if body else rows.without(rows))
            body.append(self.chooser.books[choice.column].literal(choice.op, choice.code))
            used |= {choice.pair}
            rows = rows.keep(choice)
            if rows.n_neg <= rows.n_pos * self.ratio:
                break
        exceptions = self._rules(rows.swap(), None, used)
        for exception in exceptions:
            rows = rows.without(exception.holds.swap())
        return Learned(Rule(label, tuple(body), tuple(e.rule for e in exceptions)), rows)
