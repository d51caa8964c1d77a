"""What literals may test: the helpers of the background first, so that they win ties, then the columns.

A helper is computed from the cells of a row alone, so the parts of a table get theirs where they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unless.evaluate.truth import Truth
from unless.learn.rows.codes import book_of
from unless.logic.column_names import found_names
from unless.table.cells import flag_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.learn.rows.codes import Codebook
    from unless.logic.program import Program
    from unless.table.cells import Cells


@dataclass(frozen=True)
class Testable:
    """The program before learning, and the columns that only its helpers test."""

    theory: Program
    hidden: tuple[str, ...] = ()

    @classmethod
    def of(cls, theory: Program, hidden: Sequence[str]) -> Testable:
        """Check that the hidden columns are there."""
        return cls(theory, found_names(hidden, theory.kinds))

    def cells(self, read: Mapping[str, Cells], n_rows: int) -> dict[str, Cells]:
        """Return the cells of all that may be tested."""
        truth = Truth(self.theory, read, n_rows).helpers if self.theory.clauses else {}
        helpers = {name: flag_cells(truth[name]) for name in self.theory.helpers}
        return helpers | {name: column for name, column in read.items() if name not in self.hidden}

    def books(self, books: Mapping[str, Codebook]) -> dict[str, Codebook]:
        """Return the codebooks of all that may be tested."""
        flag = flag_cells(np.ones(1, dtype=bool))
        helpers = {name: book_of(name, flag) for name in self.theory.helpers}
        known = self.theory.kinds
        return helpers | {name: book for name, book in books.items() if name in known and name not in self.hidden}
