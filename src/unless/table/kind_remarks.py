"""What is said about the kinds of columns: decisions against the look of a column, and how its cells are read."""

from __future__ import annotations

import logging
import shlex
from typing import TYPE_CHECKING

from unless.errors import Phrase, listing
from unless.logic.date_texts import CENTURY, DURATION, SHORT_YEARS
from unless.logic.readings import is_date

if TYPE_CHECKING:
    from unless.table.column_look import Look
    from unless.table.recognise import Recognised

log = logging.getLogger("unless")

PLAIN_READING = "1234.56"
"""The name of the reading of plain numbers."""
MIXED = "column %r holds numbers and words (%s): it is taken as numerical (mixed)."
MIXED_COLUMNS = "columns %s hold numbers and words: they are taken as numerical (mixed)."
"""What is said of several columns, in place of `MIXED` of each."""


def remark_reading(name: str, found: Recognised) -> None:
    """Say how a column is read, and what else its texts might mean."""
    what = meaning(found.reading)
    if found.others:
        log.warning(
            "column %r is read as %s: %s%s. It could also be %s; say which, as in: --read %s",
            name, what, found.reading or PLAIN_READING, century(found.reading), " or ".join(found.others),
            quoted_option(name, found.others[0]),
        )  # fmt: skip
    else:
        log.warning("column %r is read as %s: %s%s.", name, what, found.reading, century(found.reading))


def century(reading: str) -> str:
    """Say which years those of two digits are, where a reading has them."""
    is_short = reading.partition(" ")[0] in SHORT_YEARS
    return Phrase(f" (years {CENTURY} to 99 are 19{CENTURY} to 1999, the others 20xx)") if is_short else ""


def meaning(reading: str) -> str:
    """Say what the cells of a column are, by their reading."""
    if not is_date(reading):
        return Phrase("numbers")
    return Phrase("times" if reading == DURATION else "dates")


def quoted_option(name: str, value: str) -> str:
    """Return NAME=VALUE as it is typed in a shell."""
    return shlex.quote(f"{name}={value}")


def remark(name: str, look: Look, by: str) -> None:
    """Say what was decided against the look of a column."""
    if not look.is_text or (by == "dtype" and look.n_numbers):
        return
    if by == "dtype":
        found = look.recognise()
        if 2 * found.n_read > look.n_seen:
            reading = found.reading or PLAIN_READING
            log.warning(
                "column %r is text, but most of its values are %s, written %s: it is taken as words. "
                "To have it read so, readings={%r: %r} (--read %s).",
                name, meaning(found.reading), reading, name, reading, quoted_option(name, reading),
            )  # fmt: skip
    elif look.share <= 0.5:
        return
    elif look.has_code:
        log.warning("column %r is written like a code ('08'): it is taken as words (categorical).", name)
    elif look.share < 1.0:
        shown = listing(repr(word) for word in look.words)
        log.warning(MIXED, name, shown)
