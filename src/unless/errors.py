"""The errors that users meet, and the sentences they read.

One base class, children by whose business it is: the table's (`DataError`), the program text's
(`ProgramSyntaxError`), the program's meaning (`ProgramError`), that of another program that we call (`EngineError`) or
of a cluster (`ClusterError`). All but the last two are also a `ValueError`, which is what callers of a Python library
expect to catch. Messages say what was found, where, what is accepted, and end with a hint where there is one; the
builders below keep that shape.
"""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LISTED = 12
"""How many names a message lists before it says how many more there are."""
LONGEST = 80
"""A longer name is cut: a cell of a table may be a whole book."""


class UnlessError(Exception):
    """Base of every error that `unless` raises on purpose."""


class DataError(UnlessError, ValueError):
    """A table cannot be used as it is."""


class Note(UserWarning):
    """A warning as a sentence with gaps and what fills them, as a line of a log is: other languages say it too."""

    def __str__(self) -> str:
        """Return it in English."""
        sentence, *filled = self.args
        return str(sentence % tuple(filled))

    def warn(self) -> None:
        """Warn of it, and point to the line that uses the library, wherever in the library it was found."""
        frame, level = sys._getframe(1), 2
        while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("unless."):
            frame, level = frame.f_back, level + 1
        warnings.warn(self, stacklevel=level)


class Phrase(str):
    """Words in a gap of a note that each language has its own for, unlike names and values."""

    __slots__ = ()


class NotePart:
    """A part of a note that has gaps of its own."""

    def __init__(self, sentence: str, *filled: object) -> None:
        self.sentence = sentence
        self.filled = filled

    def __str__(self) -> str:
        """Return it in English."""
        return self.sentence % self.filled


class Count(int):
    """A number in a gap of a note: in English its digits are in groups of three."""

    def __str__(self) -> str:
        """Write it in English."""
        return f"{int(self):,}"


class SettingError(DataError):
    """A setting has a value that it does not accept; carries its name, for whoever calls it otherwise."""

    def __init__(self, name: str, value: object, accepted: str) -> None:
        self.name = name
        self.value = value
        self.accepted = accepted
        super().__init__(f"{name} is {value!r}; accepted: {accepted}.")


class MisfitError(DataError):
    """A setting does not fit the table; carries its name, and what is wrong, for whoever calls it otherwise."""

    def __init__(self, name: str, problem: str, value: object = None) -> None:
        self.name = name
        self.problem = problem
        self.value = value
        super().__init__(f"{name if value is None else f'{name}={value!r}'} {problem}")


class ClusterError(UnlessError, RuntimeError):
    """A Dask cluster cannot be reached, or was lost."""


class ProgramError(UnlessError, ValueError):
    """A program is well written but cannot mean anything: undefined, cyclic or unsafe."""


class EngineError(UnlessError, RuntimeError):
    """Another engine (s(CASP)) is absent, too old or too slow, or could not be understood."""


class DisagreementError(EngineError):
    """Another engine does not prove what `unless` predicts: a defect, to be reported."""


class ProgramSyntaxError(UnlessError, ValueError):
    """A program text does not follow the grammar; carries line, column and what was expected there.

    `of` says which text it is, where there are several: a model file, the examples, the background.
    """

    def __init__(
        self, problem: str, text: str, line: int, column: int, expected: Sequence[str] = (), of: str = ""
    ) -> None:
        self.problem = problem
        self.text = text
        self.line = line
        self.column = column
        self.expected = tuple(expected)
        super().__init__(_with_caret(problem, text, line, column, self.expected, of))

    def said_of(self, of: str) -> ProgramSyntaxError:
        """Return the same error, saying which text it is of."""
        return ProgramSyntaxError(self.problem, self.text, self.line, self.column, self.expected, of)

    def advised(self, hint: str) -> ProgramSyntaxError:
        """Return the same error, with a hint in place of what the grammar expects there."""
        return ProgramSyntaxError(f"{self.problem}. {hint}", self.text, self.line, self.column)


def _with_caret(problem: str, text: str, line: int, column: int, expected: Sequence[str], of: str) -> str:
    """Show the line with a caret under the column."""
    where = f"{of and f'{of}, '}line {line}, column {column}: {problem}"
    accepted = f"\nexpected: {', '.join(expected)}" if expected else ""
    # A hostile line may be megabytes long: show only the neighbourhood of the caret.
    start = max(0, column - 81)
    shown = text[start : column + 79].replace("\t", " ")
    return f"{where}\n  {shown}\n  {' ' * (column - 1 - start)}^{accepted}"


LEARNING_PARTS = frozenset({"numpy", "polars", "narwhals", "llvmlite", "sklearn", "scipy", "joblib"})
"""What `unless` has and `unless-light` has not."""


def absent_part(module: str) -> str:
    """Say what to install where a module of the whole distribution is absent; empty for any other module.

    >>> absent_part("numpy.linalg")
    "Install what learning and tables need with: pip install 'unless-light[learn]' (or: pip install unless)."
    """
    if module.partition(".")[0] not in LEARNING_PARTS:
        return ""
    return "Install what learning and tables need with: pip install 'unless-light[learn]' (or: pip install unless)."


def listing(names: Iterable[object]) -> str:
    """Join names for a message, cutting long lists and long names short.

    >>> listing(["age", "x" * 1_000_000])
    'age, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... (1,000,000 characters)'
    """
    shown = [_cut(str(name)) for name in names]
    more = len(shown) - LISTED
    return ", ".join(shown[:LISTED]) + (f" and {more} more" if more > 0 else "")


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST // 2]}... ({len(name):,} characters)"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint with the nearest known name, or nothing."""
    return str(meant(name, known))


def meant(name: str, known: Iterable[str]) -> NotePart:
    """Return that hint as a part of a note."""
    close = nearest(name, known)
    return NotePart("") if close is None else NotePart(" Did you mean %r?", close)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is nearest, if any is near; case, blanks and marks count little.

    >>> nearest("CLAIM_AMOUNT", ["Claim #", "Claim Amount"]), nearest("persnr", ["Pers.-Nr."]), nearest("x", ["%"])
    ('Claim Amount', 'Pers.-Nr.', None)
    """
    from difflib import get_close_matches

    names = list(known)
    near = next(iter(get_close_matches(name, names, n=1)), None)
    if near is not None:
        return near
    bare = {_bare(each): each for each in reversed(names)}
    return next((bare[each] for each in get_close_matches(_bare(name), list(bare), n=1)), None)


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold())) or name


def unknown_column(name: str, known: Sequence[str], where: str = "the table") -> str:
    """Say that a column is absent and which there are; those with blanks that nobody would see stand in quotes."""
    shown = listing(each if each == " ".join(each.split()) and each else repr(each) for each in known)
    return f"column {name!r} is not in {where}; columns: {shown or 'none'}.{did_you_mean(name, known)}"


def half_character(error: UnicodeEncodeError) -> str:
    """Say that a text holds a surrogate without its other half."""
    text, start = error.object, error.start
    around = text[max(start - 20, 0) : start + 20]
    return f"{around!r} holds half a character ({text[start]!r}), which no text file can keep. Hint: replace it."
