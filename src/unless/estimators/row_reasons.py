"""What a classifier says of rows beyond their labels: what would change them, and which values fix them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.estimators.sklearn_inputs import Warns
from unless.evaluate.predict import row_values
from unless.evaluate.recourse_rows import TableRecourse
from unless.logic.reason.reasoner import Engine
from unless.logic.reason.recourse import ChangeLimits
from unless.logic.reason.sufficient import sufficient

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.logic.reason.recourse import Recourse
    from unless.logic.rules import Label, Value
    from unless.table.cells import Cells
    from unless.table.frames import RawTable


class RowReasons:
    """Answers of the exact engine for the rows of a table."""

    program_: Program

    def recourse(
        self, X: Any, want: Label, *, ways: int = 3, limits: ChangeLimits | None = None, seconds: float = 10.0
    ) -> list[Recourse]:
        """Find, for each row, the cheapest changes that give it a label.

        Parameters
        ----------
        X : table
            Rows as `predict` takes them. Changes of numbers are priced by the share of these rows that they pass.
        want : label
            The label that is wanted.
        ways : int
            At most so many ways for each row, the cheapest first.
        limits : ChangeLimits, optional
            What may change: see `unless.logic.reason.recourse.ChangeLimits`.
        seconds : float
            After so many seconds a question is not decided.

        Returns
        -------
        list of Recourse
            With `verdict` "yes" and `ways`; "no" where it is proved that no allowed change helps; or "not decided".

        """
        with Warns():
            table: RawTable = self._read(X)  # type: ignore[attr-defined]
            self._cells(table)  # type: ignore[attr-defined]
        found = TableRecourse(self.program_, table, limits or ChangeLimits(), seconds)
        return [found.ways(row, want, ways) for row in range(table.n_rows)]

    def sufficient(self, X: Any, *, seconds: float = 10.0) -> list[dict[str, Value | None] | None]:
        """Return, for each row, the fewest of its values that fix its label, whatever the others are.

        None stands where that was not decided within `seconds` for one question.
        """
        with Warns():
            table: RawTable = self._read(X)  # type: ignore[attr-defined]
            cells: dict[str, Cells] = self._cells(table)  # type: ignore[attr-defined]
        engine = Engine([self.program_], seconds=seconds)
        rows = [row_values(cells, row) for row in range(table.n_rows)]
        found = [sufficient(engine, self.program_, row) for row in rows]
        return [
            None if columns is None else {column: row[column] for column in columns}
            for row, columns in zip(rows, found, strict=True)
        ]
