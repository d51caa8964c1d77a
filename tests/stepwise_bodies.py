"""The twin of the kernel that solves a subproblem: the same steps one by one, in Python around small kernels."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from subproblems import unpack
from unless.learn.optimise.bins import Test, make_test
from unless.learn.optimise.body.boards import make_body_board, make_descents
from unless.learn.optimise.body.bodies import line_of, read_test
from unless.learn.optimise.body.body_kernels import improve_body
from unless.learn.optimise.body.body_search import MAX_SAMPLE, MIN_RIGHT, MIN_ROWS
from unless.learn.optimise.body.body_solver import GIVEN, LEAST_SCORE, MAX_POLISHES, NEAR
from unless.learn.optimise.body.descents import FOIL, INFORMATION
from unless.learn.optimise.body.scorecard_board import make_board, make_polish_board
from unless.learn.optimise.body.scorecard_draft import draft_scores
from unless.learn.optimise.body.scorecard_polish import polish_points
from unless.learn.optimise.body.scorecard_search import ROUNDS
from unless.learn.optimise.body.scorecards import Score
from unless.learn.optimise.layout import GT, LE, NONE_OF, NOT_GT, NOT_LE, ONE_OF

EXPONENTS = (1.0, 2 / 3, 1 / 3, 0.0)
NO_VIEWS, NO_DESCENTS = np.zeros(0), make_descents(0, 0, 0)
OPPOSITE = {LE: NOT_LE, GT: NOT_GT, NOT_LE: LE, NOT_GT: GT, ONE_OF: NONE_OF, NONE_OF: ONE_OF}
PLAIN = {NOT_LE: GT, NOT_GT: LE}
"""The same rows, where a column holds numbers only."""


def lowest_hashes(problem, most=MAX_SAMPLE):
    """Return the rows to draft scorecards on."""
    rows = problem.rows
    if len(rows) <= most:
        return rows
    hashes = problem.bins.hashes[rows] >> np.uint64(1)
    return rows[hashes <= np.partition(hashes, most)[most]]


def search(problem):
    """Find a body step by step."""
    pos, neg = problem.totals(problem.rows)
    if pos <= 2 * problem.price or neg == 0:
        return (), 0.0
    views = np.array((*dict.fromkeys((pos / neg) ** (1 - a) for a in EXPONENTS), FOIL, INFORMATION))
    bins, limit = problem.bins, problem.limit
    board = make_body_board(bins.n_rows, bins.n_bins, len(problem.kinds), limit)
    down = make_descents(bins.n_rows, bins.n_bins, limit)
    n, best_value = improve_body(problem.packed, views, 0, board, down)
    best = tuple(read_test(bins, board.facts[i], board.tables[i]) for i in range(n))
    can_pay = problem.points and pos - LEAST_SCORE * problem.price > best_value
    for score, hoped in search_scores(problem) if can_pay else ():
        if hoped + NEAR * problem.price > best_value:
            body, value = polish(problem, (score,))
            if value > best_value + problem.tolerance:
                best, best_value = body, value
    return best, best_value


def polish(problem, body):
    """Polish a body step by step."""
    bins = problem.bins
    board = make_body_board(bins.n_rows, bins.n_bins, len(problem.kinds), max(problem.limit, len(body)))
    value = 0.0
    for _ in range(MAX_POLISHES):
        for i, literal in enumerate(body):
            board.signatures[i] = GIVEN + i
            if isinstance(literal, Test):
                board.facts[i], board.tables[i] = line_of(literal), literal.table
            else:
                board.facts[i] = (0, -1, 0, literal.size)
                board.truths[i, : len(problem.rows)] = literal.truth(bins, problem.rows)
        board.seen[0] = 0
        n, value = improve_body(problem.packed, NO_VIEWS, len(body), board, NO_DESCENTS)
        given = [signature - GIVEN for signature in board.signatures[:n].tolist()]
        body = tuple(
            body[k] if 0 <= k < len(body) else read_test(bins, board.facts[i], board.tables[i])
            for i, k in enumerate(given)
        )
        i, better = polish_score(problem, body, board)
        if better is None:
            break
        body = (*body[:i], better, *body[i + 1 :])
    return body, value


def polish_score(problem, body, board):
    """Polish the scorecard of a body on the rows that hang on it, if it has one and that pays."""
    for i, literal in enumerate(body):
        if isinstance(literal, Score):
            marks = board.marks[: len(problem.rows)]
            right, wrong = unpack(int(board.totals[0]))
            hanging = replace(problem, rows=problem.rows[(marks == 0) | (marks == i + 1)])
            score, polished = polish_parts(hanging, literal.parts, 1)
            better = simplify(score)
            value = polished + problem.price * (1 + score.size - better.size)
            if value > right - wrong - problem.price * literal.size + problem.tolerance:
                return i, better
    return -1, None


def search_scores(problem):
    """Return scorecards, best first, polished once, with their values as bodies."""
    right, wrong = problem.totals(problem.rows)
    if len(problem.rows) < MIN_ROWS or min(right, wrong) < MIN_RIGHT or problem.rivals:
        return []
    rows = lowest_hashes(problem)
    drafts = draft(problem, rows)
    if len(rows) < len(problem.rows) and drafts:
        part = replace(problem, rows=rows, price=problem.price * len(rows) / len(problem.rows))
        polished = [polish_parts(part, score.parts, ROUNDS) for score in drafts]
        drafts = [max(polished, key=lambda one: one[1])[0]]
    found = {}
    for score in drafts:
        better, value = polish_parts(problem, score.parts, 1)
        short = simplify(better)
        found[short] = value + problem.price * (better.size - short.size)
    return sorted(found.items(), key=lambda one: -one[1])


def draft(problem, rows):
    """Return scorecards whose points are rounded weights of a regression on some rows, the best first."""
    bins = problem.bins
    board = make_board(bins.n_rows, bins.n_bins)
    n = draft_scores(problem.packed, rows, bins.kinds, board)
    tests = [read_test(bins, board.tests[i], board.tables[i]) for i in range(n)]
    found, n_drafts = [], problem.packed.n_drafts
    near = board.values[:n_drafts] >= board.values[0] - problem.packed.behind
    for line in board.drafts[:n_drafts][near].tolist():
        parts = ((p, test) if p > 0 else (-p, opposite(bins, test)) for p, test in zip(line, tests, strict=False) if p)
        found.append(Score(tuple(parts), line[-1]))
    return [score for score in found if score.parts]


def opposite(bins, test):
    """Return the test that has points where this one has a negative weight."""
    kind = OPPOSITE[test.kind]
    if not bins.kinds[test.column] >> NOT_LE & 1:
        kind = PLAIN.get(kind, kind)
    return make_test(bins, test.column, kind, test.at, test.words)


def polish_parts(problem, parts, rounds):
    """Return a scorecard that begins as these parts, and its value; no round only finds the best threshold."""
    bins = problem.bins
    board = make_polish_board(bins.n_rows, bins.n_bins)
    n = len(parts)
    board.points[:n] = [points for points, _ in parts]
    board.tests[:n] = [line_of(test) for _, test in parts]
    board.tables[:n] = [test.table for _, test in parts]
    n, threshold, value = polish_points(problem.packed, rounds, n, board)
    tests = [read_test(bins, board.tests[i], board.tables[i]) for i in range(n)]
    return Score(tuple(zip(board.points[:n].tolist(), tests, strict=True)), threshold), value


def simplify(score):
    """Write a score shortly: points above the threshold say no more than it, common factors nothing."""
    parts = tuple((min(p, score.threshold), test) for p, test in score.parts)
    if len(parts) == 1:
        return parts[0][1]
    factor = math.gcd(*(p for p, _ in parts))
    return Score(tuple((p // factor, test) for p, test in parts), -(-score.threshold // factor))
