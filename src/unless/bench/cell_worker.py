"""One cell in a process of its own: `python -m unless.bench.cell_worker`, a JSON order in, a JSON line per fold out.

The learner first learns from a few rows, so that neither imports nor compiling count. Times are of the processor, not
of the clock: other work on the machine does not count. A thread ends the process when it has used its seconds, whatever
the learner is doing, or when who ordered is gone; the folds finished by then have been written.
"""

from __future__ import annotations

import json
import os
import sys
import threading
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
OUT_OF_TIME = 75
LOOK_EVERY = 0.1


def run(order: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Carry out an order: yield a record for each fold that is not done yet."""
    table = TableSource(**order["source"]).read()
    entry = CONTESTANTS[order["learner"]]
    entry.make().fit(_few(table))
    done = {tuple(pair) for pair in order["done"]}
    before = 0.0
    for shuffle in range(order["shuffles"]):
        is_begun = any(begun == shuffle for begun, _ in done)
        if shuffle and not is_begun and order["used"] + time.process_time() > order["enough"]:
            return
        for fold, (train, test) in enumerate(table.folds(order["folds"], order["seed"] + shuffle)):
            if (shuffle, fold) not in done:
                result = _measure(entry.make(), train, test)
                used = time.process_time()
                yield {"shuffle": shuffle, "fold": fold, "used": used - before, "result": result}
                before = used


def _measure(learner: Any, train: BenchTable, test: BenchTable) -> dict[str, Any]:
    """Learn from some rows, predict others."""
    start = time.process_time()
    learner.fit(train)
    seconds = time.process_time() - start
    scores = score([str(y) for y in test.y], [str(y) for y in learner.predict(test)], "True")
    size = learner.size()
    return {
        "tp": scores.tp, "fp": scores.fp, "fn": scores.fn, "tn": scores.tn, "seconds": seconds,
        "rules": size and size.rules, "literals": size and size.literals,
    }  # fmt: skip


def _few(table: BenchTable) -> BenchTable:
    """Take some rows of both classes."""
    rows = [np.flatnonzero(table.y == label)[: WARM_UP // 2] for label in (True, False)]
    return table.take(np.concatenate(rows))


def _end_in_time(seconds: float) -> None:
    """End this process when it has used its seconds, or is left alone."""
    parent = os.getppid()
    while time.process_time() < seconds and os.getppid() == parent:
        time.sleep(LOOK_EVERY)
    os._exit(OUT_OF_TIME)


def main() -> None:
    """Read an order, write the records."""
    warnings.simplefilter("ignore")
    order = json.load(sys.stdin)
    threading.Thread(target=_end_in_time, args=(order["seconds"],), daemon=True).start()
    for record in run(order):
        sys.stdout.write(json.dumps(record) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
