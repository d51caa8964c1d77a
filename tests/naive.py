"""FOLD-R++ as the paper writes it: lists of dicts, no arrays, no cleverness. The slow twin of `unless.learn`.

A value is a float, a string or None (missing). A literal is (column, operator, value), a rule is a dict with its
literals under "default" and its rules under "exceptions". Nothing here comes from the package: where the two agree,
they agree for a reason.
"""

from __future__ import annotations

import math


def holds(literal, row):
    column, op, wanted = literal
    value = row.get(column)
    if op == "==":
        return isinstance(value, str) and value == wanted
    if op == "!=":
        return not (isinstance(value, str) and value == wanted)
    if not isinstance(value, float):
        return False
    return value <= wanted if op == "=<" else value > wanted


def covers(rule, row):
    if not rule["default"] and not rule["exceptions"]:
        return False
    return all(holds(literal, row) for literal in rule["default"]) and not any(
        covers(exception, row) for exception in rule["exceptions"]
    )


def information(a, b):
    return 0.0 if a == 0 else a * math.log2(a / (a + b))


def gain(tp, fn, tn, fp):
    if fp + fn > tp + tn:
        return -math.inf
    total = information(tp, fp) + information(fp, tp) + information(tn, fn) + information(fn, tn)
    return total / (tp + fp + tn + fn)


def counts(literal, pos, neg):
    """Return (tp, fn, tn, fp)."""
    tp = sum(holds(literal, row) for row in pos)
    fp = sum(holds(literal, row) for row in neg)
    return tp, len(pos) - tp, len(neg) - fp, fp


def candidates(column, rows):
    """List a column's literals: numbers ascending, then words ascending, of the values that occur."""
    values = {row.get(column) for row in rows} - {None}
    for number in sorted(value for value in values if isinstance(value, float)):
        yield column, "=<", number
        yield column, ">", number
    for word in sorted(value for value in values if isinstance(value, str)):
        yield column, "==", word
        yield column, "!=", word


def best_literal(columns, pos, neg, used):
    best, winner = -math.inf, None
    for column in columns:
        for literal in candidates(column, pos + neg):
            if (column, literal[2]) in used:
                continue
            score = gain(*counts(literal, pos, neg))
            if score > best:
                best, winner = score, literal
    return winner


def learn_rule(columns, pos, neg, used, ratio):
    literals, exceptions = [], []
    while True:
        literal = best_literal(columns, pos, neg, used)
        if literal is None:
            break
        literals.append(literal)
        used = used | {(literal[0], literal[2])}
        pos = [row for row in pos if holds(literal, row)]
        neg = [row for row in neg if holds(literal, row)]
        if len(neg) <= len(pos) * ratio:
            exceptions = fold(columns, neg, pos, used, ratio)
            break
    return {"default": literals, "exceptions": exceptions}


def fold(columns, pos, neg, used, ratio):
    rules = []
    while pos:
        rule = learn_rule(columns, pos, neg, used, ratio)
        left = [row for row in pos if not covers(rule, row)]
        if len(left) == len(pos):
            break
        pos = left
        rules.append(rule)
    return rules


def learn(columns, rows, positive, ratio):
    """Learn rules for the rows that are positive."""
    pos = [row for row, is_positive in zip(rows, positive, strict=True) if is_positive]
    neg = [row for row, is_positive in zip(rows, positive, strict=True) if not is_positive]
    return fold(list(columns), pos, neg, frozenset(), ratio)


def predicts(rules, row):
    return any(covers(rule, row) for rule in rules)
