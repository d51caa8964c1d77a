"""Boxes of the difference of two programs: the few largest regions in which every row changes.

In: an engine for two programs, and perhaps rows of a table that flip. Out: a `Difference`. Each part is a box of cells
in which every row gets one label from the old program and another from the new one, grown as far as that stays true;
parts may overlap. With rows, the parts that hold the most of the rows that flip come first; without, those with the
largest share of all combinations of cells.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from typing import TYPE_CHECKING

from unless.logic.holds import decide
from unless.logic.program import same_label
from unless.logic.reason.changed_parts import ChangedPart, Difference
from unless.logic.reason.diagrams import FALSE, OutOfBudgetError
from unless.logic.reason.likely_rows import likely_rows
from unless.logic.reason.questions import All, Decides, Differs, Not, Within
from unless.logic.reason.questions import Any as AnyOf
from unless.logic.reason.regions import everywhere

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from unless.logic.program import Program
    from unless.logic.reason.column_cells import ColumnCell, Space
    from unless.logic.reason.diagrams import Diagrams
    from unless.logic.reason.questions import Question, Row, Verdict
    from unless.logic.reason.reasoner import Engine
    from unless.logic.reason.regions import Box
    from unless.logic.rules import Label

    Inside = Callable[["Allowed"], bool]
    Allowed = dict[int, frozenset[int]]
    """The cells that are allowed, for each column that is narrowed, by its number."""

FEW_CLAUSES = 10
"""Of more clauses than these that changed, nothing is gained by looking at each alone."""


def boxes_of(whole: Engine, rows: Sequence[Row], *, most: int, until: float) -> Difference:
    """Look for boxes in which the two programs of an engine differ, those that hold the most of some rows first.

    Boxes grow until then; whether there is a difference at all may take the engine's whole time.
    """
    old, new = whole.programs
    if (old.target, old.missing, {*old.clauses}) == (new.target, new.missing, {*new.clauses}):
        return Difference("no")  # the order of clauses decides nothing
    boxes = [] if whole.compiled is not None else _changed(old, new)
    engines = [whole.within(box.regions, seconds=whole.seconds / len(boxes)) for box in boxes] or [whole]
    found = [_Comparison(engine, whole.space, rows, until).parts(most) for engine in engines]
    return _together(found, rows, most)


def _changed(old: Program, new: Program) -> list[Box]:
    """Return boxes outside which all clauses of two programs are the same; none where that is no help."""
    if old.target != new.target or old.missing != new.missing:
        return []
    changed = {*old.clauses} ^ {*new.clauses}
    boxes = [everywhere(old).where(clause.literals) for clause in sorted(changed, key=repr)]
    return [box for box in boxes if not box.is_empty] if len(changed) <= FEW_CLAUSES else []


def _together(found: Sequence[Difference], rows: Sequence[Row], most: int) -> Difference:
    """Join the differences of several boxes."""
    verdicts = {each.verdict for each in found}
    parts = sorted((part for each in found for part in each.parts), key=lambda part: (-part.n_rows, -part.share))[:most]
    if not parts:
        assert "yes" not in verdicts
        return Difference("not decided" if "not decided" in verdicts else "no")
    covered = sum(any(row in part for part in parts) for row in rows)
    is_complete = all(each.is_complete for each in found) and sum(len(each.parts) for each in found) == len(parts)
    return Difference("yes", tuple(parts), len(rows), covered, is_complete)


class _Comparison:
    """Grows the parts of the difference of two programs where an engine looks."""

    def __init__(self, engine: Engine, whole: Space, rows: Iterable[Row], until: float) -> None:
        self.engine = engine
        self.old, self.new = engine.programs
        self.until = until
        self.flips = Counter(cells for cells in map(engine.space.indices, rows) if -1 not in cells)
        self.sizes = [len(cells) for cells in engine.space.cells.values()]
        self.whole_sizes = [len(whole.cells[column]) for column in engine.space.columns]

    @property
    def left(self) -> float:
        """Return the seconds that are left."""
        return max(self.until - time.monotonic(), 0.0)

    def parts(self, most: int) -> Difference:
        waiting, is_complete = dict(self.flips), False
        seed = self._first(waiting)
        if not isinstance(seed, tuple):
            return Difference(seed)
        found: list[tuple[Allowed, ChangedPart]] = []
        while len(found) < most and (self.left or not found):
            seed = self._seed(waiting, found) if found else seed
            if not isinstance(seed, tuple):
                is_complete = seed == "no"
                break
            box, part = self._part(seed, waiting)
            found.append((box, part))
            waiting = {cells: n for cells, n in waiting.items() if not _holds(box, cells)}
        n_flips = sum(self.flips.values())
        # Without rows the largest come first; with rows they were grown in that order.
        parts = [part for _, part in found]
        if not self.flips:
            parts.sort(key=lambda part: -part.share)
        return Difference("yes", tuple(parts), n_flips, n_flips - sum(waiting.values()), is_complete)

    def _first(self, waiting: Mapping[tuple[int, ...], int]) -> tuple[int, ...] | Verdict:
        """Return the cells of any difference, in all the time that the engine has; or say that there is none."""
        if waiting:
            return self._seed(waiting, ())
        if self.engine.compiled is None:
            guessed = next(differing_rows(self.engine), None)
            if guessed is not None:
                return self.engine.space.indices(guessed)
        answer = self.engine.find(Differs(self.old, self.new))
        return answer.verdict if answer.row is None else self.engine.space.indices(answer.row)

    def _seed(
        self, waiting: Mapping[tuple[int, ...], int], found: Sequence[tuple[Allowed, ChangedPart]]
    ) -> tuple[int, ...] | Verdict:
        """Return the cells of a difference that no part holds yet, of rows of the table first; or say that none is."""
        if waiting:
            return max(sorted(waiting), key=waiting.__getitem__)
        outside: list[Question] = [self._outside(box) for box, _ in found]
        answer = self.engine.find(All((Differs(self.old, self.new), *outside)), seconds=self.left)
        return answer.verdict if answer.row is None else self.engine.space.indices(answer.row)

    def _outside(self, box: Allowed) -> Question:
        return AnyOf(tuple(Not(_within(self.engine, level, cells)) for level, cells in box.items()))

    def _part(self, seed: tuple[int, ...], waiting: Mapping[tuple[int, ...], int]) -> tuple[Allowed, ChangedPart]:
        space = self.engine.space
        row = space.row(seed)
        labels = decide(self.old, row), decide(self.new, row)
        inside = self._inside(*labels)
        boxes = [self._grown(seed, order, inside) for order in self._orders(seed, waiting)]
        box = max(boxes, key=lambda box: (sum(n for c, n in waiting.items() if _holds(box, c)), self._share(box)))
        cells = {c: _chosen(space.cells[c], box.get(i)) for i, c in enumerate(space.columns) if self._is_narrow(i, box)}
        n_rows = sum(n for c, n in self.flips.items() if _holds(box, c))
        return box, ChangedPart(*labels, cells, row, self._share(box), n_rows)

    def _orders(self, seed: tuple[int, ...], waiting: Mapping[tuple[int, ...], int]) -> Iterator[list[int]]:
        """Yield orders in which columns are freed: by their use, backwards, and where the rows that flip vary most."""
        levels = list(range(len(seed)))
        yield levels[::-1]
        if self.engine.compiled is None:
            return
        yield levels
        if waiting:
            varies = [sum(n for cells, n in waiting.items() if cells[i] != seed[i]) for i in levels]
            yield sorted(levels, key=lambda i: -varies[i])

    def _grown(self, seed: tuple[int, ...], order: Sequence[int], inside: Inside) -> Allowed:
        """Free one column after the other, or widen it cell by cell, as long as the box stays inside."""
        box: Allowed = {i: frozenset({cell}) for i, cell in enumerate(seed)}
        for level in order if self.engine.compiled is not None or self.left else ():
            rest = {i: cells for i, cells in box.items() if i != level}
            if inside(rest):
                box = rest
        for level in [level for level in order if level in box]:
            if self.engine.compiled is None and time.monotonic() > self.until:
                break
            for cell in range(self.sizes[level]):
                if cell not in box[level] and inside({**box, level: frozenset({cell})}):
                    box = {**box, level: box[level] | {cell}}
        return box

    def _inside(self, old: Label, new: Label) -> Inside:
        """Return the test whether all rows of a box change from one label to another."""
        question = All((Decides(self.old, old), Decides(self.new, new)))
        compiled = self.engine.compiled
        if compiled is not None:
            try:
                node = self.engine.node(compiled, question)
            except OutOfBudgetError:
                pass
            else:
                return lambda box: _all_true(compiled.diagrams, node, box)
        return lambda box: self._proved(question, box)

    def _proved(self, question: Question, box: Allowed) -> bool:
        bounds = [_within(self.engine, level, cells) for level, cells in box.items()]
        return self.engine.find(All((Not(question), *bounds)), seconds=self.left).verdict == "no"

    def _is_narrow(self, level: int, box: Allowed) -> bool:
        return level in box or self.sizes[level] < self.whole_sizes[level]

    def _share(self, box: Allowed) -> float:
        """Return the share of all combinations of cells that are in a box."""
        here = [len(box.get(level, range(size))) for level, size in enumerate(self.sizes)]
        return math.prod(n / size for n, size in zip(here, self.whole_sizes, strict=True))


def differing_rows(engine: Engine) -> Iterator[Row]:
    """Yield rows that two programs decide differently, of those that are likely to be such."""
    old, new = engine.programs
    for row in likely_rows(engine.space, engine.programs):
        if not same_label(decide(old, row), decide(new, row)):
            yield row


def _within(engine: Engine, level: int, cells: Iterable[int]) -> Question:
    column = engine.space.columns[level]
    return AnyOf(tuple(Within(column, engine.space.cells[column][cell].region) for cell in sorted(cells)))


def _chosen(cells: Sequence[ColumnCell], allowed: Iterable[int] | None) -> tuple[ColumnCell, ...]:
    return tuple(cells) if allowed is None else tuple(cells[i] for i in sorted(allowed))


def _holds(box: Allowed, cells: Sequence[int]) -> bool:
    return all(cells[level] in allowed for level, allowed in box.items())


def _all_true(diagrams: Diagrams, node: int, box: Allowed) -> bool:
    """Tell whether a function is true in all of a box."""
    seen, waiting = {node}, [node]
    while waiting:
        node = waiting.pop()
        if node == FALSE:
            return False
        children = diagrams.children(node)
        allowed = box.get(diagrams.level(node), range(len(children)))
        new = {children[cell] for cell in allowed if children} - seen
        seen |= new
        waiting += new
    return True
