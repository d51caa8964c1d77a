"""jpmml-evaluator runs the PMML, under the Python that UNLESS_PMML_PYTHON names, or ours; it is Java inside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless.errors import DataError, EngineError
from unless.export.from_program import decision_form
from unless.export.pmml_file import pmml_fields, word_fields
from unless.export.replay.answers import EngineAnswer
from unless.logic.readings import read_part_cell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.export.options import ExportOptions
    from unless.export.two_valued import DecisionForm
    from unless.export.vectors import Vectors
    from unless.logic.program import Program

KINDS = ("mixed",)
MINUTES = 30
SETTING = "UNLESS_PMML_PYTHON"
FIND = 'import jpmml_evaluator as engine; print("jpmml-evaluator", engine.__version__)'
RUNNER = """
import json, sys
import pandas
from jpmml_evaluator import make_evaluator
order = json.load(open(sys.argv[1], encoding="utf-8"))
columns = {name: [row[i] for row in order["rows"]] for i, name in enumerate(order["fields"])}
columns["unless row"] = list(range(len(order["rows"])))
frame = pandas.DataFrame({name: pandas.Series(cells, dtype=object) for name, cells in columns.items()})
found = make_evaluator(order["file"]).verify().evaluateAll(frame, nan_as_missing=True)
predicted, rule, *probabilities = order["answers"]
pairs = [[label, number if isinstance(number, str) else ""] for label, number in zip(found[predicted], found[rule])]
for probability in probabilities:
    pairs = [[*pair, float(chance)] for pair, chance in zip(pairs, found[probability])]
json.dump(pairs, open(sys.argv[2], "w", encoding="utf-8"))
"""


def python() -> str:
    """Return the Python that has the engine."""
    return os.environ.get(SETTING, sys.executable)


@lru_cache(maxsize=1)
def version() -> str:
    """Name the engine."""
    said = subprocess.run([python(), "-c", FIND], capture_output=True, text=True, timeout=60, check=False)
    if said.returncode:
        msg = "no PMML engine is installed (pip install jpmml-evaluator, and Java), so the export was not replayed."
        raise EngineError(msg)
    return said.stdout.strip()


def replay(program: Program, text: str, vectors: Vectors, _options: ExportOptions) -> list[EngineAnswer]:
    """Return what the rules say of each row."""
    form = decision_form(program)
    fields, words = list(pmml_fields(form)), word_fields(form)
    rows = [_values(form, fields, words, row) for row in vectors.as_dicts()]
    with tempfile.TemporaryDirectory(prefix="unless-") as directory:
        folder = Path(directory)
        (folder / "exported.pmml").write_text(text, encoding="utf-8")
        order = {"fields": fields, "rows": [r for r in rows if r is not None],
                 "answers": form.answers, "file": str(folder / "exported.pmml")}  # fmt: skip
        (folder / "order.json").write_text(json.dumps(order), encoding="utf-8")
        done = subprocess.run(
            [python(), "-c", RUNNER, str(folder / "order.json"), str(folder / "found.json")],
            capture_output=True, timeout=60 * MINUTES, check=False,
        )  # fmt: skip
        if done.returncode:
            msg = f"{version()} does not take the export: {done.stderr.decode('utf-8', 'replace').strip()[-300:]}"
            raise EngineError(msg)
        said = iter(json.loads((folder / "found.json").read_text(encoding="utf-8")))
    return [EngineAnswer(None, is_refused=True) if row is None else EngineAnswer(*next(said)) for row in rows]


def _values(
    form: DecisionForm, fields: list[str], words: Mapping[str, str], row: Mapping[str, object]
) -> list[Any] | None:
    """Return the values of a row's fields; a row that is refused has none."""
    found: dict[str, Any] = {}
    for column in form.columns:
        try:
            value = read_part_cell(column, row, form.missing)
        except DataError:
            return None
        is_word = column.kind == "numerical" and isinstance(value, str)
        found[words[column.name] if is_word else column.name] = value
    return [found.get(field) for field in fields]
