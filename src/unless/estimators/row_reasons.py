"""What a classifier says of rows beyond their labels: what would change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.evaluate.recourse_rows import TableRecourse
from unless.logic.reason.recourse import Limits

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.logic.reason.recourse import Recourse
    from unless.logic.rules import Label
    from unless.table.frames import RawTable


class RowReasons:
    """Answers of the exact engine for the rows of a table."""

    program_: Program

    def recourse(
        self, X: Any, want: Label, *, ways: int = 3, limits: Limits | None = None, seconds: float = 10.0
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
        limits : Limits, optional
            What may change: see `unless.logic.reason.recourse.Limits`.
        seconds : float
            After so many seconds a question is not decided.

        Returns
        -------
        list of Recourse
            With `verdict` "yes" and `ways`; "no" where it is proved that no allowed change helps; or "not decided".

        """
        table: RawTable = self._read(X)  # type: ignore[attr-defined]
        found = TableRecourse(self.program_, table, limits or Limits(), seconds)
        return [found.ways(row, want, ways) for row in range(table.n_rows)]
