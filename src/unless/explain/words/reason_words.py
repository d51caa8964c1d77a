"""The values that fix a label, in a sentence, and as the lines of a letter.

In: a program, a row, its reasons, and the words of a language. Out: "whatever the other values are, this follows from
...", or a template with `{row}`, `{label}` and `{reasons}` filled in. A letter has at most `FEW` reasons.
"""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.explain.words.language import capital
from unless.explain.words.region_words import RegionWords
from unless.logic.holds import decide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.explain.words.language import Language
    from unless.logic.program import Program
    from unless.logic.reason.questions import Row
    from unless.logic.reason.reasons import ValueReason

FEW = 4
GAPS = ("row", "label", "reasons")


def short_reasons(
    program: Program, row: Row, row_name: int | str, found: Sequence[ValueReason] | None, words: Language
) -> str:
    """Say which values fix the label of a row."""
    label, regions = words.label(decide(program, row)), RegionWords.of(words, program)
    claim = words.say("short", "row_is", row=row_name, claim=label)
    if found is None:
        said = words.say("reasons", "not_decided", claim=claim)
    elif not found:
        said = words.say("reasons", "always", claim=claim)
    else:
        said = words.say("reasons", "fixed", claim=claim, facts=words.listed([_fact(each, regions) for each in found]))
    return capital(said)


def letter(
    template: str, program: Program, row: Row, row_name: int | str, found: Sequence[ValueReason] | None, words: Language
) -> str:
    """Fill the gaps of a template; without the values that fix the label there is no letter."""
    if found is None:
        msg = f"row {row_name}: which values fix its label was not decided within the time, so there is no letter."
        raise DataError(msg)
    regions = RegionWords.of(words, program)
    lines = [f"- {capital(_fact(each, regions))}" for each in found[:FEW]]
    if len(found) > FEW:
        lines.append(f"- {words.count('further_values', len(found) - FEW)}")
    gaps = {"row": row_name, "label": words.label(decide(program, row)), "reasons": "\n".join(lines)}
    try:
        for _, gap, _, _ in Formatter().parse(template):
            if gap not in {None, *GAPS}:
                raise KeyError(gap)  # {row.x} would be Python's business
        return template.format(**gaps)
    except (KeyError, IndexError, ValueError, AttributeError, TypeError) as error:
        named = ", ".join(f"{{{gap}}}" for gap in GAPS)
        msg = f"the template has a gap that nothing fills ({error}); gaps: {named}; a brace itself is written twice."
        raise DataError(msg) from None


def _fact(reason: ValueReason, regions: RegionWords) -> str:
    fact = regions.row({reason.column: reason.value})
    return regions.words.say("reasons", "alone", fact=fact) if reason.alone else fact
