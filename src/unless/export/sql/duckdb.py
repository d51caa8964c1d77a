"""DuckDB. `try_cast` takes '1_000', 'inf' and 'nan' for numbers, and NaN is larger than all: both are guarded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.export.sql.dialect import NUMBER_PATTERN, SqlDialect, without_helpers
from unless.export.sql.statements import write_sql
from unless.logic.values import BLANKS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.export.options import ExportOptions
    from unless.export.sql.dialect import Layer
    from unless.logic.program import Program

EXACT_TYPES = (
    "'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT', 'FLOAT', 'DOUBLE'"
)
WIDE_TYPES = "'HUGEINT', 'UHUGEINT', 'BIGNUM'"


def _is_plain(text: str) -> str:
    """Test whether a text begins and ends with a letter, digit or sign of ASCII."""
    return f"ascii({text}) BETWEEN 33 AND 126 AND ascii(right({text}, 1)) BETWEEN 33 AND 126"


class DuckDb(SqlDialect):
    """DuckDB's SQL."""

    @property
    def blanks(self) -> str:
        """Write blanks by their numbers: line ends in a text are easily lost on the way."""
        return " || ".join(f"chr({ord(blank)})" for blank in BLANKS)

    def typed(self, column: str) -> str:
        """Read wide numbers and decimals through their text, which DuckDB rounds once and not twice."""
        wide = f"typeof({column}) IN ({WIDE_TYPES}) OR typeof({column}) LIKE 'DECIMAL%'"
        return (
            f"NULLIF(CASE WHEN typeof({column}) IN ({EXACT_TYPES}) THEN TRY_CAST({column} AS DOUBLE) "
            f"WHEN {wide} THEN TRY_CAST(CAST({column} AS VARCHAR) AS DOUBLE) END, CAST('NaN' AS DOUBLE))"
        )

    def stripped(self, column: str) -> str:
        """Read what is no number as text; a truth value is spelled as Python spells it."""
        text = self.as_written(column)
        whole = f"trim({text}, {self.blanks})"
        truth = f"CASE {text} WHEN 'true' THEN 'True' WHEN 'false' THEN 'False' END"
        number = f"typeof({column}) IN ({EXACT_TYPES}, {WIDE_TYPES}) OR typeof({column}) LIKE 'DECIMAL%'"
        # Trimming any blank takes fifteen times as long as to see that there is none at either end.
        quick = f"trim({text}, ' ')"
        stripped = f"CASE WHEN {_is_plain(text)} THEN {text} WHEN {_is_plain(quick)} THEN {quick} ELSE {whole} END"
        return (
            f"CASE WHEN typeof({column}) = 'VARCHAR' THEN {stripped} WHEN {number} THEN NULL "
            f"WHEN typeof({column}) = 'BOOLEAN' THEN {truth} ELSE {text} END"
        )

    def is_number_text(self, text: str) -> str:
        """Test by a regular expression."""
        return f"regexp_full_match({text}, '{NUMBER_PATTERN}')"

    def to_number(self, text: str) -> str:
        """Cast; what is too large for a double is infinite."""
        return f"TRY_CAST({text} AS DOUBLE)"

    def matches(self, text: str, pattern: str) -> str:
        """Test by a regular expression; a line end is no end."""
        return f"regexp_matches({text}, {self.text(pattern)})"

    def group(self, text: str, pattern: str, number: int) -> str:
        """Return a group of a regular expression."""
        return f"regexp_extract({text}, {self.text(pattern)}, {number})"

    def whole(self, text: str) -> str:
        """Cast; what is cut off a text that does not fit is no number."""
        return f"TRY_CAST({text} AS BIGINT)"

    def stacked(self, table: str, layers: Sequence[Layer], answers: Mapping[str, str]) -> str:
        """Stack subqueries, whose helpers DuckDB can leave out by name."""
        return without_helpers(table, layers, answers)


DIALECT = DuckDb("duckdb", "DuckDB", reads_formats=True, divided="//")


def write(program: Program, options: ExportOptions) -> str:
    """Write a program for DuckDB."""
    return write_sql(program, DIALECT, options)
