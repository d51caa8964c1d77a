"""The one decorator of every kernel.

`cache`: compiled once per machine, not once per process. `nogil`: threads may run kernels side by side. No `fastmath`:
scores decide ties, so no reassociation. No `parallel`: it triples the compile time and is not needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

import numba

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


def kernel(function: Callable[P, T]) -> Callable[P, T]:
    """Compile a function on arrays."""
    return cast("Callable[P, T]", numba.njit(cache=True, nogil=True)(function))
