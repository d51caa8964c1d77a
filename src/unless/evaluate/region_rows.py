"""Which rows of a table are in a region that the engine found, column-wise.

In: a value set or a part of a difference, and views of the table. Out: one truth for each row. The plain twin is
`ChangedPart.__contains__` and `logic.reason.deciding.deciding_rule`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unless.logic.program import label_text
from unless.logic.reason.changed_parts import NO_RULE
from unless.logic.reason.deciding import rules_of
from unless.logic.reason.region_values import values_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.evaluate.view import View
    from unless.logic.forms.value_sets import ValueSet
    from unless.logic.reason.changed_parts import ChangedPart
    from unless.table.cells import Cells


def passing(values: ValueSet, cells: Cells) -> NDArray[np.bool_]:
    """Return the rows of a column whose value is in a set."""
    numbers = np.full(cells.n_rows, np.nan) if cells.numbers is None else cells.numbers
    found = np.zeros(cells.n_rows, dtype=bool)
    for low, high in values.spans:
        found |= (numbers > low.number if low.after else numbers >= low.number) & (
            numbers <= high.number if high.after else numbers < high.number
        )
    is_word = np.zeros(cells.n_rows, dtype=bool)
    if cells.words is not None:
        codes = cells.words.codes
        is_word = codes >= 0
        named = np.array([word in values.words for word in cells.words.lexicon] or [False], dtype=bool)
        found |= is_word & (named[np.where(is_word, codes, 0)] != values.others)
    return found | (np.isnan(numbers) & ~is_word) if values.missing else found


def deciding_rules(view: View) -> NDArray[np.str_]:
    """Return for each row the number of the rule that decides it."""
    predicted = view.predicted_texts()
    result = np.full(len(predicted), NO_RULE, dtype="U24")
    for label in {label_text(label): label for label in view.labels}.values():
        for entry in reversed(rules_of(view.program, label)):
            result[(predicted == label_text(label)) & view.truth.all_hold(entry.when)] = entry.number
    return result


def in_part(part: ChangedPart, before: View, after: View) -> NDArray[np.bool_]:
    """Return the rows that are in a part of the difference of two programs."""
    found = np.ones(before.table.n_rows, dtype=bool)
    for view, label in ((before, part.old), (after, part.new)):
        found &= view.predicted_texts() == label_text(label)
    if part.rules is not None:
        for view, rule in zip((before, after), part.rules, strict=True):
            found &= deciding_rules(view) == rule
        return found
    columns = {**before.truth.columns, **after.truth.columns}
    for name, cells in part.cells.items():
        found &= passing(values_of(cell.region for cell in cells), columns[name])
    return found
