"""A first look at a table: what each column is, how it is read, what it holds against the label, and what is odd.

In: any table or file, perhaps the name of the column of labels. Out: a `TableLook`, a frozen value that shows itself as
text and in notebooks. Nothing is learned and nothing is changed; whatever is odd comes with the fix to type.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from typing import Literal as OneOf

import numpy as np

from unless.errors import DataError
from unless.logic.readings import is_date, say_number
from unless.showing import show
from unless.table.cells import MISSING
from unless.table.columns import cells
from unless.table.frames import raw_table
from unless.table.hygiene import (
    look_alike,
    missing_words,
    near_numbers,
    own_name,
    repeated_headers,
    repeated_rows,
    trimmed_cells,
)
from unless.table.identifiers import (
    ColumnFinding,
    decides_alone,
    is_constant,
    is_mostly_blank,
    is_too_long,
    looks_like_a_code,
    names_rows,
    repeats,
    stands_for_unknown,
)
from unless.table.kind_remarks import meaning
from unless.table.kinds import KindRule, decimals_of
from unless.table.labels import labelled, read_label_words, unlabelled_rows
from unless.table.reading_findings import odd_reading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from unless.logic.rules import Column, Kind
    from unless.table.cells import Cells, Words
    from unless.table.column_look import Look
    from unless.table.frames import RawTable

    Ints = NDArray[np.int64]

BARS = 12
"""How many bars a picture has at most."""

Content = OneOf["numbers", "words", "numbers and words", "dates", "times", "nothing"]


class LabelBar(NamedTuple):
    """A bar of a column's picture: the values in it as people write them, its rows, and those with the label."""

    low: str
    high: str
    n_rows: int
    n_label: int


@dataclass(frozen=True, slots=True)
class ColumnLook:
    """One column: what it holds, how it is read, its range or commonest words, its picture, and what is odd.

    The bars are shares from 0 to 1, from low to high values or from common to rare words: of the rows, or, where there
    are labels, of the rows with `TableLook.label` among those of the bar.
    """

    name: str
    content: Content
    reading: str
    n_distinct: int
    n_missing: int
    values: tuple[str, ...]
    bars: tuple[float, ...]
    findings: tuple[ColumnFinding, ...]


@dataclass(frozen=True, slots=True)
class TableLook:
    """A table: its rows and columns, and, where labels are named, how many rows have each."""

    n_rows: int
    columns: tuple[ColumnLook, ...]
    target: str | None = None
    label: str | None = None
    labels: tuple[tuple[str, int], ...] = ()
    label_findings: tuple[ColumnFinding, ...] = ()
    """What is odd about the labels: some look alike, or one is the name of their column."""
    n_repeated: int = 0
    """So many rows are the same as another in every column, where rows else differ."""

    def as_dict(self) -> dict[str, Any]:
        """Return the look as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        return show("look as text", self)

    def _repr_html_(self) -> str:
        return show("look as html", self)


def look(
    data: Any,
    target: str | None = None,
    *,
    missing: Sequence[str] = (),
    kinds: Mapping[str, Kind] | None = None,
    readings: Mapping[str, str] | None = None,
) -> TableLook:
    """Look at a table or a file before anything is learned from it.

    >>> seen = look({"age": [20, 30, 40, 50, 60], "ok": ["no", "no", "no", "yes", "yes"]}, target="ok")
    >>> seen.columns[0].content, seen.columns[0].bars
    ('numbers', (0.0, 0.0, 0.0, 1.0, 1.0))
    """
    table, is_text = _read(data)
    if target is not None and not isinstance(target, str | int):
        msg = f"target is a {type(target).__name__}; accepted: the name of a column of the table."
        raise DataError(msg)
    return look_at_table(
        table,
        KindRule("content" if is_text else "dtype", kinds or {}, tuple(missing), readings or {}),
        None if target is None else str(target),
    )


def look_at_table(table: RawTable, rule: KindRule, target: str | None = None) -> TableLook:
    """Look at a table that is read already."""
    labels, n_unlabelled = None, 0
    rule = rule.called_as(table.names)
    if target is not None:
        target = table.name_of(target)
        has_label = labelled(table.column(target), rule.missing)
        n_unlabelled = int((~has_label).sum())
        table = table.take(np.flatnonzero(has_label)) if n_unlabelled else table
        labels = read_label_words(table.column(target))
    others = table if target is None else table.without([target])
    looks = {name: rule.look(others.columns[name]) for name in others.names if rule.needs_look(name)}
    columns = rule.columns(others.names, looks)
    label, counts = _label(labels)
    n_headers = repeated_headers(table)
    looker = _Looker(table.n_rows, labels, label, rule, looks, n_headers)
    found = tuple(looker.column(others, column) for column in columns.values())
    named = None if labels is None or label is None else labels.lexicon[label]
    odd = () if target is None else _odd_labels(target, dict(counts), n_unlabelled, n_headers)
    odd_labels = tuple(finding for finding in odd if finding is not None)
    return TableLook(table.n_rows, found, target, named, counts, odd_labels, repeated_rows(table))


def _odd_labels(
    target: str, counts: Mapping[str, int], n_unlabelled: int, n_headers: int
) -> tuple[ColumnFinding | None, ...]:
    """Find what is odd about the labels: rows without one, words that look alike or mean missing."""
    absent = None
    if n_unlabelled:
        said = unlabelled_rows(target, n_unlabelled).removesuffix(".")
        absent = ColumnFinding(target, "no label", said, "", "no_label", {"rows": n_unlabelled})
    missing = missing_words(target, counts) if len(counts) > 2 else None
    return absent, missing, look_alike(target, counts), own_name(target, counts, n_headers)


def label_bars(column: Column, read: Cells, has_label: NDArray[np.bool_]) -> tuple[LabelBar, ...]:
    """Return the bars of a column's picture against a label: the same ones as `unless look` draws."""
    numbers, codes = _coded(read)
    lexicon = () if read.words is None else read.words.lexicon
    bins = _bins(np.bincount(codes, minlength=len(numbers) + len(lexicon) + 1), numbers, equal=True)
    shown = bins[codes]
    n = np.bincount(shown[shown >= 0])
    with_label = np.bincount(shown[(shown >= 0) & has_label], minlength=len(n))
    found = []
    for bar in range(len(n)):
        inside = np.flatnonzero(bins == bar)
        low, high = (
            say_number(column, float(numbers[code])) if len(numbers) else lexicon[code]
            for code in (int(inside[0]), int(inside[-1]))
        )
        found.append(LabelBar(low, high, int(n[bar]), int(with_label[bar])))
    return tuple(found)


def _read(data: Any) -> tuple[RawTable, bool]:
    if not isinstance(data, str | os.PathLike):
        return raw_table(data), False
    from unless.table.formats import read_file

    return read_file(str(data))


def _label(labels: Words | None) -> tuple[int | None, tuple[tuple[str, int], ...]]:
    """Return the label that pictures show, the rarer of two or the commonest, and the rows of each label."""
    if labels is None or not labels.lexicon:
        return None, ()
    counts = np.bincount(labels.codes, minlength=len(labels.lexicon))
    label = int(counts.argmin() if len(counts) == 2 else counts.argmax())
    order = sorted(range(len(counts)), key=lambda code: (-counts[code], code))
    return label, tuple((labels.lexicon[code], int(counts[code])) for code in order)


class _Looker:
    """Looks at one column after the other, and remembers those it has seen."""

    def __init__(
        self,
        n_rows: int,
        labels: Words | None,
        label: int | None,
        rule: KindRule,
        looks: Mapping[str, Look],
        n_headers: int,
    ) -> None:
        self.n_rows, self.labels, self.label, self.rule, self.looks = n_rows, labels, label, rule, looks
        self.n_headers = n_headers
        self.decimals = decimals_of(looks)
        self.seen: dict[tuple[int, bytes], str] = {}

    def column(self, table: RawTable, column: Column) -> ColumnLook:
        """Look at one column."""
        raw = table.columns[column.name]
        read = cells(raw, column.kind, self.rule.missing, column.reading)
        numbers, codes = _coded(read)
        words = () if read.words is None else read.words.lexicon
        n_missing = int((codes == len(numbers) + len(words)).sum())
        counts = np.bincount(codes, minlength=len(numbers) + len(words) + 1)
        by_word = dict(zip(words, counts[len(numbers) : -1].tolist(), strict=True))
        bins = _bins(counts, numbers, equal=self.labels is not None)
        return ColumnLook(
            column.name,
            _content(column, len(numbers), len(words)),
            column.reading,
            len(numbers) + len(words),
            n_missing,
            _values(column, numbers, by_word),
            self._bars(bins[codes]),
            tuple(self._findings(column, numbers, codes, by_word, n_missing, trimmed_cells(raw))),
        )

    def _bars(self, bins: Ints) -> tuple[float, ...]:
        """Return the share of each bin: of its rows, or of those with the label in it; bin -1 is left out."""
        shown = bins >= 0
        n = np.bincount(bins[shown])
        if not len(n):
            return ()
        if self.labels is None:
            return tuple((n / n.max()).tolist())
        with_label = np.bincount(bins[shown & (self.labels.codes == self.label)], minlength=len(n))
        return tuple((with_label / np.maximum(n, 1)).tolist())

    def _findings(
        self,
        column: Column,
        numbers: NDArray[np.float64],
        codes: Ints,
        words: Mapping[str, int],
        n_missing: int,
        n_trimmed: int,
    ) -> list[ColumnFinding]:
        if not self.n_rows:
            return []
        n_values = len(numbers) + len(words)
        too_long = is_too_long(column.name, numbers)
        constant = None if too_long else is_constant(column, n_values, n_missing, self.n_rows)
        identifier = names_rows(column, numbers, len(words), self.n_rows)
        repeated = repeats(column.name, n_values, codes, self.seen)
        found = [
            self._reading(column, words),
            constant,
            identifier,
            None if constant or identifier else repeated,
            too_long,
            looks_like_a_code(column, numbers, self.n_rows),
            stands_for_unknown(column, numbers),
            is_mostly_blank(column.name, n_missing, self.n_rows),
            missing_words(column.name, words),
            None if identifier else look_alike(column.name, words),
            near_numbers(column.name, len(numbers), words, has_dates=bool(column.reading) and is_date(column.reading)),
            own_name(column.name, words, self.n_headers),
            _blanks(column.name, n_trimmed),
        ]
        if self.labels is not None and not identifier:
            found.append(decides_alone(column.name, codes, len(numbers), self.labels.codes.astype(np.intp)))
        return [finding for finding in found if finding is not None]

    def _reading(self, column: Column, words: Mapping[str, int]) -> ColumnFinding | None:
        look = self.looks.get(column.name)
        is_counted = self.rule.evidence(column.name) == "content"  # else some texts were looked at, not all
        return None if look is None else odd_reading(column, look, self.decimals, words, is_counted=is_counted)


def _blanks(column: str, n_cells: int) -> ColumnFinding | None:
    if not n_cells:
        return None
    evidence = f"blanks around {n_cells} cell{'s' * (n_cells != 1)}, which are left off"
    return ColumnFinding(column, "blanks", evidence, "", "blanks", {"cells": n_cells})


def _coded(read: Cells) -> tuple[NDArray[np.float64], Ints]:
    """Return the distinct numbers, and a code per row: ranks of numbers, then of words, then missing."""
    numbers = np.empty(0)
    codes = np.full(read.n_rows, -1, dtype=np.int64)
    if read.numbers is not None:
        present = ~np.isnan(read.numbers)
        numbers, codes[present] = np.unique(read.numbers[present], return_inverse=True)
    n_words = 0
    if read.words is not None:
        n_words = len(read.words.lexicon)
        has_word = read.words.codes != MISSING
        codes[has_word] = read.words.codes[has_word] + len(numbers)
    return numbers, np.where(codes < 0, len(numbers) + n_words, codes)


def _content(column: Column, n_numbers: int, n_words: int) -> Content:
    if not n_numbers and not n_words:
        return "nothing"
    if column.reading and is_date(column.reading) and not n_words:
        return "times" if meaning(column.reading) == "times" else "dates"
    if n_numbers and n_words:
        return "numbers and words"
    return "numbers" if n_numbers else "words"


def _values(column: Column, numbers: NDArray[np.float64], words: Mapping[str, int]) -> tuple[str, ...]:
    """Return the least and the greatest number, or the commonest words."""
    if len(numbers):
        return tuple(dict.fromkeys(say_number(column, float(number)) for number in (numbers[0], numbers[-1])))
    return tuple(sorted(words, key=lambda word: (-words[word], word))[:BARS])


def _bins(counts: Ints, numbers: NDArray[np.float64], *, equal: bool) -> Ints:
    """Return the bar of each code, -1 for those without: numbers from low to high, words from common to rare.

    Where there are many numbers, each bar has as many rows, if labels are compared, else as wide a range.
    """
    bins = np.full(len(counts), -1, dtype=np.int64)
    n = len(numbers)
    if not n:
        common = np.lexsort((np.arange(len(counts) - 1), -counts[:-1]))[:BARS]
        bins[common] = np.arange(len(common))
    elif n <= BARS:
        bins[:n] = np.arange(n)
    else:
        rows = (np.cumsum(counts[:n]) - counts[:n] / 2) / counts[:n].sum()
        width = (numbers - numbers[0]) / (numbers[-1] - numbers[0])
        bins[:n] = np.minimum((rows if equal else width) * BARS, BARS - 1).astype(np.int64)
        if equal:  # a value of many rows fills several bars, of which one is kept
            bins[:n] = np.unique(bins[:n], return_inverse=True)[1]
    return bins
