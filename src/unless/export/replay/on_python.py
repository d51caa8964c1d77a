"""Python runs the exported module, in a process of its own: it is text that we wrote, and still another program."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from platform import python_version
from typing import TYPE_CHECKING, Any

from unless.errors import EngineError
from unless.export.replay.answers import EngineAnswer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unless.export.options import ExportOptions
    from unless.export.vectors import Vectors
    from unless.logic.program import Program

KINDS = ("mixed",)
MINUTES = 30
RUNNER = """
import json, sys
sys.path.insert(0, sys.argv[1])
import exported
order = json.load(open(sys.argv[2], encoding="utf-8"))
answers = []
plain = getattr(exported, "probability_as_they_are", lambda row: None)
for cells in order["rows"]:
    row = dict(zip(order["columns"], cells))
    try:
        answers.append([*exported.decide(row), plain(row)])
    except ValueError:
        answers.append("refused")
json.dump(answers, sys.stdout)
"""


def version() -> str:
    """Name the engine."""
    return f"Python {python_version()}"


def replay(_program: Program, text: str, vectors: Vectors, _options: ExportOptions) -> list[EngineAnswer]:
    """Return what the module says of each row."""
    return run_module(text, vectors, "exported.py", RUNNER, [sys.executable, "-I"], "runner.py")


def run_module(
    text: str, vectors: Vectors, name: str, runner: str, command: Sequence[str], runner_name: str
) -> list[EngineAnswer]:
    """Write a module and the rows into a folder, run them, and read the answers."""
    with tempfile.TemporaryDirectory(prefix="unless-") as directory:
        folder = Path(directory)
        (folder / name).write_text(text, encoding="utf-8")
        (folder / runner_name).write_text(runner, encoding="utf-8")
        order = {"columns": vectors.columns, "rows": vectors.rows}
        (folder / "rows.json").write_text(json.dumps(order), encoding="utf-8")
        done = subprocess.run(
            [*command, str(folder / runner_name), directory, str(folder / "rows.json")],
            capture_output=True, timeout=60 * MINUTES, check=False,
        )  # fmt: skip
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        msg = f"the exported module did not run: {last[:300]}"
        raise EngineError(msg)
    return read_answers(json.loads(done.stdout))


def read_answers(found: Iterable[Any]) -> list[EngineAnswer]:
    """Read lists of label, rule and probabilities; anything else is a refused row."""
    return [EngineAnswer(*each) if isinstance(each, list) else EngineAnswer(None, is_refused=True) for each in found]
