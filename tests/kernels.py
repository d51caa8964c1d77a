"""Helpers of kernels, callable from Python by a kernel around each."""

from __future__ import annotations

from unless.learn.compiled import kernel
from unless.learn.fold.heuristic import exact_score as score
from unless.learn.optimise import scans
from unless.learn.optimise.body import scorecard_counts, scorecard_windows


@kernel
def exact_score(tp, fn, tn, fp):
    return score(tp, fn, tn, fp, False)


@kernel
def exact_mgi(tp, fn, tn, fp):
    return score(tp, fn, tn, fp, True)


@kernel
def best_test(hists, spans, kinds, beta, price, value):
    alone = len(hists) - len(hists)
    return scans.best_test(hists, alone, alone, alone, spans, kinds, beta, price, value)


@kernel
def write_test(hists, spans, beta, price, column, kind, at, facts, tables):
    alone = len(hists) - len(hists)
    scans.write_test(hists, alone, alone, alone, spans, beta, price, column, kind, at, facts, tables, alone)


@kernel
def best_grade(hists, spans, kinds, foil):
    return scans.best_grade(hists, len(hists) - len(hists), spans, kinds, foil)


@kernel
def best_part(bin_index, by_column, rows, gains, spans, kinds, price, floor, n, i, board):
    scorecard_counts.count_scores(by_column, rows, gains, n, board)
    most, points, shift, n_moved = scorecard_counts.leave_out(rows, gains, i, board)
    return scorecard_windows.best_part(
        bin_index, rows, gains, spans, kinds, price, floor, most + 1, points, shift, n_moved, board
    )


@kernel
def change_scores(bin_index, by_column, rows, gains, i, points, new, board):
    scorecard_counts.change_scores(bin_index, by_column, rows, gains, i, points, new, board)
