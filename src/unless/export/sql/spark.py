"""Spark SQL. NaN is larger than all, `try_cast('1d' AS DOUBLE)` is 1, and a cast that its types forbid is refused
before anything runs: a number is read through its text, which every type has. FLOAT is read as it is written.
"""  # noqa: D205

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.export.sql.dialect import NUMBER_PATTERN
from unless.export.sql.escaped import EscapedSql, spelled_truth
from unless.export.sql.statements import write_sql

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.export.options import ExportOptions
    from unless.export.sql.dialect import Layer
    from unless.logic.program import Program

NUMBER_TYPES = "'tinyint', 'smallint', 'int', 'bigint', 'float', 'double'"


class Spark(EscapedSql):
    """Spark's SQL."""

    def number(self, number: float) -> str:
        """Write a number as a double."""
        return f"{number!r}D"

    def _is_typed(self, column: str) -> str:
        return f"(typeof({column}) IN ({NUMBER_TYPES}) OR typeof({column}) LIKE 'decimal%')"

    def typed(self, column: str) -> str:
        """Read through the text, which is exact."""
        read = f"try_cast({self.as_written(column)} AS DOUBLE)"
        return f"NULLIF(CASE WHEN {self._is_typed(column)} THEN {read} END, CAST('NaN' AS DOUBLE))"

    def stripped(self, column: str) -> str:
        """Read what is no number as text."""
        text = self.as_written(column)
        return (
            f"CASE WHEN {self._is_typed(column)} THEN NULL WHEN typeof({column}) = 'boolean' THEN "
            f"{spelled_truth(text)} ELSE btrim({text}, {self.blanks}) END"
        )

    def is_number_text(self, text: str) -> str:
        """Test by a regular expression."""
        return f"{text} RLIKE '^{NUMBER_PATTERN}$'"

    def to_number(self, text: str) -> str:
        """Cast what is a number."""
        return f"try_cast({text} AS DOUBLE)"

    def stacked(self, table: str, layers: Sequence[Layer], answers: Mapping[str, str]) -> str:
        """Stack subqueries; the row itself goes along as a struct, and is taken apart again at the end."""
        inner, kept = table, "struct(*) AS unless_row"
        for layer in layers:
            added = ",\n  ".join(f"{expression} AS {name}" for name, expression in layer.items())
            inner, kept = f"(\n  SELECT {kept},\n  {added}\n  FROM {inner}\n)", "*"
        added = ",\n  ".join(f"{expression} AS {name}" for name, expression in answers.items())
        return f"SELECT unless_row.*,\n  {added}\nFROM {inner}"


DIALECT = Spark("spark", "Spark", quote="`")


def write(program: Program, options: ExportOptions) -> str:
    """Write a program for Spark."""
    return write_sql(program, DIALECT, options)
