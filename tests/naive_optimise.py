"""The slow obvious twins of the flagship learner's exact steps: exhaustive search over all conditions."""

from __future__ import annotations

from itertools import chain, combinations, product

from unless.logic.holds import condition_holds
from unless.logic.rules import Literal, Negated, OneOf


def value_of(book, code):
    if code < book.n_numbers:
        return float(book.numbers[code])
    return book.words[code - book.n_numbers] if code < book.missing else None


def rows_of(columns):
    codes = [columns.codes_of(j).tolist() for j in range(len(columns.books))]
    return [
        {book.name: value_of(book, codes[j][i]) for j, book in enumerate(columns.books)} for i in range(columns.n_rows)
    ]


def all_conditions(book):
    """Every plain test and every set over one column."""
    for number in book.numbers[:-1].tolist():
        for op in ("=<", ">"):
            yield Literal(book.name, op, number)
            yield Negated(Literal(book.name, op, number))
    for words in chain.from_iterable(combinations(book.words, k) for k in range(1, len(book.words) + 1)):
        yield OneOf(book.name, words, negated=False)
        yield OneOf(book.name, words, negated=True)


def size(condition):
    return len(condition.words) if isinstance(condition, OneOf) else 1


def truths(columns):
    """Every condition with the rows for which it holds."""
    rows = rows_of(columns)
    for book in columns.books:
        for condition in all_conditions(book):
            yield condition, [condition_holds(condition, row) for row in rows]


def best_value(columns, gains, price):
    """The exact optimum of  sum of gains where it holds - price * size  over all conditions."""
    return max(sum(g for g, t in zip(gains, truth, strict=True) if t) - price * size(c) for c, truth in truths(columns))


def best_part_value(columns, gains, base, price, max_points):
    """The exact joint optimum of condition, points and threshold."""
    best = -1e18
    for c, truth in truths(columns):
        for points, threshold in product(range(1, max_points + 1), range(1, max(base) + max_points + 1)):
            fired = (g for g, t, b in zip(gains, truth, base, strict=True) if b + points * t >= threshold)
            best = max(best, sum(fired) - price * size(c))
    return best
