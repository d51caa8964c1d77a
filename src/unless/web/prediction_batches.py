"""Requests for predictions that arrive together are answered together: one table, one pass, labels dealt out again.

In: rows, request by request. Out: their labels and, where the program has a grade, probabilities. A request waits at
most `WAIT` seconds for company. One that cannot be read is answered alone, so it spoils no other.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unless.errors import DataError, UnlessError, unknown_column
from unless.evaluate.predict import read_cells
from unless.evaluate.probabilities import cell_probabilities
from unless.evaluate.truth import Truth
from unless.explain.proof.prover import graded_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.program import Program
    from unless.logic.rules import Label
    from unless.web.prometheus import ServerMetrics

WAIT = 0.002
MAX_ROWS = 16_384


@dataclass(frozen=True)
class Predictions:
    """The labels of some rows, and a line of probabilities for each, in the order of `graded_labels`, or none."""

    labels: list[Label]
    probabilities: list[list[float]] | None = None

    def part(self, start: int, end: int) -> Predictions:
        """Return those of some rows."""
        return Predictions(
            self.labels[start:end], None if self.probabilities is None else self.probabilities[start:end]
        )


@dataclass(frozen=True)
class PredictionJob:
    """The columns of one request, and where its labels go."""

    program: Program
    columns: Mapping[str, list[Any]]
    n_rows: int
    answer: asyncio.Future[Predictions]


class Batcher:
    """Gathers jobs and runs them in a thread, one batch at a time."""

    def __init__(self, metrics: ServerMetrics) -> None:
        self.metrics = metrics
        self.waiting: list[PredictionJob] = []
        self.running: asyncio.Task[None] | None = None

    async def predict(self, program: Program, rows: Sequence[Mapping[str, Any]]) -> Predictions:
        """Predict the labels of some rows."""
        if not rows:
            return Predictions([], None if program.grade is None else [])
        job = PredictionJob(
            program, tested_columns(program, rows), len(rows), asyncio.get_running_loop().create_future()
        )
        self.waiting.append(job)
        if self.running is None or self.running.done():
            self.running = asyncio.create_task(self._run())
        return await job.answer

    async def _run(self) -> None:
        await asyncio.sleep(WAIT)
        while self.waiting:
            batch = self._next()
            answers = await asyncio.to_thread(_answers, batch)
            self.metrics.batch(sum(job.n_rows for job in batch))
            for job, answer in zip(batch, answers, strict=True):
                if job.answer.cancelled():
                    continue
                if isinstance(answer, UnlessError):
                    job.answer.set_exception(answer)
                else:
                    job.answer.set_result(answer)

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
    """Return the columns that a program tests; one that no row has is refused, as in a table.

    Those that only its grade tests may be absent, which is blank.
    """
    known = dict.fromkeys(name for row in rows for name in row)
    for name in program.used_columns:
        if name not in known:
            msg = f"the program tests a column that no row has: {unknown_column(name, tuple(known), 'the rows')}"
            raise DataError(msg + " A missing value is null.")
    return {name: [row.get(name) for row in rows] for name in graded_columns(program)}


def _answers(batch: list[PredictionJob]) -> list[Predictions | UnlessError]:
    """Answer all jobs at once; if that fails, each alone."""
    try:
        predicted = _predicted(batch)
    except UnlessError as error:
        return [error] if len(batch) == 1 else [_answers([job])[0] for job in batch]
    answers: list[Predictions | UnlessError] = []
    start = 0
    for job in batch:
        answers.append(predicted.part(start, start + job.n_rows))
        start += job.n_rows
    return answers


def _predicted(batch: list[PredictionJob]) -> Predictions:
    program, n_rows = batch[0].program, sum(job.n_rows for job in batch)
    labels = (*program.target.labels, program.target.default)
    tested = graded_columns(program)
    joined = {name: [value for job in batch for value in job.columns[name]] for name in tested}
    columns = read_cells(program, joined, tested) if tested else {}
    decided = Truth(program, columns, n_rows).decided
    graded = None if program.grade is None else cell_probabilities(program, columns, decided).tolist()
    return Predictions([labels[i] for i in decided.tolist()], graded)
