"""The table that is open in the studio: what its columns are, and what they hold, each looked at once.

In: a table as read from a file. Out: cells, kinds and summaries of its columns, kept once they are worked out. A
column that cannot be used, such as dates, does not stop the others: it is left out, with the reason.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from threading import get_ident
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

import numpy as np
import polars as pl

from unless.errors import DataError
from unless.logic.column_names import no_column
from unless.logic.readings import say_number, shortened
from unless.logic.rules import Column
from unless.table.cells import MISSING
from unless.table.columns import RawColumn, cells
from unless.table.formats import read_file
from unless.table.frames import RawTable, raw_table
from unless.table.kinds import KindRule, kinds_from_content, kinds_from_dtype, read_columns
from unless.table.look import label_bars, look_at_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from unless.logic.rules import Kind
    from unless.table.cells import Cells
    from unless.table.identifiers import ColumnFinding
    from unless.table.look import LabelBar

N_BINS = 16
N_WORDS = 50
NOTHING = "\x00"
"""What a digest has for a cell without a value: no text of a file holds it."""


@dataclass(frozen=True, slots=True)
class TableOrigin:
    """Where a table came from; `path` is its file, and `name` is what people call it.

    `labelled_in` names a column: rows that are blank there, or hold one of the words in `unlabelled`, are left out.
    """

    kind: OneOf["file", "upload", "example"]
    name: str
    path: str = ""
    labelled_in: str = ""
    unlabelled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ColumnGuess:
    """What a column is taken for before anybody says otherwise; `note` says what is odd about it."""

    kind: Kind
    usable: bool = True
    note: str = ""


class OpenTable:
    """A table with all that was worked out about it."""

    def __init__(self, origin: TableOrigin, table: RawTable, *, is_text: bool, note: str = "") -> None:
        self.origin = origin
        self.note = note
        self.table = table
        self.is_text = is_text
        self._cells: dict[tuple[str, Kind, tuple[str, ...], str], Cells] = {}
        self._summaries: dict[tuple[str, Kind, tuple[str, ...]], dict[str, Any]] = {}
        self._pictures: dict[tuple[str, Kind, tuple[str, ...], tuple[str, str]], tuple[LabelBar, ...]] = {}

    def called_as(self, names: Iterable[str]) -> OpenTable:
        """Return the table with its columns called as a program calls them, with a note of those that are not."""
        with hearing() as said:
            table = self.table.called_as(names)
        if table is self.table:
            return self
        return OpenTable(self.origin, table, is_text=self.is_text, note=" ".join(filter(None, (self.note, *said))))

    def check_name(self, name: str) -> None:
        """Refuse a column that is not there: the page has the names as they are."""
        if name not in self.table.columns:
            raise DataError(no_column(name, self.table.names))

    @cached_property
    def digest(self) -> str:
        """Tell this table from others: a digest of what its columns hold, row by row."""
        found = blake2b(digest_size=16)
        for name in (name for name, guess in self.guesses.items() if guess.usable):
            column = self.table.columns[name]
            for part in (part for part in (column.numbers, column.text) if part is not None):
                found.update(pl.DataFrame({name: part}).write_csv(null_value=NOTHING).encode())
        return found.hexdigest()

    @cached_property
    def guesses(self) -> dict[str, ColumnGuess]:
        """Guess the kind of each column."""
        return {name: self._guess(name) for name in self.table.names}

    def _guess(self, name: str) -> ColumnGuess:
        guess = kinds_from_content if self.is_text else kinds_from_dtype
        with hearing() as said:
            try:
                column = self.table.columns[name]
                return ColumnGuess(guess(RawTable({name: column}, self.table.n_rows))[name], note=" ".join(said))
            except DataError as error:
                return ColumnGuess("categorical", usable=False, note=str(error))

    @cached_property
    def readings(self) -> dict[str, str]:
        """Return how the columns whose numbers or dates are not written plainly are read."""
        found = read_columns(self.table, KindRule("content" if self.is_text else "dtype"), aloud=False)
        return {name: column.reading for name, column in found.items() if column.reading}

    @cached_property
    def odd(self) -> dict[str, tuple[ColumnFinding, ...]]:
        """Return what is odd about each column, as `unless look` says it; how it is read is said by its guess."""
        unusable = [name for name, guess in self.guesses.items() if not guess.usable]
        rule = KindRule("content" if self.is_text else "dtype")
        found = look_at_table(self.table.without(unusable), rule).columns
        return {each.name: tuple(f for f in each.findings if f.what != "reading") for each in found}

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Return the columns that name their rows, which are left out until somebody brings them back."""
        return tuple(name for name, found in self.odd.items() if any(f.what == "identifier" for f in found))

    def read(self, column: RawColumn, kind: Kind, missing: tuple[str, ...] = (), reading: str | None = None) -> Cells:
        """Read a column, once; as it looks, unless a reading is given."""
        if reading is None:
            reading = self.readings.get(column.name, "") if kind == "numerical" else ""
        key = (column.name, kind, tuple(missing), reading)
        if key not in self._cells:
            self._cells[key] = cells(column, kind, missing, reading)
        return self._cells[key]

    def summary(self, name: str, kind: Kind, missing: tuple[str, ...]) -> dict[str, Any]:
        """Describe what a column holds, once."""
        key = (name, kind, missing)
        if key not in self._summaries:
            self._summaries[key] = _summary(
                self.described(name, kind), self.read(self.table.columns[name], kind, missing)
            )
        return self._summaries[key]

    def picture(self, name: str, kind: Kind, missing: tuple[str, ...], label: tuple[str, str]) -> tuple[LabelBar, ...]:
        """Draw a column against a label, given with the column that has it, once."""
        key = (name, kind, missing, label)
        if key not in self._pictures:
            read = self.read(self.table.columns[name], kind, missing)
            self._pictures[key] = label_bars(self.described(name, kind), read, self.has_word(*label))
        return self._pictures[key]

    def described(self, name: str, kind: Kind) -> Column:
        """Return what a column is, with how it is read."""
        return Column(name, kind, reading=self.readings.get(name, "") if kind == "numerical" else "")

    def has_word(self, name: str, word: str) -> NDArray[np.bool_]:
        """Return the rows that have a word, or a number as it is written, in a column."""
        words = self.read(self.table.column(name), "categorical").words
        if words is None or word not in words.lexicon:
            return np.zeros(self.table.n_rows, dtype=bool)
        return np.asarray(words.codes == words.lexicon.index(word))


class _Notes(logging.Handler):
    """Keeps what the library says, to show it beside what it is about; other threads speak of other things."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []
        self._thread = get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread == self._thread:
            self.said.append(record.getMessage())


@contextmanager
def hearing() -> Iterator[list[str]]:
    """Gather what the library says in this thread meanwhile."""
    notes = _Notes()
    logger = logging.getLogger("unless")
    logger.addHandler(notes)
    try:
        yield notes.said
    finally:
        logger.removeHandler(notes)


def open_table(origin: TableOrigin) -> OpenTable:
    """Read a table from where it is."""
    if origin.kind == "example":
        from unless.datasets import loans

        return OpenTable(origin, raw_table(loans()), is_text=True)
    try:
        with hearing() as said:
            table, is_text = read_file(origin.path)
    except DataError as error:  # an upload lies under a name that nobody gave it
        raise DataError(str(error).replace(origin.path, origin.name)) from None
    if not table.n_rows or not table.columns:
        msg = f"{origin.name} has {table.n_rows} rows and {len(table.columns)} columns; a table has some of each."
        raise DataError(msg)
    notes = " ".join(line.replace(origin.path, origin.name) for line in said)
    return OpenTable(origin, _labelled(table, origin), is_text=is_text, note=notes)


def _labelled(table: RawTable, origin: TableOrigin) -> RawTable:
    """Leave out the rows without a label, if that was asked for."""
    if not origin.labelled_in:
        return table
    return table.take(np.flatnonzero(~is_unlabelled(table.column(origin.labelled_in), origin.unlabelled)))


def is_unlabelled(column: RawColumn, words: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return the rows that are blank in a column, or hold one of the words that mean missing."""
    read = cells(column, "categorical", words).words
    return np.ones(column.n_rows, dtype=bool) if read is None else np.asarray(read.codes == MISSING)


def named_file(path: Path) -> TableOrigin:
    """Return the origin of a file that the user named."""
    return TableOrigin("file", path.name, str(path))


def _summary(described: Column, column: Cells) -> dict[str, Any]:
    numbers = column.known_numbers()
    words, counts = _words(column)
    distinct = np.unique(numbers)
    bounds = [float(distinct[0]), float(distinct[-1])] if len(distinct) else []
    ends = [say_number(described, shortened(described, number, bounds)) for number in bounds]
    return {
        "n_missing": column.count_missing(),
        "n_distinct": len(distinct) + len(words),
        "n_numbers": len(numbers),
        "n_words": int(counts.sum()),
        "n_distinct_words": len(words),
        "numbers": _histogram(numbers),
        "low": ends[0] if ends else None,
        "high": ends[-1] if ends else None,
        "words": [{"word": words[i], "n": int(counts[i])} for i in np.argsort(-counts, kind="stable")[:N_WORDS]],
    }


def _words(column: Cells) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    if column.words is None:
        return (), np.zeros(0, dtype=np.intp)
    codes = column.words.codes
    return column.words.lexicon, np.bincount(codes[codes != MISSING], minlength=len(column.words.lexicon))


def _histogram(numbers: NDArray[np.float64]) -> list[int]:
    """Count the numbers in steps of equal width; halved first, so that no range is too wide to measure."""
    if not len(numbers):
        return []
    counts, _ = np.histogram(numbers / 2, bins=N_BINS)
    return [int(n) for n in counts]
