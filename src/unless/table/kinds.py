"""Which columns are numerical and which categorical, and how their cells are read.

The user's word comes first. Otherwise the dtype decides (numbers and dates: numerical, text: categorical), and where
there is no dtype, as in a CSV file, the content: a column in which most values are numbers or dates, however they are
written (`recognise`), is numerical, unless it is written like a code ("08"). What is decided against the look of a
column, and how its cells are read, is said, so that the user can decide otherwise.

All that a decision needs of a column is its `Look` (`column_look`); what people choose is read by `kind_choice`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from unless.errors import DataError
from unless.logic.column_names import no_column, resolved_keys
from unless.logic.date_parts import DatePart
from unless.logic.readings import is_date, reading_format
from unless.logic.rules import Column
from unless.table.column_look import look_at
from unless.table.columns import cells
from unless.table.kind_remarks import remark, remark_reading, remark_text
from unless.table.recognise import decimal_marks, may_be_thousands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from unless.logic.rules import Kind
    from unless.table.column_look import Look
    from unless.table.columns import RawColumn
    from unless.table.frames import RawTable

Evidence = OneOf["dtype", "content"]


@dataclass(frozen=True, slots=True)
class KindRule:
    """How kinds are decided: those named are fixed, the others go by dtype or by content; missing words have no say.

    `readings` are the ways to read the columns that it names, which are numerical then.
    """

    by: Evidence
    fixed: Mapping[str, Kind] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, reading in self.readings.items():
            reading_format(reading)
            if self.fixed.get(name) == "categorical":
                msg = f"column {name!r} is named categorical, and to be read as {reading!r}; it can be one."
                raise DataError(msg)

    def called_as(self, names: Sequence[str]) -> KindRule:
        """Return the same rule, by what the columns that it names are called in a table."""
        return KindRule(self.by, resolved_keys(self.fixed, names), self.missing, resolved_keys(self.readings, names))

    def columns(self, names: Sequence[str], looks: Mapping[str, Look]) -> dict[str, Column]:
        """Decide the kind of every column, and how it is read; those that are fixed need no look."""
        for name in (*self.fixed, *self.readings):
            if name not in names:
                raise DataError(no_column(name, names))
        decimals = decimals_of(looks)
        return {name: self._column(name, looks.get(name), decimals) for name in names}

    def _column(self, name: str, look: Look | None, decimals: frozenset[str]) -> Column:
        if name in self.readings:
            form = reading_format(self.readings[name])
            return Column(name, form.kind if isinstance(form, DatePart) else "numerical", reading=form.text)
        kind = self.fixed.get(name)
        if kind == "categorical" or look is None:
            return Column(name, kind or "categorical")
        found, reading = decide(look, self.evidence(name), decimals)
        if kind is not None:
            found, reading = kind, look.recognise(decimals).reading or look.given
        return Column(name, found, reading=reading)

    def evidence(self, name: str) -> Evidence:
        """Say what decides about a column: what is to be numerical must be looked at closely."""
        return "content" if self.fixed.get(name) == "numerical" else self.by

    def look(self, column: RawColumn) -> Look:
        """Look at a column: at all of its texts where the content decides, at some where the dtype does."""
        return look_at(column, self.missing, is_glance=self.evidence(column.name) == "dtype")

    def needs_look(self, name: str) -> bool:
        """Tell whether anything is left to decide about a column."""
        return name not in self.readings and self.fixed.get(name) != "categorical"

    def remark(self, looks: Mapping[str, Look], words: Callable[[str], Iterable[str]]) -> None:
        """Say what was decided against the look of a column, and how it is read; `words` are those of a column."""
        columns = self.columns([*dict.fromkeys((*looks, *self.fixed, *self.readings))], looks)
        decimals = decimals_of(looks)
        for name, look in looks.items():
            found = look.recognise(decimals)
            if look.is_text and (columns[name].reading or (found.others and columns[name].kind == "numerical")):
                remark_reading(name, found, look, partial(words, name))
            elif name not in self.fixed and self.by == "dtype":
                remark_text(name, look, decimals)
            elif name not in self.fixed:
                remark(name, look, decimals, partial(words, name))


def decimals_of(looks: Mapping[str, Look]) -> frozenset[str]:
    """Return the decimal marks of a table, where some column needs to know."""
    if all(look.n_read == look.n_seen and not may_be_thousands(look.skeletons) for look in looks.values()):
        return frozenset()
    return decimal_marks((look.skeletons, look.n_read) for look in looks.values())


def kinds_from_dtype(table: RawTable) -> dict[str, Kind]:
    """Decide by dtype: text is categorical, numbers are numerical, objects go by what most of them are."""
    return _decided(table, KindRule("dtype"))


def kinds_from_content(table: RawTable, missing: Sequence[str] = ()) -> dict[str, Kind]:
    """Decide by what the cells look like: for files, where everything is text."""
    return _decided(table, KindRule("content", missing=tuple(missing)))


def _decided(table: RawTable, rule: KindRule) -> dict[str, Kind]:
    return {name: column.kind for name, column in read_columns(table, rule).items()}


def read_columns(table: RawTable, rule: KindRule, *, aloud: bool = True) -> dict[str, Column]:
    """Decide the kind of every column of a table, and how it is read; say so, if `aloud`."""
    known = {name: kind for name, kind in rule.fixed.items() if name in table.columns}
    rule = KindRule(rule.by, known, rule.missing, {n: r for n, r in rule.readings.items() if n in table.columns})
    looks = {name: rule.look(table.column(name)) for name in table.names if rule.needs_look(name)}
    if aloud:
        rule.remark(looks, lambda name: _words(table.column(name), rule.missing))
    return rule.columns(table.names, looks)


def _words(column: RawColumn, missing: Sequence[str]) -> Sequence[str]:
    read = cells(column, "categorical", missing).words
    return () if read is None else read.lexicon


def decide(look: Look, by: Evidence, decimals: frozenset[str] = frozenset()) -> tuple[Kind, str]:
    """Decide the kind of a column by its look, and how it is read."""
    if not look.is_text:
        return "numerical", look.given
    if by == "dtype":
        return ("numerical" if look.n_numbers and look.n_numbers >= look.n_texts else "categorical"), ""
    found = look.recognise(decimals)
    if is_date(found.reading):
        return "numerical", found.reading
    if 2 * found.n_read <= look.n_seen or look.has_code or look.has_grades:
        return "categorical", ""
    return "numerical", found.reading
