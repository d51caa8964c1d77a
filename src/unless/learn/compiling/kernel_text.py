"""Kernels as text of LLVM: a function on arrays and numbers in, its instructions out.

In: a Python function and the types of its arguments. Out: text that llvmlite assembles. The language is small, and a
kernel that leaves it is refused with its line: numbers, arrays and their first lines, named tuples of all of these and
their `_replace`; `for` over `range`, `while`, `if`; arithmetic, comparisons, `math`; calls of other functions marked in
compiled.py, and these return numbers. As in Python, whole numbers become fractions where the two meet; unlike there,
they have 64 bits, and an index is not looked at. A variable has one type, the widest of what is assigned to it: a
function is written again until no type widens. Arrays of different types of cells must not share memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.learn.compiling.kernel_statements import FunctionText
from unless.learn.compiling.kernel_values import BOOL, INT, ArrayType, cells_apart, slots_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unless.learn.compiling.kernel_lines import Written
    from unless.learn.compiling.kernel_values import Type


class KernelText:
    """The text of one kernel with all the functions that it calls."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        self.declared: set[str] = set()
        self._known: dict[tuple[Any, ...], Written] = {}
        self._n_begun = 0

    def call(self, function: Callable[..., Any], types: Sequence[Type]) -> Written:
        """Return a function for arguments of some types; it is written when it is first called."""
        key = (function, *types)
        if key not in self._known:
            self._n_begun += 1
            written = FunctionText(self, function, types, f"{function.__name__}.{self._n_begun}")
            self._known[key], lines = written.write()
            self.functions.append(lines)
        return self._known[key]

    def whole(self, name: str, function: Callable[..., Any], types: Sequence[Type]) -> tuple[str, tuple[str, ...]]:
        """Return the text of a kernel that takes its arguments from a line of slots and leaves what it returns there.

        Also what it returns, slot by slot.
        """
        called = self.call(function, types)
        lines: list[str] = []
        given: list[str] = []
        for k, one in enumerate(slot for type_ in types for slot in slots_of(type_)):
            lines.append(f"%p{k} = getelementptr i64, ptr %slots, i64 {k}")
            if isinstance(one, ArrayType):
                given += _unpack(one, k, lines)
                continue
            lines.append(f"%a{k} = load {INT if one == BOOL else one}, ptr %p{k}")
            if one == BOOL:
                lines.append(f"%b{k} = trunc i64 %a{k} to i1")
            given.append(f"{one} %{'b' if one == BOOL else 'a'}{k}")
        returned = f"{{{', '.join(called.returned)}}}" if called.returned else "void"
        result = "%r = " if called.returned else ""
        lines.append(f"{result}call {returned} @{called.name}({', '.join(given)})")
        for k, one in enumerate(called.returned):
            lines.append(f"%e{k} = extractvalue {returned} %r, {k}")
            lines.append(f"%q{k} = getelementptr i64, ptr %slots, i64 {k}")
            kept = f"%e{k}"
            if one == BOOL:
                lines.append(f"%z{k} = zext i1 %e{k} to i64")
                kept = f"%z{k}"
            lines.append(f"store {INT if one == BOOL else one} {kept}, ptr %q{k}")
        body = "\n".join(f"  {line}" for line in [*lines, "ret void"])
        return "\n".join(
            [
                *sorted(self.declared),
                *self.functions,
                f"define void @{name}(ptr %slots) {{\n{body}\n}}",
                *cells_apart(),
            ]
        ), called.returned


def _unpack(array: ArrayType, k: int, lines: list[str]) -> list[str]:
    """Write lines (out) that read an array of NumPy, whose address is in slot k; returns its parts.

    They read what NumPy's own macros read: the fields of `PyArrayObject` that programs in C are compiled with.
    """
    head = object.__basicsize__
    lines.append(f"%a{k} = load ptr, ptr %p{k}")
    for name, offset in (("data", 0), ("shape", 16), ("strides", 24)):
        lines.append(f"%{name}{k}.at = getelementptr i8, ptr %a{k}, i64 {head + offset}")
        lines.append(f"%{name}{k} = load ptr, ptr %{name}{k}.at")
    parts = [f"ptr %data{k}"]
    for name in ("shape",) if array.is_packed else ("shape", "strides"):
        for axis in range(array.n_axes):
            one = f"%{name}{k}.{axis}"
            lines.append(f"{one}.at = getelementptr i64, ptr %{name}{k}, i64 {axis}")
            lines.append(f"{one} = load i64, ptr {one}.at")
            parts.append(f"i64 {one}")
    return parts
