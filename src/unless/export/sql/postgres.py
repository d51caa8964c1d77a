"""PostgreSQL. NaN is larger than all, a cast of '1e-400' or '1e400' stops the query, and types are fixed beforehand: a
cell is asked for its type, read through its text, and cast only where the cast cannot fail.

A column of type `real` is read as PostgreSQL writes it: 0.45 is 0.45 there, although its four bytes are not.
"""  # noqa: D205

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.export.sql.dialect import NUMBER_PATTERN, SqlDialect
from unless.export.sql.statements import write_sql
from unless.logic.values import BLANKS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.export.options import ExportOptions
    from unless.export.sql.dialect import Layer
    from unless.logic.program import Program

NUMBER_TYPES = "'smallint', 'integer', 'bigint', 'real', 'double precision', 'numeric'"
SAFE = "^[+-]?([0-9]{0,255}[.]?[0-9]{0,255}|[0-9]{0,9}[.]?[0-9]{0,20}[eE][+-]?0*[0-2]?[0-9]{1,2})$"
"""What certainly is within the doubles."""
WIDE = "^[^eE]*([eE][+-]?0*[0-9]{1,4})?$"
"""What is a decimal number of PostgreSQL, and may be beyond the doubles."""
LARGEST, SMALLEST = "1.797693134862315807e308", "2.4703282292062327e-324"
"""From the one on a decimal number is infinite as a double, up to the other it is 0."""


class Postgres(SqlDialect):
    """PostgreSQL's SQL."""

    def text(self, word: str) -> str:
        """Write a text; with backslashes in a way that no setting changes."""
        plain = super().text(word)
        return plain if "\\" not in word else "E" + plain.replace("\\", "\\\\")

    def number(self, number: float) -> str:
        """Write a number as a double, not as a decimal."""
        return f"'{number!r}'::float8"

    @property
    def blanks(self) -> str:
        """Write blanks by their numbers."""
        return "E'" + "".join(f"\\u{ord(blank):04x}" for blank in BLANKS) + "'"

    @property
    def infinity(self) -> str:
        """Write the infinite number."""
        return "'Infinity'::float8"

    def _is_typed(self, column: str) -> str:
        return f"pg_typeof({column})::text IN ({NUMBER_TYPES})"

    def typed(self, column: str) -> str:
        """Read through the text, which is exact, and which every type has."""
        return f"NULLIF(CASE WHEN {self._is_typed(column)} THEN {self.as_written(column)}::float8 END, 'NaN'::float8)"

    def stripped(self, column: str) -> str:
        """Read what is no number as text; a truth value is spelled as Python spells it."""
        text = self.as_written(column)
        truth = f"CASE {text} WHEN 'true' THEN 'True' WHEN 'false' THEN 'False' END"
        return (
            f"CASE WHEN {self._is_typed(column)} THEN NULL WHEN pg_typeof({column})::text = 'boolean' THEN {truth} "
            f"ELSE btrim({text}, {self.blanks}) END"
        )

    def as_written(self, column: str) -> str:
        """Return the text of a cell, whatever its column takes for equal."""
        return f'(CAST({column} AS text) COLLATE "C")'

    def is_number_text(self, text: str) -> str:
        """Test by a regular expression."""
        return f"{text} ~ '^{NUMBER_PATTERN}$'"

    def to_number(self, text: str) -> str:
        """Cast where the cast cannot fail; what is beyond the doubles is 0 or infinite."""
        size = f"abs({text}::numeric)"
        is_wide = f"length({text}) < 900 AND {text} ~ '{WIDE}'"
        beyond = f"WHEN {size} <= {SMALLEST} THEN 0 WHEN {size} >= {LARGEST} THEN {self.infinity}"
        wide = f"CASE {beyond} ELSE {text}::float8 END"
        return (
            f"CASE WHEN {text} ~ '{SAFE}' THEN {text}::float8 WHEN {is_wide} THEN {wide} "
            f"WHEN {text} ~ '[eE]-' OR {text} ~ '^[+-]?[0.]*([eE]|$)' THEN 0 ELSE {self.infinity} END"
        )

    def matches(self, text: str, pattern: str) -> str:
        """Test by a regular expression."""
        return f"{text} ~ {self.text(pattern)}"

    def group(self, text: str, pattern: str, number: int) -> str:
        """Return a group of a regular expression."""
        return f"(regexp_match({text}, {self.text(pattern)}))[{number}]"

    def stacked(self, table: str, layers: Sequence[Layer], answers: Mapping[str, str]) -> str:
        """Join each row with what is worked out from it, so that a condition on a view still finds its rows first."""
        added = ",\n  ".join(f"{expression} AS {name}" for name, expression in answers.items())
        return f"SELECT unless_row.*,\n  {added}\nFROM {table} AS unless_row\nCROSS JOIN LATERAL {_nested(layers)}"

    def of_row(self, layers: Sequence[Layer], answer: str) -> str:
        """Ask the layers of a row."""
        return f"(SELECT {answer} FROM {_nested(layers)})"


def _nested(layers: Sequence[Layer]) -> str:
    """Put layers into one another; OFFSET 0 keeps PostgreSQL from working a part out wherever it is used.

    The row is asked for each column once, in the first layer: PostgreSQL counts whatever is joined sideways.
    """
    inner = ""
    for n, layer in enumerate(layers, 1):
        added = ",\n    ".join(f"{expression} AS {name}" for name, expression in layer.items())
        inner = f"(SELECT {f'*, {added}{chr(10)}FROM {inner}' if inner else added} OFFSET 0) AS unless_layer{n}"
    return inner


DIALECT = Postgres(
    "postgres", "PostgreSQL", folds_case=False, reads_formats=True, double="float8",
    asks_its_row=True, asks_columns_first=True, most_columns=1600,
)  # fmt: skip


def write(program: Program, options: ExportOptions) -> str:
    """Write a program for PostgreSQL."""
    return write_sql(program, DIALECT, options)
