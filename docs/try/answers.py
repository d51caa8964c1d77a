"""What the page "Try it" answers, in Python that runs in the browser: no arrays, no tables, nothing but the logic half.

In: the text of a program, a row as JSON, a question. Out: plain text. `tests/test_site.py` runs it as any Python.
"""

from __future__ import annotations

import json
from typing import Any

from unless.errors import UnlessError
from unless.explain.faces.difference_report import DifferenceReport
from unless.explain.faces.plain_text import program_english, proof_english
from unless.explain.proof.prover import prove
from unless.explain.proof.query import answers, parse_query
from unless.logic.holds import read_row
from unless.logic.reason.difference import difference
from unless.logic.text.parser import parse

WIDTH = 84


def answer(what: str, program: str, row: str, question: str, before: str) -> str:
    """Answer one button of the page; what cannot be answered is said in a sentence."""
    try:
        return {"decide": _decide, "rules": _rules, "ask": _ask, "diff": _diff}[what](program, row, question, before)
    except UnlessError as error:
        return str(error)
    except ValueError as error:
        return f"The row is not JSON: {error}."


def _cells(row: str) -> dict[str, Any]:
    cells = json.loads(row)
    if not isinstance(cells, dict):
        msg = "a row is an object, such as {...}"
        raise ValueError(msg)
    return cells


def _decide(program: str, row: str, _question: str, _before: str) -> str:
    proof = prove(parse(program), _cells(row))
    return f"{proof_english(proof, width=WIDTH)}\n\nThe whole proof\n{proof_english(proof, full=True, width=WIDTH)}"


def _rules(program: str, *_: str) -> str:
    return program_english(parse(program), width=WIDTH)


def _ask(program: str, row: str, question: str, _before: str) -> str:
    read = parse(program)
    found = answers(read, parse_query(read, question), read_row(read, _cells(row)), 0, 0)
    return "\n".join(_said(each) for each in found) or "no"


def _said(found: Any) -> str:
    bindings = ", ".join(f"{name} = {value!r}" for name, value in found.bindings.items())
    return (
        (bindings or "yes")
        if found.holds
        else f"no\n{proof_english(found.proof, width=WIDTH)}"
        if found.proof
        else "no"
    )


def _diff(program: str, _row: str, _question: str, before: str) -> str:
    old, new = parse(before), parse(program)
    return DifferenceReport(old, new, difference(old, new)).text(width=WIDTH)
