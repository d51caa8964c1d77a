r"""The figures of unseen rows as text: a line `%@ unseen` at the end of a model file, which s(CASP) ignores.

    %@ unseen of 5d3f0a9b2c1e: 223 of 270 right, 5 folds, always 'absent' 150, auc 0.892

It names the clauses that it is about; 223 of 270 held-out rows were right, and 150 would be by always saying 'absent'.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from unless.errors import ProgramError
from unless.logic.text.grade_lines import NUMBER, QUOTED, read_label
from unless.logic.unseen_rows import Unseen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lark import Token

    from unless.logic.text.written import ProgramText

SHAPE = "of MARK: N of ROWS right, N folds, always LABEL N, auc NUMBER"
LINE = re.compile(
    r"%@[ \t]*unseen\s+of\s+(?P<mark>[0-9a-f]{4,64}):\s*(?P<right>[0-9]+) of (?P<rows>[0-9]+) right,\s*"
    rf"(?P<folds>[0-9]+) folds?,\s*always (?P<label>{QUOTED}|{NUMBER}|true|false) (?P<commonest>[0-9]+)"
    rf"(?:,\s*auc (?P<auc>{NUMBER}))?\s*"
)


def read_unseen(lines: Sequence[Token], reader: ProgramText) -> Unseen | None:
    """Read the figures of unseen rows; of several lines the last counts."""
    found = None
    for line in lines:
        match = LINE.fullmatch(str(line))
        if match is None:
            raise reader.error(line, "this line about unseen rows cannot be read", SHAPE)
        rows, right, folds, commonest = (int(match[name]) for name in ("rows", "right", "folds", "commonest"))
        auc = None if match["auc"] is None else float(match["auc"])
        try:
            found = Unseen(rows, right, folds, read_label(match["label"]), commonest, auc, match["mark"])
        except ProgramError as error:
            raise reader.error(line, str(error).rstrip(".")) from None
    return found
