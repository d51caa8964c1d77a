"""The types and values of kernels: numbers, arrays and records of them, as the text of LLVM names them.

A value is its type and the names of its parts: an array is its address, its shape and, where its cells do not stand
one after the other, its strides; a record is its fields one after the other.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

BOOL, INT, FLOAT = "i1", "i64", "double"
WIDTHS = (BOOL, INT, FLOAT)


class ArrayCell(NamedTuple):
    """What stands in an array: its type, as what it is read, and how it is widened to that and narrowed again."""

    type: str
    read_as: str
    widened: str | None = None
    narrowed: str | None = None

    @property
    def apart(self) -> str:
        """Return the number of the note that says where such cells are."""
        return f"!{CELL_TYPES.index(self.type) + len(CELL_TYPES) + 1}"


CELL_TYPES = ("i8", "i16", "i32", "i64", "float", "double")


def cells_apart() -> list[str]:
    """Return notes for the optimiser: where one type of cell is written, cells of another type are not.

    What was read of them need not be read again, after every step of a loop.
    """
    types = [f'!{k} = !{{!"{name}", !0}}' for k, name in enumerate(CELL_TYPES, 1)]
    where = [f"!{k + len(CELL_TYPES)} = !{{!{k}, !{k}, i64 0}}" for k in range(1, len(CELL_TYPES) + 1)]
    return ['!0 = !{!"cells"}', *types, *where]


ARRAY_CELLS = {
    "?": ArrayCell("i8", INT, "zext", "trunc"),
    "B": ArrayCell("i8", INT, "zext", "trunc"),
    "b": ArrayCell("i8", INT, "sext", "trunc"),
    "H": ArrayCell("i16", INT, "zext", "trunc"),
    "h": ArrayCell("i16", INT, "sext", "trunc"),
    "I": ArrayCell("i32", INT, "zext", "trunc"),
    "i": ArrayCell("i32", INT, "sext", "trunc"),
    "l": ArrayCell("i64", INT),
    "q": ArrayCell("i64", INT),
    "f": ArrayCell("float", FLOAT, "fpext", "fptrunc"),
    "d": ArrayCell("double", FLOAT),
}
"""By NumPy's letter of the type."""


class ArrayType(NamedTuple):
    """An array: NumPy's letter of its cells, its axes, and whether the cells stand one after the other."""

    cell: str
    n_axes: int
    is_packed: bool


class RecordType(NamedTuple):
    """A named tuple."""

    names: tuple[str, ...]
    types: tuple[Any, ...]


Type: TypeAlias = "str | ArrayType | RecordType | tuple[Any, ...]"


class Value(NamedTuple):
    """A type, and the names of its parts."""

    type: Any
    parts: tuple[str, ...]

    @property
    def only(self) -> str:
        """Return the name of a number."""
        return self.parts[0]

    @property
    def shape(self) -> tuple[str, ...]:
        """Return the lengths of an array."""
        return self.parts[1 : 1 + self.type.n_axes]

    @property
    def strides(self) -> tuple[str, ...]:
        """Return the steps of an array from cell to cell, in bytes."""
        return self.parts[1 + self.type.n_axes :]

    def below(self, n: int, address: str) -> Value:
        """Return the array that n indices lead to, at an address."""
        type_ = self.type._replace(n_axes=self.type.n_axes - n)
        return Value(type_, (address, *self.shape[n:], *self.strides[n:]))

    def field(self, name: str) -> Value:
        """Return a field of a record."""
        first = 0
        for known, type_ in zip(self.type.names, self.type.types, strict=True):
            end = first + len(flat_types(type_))
            if known == name:
                return Value(type_, self.parts[first:end])
            first = end
        raise KeyError(name)


def flat_types(type_: Type) -> tuple[str, ...]:
    """Return the types of the parts of a value."""
    if isinstance(type_, str):
        return (type_,)
    if isinstance(type_, ArrayType):
        return ("ptr", *(INT,) * (type_.n_axes if type_.is_packed else 2 * type_.n_axes))
    types = type_.types if isinstance(type_, RecordType) else type_
    return tuple(flat for one in types for flat in flat_types(one))


def slots_of(type_: Type) -> tuple[str | ArrayType, ...]:
    """Return what a value passed from Python is made of: numbers and arrays."""
    if isinstance(type_, (str, ArrayType)):
        return (type_,)
    types = type_.types if isinstance(type_, RecordType) else type_
    return tuple(slot for one in types for slot in slots_of(one))


def wider(one: str, other: str) -> str:
    """Return the type that holds numbers of both."""
    return WIDTHS[max(WIDTHS.index(one), WIDTHS.index(other))]
