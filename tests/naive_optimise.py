"""The slow obvious twins of the learner of whole programs: rows are dicts, truth is `logic.holds`, search tries all.

A condition is a `logic.rules` condition. The law of candidates: a threshold is a number of the rows at hand, but not
the largest of its column; a word stands on enough rows of the table; a set counts its words.
"""

from __future__ import annotations

import math
from itertools import chain, combinations, pairwise, product

from unless.learn.optimise.bins import least_rows
from unless.logic.holds import condition_holds, rule_holds
from unless.logic.rules import Literal, Negated, OneOf, Scorecard


def value_of(book, code):
    if code < book.n_numbers:
        return float(book.numbers[code])
    return book.words[code - book.n_numbers] if code < book.missing else None


def rows_of(columns):
    codes = [columns.codes_of(j).tolist() for j in range(len(columns.books))]
    return [
        {book.name: value_of(book, codes[j][i]) for j, book in enumerate(columns.books)} for i in range(columns.n_rows)
    ]


def plain_tests(name, table, at_hand):
    """Every test on one value of a column."""
    cells = [row[name] for row in table]
    numbers = {cell for cell in cells if isinstance(cell, float)}
    for number in sorted({row[name] for row in at_hand} & numbers - {max(numbers, default=0.0)}):
        yield Literal(name, "=<", number)
        yield Literal(name, ">", number)
        if len(numbers) < len(set(cells)):  # where all cells are numbers, these say the same
            yield Negated(Literal(name, "=<", number))
            yield Negated(Literal(name, ">", number))
    for word in kept_words(cells):
        yield Literal(name, "=", word)
        yield Literal(name, "!=", word)


def kept_words(cells):
    return sorted(
        word
        for word in {cell for cell in cells if isinstance(cell, str)}
        if cells.count(word) >= least_rows(len(cells))
    )


def sets(name, table):
    """Every set of two words or more."""
    words = kept_words([row[name] for row in table])
    for some in chain.from_iterable(combinations(words, k) for k in range(2, len(words) + 1)):
        yield OneOf(name, some, negated=False)
        yield OneOf(name, some, negated=True)


def candidates(table, at_hand):
    return [c for name in table[0] for c in chain(plain_tests(name, table, at_hand), sets(name, table))]


def size(condition):
    """Count what is to be read: a set its words, a scorecard its tests and one for the sum."""
    if isinstance(condition, Scorecard):
        return 1 + sum(size(part) for _, part in condition.awards)
    return len(condition.words) if isinstance(condition, OneOf) else 1


def program_size(rules):
    return sum(1 + sum(map(size, rule.body)) + program_size(rule.exceptions) for rule in rules)


def predicts(rules, row):
    return any(rule_holds(rule, row) for rule in rules)


def errors(rules, rows, right, weights=None):
    wrong = [predicts(rules, row) != bool(is_right) for row, is_right in zip(rows, right, strict=True)]
    return sum(w for w, is_wrong in zip(weights or [1] * len(rows), wrong, strict=True) if is_wrong)


def objective(rules, rows, right, price, weights=None):
    """J = weight of training errors + price * (literals + rules)."""
    return errors(rules, rows, right, weights) + price * program_size(rules)


def gain_of(conditions, rows, gains):
    return sum(g for row, g in zip(rows, gains, strict=True) if all(condition_holds(c, row) for c in conditions))


def body_value(body, rows, gains, price):
    return gain_of(body, rows, gains) - price * (1 + sum(map(size, body)))


def best_value(rows, gains, price):
    """The optimum of  sum of gains where it holds - price * size  over all conditions, -inf if there is none."""
    values = (gain_of([c], rows, gains) - price * size(c) for c in candidates(rows, rows))
    return max(values, default=-math.inf)


def best_move_value(body, rows, gains, price, limit):
    """The value of the best body that is one step away: a condition dropped, replaced or added."""
    bodies = [body[:i] + body[i + 1 :] for i in range(len(body)) if len(body) > 1]
    for i in range(min(len(body) + 1, limit)):
        others = body[:i] + body[i + 1 :]
        at_hand = [row for row in rows if all(condition_holds(c, row) for c in others)]
        bodies += [(*others, c) for c in candidates(rows, at_hand)]
    return max((body_value(one, rows, gains, price) for one in bodies), default=-math.inf)


def best_part_value(rows, gains, base, price, max_points):
    """The joint optimum of condition, points and threshold, the other points fixed."""
    best = -math.inf
    for points, threshold in product(range(1, max_points + 1), range(1, max(base) + max_points + 1)):
        at_hand = [row for row, b in zip(rows, base, strict=True) if threshold - points <= b < threshold]
        for c in candidates(rows, at_hand):
            scores = (b + points * condition_holds(c, row) for row, b in zip(rows, base, strict=True))
            fired = (gain for gain, score in zip(gains, scores, strict=True) if score >= threshold)
            best = max(best, sum(fired) - price * size(c))
    return best


def least_objective(rows, right, price, max_rules, max_literals, max_depth):
    """The least J of all programs within the limits: at most two rules, the second beside the first or against it.

    Bodies are sets of rows, as bits; of bodies with the same rows only the shortest counts.
    """
    everything = (1 << len(rows)) - 1
    target = sum(1 << i for i, is_right in enumerate(right) if is_right)
    shortest = {}
    for condition in candidates(rows, rows):
        mask = sum(1 << i for i, row in enumerate(rows) if condition_holds(condition, row))
        shortest[mask] = min(size(condition), shortest.get(mask, size(condition)))
    bodies = dict(shortest)
    for _ in range(max_literals - 1):
        for (mask, length), (other, more) in product(list(bodies.items()), shortest.items()):
            bodies[mask & other] = min(length + more, bodies.get(mask & other, math.inf))
    best = target.bit_count()
    for mask, length in bodies.items():
        best = min(best, (mask ^ target).bit_count() + price * (1 + length))
    if max_rules == 1:
        return best
    for (mask, length), (other, more) in product(bodies.items(), repeat=2):
        cost = price * (2 + length + more)
        if cost < best:
            best = min(best, ((mask | other) ^ target).bit_count() + cost)
            if max_depth:
                best = min(best, ((mask & (everything ^ other)) ^ target).bit_count() + cost)
    return best


def widest_gap(codes, nets, cut, numbers):
    """The codes around the best cut, of equally good ones that in the widest gap; -1 if the old cut is better."""

    def below(code):
        return sum(net for one, net in zip(codes, nets, strict=True) if one <= code)

    present = sorted({code for code in codes if code < len(numbers)})
    gaps = [(below(low), numbers[high] - numbers[low], -low, high) for low, high in pairwise(present)]
    net, _, low, high = max(gaps, default=(-math.inf, 0, 1, -1))
    return (-1, -1) if below(cut) > net else (-low, high)
