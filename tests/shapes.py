"""Rules and counts in plain shapes, to compare them with."""

from __future__ import annotations

from itertools import pairwise

import numpy as np


def counts_of(columns, tally):
    """Return for each column its counts by code (of a wide column by bucket), positives above negatives."""
    return [np.stack([*tally.line(low, high)]) for low, high in pairwise(columns.starts)]


def plain(rule):
    """Return a nested rule as {"default": [...], "exceptions": [...]}, with == for =."""
    default = [[x.column, "==" if x.op == "=" else x.op, x.value] for x in rule.body]
    return {"default": default, "exceptions": [plain(exception) for exception in rule.exceptions]}


def as_lists(rule):
    """Return a rule of the naive twin with lists for tuples."""
    return {
        "default": [list(literal) for literal in rule["default"]],
        "exceptions": [as_lists(exception) for exception in rule["exceptions"]],
    }
