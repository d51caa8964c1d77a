"""The shape of a binned table, shared by everything that counts or scans.

A column's bins stand in one line: number bins ascending, word bins ascending, one bin for rare words, one for missing;
the lines of all columns stand one after the other. Kinds of test are bits, in the documented order of ties. Weights
are packed: "firing is right" in the high 32 bits, "firing is wrong" in the low 32, so that one 64-bit add counts both
(the total weight stays below 2**31).
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]

LE, GT, NOT_LE, NOT_GT, ONE_OF, NONE_OF = range(6)
NUMBER_KINDS = 4
"""The first kinds are those of numbers."""

PLAIN_NUMBER = 1 << LE | 1 << GT
NEGATED_NUMBER = 1 << NOT_LE | 1 << NOT_GT
NUMBERS = PLAIN_NUMBER | NEGATED_NUMBER
WORDS = 1 << ONE_OF | 1 << NONE_OF

RIGHT_BITS = 32
"""How far up in a packed weight "right" stands."""

WRONG_MASK = (1 << RIGHT_BITS) - 1
"""The bits of a packed weight that are "wrong"."""

COLUMN, KIND, AT, SIZE, FACTS = range(5)
"""What kernels say of a test: the fields of its line, and how many there are."""

MAX_BINS = 256
"""One byte a cell."""


class BinLayout(NamedTuple):
    """Where each column's bins begin, and how many of them are numbers and words."""

    offsets: Ints
    n_numbers: Ints
    n_words: Ints
