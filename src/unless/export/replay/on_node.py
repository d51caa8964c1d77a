"""Node.js runs the exported JavaScript module."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from unless.errors import EngineError
from unless.export.replay.on_python import run_module

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.replay.answers import EngineAnswer
    from unless.export.vectors import Vectors
    from unless.logic.program import Program

KINDS = ("mixed",)
RUNNER = """
import { readFileSync } from "node:fs";
import { decide } from "./exported.mjs";
const order = JSON.parse(readFileSync(process.argv[3], "utf8").replaceAll(/\\bNaN\\b(?=[,\\]])/g, '{"nan": 1}'));
const cell = (value) => (value !== null && typeof value === "object" ? NaN : value);
const answers = order.rows.map((cells) => {
  try {
    const said = decide(Object.fromEntries(order.columns.map((name, i) => [name, cell(cells[i])])));
    return [said.label, said.rule, said.probability, said.probabilityAsTheyAre ?? null];
  } catch (error) {
    if (error instanceof RangeError) return "refused";
    throw error;
  }
});
process.stdout.write(JSON.stringify(answers));
"""


def node() -> str:
    """Find Node.js."""
    found = shutil.which("node")
    if found is None:
        msg = "Node.js is not installed (no node on the PATH), so the JavaScript was not replayed."
        raise EngineError(msg)
    return found


def version() -> str:
    """Name the engine."""
    said = subprocess.run([node(), "--version"], capture_output=True, text=True, timeout=60, check=False)
    return f"Node.js {said.stdout.strip().removeprefix('v')}"


def replay(_program: Program, text: str, vectors: Vectors, _options: ExportOptions) -> list[EngineAnswer]:
    """Return what the module says of each row."""
    return run_module(text, vectors, "exported.mjs", RUNNER, [node()], "runner.mjs")
