"""Rows with more beside them than a table holds, for whoever learns and predicts: `RowsBeside`, `RelatedRows`.

`RelatedRows` is what an estimator takes as X where a customer has payments. Learning asks it for conditions over what
is beside the rows (`training`); predicting asks for those that a program speaks of (`table_for`), and explaining for
the things that make them hold (`witnesses`). Its rows can be counted and taken, so scikit-learn can split them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.logic.names import claim
from unless.logic.relations import RelatedName
from unless.table.frames import raw_table
from unless.table.related_tables import RelatedTable, RelatedTables

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.table.frames import RawTable
    from unless.table.labels import Labels
    from unless.table.related_tables import ExtendedRows


class RowsBeside:
    """Rows with something beside them."""

    __slots__ = ()

    @property
    @abstractmethod
    def main(self) -> RawTable:
        """Return the rows alone."""

    @abstractmethod
    def training(self, labels: Labels) -> ExtendedRows:
        """Return the rows as they are learned from."""

    @abstractmethod
    def table_for(self, program: Program, main: RawTable) -> RawTable:
        """Return rows with what a program asks about things beside them."""

    @abstractmethod
    def witnesses(self, program: Program, row: int) -> dict[str, dict[str, str]]:
        """Return the things that make each conjunction of a program hold of a row, by what they are."""

    def __len__(self) -> int:
        return self.main.n_rows


class RelatedRows(RowsBeside):
    """Rows of any table, and tables beside it: each named, with the column that says which row it is about.

    Parameters
    ----------
    rows : table
        As for `fit` and `predict`.
    beside : dict
        By name a table and its key, `{"payments": (payments, "customer_id")}`; a third entry names the column of
        `rows` that the key stands for, if it is called otherwise.

    Examples
    --------
    >>> rows = RelatedRows([{"id": 1}, {"id": 2}], {"visits": ([{"id": 1, "why": "pain"}], "id")})
    >>> len(rows), len(rows[[1]])
    (2, 1)

    """

    def __init__(self, rows: Any, beside: Mapping[str, tuple[Any, ...]]) -> None:
        if not isinstance(beside, Mapping) or not all(map(_is_given, beside.values())):
            msg = (
                "RelatedRows takes tables by name, each with its key, such as {'payments': (payments, 'customer_id')}; "
                "a third entry is what the rows call the key, if that is another name."
            )
            raise DataError(msg)
        self._main = raw_table(rows)
        self.tables = RelatedTables(tuple(_related(name, *given) for name, given in beside.items()))

    @property
    def main(self) -> RawTable:
        """Return the rows alone."""
        return self._main

    @property
    def shape(self) -> tuple[int, int]:
        """Count rows and columns, as scikit-learn does."""
        return self._main.n_rows, len(self._main.columns)

    def __getitem__(self, rows: Any) -> RelatedRows:
        """Take some rows, by number or by a mask; what is beside them stays."""
        chosen = object.__new__(RelatedRows)
        chosen._main = self._main.take(np.arange(self._main.n_rows, dtype=np.intp)[rows])
        chosen.tables = self.tables
        return chosen

    def training(self, labels: Labels) -> ExtendedRows:
        """Return the rows with measures, and with the conjunctions that hold for some of them."""
        return self.tables.training(self._main)

    def table_for(self, program: Program, main: RawTable) -> RawTable:
        """Return rows with the measures and the conjunctions that a program speaks of."""
        self.tables.refuse_absent(program, "RelatedRows(rows, {{{name!r}: (table, {keys})}})")
        return self.tables.extended(main, [column for column in program.columns if column.atoms])

    def witnesses(self, program: Program, row: int) -> dict[str, dict[str, str]]:
        """Return the things beside a row that make conjunctions hold."""
        keys = {table.called.name: self.tables.keys(self._main, table) for table in self.tables.tables}
        columns = [column for column in program.columns if column.atoms]
        return {c.name: self.tables.facts.said(c, keys[c.atoms[0].name][row]) for c in columns}


def _is_given(given: Any) -> bool:
    """Tell whether something is a table with its key, and perhaps what the rows call that."""
    return isinstance(given, tuple | list) and len(given) in (2, 3) and all(isinstance(key, str) for key in given[1:])


def _related(name: str, table: Any, key: str, column: str | None = None) -> RelatedTable:
    read = raw_table(table)
    return RelatedTable(RelatedName(claim(str(name), set()), read.name_of(key), column or key), read, is_text=False)
