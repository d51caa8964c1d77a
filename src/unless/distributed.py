"""The same learner on a Dask cluster: `DaskSource` and `DaskRows`, the cluster's side of `Source` and `Rows`.

Each worker keeps the codes of its share of the table (a `Shard`) and the sets of rows that are in use (`Held`). The
driver sends literals and receives counts, added up on the way; codes and rows never travel. Counts are integers, so
the rules are those of one machine, whatever the workers and partitions.

Every state is the result of a Dask task on earlier ones: rows on the rows and the literal they were kept by, shards on
the partitions and the codebooks. So what a lost worker held is computed again from what is left, down to the table
itself if need be, and what is in use no longer is freed.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from unless.coverage import coverage, join_coverages
from unless.errors import ClusterError, DataError
from unless.learn.columns import Columns, code_cells, empty_columns
from unless.learn.counts import Detail, Tally, join_details
from unless.learn.rows import LocalRows, all_rows
from unless.learn.survey import Part, join_surveys, settle, survey
from unless.table.frames import is_dask, raw_table
from unless.table.kinds import look_at
from unless.table.labels import read_labels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.learn.columns import Codebook
    from unless.learn.counts import Ask
    from unless.learn.splits import Choice
    from unless.learn.survey import Survey
    from unless.logic.program import Program
    from unless.rules import Kind, Label
    from unless.table.kinds import KindRule, Look
    from unless.table.pieces import Files

    Future = Any
    Reader = tuple[Callable[..., Part], list[Any]]
    """A function that reads a part of the table, and its arguments, which may be Dask's delayed values."""

T = TypeVar("T")

FAN = 8
"""How many results are added up in one step on the way to the driver."""
HINT = "Hint: with a checkpoint, learning goes on from the last finished rule."


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to a Dask scheduler."""
    client_class = _distributed().Client
    try:
        client = client_class(address, timeout=10)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        msg = f"cannot reach a Dask scheduler at {address}: {reason}. Hint: start one with `dask scheduler`."
        raise ClusterError(msg) from None
    with client:
        yield client


def current_client() -> Any:
    """Return the Dask client in use."""
    try:
        return _distributed().default_client()
    except ValueError:
        msg = (
            "learning from a Dask data frame needs a Dask client. "
            "Hint: `from dask.distributed import Client; client = Client()` starts one on this machine."
        )
        raise ClusterError(msg) from None


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        msg = "learning on a cluster needs Dask. Hint: pip install 'unless[dask]'."
        raise ClusterError(msg) from None
    return distributed


def frame_source(X: Any, y: Any, rule: KindRule, missing: Sequence[str]) -> DaskSource:
    """Learn from a Dask data frame and a Dask series of labels."""
    if not is_dask(y):
        msg = f"the table is a Dask data frame and the labels are {type(y).__name__}; give a column of the same frame."
        raise DataError(msg)
    if X.npartitions != y.npartitions:
        msg = f"the table has {X.npartitions} partitions and the labels have {y.npartitions}; take both from one frame."
        raise DataError(msg)
    readers: list[Reader] = [(_frame_part, [*pair]) for pair in zip(X.to_delayed(), y.to_delayed(), strict=True)]
    return DaskSource(current_client(), readers, rule, missing)


def files_source(
    client: Any, files: Files, parts: Sequence[Callable[[], Part]], rule: KindRule, missing: Sequence[str]
) -> DaskSource:
    """Learn from files that all workers see under the same names."""
    if files.copies is not None:
        msg = "a cluster reads files where they lie; standard input, gzipped and remote files cannot be read so."
        raise DataError(msg)
    return DaskSource(client, [(part, []) for part in parts], rule, missing)


def _frame_part(table: Any, labels: Any) -> Part:
    if len(table) != len(labels):
        msg = f"a partition has {len(table)} rows and {len(labels)} labels; each row needs one label."
        raise DataError(msg)
    return Part(raw_table(table), read_labels(labels))


@dataclass
class Traffic:
    """What learning cost beside counting: answers of the cluster, their bytes, and the seconds spent waiting."""

    n_answers: int = 0
    n_searches: int = 0
    n_bytes: int = 0
    seconds: float = 0.0


@dataclass(eq=False)
class DaskSource:
    """The partitions of a table on a cluster."""

    client: Any
    readers: Sequence[Reader]
    rule: KindRule
    missing: Sequence[str]
    traffic: Traffic = field(default_factory=Traffic)
    _surveys: list[Future] = field(default_factory=list)

    def survey(self) -> tuple[Survey, dict[str, Kind]]:
        """Survey all partitions, where they are."""
        return settle(self._first_looks(), self.rule, self._sweep)

    def _first_looks(self) -> dict[str, Look]:
        """Look at the first partition that has rows."""
        looks: dict[str, Look] = {}
        for reader in self.readers:
            n_rows, looks = self._answer(self._submit(_look, reader, self.rule))
            if n_rows:
                break
        return looks

    def _sweep(self, kinds: Mapping[str, Kind]) -> Survey:
        found = [self._submit(_survey, reader, dict(kinds), self.rule, tuple(self.missing)) for reader in self.readers]
        joined = self._join(join_surveys, found)
        self._surveys.append(joined)
        answer: Survey = self._answer(joined)
        return answer

    def rows(self, survey: Survey, kinds: Mapping[str, Kind], positive: Label) -> DaskRows:
        """Code all partitions, and put those on one worker together."""
        books = self.client.submit(_books, self._surveys, pure=False)
        coded = [
            self._submit(_encode, reader, books, dict(kinds), tuple(self.missing), positive) for reader in self.readers
        ]
        with asking(self.client):
            _distributed().wait(coded)
            owners = self.client.who_has(coded)
            threads = self.client.nthreads()
        groups: dict[tuple[str, int], list[Future]] = {}
        for place, future in enumerate(coded):
            owner = next(iter(owners.get(future.key, ())), "")
            groups.setdefault((owner, place % threads.get(owner, 1)), []).append(future)
        shards = [self.client.submit(_gathered, group, pure=False) for group in groups.values()]
        roots = [self.client.submit(_root, shard, pure=False) for shard in shards]
        return DaskRows(self, shards, roots)

    def _submit(self, task: Callable[..., T], reader: Reader, *args: Any) -> Future:
        """Run a task on a part of the table."""
        from dask import delayed

        read, read_args = reader
        return self.client.compute(delayed(task, pure=False)(read, read_args, *args))

    def _join(self, join: Callable[[Sequence[T]], T], futures: Sequence[Future]) -> Future:
        """Join results pair by pair of the tree, on the workers."""
        while len(futures) > 1:
            groups = [list(futures[i : i + FAN]) for i in range(0, len(futures), FAN)]
            futures = [self.client.submit(join, group, pure=False) for group in groups]
        return futures[0]

    def _answer(self, futures: Any) -> Any:
        """Wait for results and bring them here."""
        start = time.perf_counter()
        with asking(self.client):
            answer = self.client.gather(futures)
        self.traffic.seconds += time.perf_counter() - start
        self.traffic.n_answers += 1
        return answer


@contextmanager
def asking(client: Any) -> Iterator[None]:
    """Turn the failures of a cluster into one sentence each."""
    distributed = _distributed()
    try:
        yield
    except distributed.KilledWorker as error:
        msg = (
            f"the cluster gave up: {str(error).splitlines()[0]} Hint: workers may lack memory; use smaller partitions."
        )
        raise ClusterError(msg) from None
    except (distributed.CancelledError, distributed.client.FutureCancelledError, OSError, TimeoutError) as error:
        if isinstance(error, DataError):
            raise
        msg = f"the connection to the Dask scheduler was lost ({type(error).__name__}). {HINT}"
        raise ClusterError(msg) from None


@dataclass(eq=False)
class DaskRows:
    """Rows of a table on a cluster: one set on each shard. Exchanged classes are only noted, not moved."""

    source: DaskSource
    shards: list[Future]
    parts: list[Future]
    is_swapped: bool = False
    _will_count: bool = False
    _sizes: tuple[int, int] | None = None
    _tally: Tally | None = None

    @property
    def n_pos(self) -> int:
        """Count the positive rows."""
        return self._counted()[0]

    @property
    def n_neg(self) -> int:
        """Count the negative rows."""
        return self._counted()[1]

    def _counted(self) -> tuple[int, int]:
        if self._sizes is None:
            if self._will_count:
                self.tally()
            else:
                sizes = self.source._answer(self._each(_sizes))
                pos, neg = (sum(size[k] for size in sizes) for k in (0, 1))
                self._sizes = (neg, pos) if self.is_swapped else (pos, neg)
        assert self._sizes is not None
        return self._sizes

    def tally(self) -> Tally:
        """Count rows by class, column and code, on the workers."""
        if self._tally is None:
            packed: Packed = self.source._answer(self.source._join(_add_packed, self._each(_tally)))
            self.source.traffic.n_searches += 1
            self.source.traffic.n_bytes += packed.n_bytes
            raw = packed.unpack()
            self._tally = raw.swap() if self.is_swapped else raw
            self._sizes = self._tally.n_pos, self._tally.n_neg
        return self._tally

    def detail(self, asks: Sequence[Ask]) -> list[Detail]:
        """Count code by code in the buckets asked about, on the workers."""
        details: list[Detail] = self.source._answer(self.source._join(_join_details, self._each(_detail, list(asks))))
        self.source.traffic.n_bytes += sum(d.codes.nbytes + d.pos.nbytes + d.neg.nbytes for d in details)
        return [detail.swap() for detail in details] if self.is_swapped else details

    def keep(self, choice: Choice) -> DaskRows:
        """Return the rows for which the literal holds."""
        return DaskRows(self.source, self.shards, self._each(_keep, choice), self.is_swapped, _will_count=True)

    def without(self, others: DaskRows) -> DaskRows:
        """Return the rows that are not among the others."""
        flip = self.is_swapped != others.is_swapped
        submit = self.source.client.submit
        trios = zip(self.shards, self.parts, others.parts, strict=True)
        parts = [submit(_without, shard, mine, theirs, flip, pure=False) for shard, mine, theirs in trios]
        return DaskRows(self.source, self.shards, parts, self.is_swapped)

    def positives(self) -> DaskRows:
        """Return the positive rows only."""
        parts = self._each(_positives, self.is_swapped)
        return DaskRows(self.source, self.shards, parts, self.is_swapped, _sizes=(self.n_pos, 0))

    def swap(self) -> DaskRows:
        """Return the same rows with the classes exchanged."""
        sizes = None if self._sizes is None else (self._sizes[1], self._sizes[0])
        tally = None if self._tally is None else self._tally.swap()
        return DaskRows(
            self.source, self.shards, self.parts, not self.is_swapped, self._will_count, sizes, tally
        )  # fmt: skip

    def _each(self, task: Callable[..., Any], *args: Any) -> list[Future]:
        """Run a task on the rows of each shard, where they are."""
        submit = self.source.client.submit
        pairs = zip(self.shards, self.parts, strict=True)
        return [submit(task, shard, part, *args, pure=False) for shard, part in pairs]


@dataclass(frozen=True, eq=False)
class Shard:
    """A worker's share of the table, in codes."""

    columns: Columns
    is_positive: NDArray[np.bool_]

    def __sizeof__(self) -> int:
        """Return the bytes, so that Dask knows what moving it would cost."""
        return sum(block.codes.nbytes for block in self.columns.blocks) + self.is_positive.nbytes


class Held:
    """Rows of a shard as its worker holds them; should they travel, they do without the codes."""

    def __init__(self, rows: LocalRows) -> None:
        self._rows = rows

    def on(self, shard: Shard) -> LocalRows:
        """Return the rows on the shard they belong to."""
        self._rows.columns = shard.columns
        return self._rows

    def __sizeof__(self) -> int:
        return self._rows.pos.nbytes + self._rows.neg.nbytes

    def __getstate__(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        return self._rows.pos, self._rows.neg

    def __setstate__(self, state: tuple[NDArray[np.int32], NDArray[np.int32]]) -> None:
        self._rows = LocalRows(Columns((), (), 0), *state)


@dataclass(frozen=True, eq=False)
class Packed:
    """A tally on its way: only the places of the line that have counts, unless most have."""

    n_pos: int
    n_neg: int
    length: int
    places: NDArray[np.int32] | None
    pos: NDArray[np.int32]
    neg: NDArray[np.int32]

    @classmethod
    def of(cls, tally: Tally) -> Packed:
        """Pack a tally."""
        places = np.flatnonzero(tally.pos + tally.neg).astype(np.int32)
        length = len(tally.pos)
        if 3 * len(places) > 2 * length:
            return cls(tally.n_pos, tally.n_neg, length, None, tally.pos, tally.neg)
        return cls(tally.n_pos, tally.n_neg, length, places, tally.pos[places], tally.neg[places])

    def unpack(self) -> Tally:
        """Return the tally."""
        if self.places is None:
            return Tally(self.n_pos, self.n_neg, self.pos, self.neg)
        lines = np.zeros((2, self.length), dtype=np.int32)
        lines[0, self.places], lines[1, self.places] = self.pos, self.neg
        return Tally(self.n_pos, self.n_neg, lines[0], lines[1])

    @property
    def n_bytes(self) -> int:
        """Count the bytes that travel."""
        return self.pos.nbytes + self.neg.nbytes + (0 if self.places is None else self.places.nbytes)


# What follows runs on the workers.


def _look(read: Callable[..., Part], args: list[Any], rule: KindRule) -> tuple[int, dict[str, Look]]:
    table = read(*args).table
    return table.n_rows, {name: look_at(table.columns[name], rule.by) for name in table.names}


def _survey(
    read: Callable[..., Part], args: list[Any], kinds: dict[str, Kind], rule: KindRule, missing: Sequence[str]
) -> Survey:
    return survey(read(*args), kinds, rule, missing)


def _books(surveys: Sequence[Survey]) -> dict[str, Codebook]:
    """Return the codebooks; those of columns whose kind was guessed wrong come from a later survey."""
    return reduce(lambda books, found: books | found.books, surveys, {})


def _encode(
    read: Callable[..., Part],
    args: list[Any],
    books: dict[str, Codebook],
    kinds: dict[str, Kind],
    missing: Sequence[str],
    positive: Label,
) -> Shard:
    part = read(*args)
    cells = part.cells(kinds, missing)
    columns = empty_columns(books.values(), part.table.n_rows)
    columns.fill(0, [code_cells(book, cells[name]) for name, book in books.items()])
    return Shard(columns, part.has(positive))


def _gathered(shards: Sequence[Shard]) -> Shard:
    """Put the shards of partitions together."""
    if len(shards) == 1:
        return shards[0]
    columns = empty_columns(shards[0].columns.books, sum(shard.columns.n_rows for shard in shards))
    start = 0
    for shard in shards:
        stop = start + shard.columns.n_rows
        for mine, block in zip(columns.blocks, shard.columns.blocks, strict=True):
            mine.codes[start:stop] = block.codes
        start = stop
    return Shard(columns, np.concatenate([shard.is_positive for shard in shards]))


def _root(shard: Shard) -> Held:
    return Held(all_rows(shard.columns, shard.is_positive))


def _sizes(shard: Shard, held: Held) -> tuple[int, int]:
    rows = held.on(shard)
    return rows.n_pos, rows.n_neg


def _tally(shard: Shard, held: Held) -> Packed:
    return Packed.of(held.on(shard).tally())


def _add_packed(tallies: Sequence[Packed]) -> Packed:
    return Packed.of(reduce(add, (packed.unpack() for packed in tallies)))


def _detail(shard: Shard, held: Held, asks: Sequence[Ask]) -> list[Detail]:
    return held.on(shard).detail(asks)


def _join_details(answers: Sequence[Sequence[Detail]]) -> list[Detail]:
    return [join_details(details) for details in zip(*answers, strict=True)]


def _keep(shard: Shard, held: Held, choice: Choice) -> Held:
    return Held(held.on(shard).keep(choice))


def _without(shard: Shard, held: Held, others: Held, flip: bool) -> Held:
    gone = others.on(shard)
    return Held(held.on(shard).without(gone.swap() if flip else gone))


def _positives(shard: Shard, held: Held, is_swapped: bool) -> Held:
    rows = held.on(shard)
    return Held(rows.swap().positives().swap() if is_swapped else rows.positives())


def map_rows(task: Callable[[Any], NDArray[Any]], X: Any, columns: list[Any] | None, dtype: Any, name: str) -> Any:
    """Apply a task to each partition, lazily: one value per row, or one per row and column."""
    import pandas as pd

    empty = pd.Series([], dtype=dtype, name=name) if columns is None else pd.DataFrame(columns=columns, dtype=dtype)
    return X.map_partitions(_mapped, task, empty, meta=empty)


def _mapped(table: Any, task: Callable[[Any], NDArray[Any]], empty: Any) -> Any:
    if not len(table):
        return empty
    if empty.ndim == 1:
        return type(empty)(task(table), index=table.index, dtype=empty.dtype, name=empty.name)
    return type(empty)(task(table), index=table.index, columns=empty.columns)


def lazy_coverage(program: Program, frame: Any, target: str | None = None) -> Any:
    """Return the coverage of a program on a Dask data frame as a delayed value: `.compute()` counts."""
    from dask import delayed

    count, join = delayed(coverage), delayed(join_coverages)
    return join([count(program, part, target) for part in frame.to_delayed()])


def count_right(task: Callable[[Any], NDArray[Any]], X: Any, y: Any) -> float:
    """Return the share of rows whose label a task predicts, counted where the rows are."""
    from dask import compute, delayed

    right = delayed(_right)
    pairs = zip(X.to_delayed(), y.to_delayed(), strict=True)
    counts = compute([right(task, table, labels) for table, labels in pairs])[0]
    n_right, n_rows = (sum(count[k] for count in counts) for k in (0, 1))
    return float(n_right / n_rows) if n_rows else 0.0


def _right(task: Callable[[Any], NDArray[Any]], table: Any, labels: Any) -> tuple[int, int]:
    if not len(table):
        return 0, 0
    return int((task(table) == np.asarray(labels)).sum()), len(table)
