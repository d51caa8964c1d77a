"""Cells that are not written as a program reads their column: amounts of another country, dates of another kind.

In: a column of a program and its cells in a table. Out: a warning, where words stand among the numbers that would be
numbers in another format. A program sees words there, which no bound lets through: it would answer wrongly in silence.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from unless.errors import Count
from unless.table.cells import MISSING
from unless.table.columns import RawColumn

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from unless.logic.program import Program
    from unless.table.cells import Cells, Words

log = logging.getLogger("unless")

LOOKED_AT = 1000
"""So many distinct words are looked at."""
ONE_UNLIKE = (
    "column %r is read as %s, and %s of %s cells is not written so, such as %r: it is a word to the program. "
    "Write them alike."
)
UNLIKE = (
    "column %r is read as %s, and %s of %s cells are not written so, such as %r: they are words to the program. "
    "Write them alike."
)


def remark_unlike(program: Program, read: Mapping[str, Cells], *, known: Collection[str] = ()) -> None:
    """Say which columns are written otherwise than a program reads them, where that can be seen.

    `known` are columns of which it was said before.
    """
    for column in program.columns:
        is_asked = column.kind == "numerical" and not column.atoms and column.name not in known
        cells = read.get(column.name) if is_asked else None
        if cells is None or cells.words is None:
            continue
        word, n_rows = _written_otherwise(cells.words)
        if n_rows:
            from unless.table.kind_remarks import PLAIN_READING

            counted = Count(n_rows), Count(cells.n_rows)
            sentence = ONE_UNLIKE if n_rows == 1 else UNLIKE
            log.warning(sentence, column.name, column.reading or PLAIN_READING, *counted, word)


def _written_otherwise(words: Words) -> tuple[str, int]:
    """Return a word that is a number or date in another format, and how many rows have a word with digits."""
    with_digit = [code for code, word in enumerate(words.lexicon) if any(map(str.isdigit, word))]
    texts = [words.lexicon[code] for code in with_digit[:LOOKED_AT]]
    if not texts:
        return "", 0
    # Recognising formats is loaded only now: every prediction passes here, and few have such words.
    from unless.table.column_look import look_at

    found = look_at(RawColumn("", text=pl.Series(texts))).recognise()
    if 2 * found.n_read < len(texts):
        return "", 0
    counts = np.bincount(words.codes[words.codes != MISSING], minlength=len(words.lexicon))
    return texts[0], int(counts[with_digit].sum())
