"""SQLite, without any function of our own. It has no regular expressions, `CAST('12abc' AS REAL)` is 12 there, and a
text is larger than any number: so whether a text is a number is found out letter by letter, by GLOB, and each cell is
asked for its own type. SQLite reads decimals of many digits one unit in the last digit off now and then: thresholds are
therefore written as a whole number and powers of two, which it reads exactly.
"""  # noqa: D205

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.export.sql.dialect import SqlDialect
from unless.export.sql.statements import write_sql
from unless.logic.values import BLANKS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.export.options import ExportOptions
    from unless.export.sql.dialect import Layer
    from unless.logic.program import Program

SHORT = 15
"""So many digits are read exactly, if the power of ten is small too."""
SMALL_POWER = 22
STEP = 62
"""2 to this power is a whole number that SQLite reads exactly."""


class Sqlite(SqlDialect):
    """SQLite's SQL."""

    @property
    def blanks(self) -> str:
        """Write blanks by their numbers: a NUL or a line end in a text is easily lost on the way."""
        return f"char({','.join(str(ord(blank)) for blank in BLANKS)})"

    @property
    def infinity(self) -> str:
        """Write a number that is too large."""
        return "9e999"

    def number(self, number: float) -> str:
        """Write a number that SQLite reads exactly, whatever its version."""
        digits, _, power = repr(abs(number)).partition("e")
        n_decimals = len(digits.partition(".")[2])
        whole = digits.replace(".", "").lstrip("0")
        if len(whole) <= SHORT and abs(int(power or 0) - n_decimals) <= SMALL_POWER:
            return repr(number)
        mantissa, exponent = math.frexp(number)
        exponent -= 53
        steps = [f" {'*' if exponent > 0 else '/'} {2**STEP}.0"] * (abs(exponent) // STEP)
        rest = f" {'*' if exponent > 0 else '/'} {2 ** (abs(exponent) % STEP)}.0" if exponent % STEP else ""
        return f"({int(mantissa * 2**53)}.0{''.join(steps)}{rest})"

    def typed(self, column: str) -> str:
        """Ask the cell for its type; as a double, since whole numbers are compared exactly otherwise."""
        return f"CASE WHEN typeof({column}) IN ('integer', 'real') THEN CAST({column} AS REAL) END"

    def stripped(self, column: str) -> str:
        """Ask the cell for its type."""
        return f"CASE WHEN typeof({column}) = 'text' THEN trim({column}, {self.blanks}) END"

    def as_written(self, column: str) -> str:
        """Return the cell, which has its own type."""
        return column

    def is_number_text(self, text: str) -> str:
        """Take the signs off, divide at the e, and look for what is no digit."""
        unsigned = f"substr({text}, 1 + ({text} GLOB '[+-]*'))"
        at_e = f"instr(lower({unsigned}), 'e')"
        mantissa = f"substr({unsigned}, 1, CASE {at_e} WHEN 0 THEN length({text}) ELSE {at_e} - 1 END)"
        power = f"substr({unsigned}, {at_e} + 1)"
        digits = f"substr({power}, 1 + ({power} GLOB '[+-]*'))"
        return (
            f"({mantissa} GLOB '*[0-9]*' AND {mantissa} NOT GLOB '*[^0-9.]*' AND {mantissa} NOT GLOB '*.*.*' AND "
            f"({at_e} = 0 OR ({digits} GLOB '[0-9]*' AND {digits} NOT GLOB '*[^0-9]*')))"
        )

    def to_number(self, text: str) -> str:
        """Cast what is a number."""
        return f"CAST({text} AS REAL)"

    def greatest(self, parts: Sequence[str]) -> str:
        """Return the largest by the function that is an aggregate elsewhere."""
        return f"max({', '.join(parts)})"

    def stacked(self, table: str, layers: Sequence[Layer], answers: Mapping[str, str]) -> str:
        """Work each answer out by a query of its row: SQLite can neither leave columns out nor join sideways."""
        added = ",\n  ".join(f"{self.of_row(layers, answer)} AS {name}" for name, answer in answers.items())
        return f"SELECT *,\n  {added}\nFROM {table}"

    def of_row(self, layers: Sequence[Layer], answer: str) -> str:
        """Name each layer beside the others: SQLite's parser goes a hundred steps deep and no further."""
        steps, below = [], ""
        for n, layer in enumerate(layers, 1):
            added = ",\n    ".join(f"{expression} AS {name}" for name, expression in layer.items())
            # LIMIT keeps SQLite from writing each expression out wherever it is used.
            steps.append(f"unless_layer{n} AS (SELECT {f'*, {added} FROM {below}' if below else added} LIMIT 1)")
            below = f"unless_layer{n}"
        named = ",\n    ".join(steps)
        return f"(WITH\n    {named}\n    SELECT {answer} FROM {below})"

    def view(self, name: str, select: str) -> str:
        """Write a view; SQLite cannot replace one."""
        return f"CREATE VIEW {self.table(name)} AS\n{select}"


DIALECT = Sqlite("sqlite", "SQLite", quote="`", asks_its_row=True, most_columns=2000)
"""A name in double quotes that the table does not have would be taken for a text."""


def write(program: Program, options: ExportOptions) -> str:
    """Write a program for SQLite."""
    return write_sql(program, DIALECT, options)
