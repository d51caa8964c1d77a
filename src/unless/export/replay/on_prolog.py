"""SWI-Prolog runs the exported program: the rows as facts, one answer a line."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from unless.errors import EngineError
from unless.export.prolog_constants import number_text, quoted
from unless.export.replay.answers import EngineAnswer

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.vectors import Cell, Vectors
    from unless.logic.program import Program

KINDS = ("mixed",)
MINUTES = 30
RUNNER = r"""
:- use_module(exported).
:- use_module(library(http/json)).
:- initialization(main).
main :-
    forall(row(_, Row),
           ( catch(once(said(Row, Said)), error(infinite_number(_), _), Said = null),
             json_write_dict(current_output, Said, [width(0)]), nl )),
    halt.
said(Row, [A, B|Graded]) :-
    (   current_predicate(decisions:decide/4)
    ->  decisions:decide(Row, Label, Rule, Probability), Graded = [Probability|Plain]
    ;   decisions:decide(Row, Label, Rule), Graded = []
    ),
    (   current_predicate(decisions:probability_as_they_are/2)
    ->  decisions:probability_as_they_are(Row, AsTheyAre), Plain = [AsTheyAre]
    ;   Plain = []
    ),
    atom_string(Label, A), atom_string(Rule, B).
"""


def swipl() -> str:
    """Find SWI-Prolog."""
    found = shutil.which("swipl")
    if found is None:
        msg = "SWI-Prolog is not installed (no swipl on the PATH), so the program was not replayed."
        raise EngineError(msg)
    return found


@lru_cache(maxsize=1)
def version() -> str:
    """Name the engine."""
    said = subprocess.run([swipl(), "--version"], capture_output=True, text=True, timeout=60, check=False)
    return f"SWI-Prolog {said.stdout.split()[2]}"


def can_hold(vectors: Vectors) -> list[bool]:
    """Tell of each row whether Prolog has such cells: it has no truth values."""
    return [not any(isinstance(cell, bool) for cell in row) for row in vectors.rows]


def replay(_program: Program, text: str, vectors: Vectors, _options: ExportOptions) -> list[EngineAnswer]:
    """Return what the program says of each row."""
    facts = "".join(f"row({n}, [{row_pairs(row)}]).\n" for n, row in enumerate(vectors.as_dicts()))
    with tempfile.TemporaryDirectory(prefix="unless-") as directory:
        folder = Path(directory)
        (folder / "exported.pl").write_text(text, encoding="utf-8")
        (folder / "runner.pl").write_text(RUNNER + facts, encoding="utf-8")
        done = subprocess.run(
            [swipl(), "--no-tty", "--stack_limit=4g", "-q", str(folder / "runner.pl")],
            capture_output=True, timeout=60 * MINUTES, check=False, stdin=subprocess.DEVNULL, cwd=directory,
        )  # fmt: skip
    lines = done.stdout.decode("utf-8", "replace").split("\n")[:-1]
    if len(lines) != len(vectors.rows) or done.stderr.strip():
        msg = f"SWI-Prolog does not take the export: {done.stderr.decode('utf-8', 'replace').strip()[:300]}"
        raise EngineError(msg)
    found = map(json.loads, lines)
    return [EngineAnswer(None, is_refused=True) if each is None else EngineAnswer(*each) for each in found]


def row_pairs(row: dict[str, Cell]) -> str:
    """Write a row as the list of pairs that the program takes."""
    return ", ".join(f"{quoted(name)}-({_cell(cell)})" for name, cell in row.items() if cell is not None)


def _cell(cell: Cell) -> str:
    if isinstance(cell, float):
        return "1.5NaN" if math.isnan(cell) else number_text(cell)
    return quoted(str(cell))
