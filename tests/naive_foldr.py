"""FOLD-R, slow and obvious: Algorithm 1 over lists of dicts, every literal tested on every row by `literal_holds`."""

from __future__ import annotations

import math

from unless.logic.holds import literal_holds, rule_holds
from unless.logic.rules import Literal, Rule


def learn(pos, neg, columns, head, may_err=False):
    rules = []
    while pos:
        rule, about = specialize(pos, neg, columns, head, may_err)
        pos = [row for row in pos if not (rule_holds(rule, row) if rule else any(row is one for one in about))]
        rules += [rule] if rule else []
    return tuple(rules)


def specialize(pos, neg, columns, head, may_err):
    body = ()
    while neg:
        literal = best_literal(pos, neg, columns)
        if literal is None:
            rule = exception(body, pos, neg, columns, head, may_err)
            values = () if rule else listed(pos, neg, columns, may_err)
            if not rule and not values and head is not None:
                values = listed(pos, neg, columns, may_err, is_majority_enough=True)
            return rule or (Rule(head, body + values) if values else None), pos
        body += (literal,)
        pos, neg = kept(literal, pos), kept(literal, neg)
    return (Rule(head, body) if body else None), pos


def exception(body, pos, neg, columns, head, may_err):
    if best_literal(neg, pos, columns) is None:
        return None
    rule = Rule(head, body, learn(neg, pos, columns, None, not may_err))
    errs = any(rule_holds(rule, row) for row in neg)
    return rule if any(rule_holds(rule, row) for row in pos) and (may_err or not errs) else None


def best_literal(pos, neg, columns):
    words = best(pos, neg, [lit for c in columns for lit in word_literals(c, pos + neg)])
    numbers = best(pos, neg, [lit for c in columns for lit in number_literals(c, pos + neg)])
    return words[1] if words[0] > numbers[0] else numbers[1]


def best(pos, neg, literals):
    found = (0.0, None)
    for literal in literals:
        gain = weighted_gain(len(kept(literal, pos)), len(kept(literal, neg)), len(pos), len(neg))
        if gain > found[0]:
            found = (gain, literal)
    return found


def weighted_gain(p1, n1, p0, n0):
    return p1 * (math.log2(p1 / (p1 + n1)) - math.log2(p0 / (p0 + n0))) if p1 else 0.0


def word_literals(column, rows):
    return [Literal(column, "=", w) for w in sorted({r[column] for r in rows if isinstance(r[column], str)})]


def number_literals(column, rows):
    numbers = sorted({r[column] for r in rows if isinstance(r[column], float)})
    return [Literal(column, op, n) for n in numbers for op in ("=<", ">")]


def kept(literal, rows):
    return [row for row in rows if literal_holds(literal, row[literal.column])]


def listed(pos, neg, columns, may_err, is_majority_enough=False):
    bodies = []
    for row in sorted(pos, key=lambda row: [order(row[c]) for c in columns]):
        body = tuple(lit for c in columns for lit in equals(c, row[c]))
        covers = [sum(all(literal_holds(lit, r[lit.column]) for lit in body) for r in rows) for rows in (pos, neg)]
        if body and (may_err or not covers[1] or (is_majority_enough and covers[1] < covers[0])):
            bodies.append((covers[0], -covers[1], body))
    return max(bodies, key=lambda one: one[:2], default=(0, 0, ()))[2]


def order(value):
    return (2, 0) if value is None else (1, value) if isinstance(value, str) else (0, value)


def equals(column, value):
    if value is None:
        return []
    if isinstance(value, str):
        return [Literal(column, "=", value)]
    return [Literal(column, ">=", value), Literal(column, "=<", value)]
