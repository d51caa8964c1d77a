"""DMN: refused until an engine replays it. FEEL compares a word with a number otherwise from engine to engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from unless.errors import DataError

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.logic.program import Program


def write(_program: Program, _options: ExportOptions) -> NoReturn:
    """Say why a program does not become a decision table."""
    msg = (
        'engines of DMN do not agree on FEEL ("abc" <= 3 is null in one and true in another), and none replays exports '
        "here yet, so nothing is written. Hint: export to pmml or javascript, which are replayed."
    )
    raise DataError(msg)
