"""Decision diagrams: functions of cells, each with one form, so that equal functions are the same number.

A node asks which cell of its column (its level) a row is in and has one child for each; levels rise on the way down, no
node has only equal children, and no node stands twice. The ends are the whole numbers below `ends`: 0 and 1 are false
and true, and a decision ends in the number of its label. Everything is made of `choose` (if, then, else).

A store has a budget of steps and of seconds; beyond it `OutOfBudgetError` is raised, and the question is not decided.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FALSE, TRUE = 0, 1
STEPS, SECONDS = 30_000_000, 10.0
CHECK_EVERY = 8192


class OutOfBudgetError(Exception):
    """A question took more steps or seconds than it was given."""


class Diagrams:
    """A store of nodes over columns with so many cells."""

    def __init__(self, sizes: Sequence[int], ends: int = 2) -> None:
        self.sizes = tuple(sizes)
        self.ends = max(ends, 2)
        self._levels: list[int] = [len(self.sizes)] * self.ends
        self._children: list[tuple[int, ...]] = [()] * self.ends
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}
        self._chosen: dict[tuple[int, int, int], int] = {}
        self.renew(STEPS, SECONDS)

    def renew(self, steps: int, seconds: float) -> None:
        """Give so many steps and seconds from now on."""
        self._steps, self._until = steps, time.monotonic() + seconds

    def renew_seconds(self, seconds: float) -> None:
        """Give so many seconds from now on, and as many steps as at first."""
        self.renew(STEPS, seconds)

    def level(self, node: int) -> int:
        """Return which column a node asks for; below all of them for an end."""
        return self._levels[node]

    def children(self, node: int) -> tuple[int, ...]:
        """Return the children of a node, one for each cell of its column."""
        return self._children[node]

    def is_end(self, node: int) -> bool:
        """Tell whether a node is an end."""
        return node < self.ends

    def node(self, level: int, children: tuple[int, ...]) -> int:
        """Return the one node with these children."""
        first = children[0]
        if all(child == first for child in children):
            return first
        key = level, children
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self._levels)
            self._levels.append(level)
            self._children.append(children)
        return found

    def test(self, level: int, truth: Iterable[bool]) -> int:
        """Return the function that is true in some cells of a column."""
        return self.node(level, tuple(TRUE if holds else FALSE for holds in truth))

    def choose(self, question: int, then: int, otherwise: int) -> int:
        """Return the function that is `then` where the question is true and `otherwise` where it is false."""
        if question < 2 or then == otherwise:
            return then if question == TRUE else otherwise
        if then == TRUE and otherwise == FALSE:
            return question
        key = question, then, otherwise
        found = self._chosen.get(key)
        if found is None:
            level = min(self._levels[question], self._levels[then], self._levels[otherwise])
            self._spend(self.sizes[level])
            parts = zip(*(self.branches(node, level) for node in key), strict=True)
            found = self._chosen[key] = self.node(level, tuple([self.choose(*part) for part in parts]))
        return found

    def branches(self, node: int, level: int) -> tuple[int, ...]:
        """Return what becomes of a function in each cell of a column that is no lower than its own."""
        return self._children[node] if self._levels[node] == level else (node,) * self.sizes[level]

    def both(self, nodes: Iterable[int]) -> int:
        """Return where all of some functions are true."""
        found = TRUE
        for node in sorted(nodes, key=self._levels.__getitem__, reverse=True):
            found = self.choose(node, found, FALSE)
        return found

    def either(self, nodes: Iterable[int]) -> int:
        """Return where one of some functions is true."""
        found = FALSE
        for node in nodes:
            found = self.choose(node, TRUE, found)
        return found

    def negation(self, node: int) -> int:
        """Return where a function is false."""
        return self.choose(node, FALSE, TRUE)

    def at_least(self, awards: Sequence[tuple[int, int]], threshold: int) -> int:
        """Return where the points of the functions that are true reach a threshold."""
        # The functions of lower columns last, so that the sums that are still possible stay few.
        awards = sorted(awards, key=lambda award: self._levels[award[1]])
        left = [0]
        for points, _ in reversed(awards):
            left.append(left[-1] + points)
        known: dict[tuple[int, int], int] = {}

        def rest(i: int, needed: int) -> int:
            if needed <= 0 or left[len(awards) - i] < needed:
                return TRUE if needed <= 0 else FALSE
            if (i, needed) not in known:
                points, node = awards[i]
                known[i, needed] = self.choose(node, rest(i + 1, needed - points), rest(i + 1, needed))
            return known[i, needed]

        return rest(0, threshold)

    def map_ends(self, node: int, to: Callable[[int], int]) -> int:
        """Return the function with other ends."""
        known = {end: to(end) for end in range(self.ends)}
        return self._mapped(node, known)

    def _mapped(self, node: int, known: dict[int, int]) -> int:
        if node not in known:
            self._spend(len(self._children[node]))
            children = tuple([self._mapped(child, known) for child in self._children[node]])
            known[node] = self.node(self._levels[node], children)
        return known[node]

    def combine(self, a: int, b: int, ends: Callable[[int, int], int]) -> int:
        """Return the function that is made of the ends of two."""
        known: dict[tuple[int, int], int] = {}

        def of(a: int, b: int) -> int:
            if a < self.ends and b < self.ends:
                return ends(a, b)
            if (a, b) not in known:
                level = min(self._levels[a], self._levels[b])
                self._spend(self.sizes[level])
                pairs = zip(self.branches(a, level), self.branches(b, level), strict=True)
                known[a, b] = self.node(level, tuple([of(*pair) for pair in pairs]))
            return known[a, b]

        return of(a, b)

    def fixed(self, node: int, cells: dict[int, int]) -> int:
        """Return a function where some columns are known to be in a cell."""
        known: dict[int, int] = {}

        def of(node: int) -> int:
            if node < self.ends:
                return node
            if node not in known:
                level, children = self._levels[node], self._children[node]
                self._spend(len(children))
                here = cells.get(level)
                if here is not None:
                    known[node] = of(children[here])
                else:
                    known[node] = self.node(level, tuple([of(child) for child in children]))
            return known[node]

        return of(node)

    def end_of(self, node: int, cells: Sequence[int]) -> int:
        """Follow a row to its end."""
        while node >= self.ends:
            node = self._children[node][cells[self._levels[node]]]
        return node

    def asked(self, node: int) -> frozenset[int]:
        """Return the columns on which a function depends: in a reduced diagram, those that some node asks for."""
        return frozenset(self._levels[n] for n in self.reachable(node) if n >= self.ends)

    def share(self, node: int) -> float:
        """Return the share of all combinations of cells for which a function is true."""
        known = {FALSE: 0.0, TRUE: 1.0}
        for each in sorted(self.reachable(node), key=self._levels.__getitem__, reverse=True):
            if each >= self.ends:
                children = self._children[each]
                known[each] = sum(known[child] for child in children) / len(children)
        return known[node]

    def reachable(self, node: int) -> set[int]:
        """Return all nodes below a node, and itself."""
        seen, waiting = {node}, [node]
        while waiting:
            for child in self._children[waiting.pop()]:
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)
        return seen

    def _spend(self, steps: int) -> None:
        """Take steps from the budget, one for each branch that is followed; look at the clock now and then."""
        before, self._steps = self._steps, self._steps - steps
        is_time_to_look = before // CHECK_EVERY != self._steps // CHECK_EVERY
        if self._steps < 0 or (is_time_to_look and time.monotonic() > self._until):
            raise OutOfBudgetError
