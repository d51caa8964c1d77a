"""BigQuery, by its documents: no engine of it runs here, so this is not replayed. It has no test of a type but by JSON,
where NaN is a text: NaN in a column of numbers is read as the word NaN, not as missing.
"""  # noqa: D205

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.export.sql.dialect import NUMBER_PATTERN, without_helpers
from unless.export.sql.escaped import EscapedSql, spelled_truth
from unless.export.sql.statements import write_sql

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.export.options import ExportOptions
    from unless.export.sql.dialect import Layer
    from unless.logic.program import Program


class BigQuery(EscapedSql):
    """BigQuery's SQL."""

    def quoted(self, name: str) -> str:
        """Write a name; a backtick in it is escaped, not doubled."""
        plain = super().quoted(name.replace("`", ""))
        return plain if "`" not in name else "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"

    @property
    def infinity(self) -> str:
        """Write the infinite number."""
        return "CAST('inf' AS FLOAT64)"

    def _type(self, column: str) -> str:
        return f"JSON_TYPE(TO_JSON({column}))"

    def typed(self, column: str) -> str:
        """Read through the text, which is exact."""
        return f"IF({self._type(column)} = 'number', SAFE_CAST({self.as_written(column)} AS FLOAT64), NULL)"

    def stripped(self, column: str) -> str:
        """Read what is no number as text."""
        text = self.as_written(column)
        return (
            f"CASE {self._type(column)} WHEN 'number' THEN NULL WHEN 'boolean' THEN {spelled_truth(text)} "
            f"ELSE TRIM({text}, {self.blanks}) END"
        )

    def is_number_text(self, text: str) -> str:
        """Test by a regular expression."""
        return f"REGEXP_CONTAINS({text}, '^({NUMBER_PATTERN})$')"

    def to_number(self, text: str) -> str:
        """Cast what is a number."""
        return f"SAFE_CAST({text} AS FLOAT64)"

    def stacked(self, table: str, layers: Sequence[Layer], answers: Mapping[str, str]) -> str:
        """Stack subqueries, whose helpers can be left out by name."""
        return without_helpers(table, layers, answers, "EXCEPT", "`")


DIALECT = BigQuery("bigquery", "BigQuery", quote="`")


def write(program: Program, options: ExportOptions) -> str:
    """Write a program for BigQuery."""
    return write_sql(program, DIALECT, options)
