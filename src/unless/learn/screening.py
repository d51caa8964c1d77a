"""Columns are screened before anything is learned from them: those that name their rows are left out, if asked.

In: the survey of a table, and what the user said about columns. Out: the columns to learn from; what was found is said
(`table.identifiers`). A column that the user named in any way, a kind or a constraint, is kept. The estimators do what
they are asked: there, identifiers are only pointed out.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import Count, listing
from unless.logic.column_names import found_names, names_alike, tidy
from unless.logic.names import name_predicates
from unless.logic.program import Program
from unless.logic.rules import Column
from unless.table.hygiene import MINUS, PLUS, copied_rows, look_alike, perhaps_missing
from unless.table.identifiers import decides_alone, is_mostly_blank, is_too_long, names_rows, option, repeats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unless.learn.rows.codes import Columns
    from unless.learn.rows.source import LocalTable
    from unless.learn.rows.survey import Survey
    from unless.table.identifiers import ColumnFinding

log = logging.getLogger("unless")

MANY_LABELS, ENOUGH_OF_EACH = 30, 100
"""More labels than this, with fewer rows each than that on average, are values rather than labels."""
ENOUGH_ROWS = 500_000
"""So many rows, evenly drawn, show whether a column decides alone."""
SOME = 20
"""Copies are said from one in so many rows on: fewer hardly move the figures of rows held out."""


@dataclass(frozen=True, slots=True)
class Screening:
    """What is done about columns that name their rows: they are left out, or only pointed out; but for those kept.

    `keep` is how somebody brings a column back, as it is typed. Where `remarks`, other oddities are said too.
    """

    kept: tuple[str, ...] = ()
    leaves_out: bool = False
    keep: str = ""
    remarks: bool = True

    def columns(
        self, names: Sequence[str], survey: Survey, how: Mapping[str, Column], spoken: frozenset[str]
    ) -> list[str]:
        """Return the columns to learn from; those spoken of (see `mentioned`) are kept."""
        kept = found_names(self.kept, names)
        found = [finding for name in names if (finding := _identifier(survey, how[name])) is not None]
        found = [each for each in found if each.column not in kept and not _names(each.column) & spoken]
        if not self.leaves_out or len(found) == len(names):
            _point_out(found)
            return list(names)
        gone = {finding.column for finding in found}
        for finding in found:
            keep = self.keep or option("keep-column", finding.column)
            log.warning("left out: %s (%s). To learn from it: %s", finding.column, finding, keep)
        return [name for name in names if name not in gone]


def mentioned(*said: Any) -> frozenset[str]:
    """Return the words of all that was said beside the table: names of columns, clauses, files of clauses."""
    words: set[str] = set()
    for each in said:
        if isinstance(each, Path):
            words |= mentioned(each.read_text(encoding="utf-8", errors="replace") if each.is_file() else "")
        elif isinstance(each, Mapping):
            words |= mentioned(*each, *each.values())
        elif isinstance(each, str | Program):
            text = str(each)
            words |= {text, *re.findall(r"\w+", text)}
        elif isinstance(each, Iterable):
            words |= mentioned(*each)
    return frozenset(words)


def _names(column: str) -> frozenset[str]:
    """Return how a column may be called: by its name, or by its predicate in clauses."""
    return frozenset({column, name_predicates("", [Column(column, "categorical")]).numbers_or_words[column]})


def _identifier(survey: Survey, column: Column) -> ColumnFinding | None:
    book = survey.books[column.name]
    return names_rows(column, book.numbers, len(book.words), survey.n_rows)


def _point_out(found: Sequence[ColumnFinding]) -> None:
    for finding in found:
        log.warning("column %r names its rows (%s); rules about it fit no other table.", finding.column, finding)


def without_others(survey: Survey, names: Sequence[str]) -> Survey:
    """Return a survey of some columns only."""
    kept = set(names)
    return replace(survey, books={name: book for name, book in survey.books.items() if name in kept})


def remark_labels(column: str, classes: NDArray[Any], n_rows: int) -> None:
    """Say which labels look alike, which perhaps mean that there is none, and that there are too many to be labels."""
    if len(classes) > MANY_LABELS and n_rows < ENOUGH_OF_EACH * len(classes):
        log.warning(
            "column %r has %s labels in %s rows, and each is learned by itself: numbers, dates and texts are no "
            "labels. Put them into a few classes first.",
            column, Count(len(classes)), Count(n_rows),
        )  # fmt: skip
    words = [label for label in classes.tolist() if isinstance(label, str)]
    for word in perhaps_missing(words) if len(classes) > 2 else ():  # of two labels, + and -, none is missing
        fix = option("missing", word, lists=True)
        log.warning("the label %r perhaps means missing. If so, leave such rows out: %s", word, fix)
    finding = look_alike("", words)
    if finding is not None:
        twins = "; ".join(" and ".join(map(repr, group)) for group in finding.gaps["groups"])
        log.warning(
            "labels that look alike are learned as different ones: %s. If they are one, write them alike.",
            twins,
        )


def remark_copies(table: LocalTable) -> None:
    """Say that many rows are copies of others: one that is held out is then learned from all the same."""
    import polars as pl

    columns = table.columns
    if not columns.books or columns.n_rows > ENOUGH_ROWS:
        return
    codes = {str(index): columns.codes_of(index) for index in range(len(columns.books))}
    n_copies = copied_rows(pl.DataFrame({**codes, "label": table.labels}))
    if n_copies * SOME >= columns.n_rows:
        log.warning(
            "%s of %s rows are the same as another in every column and label. If they are copies, or one thing "
            "measured several times, a row held out has its twin among those learned from, and figures on unseen rows "
            "are too good.",
            Count(n_copies), Count(columns.n_rows),
        )  # fmt: skip


def remark_columns(table: LocalTable, missing: Sequence[str] = ()) -> None:
    """Say which columns have odd names or one value, repeat another, or decide nearly everything alone.

    `missing` are the words that mean missing.
    """
    columns = table.columns
    untidy = [book.name for book in columns.books if tidy(book.name) != book.name]
    if untidy:  # they are shown without, and a database would not find them so
        log.warning(
            "names with blanks or characters that nobody sees: %s. "
            "Options and other tables may write them tidily; SQL must write them so.",
            listing(map(repr, untidy)),
        )
    if alike := names_alike(book.name for book in columns.books):
        log.warning(
            "columns whose names look alike: %s. "
            "Readers and databases may take them for one; other names would be safer.",
            listing(" and ".join(map(repr, group)) for group in alike),
        )
    _offer_missing(columns)
    _remark_minus(columns, missing)
    constant = [b.name for index, b in enumerate(columns.books) if b.missing <= 1 and _is_constant(columns, index)]
    if blank := [book.name for book in columns.books if not book.missing]:
        log.warning("no value in any row, so never tested: %s.", listing(blank))
    too_long = {book.name: found for book in columns.books if (found := is_too_long(book.name, book.numbers))}
    if same := [name for name in constant if name not in blank and name not in too_long]:
        log.warning("the same value in every row, so never tested: %s.", listing(same))
    if few := [book.name for index, book in enumerate(columns.books) if _may_be_merged(columns, index)]:
        log.warning(
            "words in a few rows only, else blank: %s. If these are merged cells of a spreadsheet, only the first of "
            "them has the value: fill it in below, or learning cannot use it.", listing(few),
        )  # fmt: skip
    never_tested = frozenset(constant)
    seen: dict[tuple[int, bytes], str] = {}
    every = -(-columns.n_rows // ENOUGH_ROWS)
    labels = table.labels[::every]
    for index, book in enumerate(columns.books):
        if book.name in never_tested and book.name not in too_long:
            continue
        codes = columns.codes_of(index)
        for finding in (
            too_long.get(book.name),
            repeats(book.name, book.missing, codes, seen),
            decides_alone(book.name, codes[::every].astype(np.int64), book.n_numbers, labels),
        ):
            if finding is not None:
                log.warning("column %r: %s. To leave it out: %s", finding.column, finding, finding.fix)


def _may_be_merged(columns: Columns, index: int) -> bool:
    book = columns.books[index]
    if book.n_numbers or not book.words:
        return False
    return is_mostly_blank(book.name, _count_missing(columns, index), columns.n_rows) is not None


def _count_missing(columns: Columns, index: int) -> int:
    return int((columns.codes_of(index) == columns.books[index].missing).sum())


def _offer_missing(columns: Columns) -> None:
    """Offer words as missing that often are."""
    found: dict[str, list[str]] = {}
    for book in columns.books:
        for word in perhaps_missing(book.words):
            found.setdefault(word, []).append(book.name)
    if found:
        shown = "; ".join(f"{word!r} in {listing(names)}" for word, names in sorted(found.items()))
        log.warning("perhaps missing: %s. If so: %s", shown, option("missing", ",".join(sorted(found)), lists=True))


def _remark_minus(columns: Columns, missing: Sequence[str]) -> None:
    """Say where a minus that is called missing may mean negative: words are missing in all columns, or in none."""
    named = sorted(MINUS.intersection(missing))
    signed = (
        index for index, book in enumerate(columns.books) if named and not book.n_numbers and PLUS & {*book.words}
    )
    if negative := [columns.books[index].name for index in signed if _count_missing(columns, index)]:
        log.warning(
            "%r is missing, as you say, also beside '+' in %s: if it means negative there, write it as a word.",
            named[0], listing(negative),
        )  # fmt: skip


def _is_constant(columns: Columns, index: int) -> bool:
    codes = columns.codes_of(index)
    return bool(len(codes)) and bool((codes == codes[0]).all())
