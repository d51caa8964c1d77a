"""The lines of a function, as they are written: instructions, labels, variables.

A variable has one type, the widest of what is assigned to it; where that widens, the function is written again.
"""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

from unless.errors import UnlessError
from unless.learn.compiling.kernel_values import BOOL, INT, Value, wider

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unless.learn.compiling.kernel_values import Type


class Written(NamedTuple):
    """A function as it was written: its name in the text, and what it returns."""

    name: str
    returned: tuple[str, ...]


class Text(Protocol):
    """The text that a function is part of."""

    declared: set[str]

    def call(self, function: Callable[..., Any], types: Sequence[Type]) -> Written:
        """Return a function for arguments of some types."""


class Lines:
    """One function, being written."""

    def __init__(self, text: Text, function: Callable[..., Any]) -> None:
        self.text = text
        self.function = function
        self.types: dict[str, str] = {}
        self.start()

    def start(self) -> None:
        """Forget all lines, but not the types of variables."""
        self.lines: list[str] = []
        self.named: dict[str, Value] = {}
        self.n_temporary = 0
        self.n_own = 0
        self.is_wider = False

    def refuse(self, node: ast.AST, what: str) -> NoReturn:
        """Say what a kernel may not do, and where."""
        first = inspect.getsourcelines(self.function)[1]
        line = first + getattr(node, "lineno", 1) - 1
        msg = f"{inspect.getsourcefile(self.function)}, line {line}: {what} cannot be compiled."
        raise UnlessError(msg)

    def new(self, instruction: str) -> str:
        """Write an instruction; returns the name of what it makes."""
        self.n_temporary += 1
        name = f"%t{self.n_temporary}"
        self.lines.append(f"{name} = {instruction}")
        return name

    def label(self) -> str:
        """Return a new label."""
        self.n_temporary += 1
        return f"l{self.n_temporary}"

    def jump(self, label: str) -> None:
        """Go on elsewhere."""
        self.lines.append(f"br label %{label}")

    def begin(self, label: str) -> None:
        """Begin what stands at a label."""
        self.lines.append(f"{label}:")

    def number(self, value: Value, type_: str) -> str:
        """Return a number as another type."""
        had, name = value.type, value.only
        if had == type_:
            return name
        if type_ == BOOL:
            return self.new(f"icmp ne i64 {name}, 0" if had == INT else f"fcmp une double {name}, 0.0")
        if type_ == INT:
            return self.new(f"zext i1 {name} to i64" if had == BOOL else f"fptosi double {name} to i64")
        return self.new(f"uitofp i1 {name} to double" if had == BOOL else f"sitofp i64 {name} to double")

    def truth(self, value: Value) -> str:
        """Return whether a number is not 0."""
        return self.number(value, BOOL)

    def assign(self, name: str, value: Value) -> None:
        """Give a variable its value; arrays and records only get a name."""
        if not isinstance(value.type, str):
            self.named[name] = value
            return
        known = self.types.get(name, BOOL)
        type_ = wider(known, value.type)
        if name not in self.types or type_ != known:
            self.types[name] = type_
            self.is_wider = True
        self.lines.append(f"store {type_} {self.number(value, type_)}, ptr %v.{name}")

    def read(self, name: str) -> Value:
        """Return what a variable is now."""
        type_ = self.types[name]
        return Value(type_, (self.new(f"load {type_}, ptr %v.{name}"),))

    def variable(self) -> str:
        """Return the name of a variable of our own."""
        self.n_own += 1  # in the order of the function, however often it is written
        return f"own.{self.n_own}"

    def scalars(self, node: ast.AST, value: Value) -> list[Value]:
        """Return the numbers of a tuple, or the number."""
        if isinstance(value.type, str):
            return [value]
        if not isinstance(value.type, tuple) or not all(isinstance(one, str) for one in value.type):
            self.refuse(node, ast.unparse(node))
        return [Value(one, (part,)) for one, part in zip(value.type, value.parts, strict=True)]
