"""The tables of a parser as plain data: working them out from a grammar takes longer than reading a program.

In: a grammar and a text of tables. Out: a parser, or None where the tables were made for another grammar or by another
version of lark: then they are worked out anew, and nothing but time is lost. The text is JSON, never a pickle.
"""

from __future__ import annotations

import json
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef


def made_for(grammar: str) -> str:
    """Say which grammar and version of lark tables fit; whole, because a digest takes longer than to compare."""
    return f"lark {lark.__version__},\n{grammar}"


def write_tables(parser: lark.Lark, grammar: str) -> str:
    """Write the tables of a parser as text."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    return json.dumps({"made_for": made_for(grammar), "data": data, "memo": memo}, separators=(",", ":")) + "\n"


def parser_from_tables(text: str, grammar: str) -> lark.Lark | None:
    """Return the parser of a grammar from its tables, or None when they do not fit."""
    tables = json.loads(text)
    if tables["made_for"] != made_for(grammar):
        return None
    parser = tables["data"]["parser"]["parser"]
    parser["tokens"] = _by_number(parser["tokens"])
    parser["states"] = {number: _by_number(moves) for number, moves in _by_number(parser["states"]).items()}
    return lark.Lark.load({"data": tables["data"], "memo": _by_number(tables["memo"])})


def _by_number(mapping: dict[str, Any]) -> dict[int, Any]:
    """Return a mapping whose keys are numbers again: in JSON they are text."""
    return {int(key): value for key, value in mapping.items()}
