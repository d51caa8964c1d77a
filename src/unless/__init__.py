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

from unless.showing import WRITERS

if TYPE_CHECKING:
    from unless.errors import UnlessError
    from unless.estimators.foldr_classifier import FoldRClassifier
    from unless.estimators.foldrpp_classifier import FoldRPPClassifier
    from unless.estimators.unless_classifier import UnlessClassifier
    from unless.explain.proof.ask import ask
    from unless.explain.proof.prover import prove
    from unless.explain.proof.tree import Proof
    from unless.logic.program import Program
    from unless.logic.rules import Literal, Rule
    from unless.logic.text.files import load, save
    from unless.logic.text.parser import parse
    from unless.table.beside_rows import RelatedRows
    from unless.table.look import look

__version__ = "0.3.0"

_HOMES = {
    "FoldRClassifier": "unless.estimators.foldr_classifier",
    "FoldRPPClassifier": "unless.estimators.foldrpp_classifier",
    "Literal": "unless.logic.rules",
    "Program": "unless.logic.program",
    "Proof": "unless.explain.proof.tree",
    "RelatedRows": "unless.table.beside_rows",
    "Rule": "unless.logic.rules",
    "UnlessClassifier": "unless.estimators.unless_classifier",
    "UnlessError": "unless.errors",
    "ask": "unless.explain.proof.ask",
    "load": "unless.logic.text.files",
    "look": "unless.table.look",
    "parse": "unless.logic.text.parser",
    "prove": "unless.explain.proof.prover",
    "save": "unless.logic.text.files",
}

WRITERS |= {
    "comparison as html": ("unless.explain.faces.comparison_report", "comparison_html"),
    "comparison as text": ("unless.explain.faces.comparison_report", "comparison_text"),
    "comparison in a sentence": ("unless.explain.faces.comparison_report", "comparison_summary"),
    "coverage as html": ("unless.explain.faces.coverage_table", "coverage_html"),
    "figures in brief": ("unless.explain.words.brief", "brief_figures"),
    "finding as text": ("unless.explain.words.finding_sentences", "finding_text"),
    "finding in a sentence": ("unless.explain.words.finding_sentences", "finding_sentence"),
    "look as html": ("unless.explain.faces.look_report", "look_html"),
    "look as text": ("unless.explain.faces.look_report", "look_text"),
    "program as export": ("unless.export.targets", "export_program"),
    "program as html": ("unless.explain.faces.html_pages", "program_fragment"),
    "program as text": ("unless.logic.text.model_text", "program_text"),
    "proof as html": ("unless.explain.faces.html_pages", "proof_fragment"),
    "proof as text": ("unless.explain.faces.paper_text", "proof_text"),
    "size path as svg": ("unless.explain.faces.size_path_plot", "size_path_svg"),
    "size path as text": ("unless.explain.faces.size_path_plot", "size_path_text"),
}

__all__ = [
    "FoldRClassifier",
    "FoldRPPClassifier",
    "Literal",
    "Program",
    "Proof",
    "RelatedRows",
    "Rule",
    "UnlessClassifier",
    "UnlessError",
    "ask",
    "load",
    "look",
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

    from unless.errors import absent_part

    try:
        value = getattr(import_module(_HOMES[name]), name)
    except ModuleNotFoundError as error:
        advice = absent_part(error.name or "")
        if not advice:
            raise
        msg = f"{name} needs {error.name}, which is not installed. {advice}"
        raise ModuleNotFoundError(msg, name=error.name) from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
