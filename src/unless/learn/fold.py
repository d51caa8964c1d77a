"""Stage 5: FOLD-R++ itself (the paper's Algorithm 2), over the `Rows` protocol.

In: rows of two classes. Out: nested rules, exactly those that the laws in docs/how-it-works.md give. This file knows
nothing of arrays, files or machines: it asks the rows for counts and subsets, and `Chooser` for the best literal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from unless.learn.rows import Rows
from unless.learn.splits import Choice
from unless.rules import Label, Literal, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unless.learn.splits import Chooser, Pair

R = TypeVar("R", bound=Rows)
NOTHING: frozenset[Pair] = frozenset()


@dataclass(frozen=True, slots=True)
class Progress:
    """What a watcher of the learner is told after each rule."""

    n_rules: int
    n_left: int
    n_all: int
    rule: Rule


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

    def learn(self, rows: R, label: Label, finished: Sequence[Rule] = ()) -> tuple[tuple[Rule, ...], R]:
        """Learn rules for the positive rows, with the label as their head; return also the rows that none covers.

        `finished` are the first rules of an earlier run on the same rows: they are taken as they are.
        """
        n_all, left = rows.n_pos, rows
        for rule in finished:
            left = left.without(self._where(left, rule).positives())
        learned = self._rules(left, label, NOTHING, self.on_rule, len(finished), n_all)
        for rule in finished:
            rows = rows.without(self._where(rows, rule))
        for one in learned:
            rows = rows.without(one.holds)
        return (*finished, *(one.rule for one in learned)), rows

    def _where(self, rows: R, rule: Rule) -> R:
        """Return the rows for which a rule holds."""
        places = {book.name: column for column, book in enumerate(self.chooser.books)}
        for literal in rule.body:
            column = places[literal.column]
            rows = rows.keep(Choice(column, literal.op, self.chooser.books[column].code(literal.value)))
        for exception in rule.exceptions:
            rows = rows.without(self._where(rows, exception))
        return rows

    def _rules(
        self,
        rows: R,
        label: Label | None,
        used: frozenset[Pair],
        watch: Callable[[Progress], None] | None = None,
        n_finished: int = 0,
        n_all: int = 0,
    ) -> list[Learned[R]]:
        """Cover the positives rule by rule (function FOLD_RPP); the negatives stay whole."""
        rules: list[Learned[R]] = []
        while rows.n_pos > 0:
            learned = self._rule(rows, label, used)
            covered = learned.holds.positives()
            if covered.n_pos == 0:
                break
            rows = rows.without(covered)
            rules.append(learned)
            if watch is not None:
                watch(Progress(n_finished + len(rules), rows.n_pos, n_all, learned.rule))
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
