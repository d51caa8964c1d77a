"""Spreadsheets cannot be exact: they compare 15 digits, take "Rome" for "rome" and a blank cell for 0. So this refuses.

The sentence lists the thresholds that would change, and the words that would be taken for one another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from unless.errors import DataError, listing
from unless.export.from_program import decision_form
from unless.export.two_valued import Equal, walk

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.two_valued import DecisionForm
    from unless.logic.program import Program


def write(program: Program, _options: ExportOptions) -> NoReturn:
    """Say why a program cannot become a spreadsheet."""
    form = decision_form(program)
    at_risk = [f"{name} {number!r}" for name, numbers in form.thresholds.items() for number in numbers if _long(number)]
    alike = _alike(form)
    said = (
        f"thresholds at risk: {listing(at_risk)}" if at_risk else "no threshold of this program has more than 15 digits"
    )
    said += f"; words at risk: {listing(alike)}" if alike else ""
    msg = (
        "a spreadsheet compares 15 digits, takes blank cells for 0 and upper case for lower case, so decisions "
        f"would differ from the program's; {said}. Hint: export to python or sql, and put the labels into the sheet."
    )
    raise DataError(msg)


def _long(number: float) -> bool:
    return float(f"{number:.15g}") != number


def _alike(form: DecisionForm) -> list[str]:
    """List words of one column that differ in capitals alone."""
    words = dict.fromkeys(part for test in form.all_tests() for part in walk(test) if isinstance(part, Equal))
    folded = [(part.column, part.word.casefold()) for part in words]
    return [repr(part.word) for part, key in zip(words, folded, strict=True) if folded.count(key) > 1]
