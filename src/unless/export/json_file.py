"""JSON with a schema that has a version (`logic.text.json_program`); `unless.load` reads it back, equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.logic.text.json_program import program_json

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.logic.program import Program


def write(program: Program, _options: ExportOptions) -> str:
    """Write a program as JSON."""
    return program_json(program)
