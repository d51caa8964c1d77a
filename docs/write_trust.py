"""Write the page of what was tried: `python docs/write_trust.py` writes trust.md from trials/record.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from unless.logic.text.files import write_text

HERE = Path(__file__).parent
RECORD = HERE.parent / "trials" / "record.json"

HEAD = """\
# Trust: what was tried to break it

This table is written by `docs/write_trust.py` from `trials/record.json`, to which each command adds what it did. A
trial fails by any exception that is not a sentence of ours, by more than ten seconds of CPU for one input, by a wrong
answer, or by a file that is neither the old one nor the new one. What failed stays counted after it was mended; it is
kept in `trials/found` and replayed by the tests. What is fuzzed is mostly garbled: "accepted" says how much of it was
read and answered, all else was refused in a sentence.

| what | tried | accepted | failed | last | of commit | command |
|---|---:|---:|---:|---|---|---|
"""

TAIL = """
## What is refused, and how

- No command writes over a file that it reads, by its own name, through a link, in a folder or by a glob; a model may
  replace the model it was made from. No two options of a command write one file. A folder to write into that is not
  there is said before the work begins.
- Files are written whole or not at all: into a file without a name, synced, then named, and the folder synced. A kill
  leaves the old file or the new one and nothing else. (Where a file system has no files without names, a hidden one
  beside the file may be left by a kill.) A pipe or a device, such as /dev/stdout, is written to and stays what it is.
- Labels that no text file can hold (dates, bytes, tuples) and halves of characters (lone surrogates) are refused before
  learning, in a sentence.
- A text of a program is at most 4,000,000 characters, to save as to read; reading takes time in proportion to its
  length, also with thousands of labels. Nothing in it is executed.
- Devices are no tables; a pipe has ten seconds to find a writer. A packed file that unpacks to over 300 times its size
  (and over 256 megabytes), a stream for which there is no room in memory or on the disk, over 100,000 columns and
  brackets in brackets without end are refused in a sentence.
- `edit` and `export --verify` put what they hand to other programs into the folder of temporary files; a kill at that
  moment leaves it there.
"""


def page() -> str:
    """Return the page as Markdown."""
    kept: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    rows = "".join(_row(each) for each in kept.values())
    fuzzed = [run["counts"]["tried"] for name, each in kept.items() if name.startswith("fuzz") for run in each["runs"]]
    return f"{HEAD}{rows}\nFuzzed inputs in all: {sum(fuzzed):,}.\n{TAIL}"


def _row(tried: dict[str, Any]) -> str:
    runs = tried["runs"]
    total = {key: sum(run["counts"][key] for run in runs) for key in ("tried", "failed")}
    total["accepted"] = sum(run["counts"].get("accepted", 0) for run in runs)  # of what is not fuzzed: none
    commits = ", ".join(dict.fromkeys(f"{run['commit'][:7]}{run['commit'][9:]}" for run in runs))
    last = max(run["to"] for run in runs)
    counts = (f"{total['tried']:,}", f"{total['accepted']:,}" if total["accepted"] else "", f"{total['failed']:,}")
    return f"| {tried['what']} | {' | '.join(counts)} | {last} | {commits} | `{tried['command']}` |\n"


if __name__ == "__main__":
    write_text(HERE / "trust.md", page())
