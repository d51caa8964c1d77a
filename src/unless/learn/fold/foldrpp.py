"""Stage 5: FOLD-R++ itself (the paper's Algorithm 2), over the `Rows` protocol.

In: rows of two classes. Out: nested rules, exactly those that the laws in docs/how-it-works.md give. This file knows
nothing of arrays, files or machines: it asks the rows for counts and subsets, and `Chooser` for the best literal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from unless.learn.rows.codes import CodedLiteral
from unless.learn.rows.row_set import Rows
from unless.logic.rules import Label, Literal, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from unless.learn.fold.chooser import Chooser
    from unless.learn.fold.foil import PositiveChooser
    from unless.learn.rows.codes import Codebook, Pair

R = TypeVar("R", bound=Rows)
NOTHING: frozenset[Pair] = frozenset()


@dataclass(frozen=True, slots=True)
class Progress:
    """What a watcher of the learner hears after each rule."""

    n_rules: int
    n_left: int
    n_all: int
    rule: Rule


@dataclass(frozen=True, slots=True)
class LearnedRule(Generic[R]):
    """A rule and the rows at hand for which it holds."""

    rule: Rule
    holds: R


@dataclass(frozen=True, slots=True)
class FoldRPP(Generic[R]):
    """The learner: a chooser of literals, the exception ratio, who watches, and how many rows a rule covers at least.

    The last is FOLD-SE's tail, a number of rows; FOLD-R++ keeps every rule that covers a row.
    """

    chooser: Chooser | PositiveChooser
    ratio: float
    on_rule: Callable[[Progress], None] | None = None
    least: int = 1

    def learn(self, rows: R, label: Label, finished: Sequence[Rule] = ()) -> tuple[tuple[Rule, ...], R]:
        """Learn rules for the positive rows, with the label as their head; return also the rows that none covers.

        `finished` are the first rules of an earlier run on the same rows: they are taken as they are.
        """
        known = [LearnedRule(rule, where(self.chooser.books, rows, rule)) for rule in finished]
        learned = cover(rows, lambda left: self.rule(left, label), self.on_rule, known, self.least)
        return tuple(one.rule for one in learned), uncovered(rows, learned)

    def rule(self, rows: R, label: Label | None, used: frozenset[Pair] = NOTHING) -> LearnedRule[R]:
        """Add best literals until the negatives are few, then learn the exceptions (function LEARN_RULE)."""
        body: list[Literal] = []
        while True:
            choice = self.chooser.best(rows, used)
            if choice is None:
                # An empty body without exceptions never holds, so such a rule covers nothing.
                return LearnedRule(Rule(label, tuple(body)), rows if body else rows.without(rows))
            body.append(self.chooser.books[choice.column].literal(choice.op, choice.code))
            used |= {choice.pair}
            rows = rows.keep(choice)
            if rows.n_neg <= rows.n_pos * self.ratio:
                break
        exceptions = cover(rows.swap(), lambda left: self.rule(left, None, used), least=self.least)
        holds = uncovered(rows.swap(), exceptions).swap()
        return LearnedRule(Rule(label, tuple(body), tuple(e.rule for e in exceptions)), holds)


def cover(
    rows: R,
    learn_rule: Callable[[R], LearnedRule[R]],
    watch: Callable[[Progress], None] | None = None,
    known: Sequence[LearnedRule[R]] = (),
    least: int = 1,
) -> list[LearnedRule[R]]:
    """Cover the positives rule by rule (functions FOLD and FOLD_RPP), after those known; the negatives stay whole.

    A rule that covers fewer than `least` positives is not kept and ends the covering.
    """
    rules = list(known)
    n_all = rows.n_pos
    for learned in known:
        rows = rows.without(learned.holds.positives())
    while rows.n_pos > 0:
        learned = learn_rule(rows)
        covered = learned.holds.positives()
        if covered.n_pos < least:
            break
        rows = rows.without(covered)
        rules.append(learned)
        if watch is not None:
            watch(Progress(len(rules), rows.n_pos, n_all, learned.rule))
    return rules


def where(books: Sequence[Codebook], rows: R, rule: Rule) -> R:
    """Return the rows for which a rule holds."""
    indices = {book.name: column for column, book in enumerate(books)}
    for literal in rule.literals:
        column = indices[literal.column]
        rows = rows.keep(CodedLiteral(column, literal.op, books[column].code(literal.value)))
    for exception in rule.exceptions:
        rows = rows.without(where(books, rows, exception))
    return rows


def uncovered(rows: R, rules: Iterable[LearnedRule[R]]) -> R:
    """Return the rows for which none of the rules holds."""
    for learned in rules:
        rows = rows.without(learned.holds)
    return rows
