"""What differs between SQL dialects: quoting, numbers, how a cell of any type is read, how layers are stacked.

In all of them a cell is read into three texts of SQL: `typed`, the number of a column that has a type of numbers (NULL
for NaN); `stripped`, the text of any other cell without blanks at its ends; and from them the number. Whether a text is
a number is decided by `logic.values.NUMBER`, never by the engine's own cast, which each engine has other ideas about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.rules import Label

NUMBER_PATTERN = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"
"""`logic.values.NUMBER`, with nothing in it that a dialect might escape otherwise."""
Layer = dict[str, str]
"""Columns that are added to those of the layer below: names and expressions."""


@dataclass(frozen=True)
class SqlDialect:
    """A dialect as most engines have it; the others override what they do otherwise."""

    name: str
    title: str
    quote: str = '"'
    folds_case: bool = True
    """Whether two columns cannot differ in capitals alone."""
    looks_once: bool = False
    """Whether words are numbered and plain numbers cast at once: `words`, `coded` and `quick_number` are for that."""
    reads_formats: bool = False
    """Whether amounts and dates are read in the formats of a program: what follows `greatest` is for them."""
    asks_its_row: bool = False
    """Whether an expression is a query of its row: `of_row` is for that."""
    asks_columns_first: bool = False
    """Whether the first layer is the columns themselves."""
    most_columns: int = 0
    """How many columns a query may have, if that is fewer than programs come to."""
    divided: str = "/"
    double: str = "DOUBLE"

    # Names and constants.

    def quoted(self, name: str) -> str:
        """Write the name of a column."""
        if not name or "\0" in name:
            msg = f"column {name!r} cannot be named in {self.title}; rename it in the table and in the model file."
            raise DataError(msg)
        return f"{self.quote}{name.replace(self.quote, self.quote * 2)}{self.quote}"

    def text(self, word: str) -> str:
        """Write a text."""
        if "\0" in word:
            msg = f"{word!r} holds a NUL, which a text in {self.title} cannot."
            raise DataError(msg)
        return f"'{word.replace(chr(39), chr(39) * 2)}'"

    def number(self, number: float) -> str:
        """Write a number as a double; with an exponent it is no decimal."""
        text = repr(number)
        return text if "e" in text else f"{text}e0"

    def label(self, label: Label) -> str:
        """Write a label as a constant of its own type."""
        if isinstance(label, str):
            return self.text(label)
        if isinstance(label, bool):
            return str(label).upper()
        return str(label) if isinstance(label, int) else self.number(label)

    @property
    def blanks(self) -> str:
        """Write what counts as a blank."""
        raise NotImplementedError

    @property
    def infinity(self) -> str:
        """Write the infinite number."""
        return "CAST('Infinity' AS DOUBLE)"

    # Reading a cell.

    def typed(self, column: str) -> str:
        """Return the number of a cell that has a type of numbers, else NULL."""
        raise NotImplementedError

    def stripped(self, column: str) -> str:
        """Return the text of a cell that has no type of numbers, without blanks at its ends, else NULL."""
        raise NotImplementedError

    def as_written(self, column: str) -> str:
        """Return the text of a cell as it is."""
        return f"CAST({column} AS VARCHAR)"

    def is_number_text(self, text: str) -> str:
        """Test whether a text is a number."""
        raise NotImplementedError

    def to_number(self, text: str) -> str:
        """Return the number that a text is."""
        return f"CAST({text} AS DOUBLE)"

    # Looking at each cell once.

    def words(self, column: str) -> str:
        """Return the text of a cell that has no type of numbers as it is, else NULL."""
        raise NotImplementedError

    def strip(self, text: str) -> str:
        """Take blanks off the ends of a text."""
        raise NotImplementedError

    def coded(self, text: str, words: Mapping[str, int], missing: Sequence[str]) -> str:
        """Return the number of a word, 0 where it is another, NULL where it is missing."""
        raise NotImplementedError

    def quick_number(self, text: str, missing: Sequence[str]) -> str:
        """Test whether a text that can be cast is a number; not all numbers need to pass."""
        raise NotImplementedError

    def greatest(self, parts: Sequence[str]) -> str:
        """Return the largest of some numbers."""
        return f"greatest({', '.join(parts)})"

    # Reading formats.

    def matches(self, text: str, pattern: str) -> str:
        """Test whether a text fits a pattern."""
        raise NotImplementedError

    def group(self, text: str, pattern: str, number: int) -> str:
        """Return a part of a text that fits a pattern, empty or NULL where there is none."""
        raise NotImplementedError

    def without(self, text: str, pattern: str) -> str:
        """Return a text without what fits a pattern."""
        return f"regexp_replace({text}, {self.text(pattern)}, '', 'g')"

    def whole(self, text: str) -> str:
        """Return the whole number that a text is."""
        return f"CAST({text} AS bigint)"

    def month_name(self, text: str) -> str:
        """Return a name of a month in small letters."""
        return f"replace(lower({text}), 'Ä', 'ä')"

    # Putting layers together.

    def stacked(self, table: str, layers: Sequence[Layer], answers: Mapping[str, str]) -> str:
        """Write the columns of a table with some answers more, which are worked out layer by layer."""
        raise NotImplementedError

    def of_row(self, layers: Sequence[Layer], answer: str) -> str:
        """Write an answer that is worked out layer by layer as an expression over the columns of a table."""
        raise NotImplementedError

    def view(self, name: str, select: str) -> str:
        """Write a view."""
        return f"CREATE OR REPLACE VIEW {self.table(name)} AS\n{select}"

    def table(self, name: str) -> str:
        """Write the name of a table, perhaps behind that of its schema."""
        return ".".join(self.quoted(part) for part in split_name(name))

    def schemas(self, name: str) -> list[str]:
        """List what must be made before a table of this name can be: its schema, if it names one."""
        return [self.quoted(part) for part in split_name(name)[:-1]][-1:]


def split_name(name: str) -> list[str]:
    """Split the name of a table at its dots; what stands in double quotes is not split.

    >>> split_name('public.loans'), split_name('"my.table"')
    (['public', 'loans'], ['my.table'])
    """
    parts, within = [""], False
    for letter in name:
        if letter == '"':
            within = not within
        elif letter == "." and not within:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def without_helpers(
    table: str, layers: Sequence[Layer], answers: Mapping[str, str], word: str = "EXCLUDE", quote: str = '"'
) -> str:
    """Stack layers as subqueries; the columns that they added are left out at the end."""
    inner = table
    for layer in layers:
        added = ",\n  ".join(f"{expression} AS {name}" for name, expression in layer.items())
        inner = f"(\n  SELECT *,\n  {added}\n  FROM {inner}\n)"
    helpers = ", ".join(name for layer in layers for name in layer)
    added = ",\n  ".join(f"{expression} AS {quote}{name}{quote}" for name, expression in answers.items())
    kept = f"* {word} ({helpers})" if helpers else "*"
    return f"SELECT {kept},\n  {added}\nFROM {inner}"
