"""What was tried, and what survived: counts that add up from run to run, kept in trials/record.json.

`python docs/write_trust.py` makes the table of docs/trust.md from it.
"""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

RECORD = Path(__file__).parent / "record.json"


def record(name: str, what: str, counts: dict[str, int], *, command: str) -> None:
    """Add a run to the record; `counts` must have `tried` and `failed`."""
    kept = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    before = kept.get(name, {}).get("counts", {})
    total = {key: before.get(key, 0) + count for key, count in counts.items()}
    today = f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}"
    kept[name] = {"what": what, "counts": total, "command": command, "last": today}
    RECORD.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")
