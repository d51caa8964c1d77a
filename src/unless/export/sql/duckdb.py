"""DuckDB. `try_cast` takes '1_000', '+-5', 'inf' and 'nan' for numbers, and NaN is larger than all: both are guarded.

In a SELECT each cell is looked at once: a word becomes the number under which the program knows it, and a text that
begins with a digit is cast before anything else is asked. What is not plain (blanks at its ends, words among numbers)
takes the longer way, which is exact for all. Columns that compare without capitals are read as they are written.
"""

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
WIDE = "typeof({0}) IN ('HUGEINT', 'UHUGEINT', 'BIGNUM') OR typeof({0}) LIKE 'DECIMAL%'"
NO_TEXT = f"typeof({{0}}) IN ({EXACT_TYPES}) OR {WIDE}"
DIGITS = "0123456789-"


def _is_plain(text: str) -> str:
    """Test whether a text begins and ends with a letter, digit or sign of ASCII."""
    return f"{text} >= '!' AND {text} < chr(127) AND ascii(substr({text}, -1)) BETWEEN 33 AND 126"


class DuckDb(SqlDialect):
    """DuckDB's SQL."""

    @property
    def blanks(self) -> str:
        """Write blanks by their numbers: line ends in a text are easily lost on the way."""
        return " || ".join(f"chr({ord(blank)})" for blank in BLANKS)

    def typed(self, column: str) -> str:
        """Read wide numbers and decimals through their text, which DuckDB rounds once and not twice."""
        wide = WIDE.format(column)
        return (
            f"NULLIF(CASE WHEN typeof({column}) IN ({EXACT_TYPES}) THEN TRY_CAST({column} AS DOUBLE) "
            f"WHEN {wide} THEN TRY_CAST(CAST({column} AS VARCHAR) AS DOUBLE) END, CAST('NaN' AS DOUBLE))"
        )

    def as_written(self, column: str) -> str:
        """Return the text of a cell, whatever its column takes for equal."""
        return f'(CAST({column} AS VARCHAR) COLLATE "binary")'

    def stripped(self, column: str) -> str:
        """Read what is no number as text, and take blanks off its ends."""
        return self._text_of(column, self.strip(self.as_written(column)))

    def words(self, column: str) -> str:
        """Read what is no number as text."""
        return self._text_of(column, self.as_written(column))

    def _text_of(self, column: str, text: str) -> str:
        """Return the text of a cell that is no number; a truth value is spelled as Python spells it."""
        truth = f"CASE {self.as_written(column)} WHEN 'true' THEN 'True' WHEN 'false' THEN 'False' END"
        return (
            f"CASE WHEN typeof({column}) = 'VARCHAR' THEN {text} WHEN {NO_TEXT.format(column)} THEN NULL "
            f"WHEN typeof({column}) = 'BOOLEAN' THEN {truth} ELSE {text} END"
        )

    def strip(self, text: str) -> str:
        """Take blanks off the ends of a text."""
        # Trimming any blank takes fifteen times as long as to see that there is none at either end.
        quick = f"trim({text}, ' ')"
        return (
            f"CASE WHEN {_is_plain(text)} THEN {text} WHEN {_is_plain(quick)} THEN {quick} "
            f"ELSE trim({text}, {self.blanks}) END"
        )

    def coded(self, text: str, words: Mapping[str, int], missing: Sequence[str]) -> str:
        """Give the words that a program asks for their codes; any other is 0, and what is missing NULL."""
        known = "".join(f" WHEN {self.text(word)} THEN {code}" for word, code in words.items())
        known += "".join(f" WHEN {self.text(word)} THEN NULL" for word in ("", *missing))
        return (
            f"CASE {text}{known} ELSE CASE WHEN {text} IS NULL THEN NULL WHEN {_is_plain(text)} THEN 0 "
            f"ELSE CASE {self.strip(text)}{known} ELSE 0 END END END"
        )

    def quick_number(self, text: str, missing: Sequence[str]) -> str:
        """Test whether a text begins as a number, and is none that DuckDB alone takes for one."""
        begins = f"({text} >= '0' AND {text} < ':' OR {text} >= '-0' AND {text} < '-:')"
        # A word for missing with blanks at its ends is asked for as it is written; any other is a number like the rest.
        written = [word for word in missing if word[0] in DIGITS and word.strip(BLANKS) != word]
        others = "".join(f" AND NOT starts_with({text}, {self.text(word)})" for word in written)
        return f"{begins} AND NOT contains({text}, '_'){others}"

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


DIALECT = DuckDb("duckdb", "DuckDB", looks_once=True, reads_formats=True, divided="//")


def write(program: Program, options: ExportOptions) -> str:
    """Write a program for DuckDB."""
    return write_sql(program, DIALECT, options)
