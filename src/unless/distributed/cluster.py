"""A connection to a Dask cluster, what it cost, and what is said when it fails."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from unless.errors import ClusterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Future = Any

T = TypeVar("T")

FAN = 8
"""How many results are added up in one step on the way to the driver."""
HINT = "Hint: with a checkpoint, learning goes on from the last finished rule."


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to a Dask scheduler."""
    client_class = dask_distributed().Client
    try:
        client = client_class(address, timeout=10)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        msg = f"cannot reach a Dask scheduler at {address}: {reason}. Hint: start one with `dask scheduler`."
        raise ClusterError(msg) from None
    with _quiet(), client:
        yield client


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask from logging tracebacks of a failure that is said in one sentence."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "tornado.application")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def current_client() -> Any:
    """Return the Dask client in use."""
    try:
        return dask_distributed().default_client()
    except ValueError:
        msg = (
            "learning from a Dask data frame needs a Dask client. "
            "Hint: `from dask.distributed import Client; client = Client()` starts one on this machine."
        )
        raise ClusterError(msg) from None


def dask_distributed() -> Any:
    """Import Dask's part for clusters, or say how to get it."""
    try:
        import distributed
    except ImportError:
        msg = "learning on a cluster needs Dask. Hint: pip install 'unless[dask]'."
        raise ClusterError(msg) from None
    return distributed


@contextmanager
def asking() -> Iterator[None]:
    """Turn the failures of a cluster into one sentence each."""
    distributed = dask_distributed()
    try:
        yield
    except distributed.KilledWorker as error:
        msg = (
            f"the cluster gave up: {str(error).splitlines()[0]} Hint: workers may lack memory; use smaller partitions."
        )
        raise ClusterError(msg) from None
    except (distributed.CancelledError, distributed.client.FutureCancelledError, OSError, TimeoutError) as error:
        msg = f"the connection to the Dask scheduler was lost ({type(error).__name__}). {HINT}"
        raise ClusterError(msg) from None


@dataclass
class Traffic:
    """What learning cost beside counting: answers of the cluster, their bytes, and the seconds spent waiting."""

    n_answers: int = 0
    n_searches: int = 0
    n_bytes: int = 0
    seconds: float = 0.0


@dataclass(eq=False)
class Cluster:
    """A client in use."""

    client: Any
    traffic: Traffic = field(default_factory=Traffic)

    def submit(self, task: Callable[..., Any], *args: Any) -> Future:
        """Run a task, also on results that are not there yet."""
        return self.client.submit(task, *args, pure=False)

    def join(self, join: Callable[[Sequence[T]], T], futures: Sequence[Future]) -> Future:
        """Join results on the workers, some at a time, until one is left."""
        while len(futures) > 1:
            groups = [list(futures[i : i + FAN]) for i in range(0, len(futures), FAN)]
            futures = [self.submit(join, group) for group in groups]
        return futures[0]

    def answer(self, futures: Any) -> Any:
        """Wait for results and bring them here."""
        start = time.perf_counter()
        with asking():
            answer = self.client.gather(futures)
        self.traffic.seconds += time.perf_counter() - start
        self.traffic.n_answers += 1
        return answer
