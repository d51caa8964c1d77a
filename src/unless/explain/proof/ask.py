"""Questions about the rows of a table, in the language of the program: `income(30,Y)`, `not income(30,'=<50k')`.

In: a program, any table, and a query. Out: answers, one by one as they are found, each with what its variables stand
for and a proof. A query about a named row is answered even where it does not hold; one about any row yields the rows
for which it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.evaluate.predict import read_cells, row_values
from unless.explain.proof.query import Answer, answers, parse_query
from unless.logic.terms import Variable
from unless.table.frames import raw_table
from unless.table.row_names import NamedRows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.logic.program import Program


def ask(program: Program, data: Any, query: str, *, id_column: str | None = None) -> Iterator[Answer]:
    """Answer a question; rows are named by number, the first is 0, or by a column of the table.

    >>> from unless.logic.text.parser import parse
    >>> program = parse("flies(X,'yes') :- bird(X,'yes'), not ab1(X). ab1(X) :- name(X,'tweety').")
    >>> rows = [{"bird": "yes", "name": "tweety"}, {"bird": "yes", "name": "robin"}]
    >>> [dict(answer.bindings) for answer in ask(program, rows, "flies(X,Y)")]
    [{'X': 1, 'Y': 'yes'}]
    """
    asked = parse_query(program, query)
    table = raw_table(data)
    rows = NamedRows(table, id_column)
    is_open = isinstance(asked.row, Variable)
    wanted = range(table.n_rows) if isinstance(asked.row, Variable) else rows.find(asked.row)
    columns = read_cells(program, table, asked.columns)
    return (
        answer
        for row in wanted
        for answer in answers(program, asked, row_values(columns, row), row, rows.name(row))
        if answer.holds or not is_open
    )
