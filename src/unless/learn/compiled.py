"""The one decorator of every kernel.

`cache`: compiled once per machine, not once per process. `nogil`: threads may run kernels side by side. No `fastmath`:
scores decide ties, so no reassociation. No `parallel`: it triples the compile time and is not needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numba

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., object]")


def kernel(function: F) -> F:
    """Compile a function on arrays."""
    compiled: F = numba.njit(cache=True, nogil=True)(function)
    return compiled
