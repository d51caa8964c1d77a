"""The two decorators of every compiled function.

`cache`: compiled once per machine, not once per process. `nogil`: threads may run kernels side by side. No `fastmath`:
scores decide ties, so no reassociation. No `parallel`: it triples the compile time and is not needed. No wrappers that
nobody calls: they are a third of the compile time.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import numba

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")

njit: Any = partial(numba.njit, nogil=True, no_cfunc_wrapper=True)


def kernel(function: Callable[P, T]) -> Callable[P, T]:
    """Compile a function on arrays."""
    return cast("Callable[P, T]", njit(cache=True)(function))


def helper(function: Callable[P, T]) -> Callable[P, T]:
    """Compile a function that kernels call and Python must not; it is cached as part of them.

    A call from Python would crash the interpreter: a test of the house rules sees that there is none.
    """
    return cast("Callable[P, T]", njit(no_cpython_wrapper=True)(function))
