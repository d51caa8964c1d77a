"""What dialects with backslashes in their texts have in common: Spark, BigQuery, Snowflake."""

from __future__ import annotations

from unless.export.sql.dialect import SqlDialect
from unless.logic.values import BLANKS

ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}


class EscapedSql(SqlDialect):
    """A dialect whose texts have escapes; a doubled quote would be two texts side by side."""

    def text(self, word: str) -> str:
        """Write a text."""
        super().text(word)  # refuses what no dialect can hold
        return "'" + "".join(ESCAPES.get(letter, letter) for letter in word) + "'"

    @property
    def blanks(self) -> str:
        """Write blanks by their numbers, where there is such an escape."""
        return "'" + "".join(f"\\u{ord(blank):04x}" for blank in BLANKS) + "'"

    def as_written(self, column: str) -> str:
        """Return the text of a cell."""
        return f"CAST({column} AS STRING)"


def spelled_truth(text: str) -> str:
    """Spell a truth value as Python does."""
    return f"CASE {text} WHEN 'true' THEN 'True' WHEN 'false' THEN 'False' END"
