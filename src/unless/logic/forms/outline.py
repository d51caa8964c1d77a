"""A program as people read it: rules, and under each the exceptions and conditions it calls, nested and numbered.

In: a program. Out: a tuple of `Entry` trees. A helper that several clauses call stands under each of them, because
what it does differs from one to the other; beyond `MAX_ENTRIES` repetitions or `MAX_DEPTH` it is left out (`cut`), so
that no program makes the tree explode.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from unless.logic.program import Call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.logic.program import Clause, Program
    from unless.logic.rules import Label

MAX_ENTRIES = 2000
MAX_DEPTH = 12

EntryKind = OneOf["rule", "exception", "condition"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A clause where it stands: the rule itself, an exception to what stands above it, or a condition of it.

    `supports` tells whether the clause speaks for the label of its rule (a rule, an exception to an exception) or
    against it (an exception).
    """

    number: str
    kind: EntryKind
    clause: Clause
    label: Label
    supports: bool
    entries: tuple[Entry, ...] = ()
    cut: bool = False

    @property
    def depth(self) -> int:
        """Count the clauses above this one."""
        return self.number.count(".")

    def walk(self) -> Iterator[Entry]:
        """Yield this entry and all below it, in reading order."""
        yield self
        for entry in self.entries:
            yield from entry.walk()


def outline(program: Program) -> tuple[Entry, ...]:
    """Return the rules of a program with what they call, in the order of precedence of their labels."""
    grower = _Grower(program)
    clauses = [(label, clause) for label in program.target.labels for clause in program.clauses_for(label)]
    return tuple(grower.entry(str(i), "rule", clause, label, True) for i, (label, clause) in enumerate(clauses, 1))


class _Grower:
    """Grows the tree and keeps count of its entries."""

    def __init__(self, program: Program) -> None:
        self.program = program
        # What is not shared always finds room.
        self.left = MAX_ENTRIES + len(program.clauses)

    def entry(self, number: str, kind: EntryKind, clause: Clause, label: Label, supports: bool) -> Entry:
        calls = (*clause.calls, *(Call(case, negated=False) for points in clause.points for _, case in points.awards))
        called = [(call, below) for call in dict.fromkeys(calls) for below in self.program.helpers[call.name]]
        cut = bool(called) and (self.left < len(called) or number.count(".") >= MAX_DEPTH)
        self.left -= 0 if cut else len(called)
        bare = Entry(number, kind, clause, label, supports, cut=cut)
        return bare if cut else replace(bare, entries=tuple(self._below(bare, called)))

    def _below(self, above: Entry, called: list[tuple[Call, Clause]]) -> Iterator[Entry]:
        for i, (call, clause) in enumerate(called, 1):
            kind: EntryKind = "exception" if call.negated else "condition"
            yield self.entry(f"{above.number}.{i}", kind, clause, above.label, above.supports != call.negated)
