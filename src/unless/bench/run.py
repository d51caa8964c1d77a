"""Running cells: each in a process of its own, stopped at its time limit; finished ones are not run again.

A learner whose package is not installed gives an `absent` cell, one that raises a `failed` one with its message, one
that reaches the limit keeps the folds it finished: a run always ends, and says what it could not do.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from unless.bench.cells import Cell, Fold
from unless.bench.learners import LEARNERS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unless.bench.cells import Log, Settings
    from unless.bench.tables import Source

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}


def run_cells(
    sources: Sequence[Source], learners: Sequence[str], log: Log, told: Callable[[str, str, Cell | None], None]
) -> list[Cell]:
    """Run what the log does not have yet; `told` hears of each cell before (None) and after."""
    cells = []
    for source in sources:
        for learner in learners:
            cell = log.cells.get((source.name, learner))
            if cell is None or cell.status == "absent":
                told(source.name, learner, None)
                cell = run_cell(source, learner, log.settings)
                log.add(cell)
            told(source.name, learner, cell)
            cells.append(cell)
    return cells


def run_cell(source: Source, learner: str, settings: Settings) -> Cell:
    """Run one cell."""
    entry = LEARNERS[learner]
    if not entry.is_there:
        return Cell(source.name, learner, "absent", note=f"{entry.package} is not installed")
    order = {"source": asdict(source), "learner": learner, "folds": settings.folds, "seed": settings.seed}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "unless.bench.worker"],
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


def _folds(lines: bytes) -> tuple[Fold, ...]:
    """Read the folds that were told; the last line may be cut."""
    whole = lines[: lines.rfind(b"\n") + 1].splitlines()
    return tuple(Fold(**json.loads(line)) for line in whole)
