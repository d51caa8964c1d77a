"""Running cells: each in a process of its own, in rounds of growing limits; finished folds are not run again.

In the first round a cell may use a small part of its seconds, in the last all of them: what is quick is there first,
whatever the table, and what is slow goes on where the round before ended. A cell that has used a tenth of its seconds
begins no further shuffle. A learner whose package is not installed gives an `absent` cell, one that raises a `failed`
one with its message: a run always ends, and says what it could not do.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

from unless.bench.cell_worker import OUT_OF_TIME
from unless.bench.contestants import CONTESTANTS
from unless.bench.measurements import Cell
from unless.bench.run_log import ABSENT, FAILED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.bench.bench_tables import TableSource
    from unless.bench.run_log import RunLog

OnCell = Callable[[str, str, Cell | None], None]
"""Hears of each cell, by table and learner: before it runs (None) and after."""

ROUNDS = (60, 8, 1)
"""In each round a cell may use its limit divided by this, if that is more than `LEAST`."""

LEAST = 10.0

SHUFFLES_WITHIN = 10
"""A further shuffle begins while less than the limit divided by this is used."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}


def run_cells(sources: Sequence[TableSource], learners: Sequence[str], log: RunLog, on_cell: OnCell) -> list[Cell]:
    """Run what the log does not have yet."""
    limit = log.settings.limit
    for seconds in [limit / part for part in ROUNDS if part == 1 or limit / part >= LEAST]:
        for source in sources:
            for learner in learners:
                _run_cell(source, learner, log, seconds, on_cell)
    return logged_cells(sources, learners, log)


def logged_cells(sources: Sequence[TableSource], learners: Sequence[str], log: RunLog) -> list[Cell]:
    """Return the cells as the log has them."""
    return [log.cell(source.name, learner) for source in sources for learner in learners]


def _run_cell(source: TableSource, learner: str, log: RunLog, limit: float, on_cell: OnCell) -> None:
    """Run a cell up to a limit, if there is anything left to run."""
    so_far = log.of(source.name, learner)
    enough = log.settings.limit / SHUFFLES_WITHIN
    is_done = log.cell(source.name, learner).status == "done" or so_far.ended == FAILED
    is_between_shuffles = bool(so_far.folds) and len(so_far.folds) % log.settings.folds == 0
    is_slow = is_between_shuffles and so_far.used > enough
    if is_done or is_slow or max(so_far.stopped_at, so_far.used) >= limit:
        return
    on_cell(source.name, learner, None)
    entry = CONTESTANTS[learner]
    if entry.is_there:
        _order(source, learner, log, limit, enough)
    else:
        log.add(source.name, learner, {"ended": ABSENT, "note": f"{entry.package} is not installed"})
    on_cell(source.name, learner, log.cell(source.name, learner))


def _order(source: TableSource, learner: str, log: RunLog, limit: float, enough: float) -> None:
    """Have a process measure the folds that are missing, and log each as it comes."""
    so_far, settings = log.of(source.name, learner), log.settings
    order = {
        "source": asdict(source), "learner": learner, "folds": settings.folds, "shuffles": settings.shuffles,
        "seed": settings.seed, "done": sorted(so_far.folds), "used": so_far.used, "enough": enough,
        "seconds": limit - so_far.used,
    }  # fmt: skip
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "unless.bench.cell_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, **ONE_THREAD},
            text=True,
        )
        with process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(order))
            process.stdin.close()
            for line in process.stdout:
                if line.endswith("\n"):
                    log.add(source.name, learner, json.loads(line))
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip().splitlines() or ["no message"]
    if process.returncode == OUT_OF_TIME:
        log.add(source.name, learner, {"stopped_at": limit})
    elif process.returncode:
        log.add(source.name, learner, {"ended": FAILED, "note": said[-1][:200]})
