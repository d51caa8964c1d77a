"""FOLD-R (the paper's Algorithm 1), over the same rows and counts as FOLD-R++.

In: rows of two classes. Out: nested rules. A rule takes the positive literal of the largest weighted information gain
until no negative is left; when none gains, the negatives left become exceptions, learned on the swapped rows. There is
no ratio and no negated literal in the default part. What Algorithm 1 leaves open is read as docs/fold-r.md says: there
are exceptions when some literal gains on the swapped rows, else `enumerate` lists the commonest positive row. A rule
covers no negative of its training rows, but those that more positives equal in all values; and what is covered wrongly
so, or not covered, is said.

Exceptions have fewer rows than the rule around them, or keep fewer with their first literal, so the recursion ends.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unless.errors import Count
from unless.learn.fold.foldrpp import LearnedRule, Progress, uncovered, where
from unless.learn.rows.codes import CodedLiteral
from unless.logic.rules import Label, Literal, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from unless.learn.fold.foil import GainChooser
    from unless.learn.rows.codes import Columns
    from unless.learn.rows.row_set import LocalRows

log = logging.getLogger("unless")

ONE_UNCOVERED = (
    "%s row labelled %s is covered by no rule: as many or more rows have the same values, and another label."
)
UNCOVERED = "%s rows labelled %s are covered by no rule: as many or more rows have the same values, and another label."
ONE_COVERED = (
    "%s row not labelled %s is covered by a rule: as many or more rows have the same values, and another label."
)
COVERED = "%s rows not labelled %s are covered by a rule: as many or more rows have the same values, and another label."


@dataclass(frozen=True, slots=True)
class FoldR:
    """The learner: a chooser of literals, and who watches."""

    chooser: GainChooser
    on_rule: Callable[[Progress], None] | None = None

    def learn(self, rows: LocalRows, label: Label, finished: Sequence[Rule] = ()) -> tuple[tuple[Rule, ...], LocalRows]:
        """Learn rules for the positive rows, with the label as their head; return also the rows that none covers."""
        known = [LearnedRule(rule, where(self.chooser.books, rows, rule)) for rule in finished]
        learned = self._cover(rows, label, known, self.on_rule)
        rest = uncovered(rows, learned)
        if rest.n_pos > 0:
            log.warning(ONE_UNCOVERED if rest.n_pos == 1 else UNCOVERED, Count(rest.n_pos), repr(label))
        n_wrong = rows.n_neg - rest.n_neg
        if n_wrong:
            log.warning(ONE_COVERED if n_wrong == 1 else COVERED, Count(n_wrong), repr(label))
        return tuple(one.rule for one in learned), rest

    def _cover(
        self,
        rows: LocalRows,
        label: Label | None,
        known: Sequence[LearnedRule[LocalRows]] = (),
        watch: Callable[[Progress], None] | None = None,
        *,
        may_err: bool = False,
    ) -> list[LearnedRule[LocalRows]]:
        """Cover the positives rule by rule, after those known; those that no rule can describe are set aside."""
        rules = list(known)
        n_all = rows.n_pos
        for learned in known:
            rows = rows.without(learned.holds.positives())
        while rows.n_pos > 0:
            rule, held = self._rule(rows, label, may_err=may_err)
            rows = rows.without(held.positives())
            if rule is None:
                continue
            rules.append(LearnedRule(rule, held))
            if watch is not None:
                watch(Progress(len(rules), rows.n_pos, n_all, rule))
        return rules

    def _rule(self, rows: LocalRows, label: Label | None, *, may_err: bool) -> tuple[Rule | None, LocalRows]:
        """Add literals while they gain, then exceptions, then a listed row (function SPECIALIZE).

        Return the rule and the rows that it holds for; or no rule, and rows whose positives cannot be described.
        """
        body: list[Literal] = []
        while rows.n_neg > 0:
            choice = self.chooser.best(rows)
            if choice is None:
                found = self._exceptions(rows, label, body, may_err=may_err)
                return found or self._listed(rows, label, body, may_err=may_err)
            body.append(self._literal(choice))
            rows = rows.keep(choice)
        # An empty body would hold for every row; there is nothing to tell these positives from.
        return (Rule(label, tuple(body)) if body else None), rows

    def _exceptions(
        self, rows: LocalRows, label: Label | None, body: list[Literal], *, may_err: bool
    ) -> tuple[Rule, LocalRows] | None:
        """Learn the negatives left as exceptions (function EXCEPTION); None when that leaves a negative, or nothing.

        An exception that errs only takes positives away: it may, where the rule around it may not, and the reverse.
        """
        swapped = rows.swap()
        if self.chooser.best(swapped) is None:
            return None
        exceptions = self._cover(swapped, None, may_err=not may_err)
        holds = uncovered(swapped, exceptions).swap()
        is_empty = holds.n_pos == 0 or not (body or exceptions)
        if is_empty or (holds.n_neg > 0 and not may_err):
            return None
        return Rule(label, tuple(body), tuple(e.rule for e in exceptions)), holds

    def _listed(
        self, rows: LocalRows, label: Label | None, body: list[Literal], *, may_err: bool
    ) -> tuple[Rule | None, LocalRows]:
        """List the commonest positive row by its values (`enumerate`), one without negatives unless it may err.

        Where every positive equals a negative, a rule, not an exception, lists those that are more than the negatives.
        """
        choices = list(listed_row(rows.columns, rows, may_err=may_err))
        if not choices and label is not None:
            choices = list(listed_row(rows.columns, rows, may_err=False, is_majority_enough=True))
        if not choices:
            return None, rows
        for choice in choices:
            rows = rows.keep(choice)
        return Rule(label, (*body, *map(self._literal, choices))), rows

    def _literal(self, choice: CodedLiteral) -> Literal:
        return self.chooser.books[choice.column].literal(choice.op, choice.code)


def listed_row(
    columns: Columns, rows: LocalRows, *, may_err: bool, is_majority_enough: bool = False
) -> Iterable[CodedLiteral]:
    """Return the values of the positive row that covers most positives, or nothing.

    A row covers those that agree with it wherever it has a value; one that covers negatives is listed only if it may,
    or if there are fewer of them than positives and that is enough.
    Ties go to fewer negatives, then to the first in the order of codes, column by column.
    """
    pos, n_pos = _distinct(columns, rows.pos)
    neg, n_neg = _distinct(columns, rows.neg)
    missing = np.array([book.missing for book in columns.books])
    best, covers = None, (0, 0)
    for row in pos:
        has = row != missing
        p = int(n_pos[(pos[:, has] == row[has]).all(axis=1)].sum())
        n = int(n_neg[(neg[:, has] == row[has]).all(axis=1)].sum())
        is_allowed = may_err or n == 0 or (is_majority_enough and n < p)
        if has.any() and is_allowed and (p, -n) > covers:
            best, covers = row, (p, -n)
    return () if best is None else _choices(columns, best.tolist())


def _distinct(columns: Columns, rows: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Return the distinct rows in the order of codes, and how many there are of each."""
    codes = [columns.codes_of(c)[rows].astype(np.int64) for c in range(len(columns.books))]
    found: tuple[NDArray[np.int64], NDArray[np.intp]] = np.unique(np.column_stack(codes), axis=0, return_counts=True)
    return found


def _choices(columns: Columns, row: list[int]) -> Iterable[CodedLiteral]:
    """Yield the literals that together say that each column has this value."""
    for column, (code, book) in enumerate(zip(row, columns.books, strict=True)):
        if code < book.n_numbers:
            yield CodedLiteral(column, ">=", code)
            yield CodedLiteral(column, "=<", code)
        elif code < book.missing:
            yield CodedLiteral(column, "=", code)
