"""The difference of two programs by rules: who decided before, and who decides now.

In: an engine for two programs, and perhaps rows of a table that flip. Out: a `Difference` whose parts are pairs of
rules. Those of the rows are counted; then the engine looks for one pair after the other that no part has yet, until it
proves that there is none, there are enough, or the time is over.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from unless.logic.holds import decide
from unless.logic.reason.boxes import differing_rows
from unless.logic.reason.changed_parts import ChangedPart, Difference
from unless.logic.reason.deciding import decided_by, deciding_rule
from unless.logic.reason.diagrams import OutOfBudgetError
from unless.logic.reason.questions import All, Differs, Not, Within

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unless.logic.program import Program
    from unless.logic.reason.column_cells import ColumnCell
    from unless.logic.reason.questions import Question, Row, Verdict
    from unless.logic.reason.reasoner import Engine


def rule_changes(engine: Engine, rows: Sequence[Row], *, most: int, until: float) -> Difference:
    """Group what differs by the rules that decide, the largest groups first, each with the cells that it keeps to."""
    old, new = engine.programs
    found = _counted(old, new, rows, most)
    n_covered = sum(part.n_rows for part in found)
    if not found and engine.compiled is None:
        guessed = takewhile(lambda _: time.monotonic() < until, differing_rows(engine))
        found = [replace(part, n_rows=0) for part in _counted(old, new, guessed, most)]
    more = _searched(engine, found, most, until)
    if not found:
        return Difference(more)
    found.sort(key=lambda part: (-part.n_rows, -part.share))
    parts = tuple(replace(part, cells=hull(engine, question_of(old, new, part), until)) for part in found)
    return Difference("yes", parts, len(rows), n_covered, is_complete=more == "no")


def part_of(old: Program, new: Program, row: Row) -> ChangedPart:
    """Return the part by rules that a row is in."""
    rules = deciding_rule(old, row), deciding_rule(new, row)
    return ChangedPart(decide(old, row), decide(new, row), {}, row, 0.0, 0, rules)


def question_of(old: Program, new: Program, part: ChangedPart) -> Question:
    """Return the question whether a row is in a part by rules."""
    assert part.rules is not None
    before, after = part.rules
    return All((decided_by(old, part.old, before), decided_by(new, part.new, after)))


def hull(engine: Engine, question: Question, until: float) -> dict[str, tuple[ColumnCell, ...]]:
    """Return the cells that all rows are in for which a question has the answer yes, of columns that are narrowed."""
    found: dict[str, tuple[ColumnCell, ...]] = {}
    for column, cells in engine.space.cells.items():
        inside = []
        for cell in cells:
            left = until - time.monotonic()
            if left <= 0:
                return found  # what is not proved is left out
            if engine.find(All((question, Within(column, cell.region))), seconds=left).verdict != "no":
                inside.append(cell)
        if len(inside) < len(cells):
            found[column] = tuple(inside)
    return found


def _counted(old: Program, new: Program, rows: Iterable[Row], most: int) -> list[ChangedPart]:
    firsts: dict[tuple[object, ...], ChangedPart] = {}
    counts: Counter[tuple[object, ...]] = Counter()
    for row in rows:
        part = part_of(old, new, row)
        key = part.rules, str(part.old), str(part.new)
        firsts.setdefault(key, part)
        counts[key] += 1
    return [replace(firsts[key], n_rows=n) for key, n in counts.most_common(most)]


def _searched(engine: Engine, found: list[ChangedPart], most: int, until: float) -> Verdict:
    """Add parts that are not found yet; return whether there are still more: no is proved."""
    old, new = engine.programs
    asked: list[Question] = [Differs(old, new), *(Not(question_of(old, new, part)) for part in found)]
    while (left := until - time.monotonic()) > 0:
        answer = engine.find(All(tuple(asked)), seconds=left)
        if answer.row is None or len(found) == most:
            return answer.verdict
        part = part_of(old, new, answer.row)
        question = question_of(old, new, part)
        found.append(replace(part, share=_share(engine, question)))
        asked.append(Not(question))
    return "not decided"


def _share(engine: Engine, question: Question) -> float:
    """Return the share of all combinations of cells for which a question is true; 0 where that is unknown."""
    compiled = engine.compiled
    if compiled is None:
        return 0.0
    try:
        return compiled.diagrams.share(engine.node(compiled, question))
    except OutOfBudgetError:
        return 0.0
