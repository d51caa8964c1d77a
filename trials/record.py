"""What was tried, and what survived: runs that add up, kept in trials/record.json.

A run has its commit, its days, its first and last seed and its counts; runs of one commit whose seeds follow one
another become one. No seed counts twice: a run that is not given a seed takes the first that was never tried.
`python docs/write_trust.py` makes the table of docs/trust.md from it.
"""

from __future__ import annotations

import datetime as dt
import fcntl
import json
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

RECORD = Path(__file__).parent / "record.json"


def next_seed(name: str, file: Path = RECORD) -> int:
    """Return the first seed after all that were tried."""
    runs = _read(file).get(name, {}).get("runs", [])
    return max((run["seeds"][1] + 1 for run in runs), default=0)


def record(
    name: str, what: str, counts: dict[str, int], *, command: str, seeds: tuple[int, int], file: Path = RECORD
) -> None:
    """Add a run to the record; `counts` must have `tried` and `failed`, `seeds` are the first and the last."""
    today = f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}"
    run = {"commit": commit(), "from": today, "to": today, "seeds": list(seeds), "counts": dict(counts)}
    with _alone(file):
        kept = _read(file)
        runs = [each for each in kept.get(name, {}).get("runs", []) if not _overlap(each["seeds"], seeds)]
        kept[name] = {"what": what, "command": command, "runs": joined([*runs, run])}
        file.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")


def joined(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return runs by seed, those of one commit that follow one another as one."""
    result: list[dict[str, Any]] = []
    for run in sorted(runs, key=lambda each: each["seeds"]):
        before = result[-1] if result else None
        if before and before["commit"] == run["commit"] and before["seeds"][1] + 1 == run["seeds"][0]:
            result[-1] = {
                "commit": run["commit"],
                "from": min(before["from"], run["from"]),
                "to": max(before["to"], run["to"]),
                "seeds": [before["seeds"][0], run["seeds"][1]],
                "counts": added(before["counts"], run["counts"]),
            }
        else:
            result.append(run)
    return result


def added(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    """Return the sums of two counts; what is of a machine, a peak, is no sum."""
    return {
        key: max(one.get(key, 0), other.get(key, 0)) if key.startswith("most ") else one.get(key, 0) + other.get(key, 0)
        for key in {**one, **other}
    }


def commit() -> str:
    """Return the commit that was tried, with a + where files were changed since."""
    git = ["git", "-C", str(Path(__file__).parent)]
    head = subprocess.run([*git, "rev-parse", "--short=9", "HEAD"], capture_output=True, text=True, check=False)
    paths = [":/src", ":/trials/*.py"]
    changed = subprocess.run([*git, "status", "--short", *paths], capture_output=True, text=True, check=False)
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "")


def _overlap(one: list[int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _read(file: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return kept


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Keep other trials from writing at the same time."""
    with file.resolve().with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
