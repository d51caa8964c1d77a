"""FOLD-R (the paper's Algorithm 1), over the same rows and counts as FOLD-R++.

In: rows of two classes. Out: nested rules. A rule takes the positive literal of the largest weighted information gain
until no negative is left; when none gains, the negatives left become exceptions, learned on the swapped rows. There is
no ratio and no negated literal in the default part. What Algorithm 1 leaves open is read as docs/fold-r.md says: there
are exceptions when some literal gains on the swapped rows, else `enumerate` lists the commonest positive row.

Exceptions have fewer rows than the rule around them, or keep fewer with their first literal, so the recursion ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.fold.foldrpp import LearnedRule, cover, uncovered, where
from unless.learn.rows.codes import CodedLiteral
from unless.logic.rules import Label, Literal, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from unless.learn.fold.foil import GainChooser
    from unless.learn.fold.foldrpp import Progress
    from unless.learn.rows.codes import Columns
    from unless.learn.rows.row_set import LocalRows


@dataclass(frozen=True, slots=True)
class FoldR:
    """The learner: a chooser of literals, and who watches."""

    chooser: GainChooser
    on_rule: Callable[[Progress], None] | None = None

    def learn(self, rows: LocalRows, label: Label, finished: Sequence[Rule] = ()) -> tuple[tuple[Rule, ...], LocalRows]:
        """Learn rules for the positive rows, with the label as their head; return also the rows that none covers."""
        known = [LearnedRule(rule, where(self.chooser.books, rows, rule)) for rule in finished]
        learned = cover(rows, lambda left: self._rule(left, label), self.on_rule, known)
        return tuple(one.rule for one in learned), uncovered(rows, learned)

    def _rule(self, rows: LocalRows, label: Label | None) -> LearnedRule[LocalRows]:
        """Add literals while they gain, then exceptions, then a listed row (function SPECIALIZE)."""
        body: list[Literal] = []
        while rows.n_neg > 0:
            choice = self.chooser.best(rows)
            if choice is None:
                return self._exceptions(rows, label, body) or self._listed(rows, label, body)
            body.append(self._literal(choice))
            rows = rows.keep(choice)
        # An empty body would hold for every row; there is nothing to tell these positives from.
        return LearnedRule(Rule(label, tuple(body)), rows if body else rows.without(rows))

    def _exceptions(self, rows: LocalRows, label: Label | None, body: list[Literal]) -> LearnedRule[LocalRows] | None:
        """Learn the negatives left as exceptions (function EXCEPTION); None when no literal gains on them."""
        swapped = rows.swap()
        if self.chooser.best(swapped) is None:
            return None
        exceptions = cover(swapped, lambda left: self._rule(left, None))
        holds = uncovered(swapped, exceptions).swap()
        if holds.n_pos == 0:
            return None  # every positive equals some negative: listing covers one at least
        return LearnedRule(Rule(label, tuple(body), tuple(e.rule for e in exceptions)), holds)

    def _listed(self, rows: LocalRows, label: Label | None, body: list[Literal]) -> LearnedRule[LocalRows]:
        """List the commonest positive row by its values (`enumerate`)."""
        choices = list(listed_row(rows.columns, rows))
        for choice in choices:
            rows = rows.keep(choice)
        if not choices:
            rows = rows.without(rows)
        return LearnedRule(Rule(label, (*body, *map(self._literal, choices))), rows)

    def _literal(self, choice: CodedLiteral) -> Literal:
        return self.chooser.books[choice.column].literal(choice.op, choice.code)


def listed_row(columns: Columns, rows: LocalRows) -> Iterable[CodedLiteral]:
    """Return the values of the positive row that covers most positives, or nothing.

    A row covers those that agree with it wherever it has a value. Ties go to fewer negatives (which cannot be kept
    from the row by any literal), then to the first in the order of codes, column by column.
    """
    pos, n_pos = _distinct(columns, rows.pos)
    neg, n_neg = _distinct(columns, rows.neg)
    missing = np.array([book.missing for book in columns.books])
    best, covers = None, (0, 0)
    for row in pos:
        has = row != missing
        p = int(n_pos[(pos[:, has] == row[has]).all(axis=1)].sum())
        n = int(n_neg[(neg[:, has] == row[has]).all(axis=1)].sum())
        if has.any() and (p, -n) > covers:
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
