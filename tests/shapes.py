"""Rules in the plain shape that the golden files and the naive twin use."""

from __future__ import annotations


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
