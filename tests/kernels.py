"""Helpers of kernels, callable from Python by a kernel around each."""

from __future__ import annotations

from unless.learn.compiled import kernel
from unless.learn.fold.heuristic import exact_score as score


@kernel
def exact_score(tp, fn, tn, fp):
    return score(tp, fn, tn, fp, False)


@kernel
def exact_mgi(tp, fn, tn, fp):
    return score(tp, fn, tn, fp, True)
