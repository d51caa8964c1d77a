"""Helpers in the order in which they can be worked out: each after those that it calls, however deep the calls go."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unless.logic.program import Program


def called_first(program: Program, name: str, is_known: Callable[[str], bool]) -> Iterator[str]:
    """Yield a helper after those it calls that are not known yet; each must be known when the next is asked for."""
    waiting = [name]
    while waiting:
        unknown = [each for each in program.calls[waiting[-1]] if not is_known(each)]
        waiting += unknown
        if not unknown and not is_known(each := waiting.pop()):
            yield each
