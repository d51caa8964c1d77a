"""What the server did, in the text form that Prometheus reads: requests, seconds, rows, batches.

Counting happens in an ASGI middleware around everything else; the page `/metrics` is written from the counts.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Upper bounds of the histogram of seconds."""


class ServerMetrics:
    """Counts since the start; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._within: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()
        self.started = time.time()
        self.n_rows = 0
        self.n_batches = 0

    def request(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        with self._lock:
            self._requests[method, path, status] += 1
            self._within.setdefault(path, [0] * (len(BOUNDS) + 1))[bisect_left(BOUNDS, seconds)] += 1
            self._seconds[path] += seconds  # type: ignore[assignment]

    def batch(self, n_rows: int) -> None:
        """Count a batch of predictions."""
        with self._lock:
            self.n_rows += n_rows
            self.n_batches += 1

    def text(self) -> str:
        """Write all counts."""
        with self._lock:
            return "\n".join([*self._request_lines(), *self._second_lines(), *self._single_lines()]) + "\n"

    def _request_lines(self) -> Iterator[str]:
        yield from _head("unless_requests_total", "counter", "Requests answered.")
        for (method, path, status), n in sorted(self._requests.items()):
            yield f'unless_requests_total{{method="{method}",path="{path}",status="{status}"}} {n}'

    def _second_lines(self) -> Iterator[str]:
        name = "unless_request_seconds"
        yield from _head(name, "histogram", "Seconds until the answer was complete.")
        for path, counts in sorted(self._within.items()):
            n = 0
            for bound, count in zip((*BOUNDS, "+Inf"), counts, strict=True):
                n += count
                yield f'{name}_bucket{{path="{path}",le="{bound}"}} {n}'
            yield f'{name}_sum{{path="{path}"}} {self._seconds[path]:.6f}'
            yield f'{name}_count{{path="{path}"}} {n}'

    def _single_lines(self) -> Iterator[str]:
        yield from _head("unless_rows_predicted_total", "counter", "Rows that were given a label.")
        yield f"unless_rows_predicted_total {self.n_rows}"
        yield from _head("unless_batches_total", "counter", "Batches in which rows were predicted.")
        yield f"unless_batches_total {self.n_batches}"
        yield from _head("unless_start_time_seconds", "gauge", "When the server started, in seconds since 1970.")
        yield f"unless_start_time_seconds {self.started:.3f}"


class Counting:
    """ASGI middleware: counts each request by the path of its route, so that the number of series is bounded."""

    def __init__(self, app: ASGIApp, metrics: ServerMetrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application and count."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, begun = 500, time.perf_counter()

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            method = scope["method"] if scope["method"] in METHODS else "other"
            self.metrics.request(method, route, status, time.perf_counter() - begun)


METHODS = frozenset({"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"})


def _head(name: str, kind: str, meaning: str) -> Iterator[str]:
    yield f"# HELP {name} {meaning}"
    yield f"# TYPE {name} {kind}"
