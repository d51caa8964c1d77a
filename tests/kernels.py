"""Helpers of kernels, callable from Python by a kernel around each."""

from __future__ import annotations

from unless.learn.compiled import kernel
from unless.learn.fold.heuristic import exact_score as score
from unless.learn.optimise import scans
from unless.learn.optimise.body import scorecard_counts, scorecard_windows
from unless.learn.optimise.scans import ALONE, Window


@kernel
def exact_score(tp, fn, tn, fp):
    return score(tp, fn, tn, fp, False)


@kernel
def exact_mgi(tp, fn, tn, fp):
    return score(tp, fn, tn, fp, True)


@kernel
def best_test(hists, spans, kinds, beta, price, value):
    return scans.best_test(Window(hists, 0, 0, ALONE), spans, kinds, beta, price, value)


@kernel
def write_test(hists, spans, beta, price, column, kind, at, facts, tables):
    scans.write_test(Window(hists, 0, 0, ALONE), spans, beta, price, column, kind, at, facts, tables, 0)


@kernel
def best_grade(hists, spans, kinds, foil):
    return scans.best_grade(hists, 0, spans, kinds, foil)


@kernel
def best_part(problem, floor, n, i, board):
    scorecard_counts.count_scores(problem, n, board)
    most, points, shift, n_moved = scorecard_counts.leave_out(problem, i, board)
    return scorecard_windows.best_part(problem, floor, most + 1, points, shift, n_moved, board)


@kernel
def change_scores(problem, i, points, new, board):
    scorecard_counts.change_scores(problem, i, points, new, board)
