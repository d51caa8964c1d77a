"""The two decorators of every compiled function, and where compiled functions are kept.

A kernel is compiled for the types of its arguments when it is first called, with every helper that it calls, and kept
on disk: once per machine, not once per process. It runs without Python's lock: threads may run kernels side by side.
What is kept is found by what it was made of (code and constants of all functions, types, machine): what is stale is
never loaded.

Where nothing can be written (a read-only disk, no home), kernels are kept in a folder that goes with the process, or
nowhere; one warning says so.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import logging
import os
import shutil
import struct
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import numpy as np
from numpy import ndarray

from unless.learn.compiling.kernel_values import BOOL, FLOAT, INT, ArrayType, RecordType
from unless.logic.text.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from unless.learn.compiling.kernel_values import Type

P = ParamSpec("P")
T = TypeVar("T")

KERNELS: list[Kernel] = []
"""Every kernel of the modules imported so far."""
KEEP_IN, DO_NOT_COMPILE = "UNLESS_CACHE_DIR", "UNLESS_DISABLE_JIT"
"""Environment variables: a folder to keep kernels in, and whether to run all as Python, to see what tests cover."""
ENDING = ".kernel"
CHECKED = 16
"""So many bytes before the code say that a file is whole."""

_lock = Lock()


class Helper:
    """A function that kernels call; called from Python it runs as it is written."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.__doc__, self.__name__ = function.__doc__, function.__name__

    def __call__(self, *arguments: Any) -> Any:
        """Run it in Python."""
        return self.function(*arguments)


class Uncompiled(Helper):
    """A kernel that runs as Python, and returns plain numbers as machine code does: NumPy's small ones overflow."""

    def __call__(self, *arguments: Any) -> Any:
        """Run it in Python."""
        found = self.function(*arguments)
        return tuple(map(_plain, found)) if isinstance(found, tuple) else _plain(found)


class Kernel(Helper):
    """A function on arrays that is compiled for each combination of types that it meets."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self.n_compiled = 0
        self._ready: dict[tuple[Any, ...], Loaded] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Run it compiled."""
        slots: list[Any] = []
        key: list[Any] = []
        _flatten(arguments, key, slots)
        signature = tuple(key)
        loaded = self._ready.get(signature)
        if loaded is None:
            with _lock:
                loaded = self._ready[signature] = self._load(arguments)
        return loaded.run(slots)

    def _load(self, arguments: tuple[Any, ...]) -> Loaded:
        """Return the machine code for arguments like these, kept or made anew."""
        from unless.learn.compiling.native import load

        types = [_type_of(one) for one in arguments]
        name = f"{self.__name__}_{_digest(self.function, types)}"
        folder = folder_of(self.function)
        code = read_kept(folder, name) if folder else None
        returned = code[0].split(" ") if code is not None else []
        if code is None:
            from unless.learn.compiling.kernel_text import KernelText
            from unless.learn.compiling.native import assemble

            text, made = KernelText().whole(name, self.function, types)
            returned, code = list(made), (" ".join(made), assemble(text))
            self.n_compiled += 1
            if folder:
                keep(folder, name, code)
        return Loaded(load(code[1], name), [one for one in returned if one])


class Loaded:
    """Machine code that takes its arguments from a line of slots and leaves what it returns there."""

    def __init__(self, address: int, returned: list[str]) -> None:
        self._call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)
        self._results = struct.Struct("=" + "".join("d" if one == FLOAT else "q" for one in returned))
        self._are_bools = [one == BOOL for one in returned]
        self._has_bools = any(self._are_bools)
        self._pack: struct.Struct | None = None

    def run(self, slots: list[Any]) -> Any:
        """Run it, with a number for each slot."""
        if self._pack is None:
            self._pack = struct.Struct("=" + "".join("d" if isinstance(one, float) else "q" for one in slots))
        line = bytearray(max(self._pack.size, self._results.size, 8))
        self._pack.pack_into(line, 0, *slots)
        self._call(ctypes.addressof(ctypes.c_char.from_buffer(line)))
        found = self._results.unpack_from(line)
        if len(found) == 1:
            return bool(found[0]) if self._are_bools[0] else found[0]
        if not self._has_bools:
            return found or None
        return tuple(bool(one) if is_bool else one for one, is_bool in zip(found, self._are_bools))  # noqa: B905


_numbers: dict[tuple[Any, ...], int] = {}
"""Numbers for the types of records."""


def _flatten(arguments: Iterable[Any], key: list[Any], slots: list[Any]) -> None:
    """Write the types of arguments into key and what they are into slots (both out); an array is its address.

    Of a record that has room for it (a class without `__slots__`), both are worked out once: its arrays stay the same.
    Its types are then a number, the same for records of the same types.
    """
    for one in arguments:
        if type(one) is ndarray:
            key += (one.dtype.char, one.ndim, one.flags.c_contiguous)
            slots.append(id(one))
        elif isinstance(one, float):
            key.append(FLOAT)
            slots.append(float(one))
        elif isinstance(one, tuple):
            known = getattr(one, "__dict__", None)
            if known is None:
                key.append(type(one))
                _flatten(one, key, slots)
                continue
            if known.get("of") != id(one):  # a copy has arrays of its own, perhaps
                types: list[Any] = [type(one)]
                own: list[Any] = []
                _flatten(tuple(one), types, own)
                known.update(slots=own, key=_numbers.setdefault(tuple(types), len(_numbers)), of=id(one))
            key.append(known["key"])
            slots += known["slots"]
        else:
            key.append(BOOL if isinstance(one, (bool, np.bool_)) else INT)
            slots.append(int(one))


def _type_of(value: Any) -> Type:
    """Return the type of an argument."""
    if isinstance(value, np.ndarray):
        return ArrayType(value.dtype.char, value.ndim, value.flags.c_contiguous)
    if isinstance(value, (bool, np.bool_)):
        return BOOL
    if isinstance(value, (int, np.integer)):
        return INT
    if isinstance(value, float):
        return FLOAT
    return RecordType(value._fields, tuple(_type_of(one) for one in value))


def _digest(function: Callable[..., Any], types: list[Type]) -> str:
    """Return a number that depends on everything that machine code is made of."""
    from unless.learn.compiling.native import kind_of_machine

    made_of = hashlib.sha256(f"{sys.version} {kind_of_machine()} {_compiler()} {types}".encode())
    for one in _parts_of(function, set()):
        made_of.update(one.encode())
    return made_of.hexdigest()[:24]


@cache
def _compiler() -> str:
    """Return a digest of the compiler itself: what another release kept may be called in another way."""
    files = [Path(__file__), *sorted((Path(__file__).parent / "compiling").glob("*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _parts_of(function: Callable[..., Any], met: set[Any]) -> Iterator[str]:
    """Yield the code of a function and of those that it calls, and the constants that they read."""
    met.add(function)
    code = function.__code__
    yield f"{code.co_code.hex()} {code.co_consts} {code.co_names} {code.co_varnames}"
    for name in code.co_names:
        known = function.__globals__.get(name)
        if isinstance(known, Helper):
            if known.function not in met:
                yield from _parts_of(known.function, met)
        elif isinstance(known, (int, float)):
            yield f"{name}={known!r}"
        elif isinstance(known, type) and hasattr(known, "_fields"):
            yield f"{name}={known._fields}"


def _plain(number: Any) -> Any:
    return number.item() if isinstance(number, np.generic) else number


def kernel(function: Callable[P, T]) -> Callable[P, T]:
    """Compile a function on arrays."""
    if os.environ.get(DO_NOT_COMPILE, "0") not in {"", "0"}:
        return cast("Callable[P, T]", Uncompiled(function))
    compiled = Kernel(function)
    KERNELS.append(compiled)
    return cast("Callable[P, T]", compiled)


def helper(function: Callable[P, T]) -> Callable[P, T]:
    """Compile a function as part of the kernels that call it."""
    return cast("Callable[P, T]", Helper(function))


def n_compiled() -> int:
    """Count what this process compiled; what it found on disk does not count."""
    return sum(one.n_compiled for one in KERNELS)


def kept_in() -> str | None:
    """Return the folder under which kernels are kept, if they are."""
    folders = [folder for one in KERNELS if (folder := folder_of(one.function)) is not None]
    return os.path.commonpath(folders) if folders else None


def folder_of(function: Callable[..., Any]) -> Path | None:
    """Return where kernels are kept: where the user says, beside the code, with other things kept, or for now."""
    chosen = os.environ.get(KEEP_IN)
    beside = Path(function.__code__.co_filename).parent / "__pycache__"
    for folder in [Path(chosen)] if chosen else [beside, _usual_folder()]:
        if _can_be_written(folder):
            return folder
    return passing_folder()


def _usual_folder() -> Path:
    """Return the folder of this user for what can be made again."""
    known = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    return Path(known or Path("~").expanduser() / ".cache") / "unless"


@cache
def _can_be_written(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def passing_folder() -> Path | None:
    """Make a folder that is removed when the process ends, if any can be made; say so, once."""
    logging.getLogger("unless").warning(
        "compiled functions cannot be kept on this machine, so each process compiles them anew; "
        "name a folder that can be written in %s.",
        KEEP_IN,
    )
    try:
        folder = tempfile.mkdtemp(prefix="unless-")
    except OSError:
        return None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def read_kept(folder: Path, name: str) -> tuple[str, bytes] | None:
    """Return what a kernel returns and its machine code, if they are there and whole."""
    with suppress(OSError, ValueError):
        kept = (folder / f"{name}{ENDING}").read_bytes()
        if hashlib.sha256(kept[CHECKED:]).digest()[:CHECKED] == kept[:CHECKED]:
            returned, code = kept[CHECKED:].split(b"\n", 1)
            return returned.decode(), code
    return None


def keep(folder: Path, name: str, code: tuple[str, bytes]) -> None:
    """Keep a kernel; a reader never sees half of it. Where that fails, it is compiled again next time."""
    content = code[0].encode() + b"\n" + code[1]
    with suppress(OSError), whole_file(folder / f"{name}{ENDING}", lasting=False) as file:
        file.write(hashlib.sha256(content).digest()[:CHECKED] + content)
