"""What a program may be while it grows, and how whoever watches hears of its steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unless.learn.optimise.layout import Ints


@dataclass(frozen=True)
class Limits:
    """Hard limits, by column number; `kinds[sign]` are the tests allowed for and against the class.

    `is_rough` says that a program need only show what the table can bear.
    """

    max_rules: int
    max_literals: int
    max_depth: int
    kinds: tuple[Ints, Ints]
    rivals: Mapping[int, frozenset[int]] = field(default_factory=dict)
    points: bool = False
    should_stop: Callable[[], bool] = lambda: False
    on_progress: Callable[[Step], None] = lambda step: None
    is_rough: bool = False


@dataclass(frozen=True)
class Step:
    """One line of the trace."""

    action: str
    objective: float
    errors: float
    n_rules: int
    n_literals: int
    price: float


def ignore(step: Step) -> None:
    """Let a step pass."""
