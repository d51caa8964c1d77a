"""A program looked at on the open table: its view and what follows from it, each worked out once and kept."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from unless.errors import UnlessError
from unless.evaluate.coverage import view_coverage, view_seen
from unless.evaluate.view import View
from unless.logic.check.findings import check

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from unless.evaluate.figures import Coverage
    from unless.logic.check.findings import Finding
    from unless.logic.program import Program
    from unless.web.open_table import OpenTable

    Rows = NDArray[np.bool_]

T = TypeVar("T")


class NothingOpenError(UnlessError):
    """Something was asked for that needs a table or a program first."""

    status = 409


class ProgramOnTable:
    """A program looked at on the open table: its view and what follows from it, worked out when asked for."""

    def __init__(self, program: Program, opened: OpenTable) -> None:
        self.program = program
        self.view = View(program, opened.table, read=opened.read)
        self._kept: dict[str, Any] = {}

    def kept(self, name: str, work_out: Callable[[], T]) -> T:
        """Return something about the program that is worked out once."""
        if name not in self._kept:
            self._kept[name] = work_out()
        found: T = self._kept[name]
        return found

    def coverage(self, split: str, rows: Rows) -> Coverage:
        """Return the figures of the rules on some rows."""
        return self.kept(split, lambda: view_coverage(self.view, rows))

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Return what an editor should know."""
        return check(self.program, view_seen(self.view))
