"""Tables beside the table: payments of customers, as columns of the customers.

In: files whose rows name, in a key column, a row of the main table. Out: `RelatedTables`, which extends a main table by
measures ("number of payments", "largest amount of payments"; none is 0 payments, and no largest amount), and by
conjunctions over facts, `payments(X,Payment), payments_status(Payment,'late')`: some payment is late. How a column of a
related table is read is decided by its content; a row of it is called after its number, the first being 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from unless.errors import DataError
from unless.logic.names import claim
from unless.logic.relations import ROW, TRUE, RelatedName
from unless.logic.terms import Atom, Variable
from unless.logic.text.conjunctions import related_column
from unless.table.columns import RawColumn, cells
from unless.table.facts import Facts
from unless.table.formats import read_file
from unless.table.kinds import KindRule, read_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unless.logic.program import Program
    from unless.logic.rules import Column, Kind
    from unless.table.frames import RawTable

FEW_WORDS = 30
"""A column of more words than this is not asked for word by word."""
MOST = 200
"""So many conjunctions of a related table are offered; those of one word come first."""
LEAST_ROWS = 2


@dataclass(frozen=True, eq=False)
class ExtendedRows:
    """Rows with the conditions that may be tested, kinds of columns that are known, and what a task is asked for."""

    table: RawTable
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class RelatedTable:
    """One related table: its name as a predicate, its key, the main table's column that the key names, its cells."""

    called: RelatedName
    table: RawTable
    is_text: bool
    missing: tuple[str, ...] = ()

    @cached_property
    def columns(self) -> dict[str, Column]:
        """Return how its columns are read, the key apart."""
        rule = KindRule("content" if self.is_text else "dtype", missing=self.missing)
        return read_columns(self.table.without([self.called.key]), rule, aloud=False)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """Return its cells: the key, numbers of numerical and words of other columns."""
        keys = cells(self.table.column(self.called.key), "categorical", self.missing)
        found = {"": pl.Series([keys.value(row) for row in range(self.table.n_rows)], dtype=pl.String)}
        for name, column in self.columns.items():
            read = cells(self.table.column(name), column.kind, self.missing, column.reading)
            values = [read.value(row) for row in range(self.table.n_rows)]
            if column.kind == "numerical":
                numbers = [value if isinstance(value, float) else None for value in values]
                found[name] = pl.Series(numbers, dtype=pl.Float64)
            else:
                found[name] = pl.Series(values, dtype=pl.String)
        return pl.DataFrame(found)

    @property
    def thing(self) -> Variable:
        """Name one of its rows: a payment."""
        word = self.called.name.title().replace("_", "")
        return Variable(word.removesuffix("s") if len(word) > 2 else f"{word}row")

    def predicate(self, column: str) -> str:
        """Name the predicate of one of its columns."""
        return claim(f"{self.called.name} {column}", set())

    def predicates(self) -> Iterable[tuple[str, str]]:
        """Yield its predicates, each with what is called so."""
        yield self.called.name, f"table {self.called.name!r}"
        for name, column in self.columns.items():
            if column.kind == "categorical":
                yield self.predicate(name), f"column {name!r} of table {self.called.name!r}"

    def atoms(self) -> Iterable[Atom]:
        """Yield its words as facts."""
        words = [name for name, column in self.columns.items() if column.kind == "categorical"]
        for row, values in enumerate(self.frame.iter_rows(named=True)):
            if values[""] is not None:
                yield Atom(self.called.name, (values[""], f"row {row}"))
                for name in words:
                    if values[name] is not None:
                        yield Atom(self.predicate(name), (f"row {row}", values[name]))

    def conjunctions(self) -> list[Column]:
        """Return what may be asked of its rows: that one has a word, or two words of two columns."""
        asked = []
        for name, column in self.columns.items():
            words = self.frame[name].drop_nulls().unique().sort() if column.kind == "categorical" else pl.Series([])
            if 1 < len(words) <= FEW_WORDS:
                asked.append([Atom(self.predicate(name), (self.thing, word)) for word in words])
        link = Atom(self.called.name, (ROW, self.thing))
        singles = [(atom,) for atoms in asked for atom in atoms]
        pairs = [(one, two) for a, b in combinations(asked, 2) for one in a for two in b]
        return [related_column((link, *more)) for more in (*singles, *pairs)[:MOST]]

    def measures(self) -> dict[str, pl.Expr]:
        """Return the measures of its rows, by the name of their column."""
        called = self.called.name.replace("_", " ")
        found = {f"number of {called}": pl.len().cast(pl.Float64)}
        for name, column in self.columns.items():
            if column.kind == "numerical":
                found[f"largest {name} of {called}"] = pl.col(name).max()
                found[f"smallest {name} of {called}"] = pl.col(name).min()
        return found


@dataclass(frozen=True, eq=False)
class RelatedTables:
    """All related tables of a main table."""

    tables: tuple[RelatedTable, ...]

    def __post_init__(self) -> None:
        called: dict[str, str] = {}
        for predicate, what in (named for table in self.tables for named in table.predicates()):
            if predicate in called:
                msg = f"{called[predicate]} and {what} would both be called {predicate!r} in rules. Hint: rename one."
                raise DataError(msg)
            called[predicate] = what

    @staticmethod
    def open(asked: Sequence[str], missing: Sequence[str] = ()) -> RelatedTables:
        """Open files given as FILE:KEY, or FILE:KEY=COLUMN where the main table calls its column otherwise."""
        found = []
        for each in asked:
            path, separator, keys = each.rpartition(":")
            key, _, own = keys.partition("=")
            if not separator or not path or not key:
                msg = f"--related {each}: write FILE:KEY, such as payments.csv:customer_id, or FILE:KEY=COLUMN."
                raise DataError(msg)
            table, is_text = read_file(path)
            name = RelatedName(claim(Path(path).stem, set()), table.name_of(key), own or key)
            found.append(RelatedTable(name, table, is_text, tuple(missing)))
        return RelatedTables(tuple(found))

    @cached_property
    def facts(self) -> Facts:
        """Return the facts of all tables."""
        return Facts.of(atom for table in self.tables for atom in table.atoms())

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """Name the columns that measure."""
        return tuple(name for table in self.tables for name in table.measures())

    def refuse_absent(self, program: Program, how: str) -> None:
        """Refuse to go on without a table that a program was learned with; `how` says what to write."""
        given = {table.called.name for table in self.tables}
        for each in program.related:
            if each.name not in given:
                key = each.key if each.key == each.column else f"{each.key}={each.column}"
                both = dict.fromkeys((each.key, each.column))
                asked = how.format(name=each.name, key=key, keys=", ".join(map(repr, both)))
                msg = f"the program was learned with a table {each.name!r} beside the table: give {asked}."
                raise DataError(msg)

    def training(self, main: RawTable) -> ExtendedRows:
        """Return a main table with all that may be asked of it; the keys themselves may not."""
        columns = self.candidates(main)
        kinds: dict[str, Kind] = dict.fromkeys(self.measures, "numerical")
        kinds |= {column.name: "categorical" for column in columns}
        hidden = [column.name for column in columns]
        # A key that only names the rows is no condition.
        hidden += [t.called.column for t in self.tables if len(set(self.keys(main, t))) == main.n_rows]
        beside = tuple(table.called for table in self.tables)
        options = {"related": columns, "beside": beside, "background_columns": hidden}
        return ExtendedRows(self.extended(main, columns), kinds, options)

    def candidates(self, main: RawTable) -> tuple[Column, ...]:
        """Return the conjunctions that hold for some rows of a main table, and not for all; no label is looked at."""
        found: dict[tuple[str | None, ...], Column] = {}
        for table in self.tables:
            keys = self.keys(main, table)
            for column in table.conjunctions():
                cells_of = tuple(self.holds(column, keys))
                if LEAST_ROWS <= sum(cell is not None for cell in cells_of) < len(cells_of):
                    found.setdefault(cells_of, column)
        return tuple(found.values())

    def keys(self, main: RawTable, table: RelatedTable) -> list[str | None]:
        """Return the words of the main table's column that a related table's key names."""
        read = cells(main.column(table.called.column), "categorical", table.missing)
        return [word if isinstance(word := read.value(row), str) else None for row in range(main.n_rows)]

    def holds(self, column: Column, keys: Sequence[str | None]) -> list[str | None]:
        """Return for each key whether a conjunction holds: true, or nothing."""
        known = self.facts.bindings(column.atoms, [key for key in dict.fromkeys(keys) if key is not None])
        holding = {self.facts.terms[code] for code in known[ROW.name].unique()}
        return [TRUE if key in holding else None for key in keys]

    def extended(self, main: RawTable, columns: Iterable[Column]) -> RawTable:
        """Return a main table with measures and conjunctions."""
        more = {}
        for table in self.tables:
            keys = self.keys(main, table)
            more.update({name: partial(_measured, table, keys, name) for name in table.measures()})
            own = [column for column in columns if column.atoms[0].name == table.called.name]
            more.update({column.name: partial(self._related, column, keys) for column in own})
        for name in more:
            if name in main.columns:
                msg = f"column {name!r} is called as what the table beside it gives. Hint: rename it."
                raise DataError(msg)
        return main.with_columns(more)

    def _related(self, column: Column, keys: Sequence[str | None]) -> RawColumn:
        return RawColumn(column.name, text=pl.Series(self.holds(column, keys), dtype=pl.String))


def _measured(table: RelatedTable, keys: Sequence[str | None], name: str) -> RawColumn:
    measured = table.frame.group_by("").agg(table.measures()[name].alias("measured"))
    known = dict(measured.filter(pl.col("").is_not_null()).iter_rows())
    nothing = 0.0 if name.startswith("number of ") else None
    numbers = [None if key is None else known.get(key, nothing) for key in keys]
    return RawColumn(name, numbers=pl.Series(numbers, dtype=pl.Float64))
