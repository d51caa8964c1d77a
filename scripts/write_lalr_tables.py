"""Write the tables of the program's grammar, with which it need not be worked out at every start."""

from __future__ import annotations

from unless.logic.text.lalr_tables import write_tables
from unless.logic.text.syntax import TABLES, build_parser, grammar_text

for name, path in TABLES.items():
    path.write_text(write_tables(build_parser(name), grammar_text(name)), encoding="utf-8")
