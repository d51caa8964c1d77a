"""`unless` learns default rules with exceptions from mixed tables, and proves every prediction.

The words of this package, one per concept:

column     numerical (numbers, perhaps with some words among them: a mixed column) or categorical (words only)
value      a number or a word; missing is no value
literal    one test on one column: `=<` `>` on numbers, `=` `!=` on words
condition  a literal, or literals put together: a set of words, the complement of a literal, a scorecard (points)
rule       a head (the label it concludes), a body of conditions, and exceptions, which are rules again
program    the flat form of rules: clauses with named exceptions `ab1`, `ab2`, ...; its text is the model file
row        one example
proof      the tree that says why a row has its label

A rule holds when its body holds, unless one of its exceptions does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unless.ask import ask
    from unless.errors import UnlessError
    from unless.estimator import FoldRPPClassifier
    from unless.files import load, save
    from unless.flagship import UnlessClassifier
    from unless.foldr import FoldRClassifier
    from unless.logic.parser import parse
    from unless.logic.program import Program
    from unless.logic.prove import Proof, prove
    from unless.rules import Literal, Rule

__version__ = "0.1.0"

_HOMES = {
    "FoldRClassifier": "unless.foldr",
    "FoldRPPClassifier": "unless.estimator",
    "Literal": "unless.rules",
    "Program": "unless.logic.program",
    "Proof": "unless.logic.prove",
    "Rule": "unless.rules",
    "UnlessClassifier": "unless.flagship",
    "UnlessError": "unless.errors",
    "ask": "unless.ask",
    "load": "unless.files",
    "parse": "unless.logic.parser",
    "prove": "unless.logic.prove",
    "save": "unless.files",
}

__all__ = [
    "FoldRClassifier",
    "FoldRPPClassifier",
    "Literal",
    "Program",
    "Proof",
    "Rule",
    "UnlessClassifier",
    "UnlessError",
    "ask",
    "load",
    "parse",
    "prove",
    "save",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: importing `unless` stays fast."""
    if name not in _HOMES:
        msg = f"module 'unless' has no attribute {name!r}"
        raise AttributeError(msg)
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
