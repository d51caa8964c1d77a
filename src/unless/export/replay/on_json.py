"""JSON is replayed by reading it back: the program that is read decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.export.replay.answers import EngineAnswer, expected_answer
from unless.logic.text.json_program import read_program_json

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.vectors import Vectors
    from unless.logic.program import Program

KINDS = ("mixed",)


def version() -> str:
    """Name the engine."""
    from unless import __version__

    return f"unless {__version__}"


def replay(_program: Program, text: str, vectors: Vectors, _options: ExportOptions) -> list[EngineAnswer]:
    """Return what the program that is read back says of each row."""
    again = read_program_json(text)
    return [expected_answer(again, row) for row in vectors.as_dicts()]
