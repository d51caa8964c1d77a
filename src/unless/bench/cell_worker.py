"""One cell in a process of its own: `python -m unless.bench.cell_worker`, a JSON order in, a JSON line per fold out.

The learner first learns from a few rows, so that neither imports nor compiling count. A process can be stopped at its
time limit, whatever the learner is doing; the folds finished by then have been written.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.bench.bench_tables import TableSource
from unless.bench.contestants import CONTESTANTS
from unless.evaluate.scores import score

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.bench.bench_tables import BenchTable

WARM_UP = 40


def run(order: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Carry out an order: yield a record for each fold."""
    table = TableSource(**order["source"]).read()
    entry = CONTESTANTS[order["learner"]]
    entry.make().fit(_few(table))
    for train, test in table.folds(order["folds"], order["seed"]):
        learner = entry.make()
        start = time.perf_counter()
        learner.fit(train)
        seconds = time.perf_counter() - start
        predicted = learner.predict(test)
        scores = score([str(y) for y in test.y], [str(y) for y in predicted], "True")
        size = learner.size()
        yield {
            "tp": scores.tp, "fp": scores.fp, "fn": scores.fn, "tn": scores.tn, "seconds": seconds,
            "rules": size and size.rules, "literals": size and size.literals,
        }  # fmt: skip


def _few(table: BenchTable) -> BenchTable:
    """Take some rows of both classes."""
    rows = [np.flatnonzero(table.y == label)[: WARM_UP // 2] for label in (True, False)]
    return table.take(np.concatenate(rows))


def main() -> None:
    """Read an order, write the records."""
    warnings.simplefilter("ignore")
    for record in run(json.load(sys.stdin)):
        sys.stdout.write(json.dumps(record) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
