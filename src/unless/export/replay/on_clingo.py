"""clingo runs the exported program in a process of its own, some rows at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from unless.errors import DataError, EngineError
from unless.export.clingo_program import facts_of
from unless.export.from_program import decision_form
from unless.export.replay.answers import EngineAnswer

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.two_valued import DecisionForm
    from unless.export.vectors import Vectors
    from unless.logic.program import Program

KINDS = ("mixed",)
MOST_CARDS = 1
"""Of programs with more cards the probability is not said."""
BATCH = 5000
MINUTES = 30
RUNNER = """
import json, sys
import clingo
answers, models = {}, 0
def show(model):
    global models
    models += 1
    for symbol in model.symbols(shown=True):
        row, said = symbol.arguments
        answers.setdefault(row.number, {}).setdefault(symbol.name, []).append(said.string)
control = clingo.Control(["0", "--warn=none"])
control.add("base", [], json.load(sys.stdin))
control.ground([("base", [])])
control.solve(on_model=show)
json.dump([models, answers], sys.stdout)
"""


@lru_cache(maxsize=1)
def version() -> str:
    """Name the engine."""
    try:
        from clingo import __version__
    except ImportError:
        msg = "clingo is not installed (pip install clingo), so the program was not replayed."
        raise EngineError(msg) from None
    return f"clingo {__version__}"


def replay(program: Program, text: str, vectors: Vectors, _options: ExportOptions) -> list[EngineAnswer]:
    """Return what the program says of each row."""
    form = decision_form(program)
    rows = list(vectors.as_dicts())
    found: list[EngineAnswer] = []
    for start in range(0, len(rows), BATCH):
        facts = [_facts(form, row, n) for n, row in enumerate(rows[start : start + BATCH])]
        said = _run(text + "".join(filter(None, facts)))
        found += [_answer(said.get(str(n))) if fact else _answer(None) for n, fact in enumerate(facts)]
    return found


def _facts(form: DecisionForm, row: dict[str, Any], n: int) -> str | None:
    """Write the facts of a row; one that is refused has none."""
    try:
        return "\n".join([*facts_of(form, n, row), ""])
    except DataError:
        return None


def _run(text: str) -> dict[str, dict[str, list[str]]]:
    done = subprocess.run(
        [sys.executable, "-c", RUNNER], input=json.dumps(text).encode(), capture_output=True, timeout=60 * MINUTES,
        check=False,
    )  # fmt: skip
    if done.returncode:
        msg = f"clingo does not take the export: {done.stderr.decode('utf-8', 'replace').strip()[:300]}"
        raise EngineError(msg)
    n_models, answers = json.loads(done.stdout)
    if n_models != 1:
        msg = f"the program for clingo has {n_models} stable models; it must have one."
        raise EngineError(msg)
    found: dict[str, dict[str, list[str]]] = answers
    return found


def _answer(said: dict[str, list[str]] | None) -> EngineAnswer:
    if said is None:
        return EngineAnswer(None, is_refused=True)
    [label], rules = said["predicted"], said.get("rule", [""])
    weighed, plain = (_chance(said.get(name, [])) for name in ("probability", "probability_as_they_are"))
    return EngineAnswer(label, " and ".join(rules), weighed, plain)


def _chance(said: list[str]) -> float | None:
    return float(said[0]) if len(said) == 1 else None
