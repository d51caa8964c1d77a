"""Accuracy against size: programs ever larger, each with its cross-validated accuracy.

The elbow is the smallest program within one standard error of the most accurate one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.showing import show

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.logic.rules import Label, Rule


@dataclass(frozen=True, slots=True)
class PathStep:
    """What a watcher hears while a path is grown: how many of its parts are done, and how large the program is."""

    n_done: int
    n_parts: int
    n_rules: int


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """A program on the path, once it is written, and its rules.

    `accuracy` is of held-out rows, `spread` its standard error over folds: not known before the folds are grown. `auc`
    is that of grades of such programs, on held-out rows too, if it was asked for.
    """

    rules: tuple[Rule, ...]
    size_penalty: float
    n_rules: int
    n_literals: int
    training_accuracy: float
    accuracy: float = 0.0
    spread: float = 0.0
    program: Program | None = None
    auc: float | None = None


@dataclass(frozen=True, slots=True)
class Frontier:
    """Programs, short ones first; `elbow` is the index of the one to look at first.

    Where rows weighed differently in learning (`is_weighed`), accuracies are shares of their weight. So is that of the
    `commonest` label, which stands beside it, where it is known: what always that label, without any rule, is right on.
    """

    points: tuple[FrontierPoint, ...]
    elbow: int
    is_weighed: bool = False
    commonest: tuple[Label, float] | None = None

    def __str__(self) -> str:
        return self.as_text()

    def as_text(self, *, lang: str = "en") -> str:
        """Write accuracy against size as a table, a program a line."""
        return show("size path as text", self, lang=lang)

    def svg(self, *, lang: str = "en") -> str:
        """Draw accuracy against size."""
        return show("size path as svg", self, lang=lang)

    def _repr_html_(self) -> str:
        return self.svg()
