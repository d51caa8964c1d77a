"""Running cells: each in a process of its own, stopped at its time limit; finished ones are not run again.

A learner whose package is not installed gives an `absent` cell, one that raises a `failed` one with its message, one
that reaches the limit keeps the folds it finished: a run always ends, and says what it could not do.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING

from unless.bench.contestants import CONTESTANTS
from unless.bench.measurements import Cell, FoldResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.bench.bench_tables import TableSource
    from unless.bench.measurements import RunLog, RunSettings

OnCell = Callable[[str, str, Cell | None], None]
"""Hears of each cell, by table and learner: before it runs (None) and after."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}


def run_cells(sources: Sequence[TableSource], learners: Sequence[str], log: RunLog, on_cell: OnCell) -> list[Cell]:
    """Run what the log does not have yet."""
    return [
        logged(log, learner, on_cell, partial(run_cell, source, learner, log.settings), source.name)
        for source in sources
        for learner in learners
    ]


def logged(log: RunLog, name: str, on_cell: OnCell, run: Callable[[], Cell], data: str) -> Cell:
    """Return a cell from the log, or run it and log it under a name."""
    cell = log.cells.get((data, name))
    if cell is None or cell.status == "absent":
        on_cell(data, name, None)
        cell = replace(run(), learner=name)
        log.add(cell)
    on_cell(data, name, cell)
    return cell


def run_cell(source: TableSource, learner: str, settings: RunSettings) -> Cell:
    """Run one cell."""
    entry = CONTESTANTS[learner]
    if not entry.is_there:
        return Cell(source.name, learner, "absent", note=f"{entry.package} is not installed")
    order = {"source": asdict(source), "learner": learner, "folds": settings.folds, "seed": settings.seed}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "unless.bench.cell_worker"],
            input=json.dumps(order).encode(),
            capture_output=True,
            timeout=settings.limit,
            env={**os.environ, **ONE_THREAD},
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return Cell(source.name, learner, "limit", _folds(late.stdout or b""), f"over {settings.limit:g} s")
    if done.returncode:
        last = (done.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        return Cell(source.name, learner, "failed", _folds(done.stdout), last[:200])
    return Cell(source.name, learner, "done", _folds(done.stdout))


def _folds(lines: bytes) -> tuple[FoldResult, ...]:
    """Read the folds that were written; the last line may be cut."""
    whole = lines[: lines.rfind(b"\n") + 1].splitlines()
    return tuple(FoldResult(**json.loads(line)) for line in whole)
