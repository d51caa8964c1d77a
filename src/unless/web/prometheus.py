"""What the server did, in the text form that Prometheus reads: requests, seconds, rows by rule, versions of models.

Counting happens in an ASGI middleware around everything else; the page `/metrics` is written from the counts. Rows are
counted by the rule that decided them: where shares of rules move, the rows are no longer those the rules were learned
from.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from threading import Lock
from typing import TYPE_CHECKING

from unless.logic.program import label_text
from unless.web.asgi_routes import WATCHED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from unless.logic.rules import Label

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Upper bounds of the histogram of seconds."""


class ServerMetrics:
    """Counts since the start; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._within: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()
        self._rows: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
        self._models: dict[str, tuple[str, float]] = {}
        self._reloads: Counter[tuple[str, str]] = Counter()
        self.started = time.time()

    def request(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        with self._lock:
            self._requests[method, path, status] += 1
            self._within.setdefault(path, [0] * (len(BOUNDS) + 1))[bisect_left(BOUNDS, seconds)] += 1
            self._seconds[path] += seconds  # type: ignore[assignment]

    def decided(self, model: str, version: str, decisions: Iterable[tuple[Label, str | None]]) -> None:
        """Count rows by the label they were given and the rule that decided them."""
        with self._lock:
            counts = self._rows.setdefault((model, version), Counter())
            for label, rule in decisions:
                counts[label_text(label), rule or "none"] += 1

    def model(self, name: str, version: str, since: float) -> None:
        """Note which version of a model is in force; the counts of those before it are forgotten."""
        with self._lock:
            self._models[name] = version, since
            self._rows = {key: counts for key, counts in self._rows.items() if key[0] != name or key[1] == version}

    def reloaded(self, name: str, *, is_new: bool) -> None:
        """Count a file that was read again."""
        with self._lock:
            self._reloads[name, "new" if is_new else "refused"] += 1

    def text(self) -> str:
        """Write all counts."""
        with self._lock:
            return "\n".join([*self._request_lines(), *self._second_lines(), *self._model_lines()]) + "\n"

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

    def _model_lines(self) -> Iterator[str]:
        yield from _head("unless_rows_total", "counter", "Rows answered, by label and by the rule that decided.")
        for (model, version), counts in sorted(self._rows.items()):
            for (label, rule), n in sorted(counts.items()):
                yield f"unless_rows_total{_labels(model=model, version=version, label=label, rule=rule)} {n}"
        yield from _head("unless_model_since_seconds", "gauge", "Since when this version is in force, since 1970.")
        for name, (version, since) in sorted(self._models.items()):
            yield f"unless_model_since_seconds{_labels(model=name, version=version)} {since:.3f}"
        yield from _head("unless_reloads_total", "counter", "Model files read again: taken as new, or refused.")
        for (name, result), n in sorted(self._reloads.items()):
            yield f"unless_reloads_total{_labels(model=name, result=result)} {n}"
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
            route = str(scope.get(WATCHED) or getattr(scope.get("route"), "path", "other"))
            method = scope["method"] if scope["method"] in METHODS else "other"
            self.metrics.request(method, route, status, time.perf_counter() - begun)


METHODS = frozenset({"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"})


def _head(name: str, kind: str, meaning: str) -> Iterator[str]:
    yield f"# HELP {name} {meaning}"
    yield f"# TYPE {name} {kind}"


def _labels(**labels: str) -> str:
    """Write labels; quotes, backslashes and line ends in their values are escaped, halves of characters replaced."""
    escaped = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": " "}
    pairs = []
    for name, value in labels.items():
        text = value.encode("utf-8", "replace").decode()
        pairs.append(f'{name}="{"".join(escaped.get(letter, letter) for letter in text)}"')
    return "{" + ",".join(pairs) + "}"
