"""Requests for predictions that arrive together are answered together: one table, one pass, labels dealt out again.

In: rows, request by request. Out: their labels. A request waits at most `WAIT` seconds for company. One that cannot be
read is answered alone, so it spoils no other.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unless.errors import DataError, UnlessError, unknown_column
from unless.evaluate.predict import predict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.program import Program
    from unless.logic.rules import Label
    from unless.web.prometheus import ServerMetrics

WAIT = 0.002
MAX_ROWS = 16_384


@dataclass(frozen=True)
class PredictionJob:
    """The columns of one request, and where its labels go."""

    program: Program
    columns: Mapping[str, list[Any]]
    n_rows: int
    labels: asyncio.Future[list[Label]]


class Batcher:
    """Gathers jobs and runs them in a thread, one batch at a time."""

    def __init__(self, metrics: ServerMetrics) -> None:
        self.metrics = metrics
        self.waiting: list[PredictionJob] = []
        self.running: asyncio.Task[None] | None = None

    async def predict(self, program: Program, rows: Sequence[Mapping[str, Any]]) -> list[Label]:
        """Predict the labels of some rows."""
        if not rows:
            return []
        job = PredictionJob(
            program, tested_columns(program, rows), len(rows), asyncio.get_running_loop().create_future()
        )
        self.waiting.append(job)
        if self.running is None or self.running.done():
            self.running = asyncio.create_task(self._run())
        return await job.labels

    async def _run(self) -> None:
        await asyncio.sleep(WAIT)
        while self.waiting:
            batch = self._next()
            answers = await asyncio.to_thread(_answers, batch)
            self.metrics.batch(sum(job.n_rows for job in batch))
            for job, answer in zip(batch, answers, strict=True):
                if job.labels.cancelled():
                    continue
                if isinstance(answer, UnlessError):
                    job.labels.set_exception(answer)
                else:
                    job.labels.set_result(answer)

    def _next(self) -> list[PredictionJob]:
        """Take jobs of one program from the queue, up to a number of rows."""
        batch = [self.waiting.pop(0)]
        n_rows = batch[0].n_rows
        while self.waiting and self.waiting[0].program is batch[0].program:
            n_rows += self.waiting[0].n_rows
            if n_rows > MAX_ROWS:
                break
            batch.append(self.waiting.pop(0))
        return batch


def tested_columns(program: Program, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return the columns that a program tests; one that no row has is refused, as in a table."""
    known = dict.fromkeys(name for row in rows for name in row)
    for name in program.used_columns:
        if name not in known:
            msg = f"the program tests a column that no row has: {unknown_column(name, tuple(known), 'the rows')}"
            raise DataError(msg + " A missing value is null.")
    return {name: [row.get(name) for row in rows] for name in program.used_columns}


def _answers(batch: list[PredictionJob]) -> list[list[Label] | UnlessError]:
    """Answer all jobs at once; if that fails, each alone."""
    try:
        labels = _labels(batch)
    except UnlessError as error:
        return [error] if len(batch) == 1 else [_answers([job])[0] for job in batch]
    answers: list[list[Label] | UnlessError] = []
    start = 0
    for job in batch:
        answers.append(labels[start : start + job.n_rows])
        start += job.n_rows
    return answers


def _labels(batch: list[PredictionJob]) -> list[Label]:
    program = batch[0].program
    if not program.used_columns:
        return [program.target.default] * sum(job.n_rows for job in batch)
    return predict(program, {name: [v for job in batch for v in job.columns[name]] for name in program.used_columns})
