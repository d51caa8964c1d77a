"""Rules and counts in plain shapes, to compare them with."""

from __future__ import annotations

import numpy as np


def counts_of(columns, tally):
    """Return for each column its counts by code, positives above negatives."""
    found = {c: [] for c in range(len(columns.books))}
    for k, c in enumerate(columns.narrow):
        low, high = columns.starts[k], columns.starts[k + 1]
        found[c] = np.stack([tally.pos[low:high], tally.neg[low:high]])
    for wide in tally.wide:
        found[wide.column] = np.zeros((2, columns.books[wide.column].missing + 1), dtype=np.int32)
        found[wide.column][:, wide.codes] = np.stack([wide.pos, wide.neg])
    return list(found.values())


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
