"""Rows of a table on a cluster: the driver's side. It sends literals and receives counts, added up on the way.

Every set of rows is the result of Dask tasks on the sets it came from, so what a lost worker held is computed again
from what is left, down to the table itself if need be, and what is in use no longer is freed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unless.distributed import shards

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unless.distributed.cluster import Cluster, Future
    from unless.learn.rows.codes import CodedLiteral
    from unless.learn.rows.counts import Ask, Detail
    from unless.learn.rows.tally import Tally


@dataclass(eq=False)
class DaskRows:
    """Rows of a table on a cluster: one set on each shard. Exchanged classes are only noted, not moved."""

    cluster: Cluster
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
                sizes = self.cluster.answer(self._each(shards.sizes))
                pos, neg = (sum(size[k] for size in sizes) for k in (0, 1))
                self._sizes = (neg, pos) if self.is_swapped else (pos, neg)
        assert self._sizes is not None
        return self._sizes

    def tally(self) -> Tally:
        """Count rows by class, column and code, on the workers."""
        if self._tally is None:
            raw: Tally = self.cluster.answer(self.cluster.join(shards.add_tallies, self._each(shards.tally)))
            self.cluster.traffic.n_searches += 1
            self.cluster.traffic.n_bytes += raw.n_bytes
            self._tally = raw.swap() if self.is_swapped else raw
            self._sizes = self._tally.n_pos, self._tally.n_neg
        return self._tally

    def detail(self, asks: Sequence[Ask]) -> list[Detail]:
        """Count code by code in the buckets asked about, on the workers."""
        details: list[Detail] = self.cluster.answer(
            self.cluster.join(shards.join_all_details, self._each(shards.detail, list(asks)))
        )
        self.cluster.traffic.n_bytes += sum(d.codes.nbytes + d.pos.nbytes + d.neg.nbytes for d in details)
        return [detail.swap() for detail in details] if self.is_swapped else details

    def keep(self, choice: CodedLiteral) -> DaskRows:
        """Return the rows for which the literal holds."""
        return DaskRows(self.cluster, self.shards, self._each(shards.keep, choice), self.is_swapped, _will_count=True)

    def without(self, others: DaskRows) -> DaskRows:
        """Return the rows that are not among the others."""
        flip = self.is_swapped != others.is_swapped
        submit = self.cluster.submit
        trios = zip(self.shards, self.parts, others.parts, strict=True)
        parts = [submit(shards.without, shard, mine, theirs, flip) for shard, mine, theirs in trios]
        return DaskRows(self.cluster, self.shards, parts, self.is_swapped)

    def positives(self) -> DaskRows:
        """Return the positive rows only."""
        parts = self._each(shards.positives, self.is_swapped)
        return DaskRows(self.cluster, self.shards, parts, self.is_swapped, _sizes=(self.n_pos, 0))

    def swap(self) -> DaskRows:
        """Return the same rows with the classes exchanged."""
        sizes = None if self._sizes is None else (self._sizes[1], self._sizes[0])
        tally = None if self._tally is None else self._tally.swap()
        return DaskRows(
            self.cluster, self.shards, self.parts, not self.is_swapped, self._will_count, sizes, tally
        )  # fmt: skip

    def _each(self, task: Callable[..., Any], *args: Any) -> list[Future]:
        """Run a task on the rows of each shard, where they are."""
        submit = self.cluster.submit
        pairs = zip(self.shards, self.parts, strict=True)
        return [submit(task, shard, part, *args) for shard, part in pairs]
