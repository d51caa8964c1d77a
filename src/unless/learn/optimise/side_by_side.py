"""Work side by side, where there are threads for it: kernels run without Python's lock.

What comes out is the same for any number of threads.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import ThreadPoolExecutor

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True)
class Threads:
    """Threads, or none but the one that asks."""

    pool: ThreadPoolExecutor | None = None

    def map(self, work: Callable[[A], B], items: Iterable[A]) -> list[B]:
        """Return what work makes of each item."""
        return list(map(work, items) if self.pool is None else self.pool.map(work, items))


@contextmanager
def threads(n: int) -> Iterator[Threads]:
    """Give so many threads."""
    if n <= 1:
        yield Threads()
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(n)
    try:
        yield Threads(pool)
    finally:
        _close(pool)


def _close(pool: ThreadPoolExecutor) -> None:
    """Wait for the threads, however often Ctrl-C is typed: they write into programs that are read next."""
    asked: KeyboardInterrupt | None = None
    while True:
        try:
            pool.shutdown(cancel_futures=True)
            break
        except KeyboardInterrupt as error:
            asked = error
    if asked is not None:
        raise asked
