"""The two decorators of every compiled function, and where compiled functions are kept.

Kept on disk: compiled once per machine, not once per process. `nogil`: threads may run kernels side by side. No
`fastmath`: scores decide ties, so no reassociation. No `parallel`: it triples the compile time and is not needed. No
wrappers that nobody calls, no counting of references (a kernel makes no array: it writes into those it gets), no
looking for divisions by zero (there are none): they are half of the compile time.

Where nothing can be written (a read-only disk, no home), kernels are kept in a folder that goes with the process, or
nowhere; one warning says so.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from unless.learn.hiding import hiding

# numba loads these where they are installed: to look at a version, to report coverage, to read a file of settings.
with hiding("coverage", "scipy", "yaml"):
    import numba
    from numba.core.caching import FunctionCache
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")

njit: Any = partial(numba.njit, nogil=True, no_cfunc_wrapper=True, _nrt=False, error_model="numpy", no_rewrites=True)


class KernelCache(FunctionCache):
    """Loads a kernel without preparing to compile, which takes ten times as long.

    So a kernel that another release compiled by other options must not be loaded: it may call what is not prepared.
    """

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return *super()._index_key(sig, codegen), repr(njit.keywords)  # type: ignore[no-untyped-call]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel kept for a signature, or None; compiling prepares itself."""
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:
            # Whatever was kept cannot be read: it is damaged, or of a release that had other types. Begin anew.
            with suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
            return None


class NoEnvironment:
    """Takes an environment, as a code generator does."""

    def set_env(self, name: str, env: Any) -> None:
        """Forget an environment."""


class LinkedLibrary(JITCodeLibrary):
    """The code of a helper: only linked into kernels, which optimise all of it; alone it need not be made to run."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Say that Python cannot call it."""
        return 0

    @property
    def codegen(self) -> Any:
        """Return what takes the environment of a function and forgets it: nothing here would read it."""
        return NoEnvironment()


class HelperCompiler(Compiler):
    """Compiles a helper: a quarter of the time goes where every one of them is optimised and emitted by itself."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        library = library or LinkedLibrary(target.codegen(), "helper")  # type: ignore[no-untyped-call]
        super().__init__(typing, target, library, *rest)  # type: ignore[no-untyped-call]


new_cache: Any = KernelCache
config: Any = numba.config

KERNELS: list[Any] = []
"""Every kernel of the modules imported so far."""


def kernel(function: Callable[P, T]) -> Callable[P, T]:
    """Compile a function on arrays."""
    compiled = njit()(function)
    if not config.DISABLE_JIT:
        KERNELS.append(compiled)
        kept = cache_of(function)
        if kept is not None:
            compiled._cache = kept
    return cast("Callable[P, T]", compiled)


def helper(function: Callable[P, T]) -> Callable[P, T]:
    """Compile a function that kernels call and Python must not; it is cached as part of them.

    A call from Python would crash the interpreter: a test of the house rules sees that there is none.
    """
    return cast("Callable[P, T]", njit(no_cpython_wrapper=True, pipeline_class=HelperCompiler)(function))


def n_compiled() -> int:
    """Count what this process compiled; what it found on disk does not count."""
    return sum(sum(one.stats.cache_misses.values()) for one in KERNELS)


def kept_in() -> str | None:
    """Return the folder under which kernels are kept, if they are."""
    folders = [one.stats.cache_path for one in KERNELS if one.stats.cache_path is not None]
    return os.path.commonpath(folders) if folders else None


def cache_of(function: Callable[..., Any]) -> Any:
    """Return where a kernel is kept: where numba keeps functions, or for as long as the process lives, or nowhere."""
    try:
        return new_cache(function)
    except RuntimeError:  # no folder can be written
        return _passing_cache_of(function)


def _passing_cache_of(function: Callable[..., Any]) -> Any:
    folder, usual = passing_folder(), config.CACHE_DIR
    if folder is None:
        return None
    config.CACHE_DIR = folder
    try:
        return new_cache(function)
    finally:
        config.CACHE_DIR = usual


@cache
def passing_folder() -> str | None:
    """Make a folder that is removed when the process ends, if any can be made; say so, once."""
    logging.getLogger("unless").warning(
        "compiled functions cannot be kept on this machine, so each process compiles them anew; "
        "name a folder that can be written in NUMBA_CACHE_DIR."
    )
    try:
        folder = tempfile.mkdtemp(prefix="unless-")
    except OSError:
        return None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
