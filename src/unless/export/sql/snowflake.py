"""Snowflake, by its documents: no engine of it runs here, so this is not replayed. Types are asked of a VARIANT."""

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

NUMBER_TYPES = "'INTEGER', 'DECIMAL', 'DOUBLE'"


class Snowflake(EscapedSql):
    """Snowflake's SQL."""

    def _type(self, column: str) -> str:
        return f"TYPEOF(TO_VARIANT({column}))"

    def as_written(self, column: str) -> str:
        """Return the text of a cell."""
        return f"TO_VARCHAR({column})"

    def typed(self, column: str) -> str:
        """Read the number of a VARIANT, which keeps all digits of a double."""
        read = f"CASE WHEN {self._type(column)} IN ({NUMBER_TYPES}) THEN CAST(TO_VARIANT({column}) AS DOUBLE) END"
        return f"NULLIF({read}, CAST('NaN' AS DOUBLE))"

    def stripped(self, column: str) -> str:
        """Read what is no number as text."""
        text = self.as_written(column)
        return (
            f"CASE WHEN {self._type(column)} IN ({NUMBER_TYPES}) THEN NULL WHEN {self._type(column)} = 'BOOLEAN' THEN "
            f"{spelled_truth(text)} ELSE TRIM({text}, {self.blanks}) END"
        )

    @property
    def infinity(self) -> str:
        """Write the infinite number."""
        return "CAST('inf' AS DOUBLE)"

    def is_number_text(self, text: str) -> str:
        """Test by a regular expression, which must fit the whole text."""
        return f"REGEXP_LIKE({text}, '{NUMBER_PATTERN}')"

    def to_number(self, text: str) -> str:
        """Cast what is a number."""
        return f"TRY_TO_DOUBLE({text})"

    def stacked(self, table: str, layers: Sequence[Layer], answers: Mapping[str, str]) -> str:
        """Stack subqueries, whose helpers can be left out by name."""
        return without_helpers(table, layers, answers)


DIALECT = Snowflake("snowflake", "Snowflake", folds_case=False)


def write(program: Program, options: ExportOptions) -> str:
    """Write a program for Snowflake."""
    return write_sql(program, DIALECT, options)
