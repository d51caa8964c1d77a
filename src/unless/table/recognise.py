"""How a column of text is to be read: which format of numbers or dates its texts speak for, and what else they may be.

In: what was counted of a column's texts (skeletons, dates), and what the other columns of the table use as a decimal
mark. Out: a `Recognised`: the reading, and the others that fit the texts as well, which people are asked to choose
from. Plain numbers have the empty reading. A table's own evidence decides: `1,234` beside a column of `22,67` has
decimals, alone it has thousands, and `30 %` there has a decimal comma, should it ever have decimals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.logic.date_texts import LOOSE
from unless.logic.number_texts import EXAMPLES
from unless.table.dates import choose_dates, read_besides
from unless.table.number_formats import MOST, PLAIN, THREE_DECIMALS, FormatChoice, choose_format, has_mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

GERMAN_THOUSANDS = "1.234,56"


@dataclass(frozen=True, slots=True)
class Recognised:
    """A reading, the rows that it reads, and the readings that fit as well and give other numbers.

    `n_bare` of those rows lack the unit that the others have, which is `unit`.
    """

    reading: str
    n_read: int
    others: tuple[str, ...] = ()
    n_bare: int = 0
    unit: str = ""


def recognise(
    skeletons: Mapping[str, int], dates: Mapping[str, int], n_seen: int, n_plain: int, decimals: frozenset[str]
) -> Recognised:
    """Decide how texts are read, of which `n_plain` of `n_seen` are plain numbers."""
    formats, n_dates = choose_dates(dates)
    choice = FormatChoice((), 0) if _is_plain(skeletons, n_plain) else choose_format(skeletons, decimals)
    is_loose = bool(formats) and formats[0].partition(" ")[0] in LOOSE
    if n_dates > max(n_plain, choice.n_read) and (n_dates == n_seen if is_loose else 2 * n_dates > n_seen):
        return Recognised(formats[0], read_besides(formats[0], dates), formats[1:])
    if n_plain == n_seen:
        if not may_be_thousands(skeletons) or decimals == {"."}:
            return Recognised("", n_plain)
        if decimals == {","}:
            return Recognised(GERMAN_THOUSANDS, n_plain)
        return Recognised("", n_plain, (GERMAN_THOUSANDS,))
    enough = MOST * n_seen if choice.options and (choice.options[0].before or choice.options[0].after) else n_seen / 2
    if choice.n_read > n_plain and choice.n_read > enough:
        return _read_so(choice, decimals)
    return Recognised("", n_plain)


def recognise_most(
    skeletons: Mapping[str, int], dates: Mapping[str, int], n_plain: int, decimals: frozenset[str]
) -> Recognised:
    """Say how most texts are written, where too few are for the column to be read so without asking."""
    formats, n_dates = choose_dates(dates)
    choice = choose_format(skeletons, decimals, unit_share=0.5)
    if n_dates > max(n_plain, choice.n_read):
        return Recognised(formats[0], read_besides(formats[0], dates), formats[1:])
    return _read_so(choice, decimals) if choice.n_read > n_plain else Recognised("", n_plain)


def _read_so(choice: FormatChoice, decimals: frozenset[str]) -> Recognised:
    """Return the likeliest format; where the other columns of the table have one decimal mark, that decides.

    Else thousands are likelier, which come first among the examples.
    """
    first, *others = choice.options
    if len(decimals) == 1:
        others = [form for form in others if EXAMPLES[form.example][1] in decimals]
    unit = (first.before or first.after).strip()
    return Recognised(first.text, choice.n_read, tuple(form.text for form in others), choice.n_bare, unit)


def may_be_thousands(skeletons: Mapping[str, int]) -> bool:
    """Tell whether every point in plain numbers may stand between thousands, as in 3.584."""
    return THREE_DECIMALS in skeletons and PLAIN not in skeletons


def decimal_marks(columns: Iterable[tuple[Mapping[str, int], int]]) -> frozenset[str]:
    """Return the marks that surely separate decimals in some column, by the skeletons and plain numbers of each."""
    return frozenset(mark for skeletons, n_plain in columns if (mark := _decimal_mark(skeletons, n_plain)))


def _decimal_mark(skeletons: Mapping[str, int], n_plain: int) -> str:
    if _is_plain(skeletons, n_plain):
        return "." if any("." in skeleton and skeleton != THREE_DECIMALS for skeleton in skeletons) else ""
    choice = choose_format(skeletons, unit_share=0.5)
    if len(choice.options) != 1:
        return ""
    form = choice.options[0]
    mark = EXAMPLES[form.example][1]
    read = (skeleton for skeleton in skeletons if form.read(skeleton) is not None)
    return mark if any(has_mark(skeleton, mark) for skeleton in read) else ""


def _is_plain(skeletons: Mapping[str, int], n_plain: int) -> bool:
    """Tell whether all texts with a number in them are plain numbers, so that no format reads more of them."""
    return n_plain >= sum(skeletons.values())
