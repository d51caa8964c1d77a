"""A run and its page: cells, figures, plots."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless.bench.cells import Log
from unless.bench.learners import LEARNERS
from unless.bench.run import run_cells
from unless.bench.tables import refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unless.bench.cells import Cell, Settings
    from unless.bench.tables import Source


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked: tables, learners (all if none is named), settings, and where to write."""

    is_paper: bool
    sources: Sequence[Source]
    learners: Sequence[str]
    settings: Settings
    output: str


def measure(order: Order, told: Callable[[str, str, Cell | None], None]) -> dict[str, Any]:
    """Run the cells, write log, page, figures and plots; return the figures."""
    refuse_unknown("learner", order.learners, list(LEARNERS))
    learners = list(order.learners) or list(LEARNERS)
    log = Log(Path(f"{order.output}.jsonl"), order.settings)
    cells = run_cells(order.sources, learners, log, told)
    return {"settings": asdict(order.settings), "cells": [cell.summary() for cell in cells]}
