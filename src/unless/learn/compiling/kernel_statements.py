"""Statements of kernels, and whole functions.

In: a Python function and the types of its arguments. Out: the text of the function. A loop goes over `range`.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import TYPE_CHECKING, Any

from unless.learn.compiling.kernel_calls import Calls
from unless.learn.compiling.kernel_lines import Written
from unless.learn.compiling.kernel_values import INT, Value, flat_types

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unless.learn.compiling.kernel_lines import Text
    from unless.learn.compiling.kernel_values import Type

LONG = 100
"""Functions of more lines stay functions: written into others they take long to compile, and run no faster."""


class FunctionText(Calls):
    """One function, for arguments of some types."""

    def __init__(self, text: Text, function: Callable[..., Any], types: Sequence[Type], name: str) -> None:
        super().__init__(text, function)
        self.name = name
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        assert isinstance(tree, ast.FunctionDef)
        self.tree = tree
        self.arguments = list(zip((one.arg for one in tree.args.args), types, strict=True))
        self.loops: list[tuple[str, str]] = []
        self.n_returned = 0

    def write(self) -> tuple[Written, str]:
        """Return the function and its text."""
        while True:
            self.start()
            self.n_returned = 0
            parameters = self._parameters()
            for statement in self.tree.body:
                self.statement(statement)
            if not self.is_wider:
                break
        returned = tuple(self.types[f"return.{k}"] for k in range(self.n_returned))
        made = f"{{{', '.join(returned)}}}" if returned else "void"
        head = [f"%v.{name} = alloca {type_}" for name, type_ in self.types.items()]
        tail, last = ["br label %exit", "exit:"], "undef"
        for k, one in enumerate(returned):
            tail.append(f"%x{k} = load {one}, ptr %v.return.{k}")
            tail.append(f"%y{k} = insertvalue {made} {last}, {one} %x{k}, {k}")
            last = f"%y{k}"
        tail.append(f"ret {made} {last}" if returned else "ret void")
        lines = [*head, *self.lines, *tail]
        asked = " noinline" if len(lines) > LONG else ""
        text = f"define internal {made} @{self.name}({', '.join(parameters)}){asked} {{\n" + "\n".join(lines) + "\n}"
        return Written(self.name, returned), text

    def _parameters(self) -> list[str]:
        """Take the arguments as variables; returns how the function names them."""
        parameters: list[str] = []
        for name, type_ in self.arguments:
            flat = flat_types(type_)
            first = len(parameters)
            parameters += [f"{one} %arg{first + k}" for k, one in enumerate(flat)]
            value = Value(type_, tuple(f"%arg{first + k}" for k in range(len(flat))))
            self.assign(name, value)
        return parameters

    def statement(self, node: ast.stmt) -> None:
        """Write a statement."""
        write = getattr(self, f"_do_{type(node).__name__.lower()}", None)
        if write is None:
            self.refuse(node, type(node).__name__)
        write(node)

    def _do_expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def _do_pass(self, node: ast.Pass) -> None:
        pass

    def _do_assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            values = [self.value(one) for one in node.value.elts]
            for one, value in zip(target.elts, values, strict=True):
                self.give(one, value)
        elif isinstance(target, ast.Tuple):
            for one, value in zip(target.elts, self.scalars(node, self.value(node.value)), strict=True):
                self.give(one, value)
        else:
            self.give(target, self.value(node.value))

    def _do_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.give(node.target, self.value(node.value))

    def _do_augassign(self, node: ast.AugAssign) -> None:
        target = node.target
        assert isinstance(target, (ast.Name, ast.Subscript))
        self.give(target, self.combine(node, node.op, self.value(target), self.value(node.value)))

    def give(self, target: ast.expr, value: Value) -> None:
        """Give a variable or a cell its value."""
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
        elif isinstance(target, ast.Subscript):
            self.store(target, value)
        else:
            self.refuse(target, ast.unparse(target))

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Write statements one after the other."""
        for one in statements:
            self.statement(one)

    def _do_if(self, node: ast.If) -> None:
        yes, no, end = self.label(), self.label(), self.label()
        self.fork(node.test, yes, no)
        self.begin(yes)
        self.block(node.body)
        self.jump(end)
        self.begin(no)
        self.block(node.orelse)
        self.jump(end)
        self.begin(end)

    def _do_while(self, node: ast.While) -> None:
        test, body, end = self.label(), self.label(), self.label()
        self.jump(test)
        self.begin(test)
        self.fork(node.test, body, end)
        self.begin(body)
        self.loops.append((test, end))
        self.block(node.body)
        self.loops.pop()
        self.jump(test)
        self.begin(end)

    def _do_for(self, node: ast.For) -> None:
        call, target = node.iter, node.target
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
            self.refuse(node, "a loop over anything but range")
        assert isinstance(target, ast.Name)
        bounds = [self.value(one) for one in call.args]
        step = 1
        if len(bounds) == 3:
            step = int(bounds.pop().only)
        first = bounds[0] if len(bounds) == 2 else Value(INT, ("0",))
        counter = self.variable()
        labels = self.loop_head(counter, first, self.number(bounds[-1], INT), step)
        self.assign(target.id, self.read(counter))
        self.loops.append((labels[1], labels[2]))
        self.block(node.body)
        self.loops.pop()
        self.loop_end(counter, step, *labels)

    def _leave(self, label: str) -> None:
        """Go elsewhere; what follows is never reached, but must stand at a label."""
        self.jump(label)
        self.begin(self.label())

    def _do_break(self, node: ast.Break) -> None:
        self._leave(self.loops[-1][1])

    def _do_continue(self, node: ast.Continue) -> None:
        self._leave(self.loops[-1][0])

    def _do_return(self, node: ast.Return) -> None:
        values = self.scalars(node, self.value(node.value)) if node.value is not None else []
        self.n_returned = len(values)
        for k, one in enumerate(values):
            self.assign(f"return.{k}", one)
        self._leave("exit")
