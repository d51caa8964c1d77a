"""Accuracy against size: programs ever larger, each with its cross-validated accuracy.

The elbow is the smallest program within one standard error of the most accurate one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.showing import show

if TYPE_CHECKING:
    from unless.logic.program import Program


@dataclass(frozen=True, slots=True)
class Stop:
    """A program on the path. `accuracy` is of held-out rows, `spread` its standard error over folds."""

    program: Program
    n_rules: int
    n_literals: int
    accuracy: float
    spread: float
    training_accuracy: float
    size_penalty: float


@dataclass(frozen=True, slots=True)
class Frontier:
    """Programs, short ones first; `elbow` is the index of the one to look at first."""

    stops: tuple[Stop, ...]
    elbow: int

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
