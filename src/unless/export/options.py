"""What may be asked of an export beside its target."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The table that SQL reads, and whether it becomes a select, a view or an expression."""

    table: str = "data"
    shape: str = "select"
