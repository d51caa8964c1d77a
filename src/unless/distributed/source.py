"""The partitions of a table on a cluster, surveyed and coded where they are: the cluster's side of `Source`.

Counts are integers and surveys join, so the rules are those of one machine, whatever the workers and partitions. What
travels is counts, or codes for learners that need all rows in one memory; never the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.distributed import shards
from unless.distributed.cluster import Cluster, asking, current_client, dask_distributed
from unless.distributed.rows import DaskRows
from unless.errors import DataError
from unless.learn.front import FileReading, parts_of_files
from unless.learn.rows.codes import empty_columns
from unless.learn.rows.source import LocalTable
from unless.learn.rows.survey import Part, join_surveys, settle
from unless.learn.task import Task
from unless.table.frames import is_dask, raw_table
from unless.table.labels import read_labels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.distributed.cluster import Future
    from unless.distributed.shards import CodedPart
    from unless.learn.rows.survey import Survey
    from unless.learn.rows.testable import Testable
    from unless.logic.rules import Column, Kind, Label
    from unless.table.column_look import Look
    from unless.table.kinds import KindRule
    from unless.table.pieces import Files

    Reader = tuple[Callable[..., Part], list[Any]]
    """A function that reads a part of the table, and its arguments, which may be Dask's delayed values."""


def frame_source(X: Any, y: Any, rule: KindRule, missing: Sequence[str]) -> DaskSource:
    """Learn from a Dask data frame and a Dask series of labels."""
    if not is_dask(y):
        msg = f"the table is a Dask data frame and the labels are {type(y).__name__}; give a column of the same frame."
        raise DataError(msg)
    if X.npartitions != y.npartitions:
        msg = f"the table has {X.npartitions} partitions and the labels have {y.npartitions}; take both from one frame."
        raise DataError(msg)
    readers: list[Reader] = [(_frame_part, [*pair]) for pair in zip(X.to_delayed(), y.to_delayed(), strict=True)]
    return DaskSource(Cluster(current_client()), readers, rule, missing)


def files_source(
    client: Any, files: Files, parts: Sequence[Callable[[], Part]], rule: KindRule, missing: Sequence[str]
) -> DaskSource:
    """Learn from files that all workers see under the same names."""
    if files.copies is not None:
        msg = "a cluster reads files where they lie; standard input, gzipped and remote files cannot be read so."
        raise DataError(msg)
    return DaskSource(Cluster(client), [(part, []) for part in parts], rule, missing)


def cluster_task(
    client: Any,
    files: Files,
    target: str,
    *,
    drop: Sequence[str] = (),
    kinds: Mapping[str, Kind] | None = None,
    readings: Mapping[str, str] | None = None,
    date_parts: Mapping[str, Sequence[str]] | None = None,
    **options: Any,
) -> Task:
    """Make a task of files that the workers of a cluster read; the twin of `learn.front.files_task`."""
    missing = tuple(options.get("missing", ()))
    names, rule, parts = parts_of_files(
        files, target, drop, FileReading(kinds or {}, missing, readings or {}, date_parts or {})
    )
    return Task(files_source(client, files, parts, rule, missing), names, **options)


def _frame_part(table: Any, labels: Any) -> Part:
    if len(table) != len(labels):
        msg = f"a partition has {len(table)} rows and {len(labels)} labels; each row needs one label."
        raise DataError(msg)
    return Part(raw_table(table), read_labels(labels))


@dataclass(eq=False)
class DaskSource:
    """The partitions of a table on a cluster."""

    cluster: Cluster
    readers: Sequence[Reader]
    rule: KindRule
    missing: Sequence[str]
    _surveys: list[Future] = field(default_factory=list)

    def survey(self) -> tuple[Survey, dict[str, Column]]:
        """Survey all partitions, where they are."""
        return settle(*self._first_looks(), self.rule, self._sweep)

    def _first_looks(self) -> tuple[tuple[str, ...], dict[str, Look]]:
        """Look at the first partition that has rows; return its columns too."""
        names: tuple[str, ...] = ()
        looks: dict[str, Look] = {}
        for reader in self.readers:
            n_rows, names, looks = self.cluster.answer(self._submit(shards.look, reader, self.rule))
            if n_rows:
                break
        return names, looks

    def _sweep(self, columns: Mapping[str, Column]) -> Survey:
        found = [
            self._submit(shards.survey_part, reader, dict(columns), self.rule, tuple(self.missing))
            for reader in self.readers
        ]
        joined = self.cluster.join(join_surveys, found)
        self._surveys.append(joined)
        answer: Survey = self.cluster.answer(joined)
        return answer

    def code(self, survey: Survey, columns: Mapping[str, Column], testable: Testable) -> DaskTable:
        """Return the table that workers code when its rows are asked for."""
        return DaskTable(self, survey, columns, testable)

    def gather(self, survey: Survey, columns: Mapping[str, Column], testable: Testable) -> LocalTable:
        """Let workers code all partitions, and put the codes together here, partition by partition, in their order."""
        every = self.cluster.submit(shards.all_books, self._surveys)
        fixed = (every, dict(columns), tuple(self.missing), survey.classes, testable)
        coming = [self._submit(shards.code_part, reader, *fixed) for reader in self.readers]
        books = testable.books(survey.books)
        table = LocalTable(
            empty_columns(books.values(), survey.n_rows),
            np.empty(survey.n_rows, dtype=np.intp),
            empty_columns([survey.books[name] for name in testable.hidden], survey.n_rows),
        )
        start = 0
        while coming:
            part: CodedPart = self.cluster.answer(coming.pop(0))  # what has arrived is freed on its worker
            table.columns.fill(start, part.codes)
            table.aside.fill(start, part.aside)
            table.labels[start : start + len(part.labels)] = part.labels
            start += len(part.labels)
        return table

    def labels(self, survey: Survey) -> NDArray[np.intp]:
        """Fetch the index of each row's label among all labels."""
        found = [self._submit(shards.label_part, reader, survey.classes) for reader in self.readers]
        return np.concatenate([self.cluster.answer(part) for part in found]).astype(np.intp)

    def rows(self, columns: Mapping[str, Column], positive: Label, testable: Testable) -> DaskRows:
        """Code all partitions, and put those on one worker together."""
        books = self.cluster.submit(shards.join_books_of, self._surveys, testable)
        coded = [
            self._submit(shards.encode_part, reader, books, dict(columns), tuple(self.missing), positive, testable)
            for reader in self.readers
        ]
        with asking():
            dask_distributed().wait(coded)
            owners = self.cluster.client.who_has(coded)
            threads = self.cluster.client.nthreads()
        groups: dict[tuple[str, int], list[Future]] = {}
        for index, future in enumerate(coded):
            owner = next(iter(owners.get(future.key, ())), "")
            groups.setdefault((owner, index % threads.get(owner, 1)), []).append(future)
        made = [self.cluster.submit(shards.together, group) for group in groups.values()]
        return DaskRows(self.cluster, made, [self.cluster.submit(shards.root, shard) for shard in made])

    def _submit(self, task: Callable[..., Any], reader: Reader, *args: Any) -> Future:
        """Run a task on a part of the table."""
        from dask import delayed

        read, read_args = reader
        return self.cluster.client.compute(delayed(task, pure=False)(read, read_args, *args))


@dataclass(frozen=True, eq=False)
class DaskTable:
    """A table on a cluster, coded there when its rows are asked for."""

    source: DaskSource
    survey: Survey
    columns: Mapping[str, Column]
    testable: Testable

    def rows(self, label: int) -> DaskRows:
        """Return all rows, divided into those of one label and the others."""
        return self.source.rows(self.columns, self.survey.classes[label], self.testable)
