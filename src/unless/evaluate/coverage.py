"""A program and a table give figures: for each rule and exception, the rows it covers and how many it is right about.

In: a program, any table, perhaps the labels of its rows. Out: `Coverage`; what each figure means is said in
`evaluate.figures`. Counting follows the outline of the program, whose rules are in the order in which the first that
holds decides: an entry is asked at the rows of its context, and its exceptions at those for which its conditions hold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import ProgramError
from unless.evaluate.figures import Coverage, Figures
from unless.evaluate.predict import first_indices
from unless.evaluate.view import View
from unless.logic.check.findings import Seen
from unless.logic.forms.outline import outline
from unless.logic.program import label_text, same_label
from unless.table.frames import raw_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.evaluate.truth import Truth
    from unless.logic.forms.entries import Entry
    from unless.logic.program import Program
    from unless.logic.rules import Label
    from unless.table.cells import Cells

    Rows = NDArray[np.bool_]

N_EXAMPLES = 3
ADDED = ("context", "covered", "right", "claimed", "alone", "expected")
"""The figures that are counts or sums, so that those of parts add up."""

STEPS = 2**30
"""Probabilities are added up in parts of one so small that nobody sees them."""


def coverage(program: Program, data: Any, target: str | None = None, n_examples: int = N_EXAMPLES) -> Coverage:
    """Count what each rule and exception of a program covers in a table, and what it is right about.

    `target` is the column of labels; without it the program's own target is taken where the table has it.
    """
    return view_coverage(View(program, raw_table(data), target), n_examples=n_examples)


def view_coverage(view: View, rows: Rows | None = None, n_examples: int = N_EXAMPLES) -> Coverage:
    """Count what each rule and exception covers in the rows of a view, or in some of them."""
    everything = np.ones(view.table.n_rows, dtype=bool) if rows is None else rows
    counter = _Counter(view.program, view.truth, view.actual, everything, n_examples, view.probabilities_as_they_are)
    lines = (*counter.rules(), counter.default(view.truth.decided))
    numbered = (replace(line, examples=tuple(map(view.table.number, line.examples))) for line in lines)
    return Coverage(view.program.target.column, int(everything.sum()), tuple(numbered))


def covered_rows(view: View, number: str) -> Rows:
    """Return the rows that one line of the coverage covers, by its number: '1', '1.2', ... or 'else'."""
    if number == "else":
        rest: Rows = view.truth.decided == len(view.program.target.labels)
        return rest
    *above, entry = _path(outline(view.program), number)
    return view.truth.all_hold((*entry.when, *(goal for over in above for goal in over.goals)))


def _path(entries: tuple[Entry, ...], number: str) -> list[Entry]:
    """Return the entries from a rule down to the one with a number."""
    found: list[Entry] = []
    steps = number.split(".")
    for depth in range(1, len(steps) + 1):
        entry = next((entry for entry in entries if entry.number == ".".join(steps[:depth])), None)
        if entry is None:
            msg = f"the program has no rule {number!r}; rules are numbered 1, 1.1, ... and else."
            raise ProgramError(msg)
        found.append(entry)
        entries = entry.entries
    return found


def join_coverages(parts: Sequence[Coverage], n_examples: int = N_EXAMPLES) -> Coverage:
    """Add up the figures of parts of a table, in order: they are those of the whole."""
    starts = np.cumsum([0, *(part.n_rows for part in parts)]).tolist()
    lines = []
    for same in zip(*(part.lines for part in parts), strict=True):
        examples = [start + row for start, line in zip(starts, same, strict=False) for row in line.examples]
        sums = {name: _total(getattr(line, name) for line in same) for name in ADDED}
        lines.append(replace(same[0], **sums, examples=tuple(examples[:n_examples])))
    return Coverage(parts[0].target, starts[-1], tuple(lines))


def _total(counts: Iterable[float | None]) -> Any:
    """Add counts; None when there are none."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


@dataclass(frozen=True)
class _Counter:
    """Counts entry by entry; `actual` is each row's own label as an index among the target's labels, if known."""

    program: Program
    truth: Truth
    actual: NDArray[np.intp] | None
    everything: Rows
    n_examples: int
    probabilities: Mapping[str, NDArray[np.float64]]

    def lines(self, entry: Entry, context: Rows, hangs: Rows) -> Iterator[Figures]:
        """Yield the figures of an entry and of all that stands under it.

        `hangs` are the rows whose prediction would change with the truth of this entry there.
        """
        holds = context & self.truth.all_hold(entry.when)
        yield self._line(entry, context, holds, int((holds & hangs).sum()))
        conditions = self.truth.all_hold(entry.goals)
        excepted = [self.truth.all_hold(below.when) for below in entry.entries]
        for i, below in enumerate(entry.entries):
            others = self._any(excepted[:i] + excepted[i + 1 :])
            yield from self.lines(below, context & conditions, hangs & conditions & ~others)

    def rules(self) -> Iterator[Figures]:
        """Yield the figures of all rules."""
        entries = outline(self.program)
        holds = [self.truth.all_hold(entry.when) for entry in entries]
        earlier = np.zeros(self.truth.n_rows, dtype=bool)
        for entry, held, same in zip(entries, holds, self._same_without(entries, holds), strict=True):
            yield from self.lines(entry, self.everything, ~earlier & ~same)
            earlier |= held

    def _same_without(self, entries: Sequence[Entry], holds: Sequence[Rows]) -> list[Rows]:
        """Return, for each rule, the rows that would have its label by the rules after it, or by default."""
        labels = self.program.target.labels
        codes = [next(i for i, label in enumerate(labels) if same_label(label, entry.label)) for entry in entries]
        following = np.full(self.truth.n_rows, first_indices(self.program)[-1], dtype=np.intp)
        same: list[Rows] = []
        for code, held in zip(reversed(codes), reversed(holds), strict=True):
            same.append(following == code)
            following[held] = code
        return same[::-1]

    def _any(self, found: Iterable[Rows]) -> Rows:
        holds = np.zeros(self.truth.n_rows, dtype=bool)
        for rows in found:
            holds |= rows
        return holds

    def _line(self, entry: Entry, context: Rows, holds: Rows, alone: int) -> Figures:
        right, claimed = self._right(self._speaks_for(entry), context, holds)
        return Figures(
            entry.number,
            entry.kind,
            entry,
            entry.label,
            context=int(context.sum()),
            covered=int(holds.sum()),
            right=right,
            claimed=claimed,
            alone=alone,
            examples=self._examples(holds),
            expected=self._expected(entry.label, holds, supports=entry.supports),
        )

    def default(self, decided: NDArray[np.intp]) -> Figures:
        """Return the figures of the rows for which no rule holds."""
        target, last = self.program.target, len(self.program.target.labels)
        holds = (decided == last) & self.everything
        claims = None if self.actual is None else self.actual == first_indices(self.program)[-1]
        right, claimed = self._right(claims, self.everything, holds)
        return Figures(
            "else",
            "default",
            None,
            target.default,
            context=int(self.everything.sum()),
            covered=int(holds.sum()),
            right=right,
            claimed=claimed,
            alone=int(holds.sum()),
            examples=self._examples(holds),
            expected=self._expected(target.default, holds),
        )

    def _expected(self, label: Label, holds: Rows, *, supports: bool = True) -> float | None:
        """Add up the probabilities of a label; of an exception, which is right where the row lacks it, of any other."""
        found = self.probabilities.get(label_text(label))
        if found is not None and not supports:
            found = 1.0 - found
        # In whole steps: their sum is the same in any order, so that parts on a cluster add up to the whole.
        return None if found is None else float(np.rint(found[holds] * STEPS).sum() / STEPS)

    def _speaks_for(self, entry: Entry) -> Rows | None:
        """Return the rows that an entry is right about if it covers them."""
        if self.actual is None:
            return None
        index = next(i for i, label in enumerate(self.program.target.labels) if same_label(label, entry.label))
        claimed: Rows = (self.actual == index) == entry.supports
        return claimed

    def _right(self, claimed: Rows | None, context: Rows, holds: Rows) -> tuple[int | None, int | None]:
        """Count the rows covered rightly, and those of the context that could be."""
        if claimed is None:
            return None, None
        return int((claimed & holds).sum()), int((claimed & context).sum())

    def _examples(self, holds: Rows) -> tuple[int, ...]:
        return tuple(np.flatnonzero(holds)[: self.n_examples].tolist())


def seen_values(program: Program, data: Any) -> dict[str, Seen]:
    """Return what a table holds of the program's columns, for `logic.check.findings.check`."""
    return view_seen(View(program, raw_table(data)))


def view_seen(view: View) -> dict[str, Seen]:
    """Return what the rows of a view hold of the program's columns."""
    return {name: _seen(column) for name, column in view.cells.items()}


def _seen(column: Cells) -> Seen:
    words = frozenset() if column.words is None else frozenset(column.words.lexicon)
    numbers = column.known_numbers()
    if not len(numbers):
        return Seen(words)
    return Seen(words, float(numbers.min()), float(numbers.max()))
