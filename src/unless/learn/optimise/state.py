"""A program on rows: the state that growing begins with, and what it leaves to be refitted and written.

In: bins, packed gains of both classes, moves (change, remove a rule). Out: what it predicts, and which rows hang on a
rule. Each rule keeps two byte arrays over the rows: its body holds, it fires (body holds and no exception fires).
Invariant: arrays always agree with the bodies. While a program grows, kernels have it on boards (program_board.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from unless.learn.optimise.layout import RIGHT_BITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.body.bodies import Body
    from unless.learn.optimise.layout import Bytes, Ints


@dataclass(eq=False)
class Node:
    """A rule under construction; `sign` 0 argues for the program's class, 1 against it; a locked one stays."""

    body: Body
    parent: Node | None
    sign: int
    depth: int
    holds: Bytes
    fires: Bytes
    children: list[Node] = field(default_factory=list)
    is_locked: bool = False

    @property
    def size(self) -> int:
        """Count literals plus rules of the whole subtree: what deleting it would save."""
        if self.is_locked:
            return 0
        return 1 + sum(literal.size for literal in self.body) + sum(child.size for child in self.children)


class State:
    """The tree of rules with its row arrays."""

    def __init__(self, bins: Bins, right: Bytes, weights: Ints, skew: float = 0.0) -> None:
        self.bins = bins
        self.skew = skew  # how much more the rows of one class weigh (training.py)
        self.right = right
        self.weights = weights
        self.tops: list[Node] = []
        packed = np.where(right, weights << RIGHT_BITS, weights)
        against = np.where(right, weights, weights << RIGHT_BITS)
        self.gains = (packed.astype(np.int64), against.astype(np.int64))
        self._all = np.arange(bins.n_rows)

    def nodes(self) -> Iterator[Node]:
        """Yield all rules, parents first."""
        stack = list(reversed(self.tops))
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    @property
    def n_rules(self) -> int:
        """Count the rules, exceptions included; locked ones do not count."""
        return sum(1 for node in self.nodes() if not node.is_locked)

    @property
    def size(self) -> int:
        """Count literals plus rules."""
        return sum(node.size for node in self.tops)

    def siblings(self, parent: Node | None) -> list[Node]:
        """Return the rules that stand under a parent, or at the top."""
        return self.tops if parent is None else parent.children

    def predicted(self) -> Bytes:
        """Return the rows that the program gives to its class."""
        return _any_fires(self.tops, self.bins.n_rows)

    def errors(self) -> int:
        """Return the weight of the rows predicted wrongly."""
        return int(self.weights[self.predicted() != self.right].sum())

    def where_rule_decides(self, node: Node) -> NDArray[np.bool_]:
        """Mark the rows where the output hangs on the body of `node`."""
        settled = self._settled(node)
        for child in node.children:
            settled |= child.fires
        return np.asarray(settled == 0, dtype=np.bool_)

    def _settled(self, node: Node) -> Bytes:
        """Return where it does not matter whether `node` fires."""
        mask = np.zeros(self.bins.n_rows, dtype=np.uint8)
        while True:
            for sibling in self.siblings(node.parent):
                if sibling is not node:
                    mask |= sibling.fires
            if node.parent is None:
                return mask
            node = node.parent
            mask |= node.holds ^ 1

    def add_locked(self, fires: Bytes) -> None:
        """Add a rule that stays as it is, known only by where it fires."""
        self.tops.append(Node((), None, 0, 0, fires, fires, is_locked=True))

    def add(self, parent: Node | None, body: Body) -> Node:
        """Add a rule at the top, or an exception to one."""
        sign, depth = (0, 0) if parent is None else (1 - parent.sign, parent.depth + 1)
        nowhere = np.zeros(self.bins.n_rows, dtype=np.uint8)
        node = Node(body, parent, sign, depth, nowhere, nowhere)
        self.siblings(parent).append(node)
        self.change(node, body)
        return node

    def change(self, node: Node, body: Body) -> None:
        """Give a rule another body."""
        holds = np.ones(self.bins.n_rows, dtype=np.uint8)
        for literal in body:
            holds &= literal.truth(self.bins, self._all)
        node.body, node.holds = body, holds
        self._refresh(node)

    def remove(self, node: Node) -> None:
        """Take a rule out, with its exceptions."""
        self.siblings(node.parent).remove(node)
        if node.parent is not None:
            self._refresh(node.parent)

    def _refresh(self, node: Node | None) -> None:
        """Recompute what fires from `node` upwards."""
        while node is not None:
            node.fires = np.asarray(node.holds & (_any_fires(node.children, self.bins.n_rows) ^ 1), dtype=np.uint8)
            node = node.parent


def rows_where(mask: NDArray[np.bool_]) -> Ints:
    """Return the rows for which a mask is true: NumPy's own shorthand takes twice as long, thousands of times a fit."""
    return mask.nonzero()[0]


def _any_fires(nodes: list[Node], n_rows: int) -> Bytes:
    mask = np.zeros(n_rows, dtype=np.uint8)
    for node in nodes:
        mask |= node.fires
    return mask
