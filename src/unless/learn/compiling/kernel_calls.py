"""Arrays and calls of kernels: cells read and written, functions of ours, of Python and of `math`.

In: Python's tree of an expression. Out: a value, and the lines that make it. An index is not looked at.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from unless.learn.compiling.kernel_expressions import Expressions
from unless.learn.compiling.kernel_values import (
    ARRAY_CELLS,
    BOOL,
    FLOAT,
    INT,
    ArrayType,
    RecordType,
    Value,
    flat_types,
    wider,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unless.learn.compiling.kernel_values import ArrayCell

MATH = {"exp", "log", "log2", "pow", "sqrt", "copysign"}
"""Functions of `math` that LLVM has by the same names."""


class Calls(Expressions):
    """Writes what has to do with arrays and other functions."""

    def _subscript(self, node: ast.Subscript) -> Value:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            array, k = self.value(node.value.value), ast.literal_eval(node.slice)
            return Value(INT, (array.shape[k],))
        array = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            return self._first(node, node.slice, array)
        indices = self._indices(node)
        if not isinstance(array.type, ArrayType) or len(indices) > array.type.n_axes:
            self.refuse(node, ast.unparse(node))
        address = self._address(array, indices)
        if len(indices) < array.type.n_axes:
            return array.below(len(indices), address)
        cell = ARRAY_CELLS[array.type.cell]
        loaded = self.new(f"load {cell.type}, ptr {address}, !tbaa {cell.apart}")
        if cell.widened is not None:
            loaded = self.new(f"{cell.widened} {cell.type} {loaded} to {cell.read_as}")
        return Value(cell.read_as, (loaded,))

    def _first(self, node: ast.Subscript, part: ast.Slice, array: Value) -> Value:
        """Return the first lines of an array: the same cells, and fewer of them."""
        is_first = part.lower is None and part.step is None and part.upper is not None
        if not (is_first and isinstance(array.type, ArrayType)):
            self.refuse(node, ast.unparse(node))
        assert part.upper is not None
        length = self.number(self.value(part.upper), INT)
        return Value(array.type, (array.parts[0], length, *array.parts[2:]))

    def _indices(self, node: ast.Subscript) -> list[str]:
        listed = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(one, ast.UnaryOp) for one in listed):
            self.refuse(node, "an index from the end")
        return [self.number(self.value(one), INT) for one in listed]

    def _address(self, array: Value, indices: list[str]) -> str:
        assert isinstance(array.type, ArrayType)
        cell = ARRAY_CELLS[array.type.cell]
        if not array.type.is_packed:
            address = array.parts[0]
            for index, stride in zip(indices, array.strides, strict=False):
                address = self.new(f"getelementptr i8, ptr {address}, i64 {self.new(f'mul i64 {index}, {stride}')}")
            return address
        at = indices[0]
        for k in range(1, array.type.n_axes):
            at = self.new(f"mul i64 {at}, {array.shape[k]}")
            if k < len(indices):
                at = self.new(f"add i64 {at}, {indices[k]}")
        return self.new(f"getelementptr {cell.type}, ptr {array.parts[0]}, i64 {at}")

    def store(self, node: ast.Subscript, value: Value) -> None:
        """Write a number into a cell of an array, or into all."""
        array = self.value(node.value)
        assert isinstance(array.type, ArrayType)
        cell = ARRAY_CELLS[array.type.cell]
        listed = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if all(isinstance(one, ast.Slice) for one in listed):
            self._fill(node, array, self.number(value, cell.read_as))
            return
        indices = self._indices(node)
        if len(indices) != array.type.n_axes:
            self.refuse(node, ast.unparse(node))
        self._put(self._address(array, indices), cell, self.number(value, cell.read_as))

    def _put(self, address: str, cell: ArrayCell, number: str) -> None:
        if cell.widened is not None:
            number = self.new(f"{cell.narrowed} {cell.read_as} {number} to {cell.type}")
        self.lines.append(f"store {cell.type} {number}, ptr {address}, !tbaa {cell.apart}")

    def _fill(self, node: ast.Subscript, array: Value, number: str) -> None:
        assert isinstance(array.type, ArrayType)
        if not array.type.is_packed:
            self.refuse(node, ast.unparse(node))
        n = array.shape[0]
        for k in range(1, array.type.n_axes):
            n = self.new(f"mul i64 {n}, {array.shape[k]}")
        cell = ARRAY_CELLS[array.type.cell]
        counter = self.variable()
        with_loop = self.loop_head(counter, Value(INT, ("0",)), n, 1)
        address = self.new(f"getelementptr {cell.type}, ptr {array.parts[0]}, i64 {self.read(counter).only}")
        self._put(address, cell, number)
        self.loop_end(counter, 1, *with_loop)

    def loop_head(self, counter: str, first: Value, last: str, step: int) -> tuple[str, str, str]:
        """Begin a loop that counts from the first number to before the last; returns its labels."""
        test, body, go_on, end = self.label(), self.label(), self.label(), self.label()
        self.assign(counter, Value(INT, (self.number(first, INT),)))
        self.jump(test)
        self.begin(test)
        is_in = self.new(f"icmp {'slt' if step > 0 else 'sgt'} i64 {self.read(counter).only}, {last}")
        self.lines.append(f"br i1 {is_in}, label %{body}, label %{end}")
        self.begin(body)
        return test, go_on, end

    def loop_end(self, counter: str, step: int, test: str, go_on: str, end: str) -> None:
        """End a loop."""
        self.jump(go_on)
        self.begin(go_on)
        self.assign(counter, Value(INT, (self.new(f"add i64 {self.read(counter).only}, {step}"),)))
        self.jump(test)
        self.begin(end)

    def _call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "_replace":
            return self._replaced(node, self.value(node.func.value))
        if node.keywords:
            self.refuse(node, f"{ast.unparse(node)}, which names arguments,")
        arguments = [self.value(one) for one in node.args]
        name = (
            node.func.id
            if isinstance(node.func, ast.Name)
            else node.func.attr
            if isinstance(node.func, ast.Attribute)
            else ""
        )
        builtin = getattr(self, f"_call_{name}", None)
        if builtin is not None:
            result = builtin(*arguments)
            assert isinstance(result, Value)
            return result
        if isinstance(node.func, ast.Attribute) and name in MATH:
            return self._library(name, arguments)
        called = self.known(node.func)
        if isinstance(called, type) and hasattr(called, "_fields"):
            return self._record(node, called, arguments)
        if not hasattr(called, "function"):
            self.refuse(node, ast.unparse(node))
        return self._call_own(called.function, arguments)

    def _record(self, node: ast.Call, made: Any, arguments: list[Value]) -> Value:
        """Put values together as a named tuple: names for what is there already."""
        if len(arguments) != len(made._fields):
            self.refuse(node, f"{ast.unparse(node)}, which does not name all fields in their order,")
        type_ = RecordType(made._fields, tuple(one.type for one in arguments))
        return Value(type_, tuple(part for one in arguments for part in one.parts))

    def _replaced(self, node: ast.Call, record: Value) -> Value:
        """Return a named tuple with other values in some of its fields."""
        given = {one.arg: self.value(one.value) for one in node.keywords}
        if not isinstance(record.type, RecordType) or not given.keys() <= set(record.type.names):
            self.refuse(node, ast.unparse(node))
        values = [given[name] if name in given else record.field(name) for name in record.type.names]
        type_ = RecordType(record.type.names, tuple(one.type for one in values))
        return Value(type_, tuple(part for one in values for part in one.parts))

    def _call_own(self, function: Callable[..., Any], arguments: list[Value]) -> Value:
        types = [one.type for one in arguments]
        called = self.text.call(function, types)
        given = ", ".join(
            f"{type_} {part}" for one in arguments for type_, part in zip(flat_types(one.type), one.parts, strict=True)
        )
        if not called.returned:
            self.lines.append(f"call void @{called.name}({given})")
            return Value((), ())
        made = f"{{{', '.join(called.returned)}}}"
        result = self.new(f"call {made} @{called.name}({given})")
        parts = tuple(self.new(f"extractvalue {made} {result}, {k}") for k in range(len(called.returned)))
        return Value(called.returned if len(parts) > 1 else called.returned[0], parts)

    def _library(self, name: str, arguments: list[Value]) -> Value:
        listed = ", ".join("double" for _ in arguments)
        self.text.declared.add(f"declare double @llvm.{name}.f64({listed})")
        given = ", ".join(f"double {self.number(one, FLOAT)}" for one in arguments)
        return Value(FLOAT, (self.new(f"call double @llvm.{name}.f64({given})"),))

    def _call_len(self, array: Value) -> Value:
        return Value(INT, (array.shape[0],))

    def _call_bool(self, value: Value) -> Value:
        return Value(BOOL, (self.truth(value),))

    def _call_float(self, value: Value) -> Value:
        return Value(FLOAT, (self.number(value, FLOAT),))

    def _call_int(self, value: Value) -> Value:
        return Value(INT, (self.number(value, INT),))

    _call_int64 = _call_int

    def _call_abs(self, value: Value) -> Value:
        if value.type == FLOAT:
            return self._library("fabs", [value])
        number = self.number(value, INT)
        is_below = self.new(f"icmp slt i64 {number}, 0")
        return Value(INT, (self.new(f"select i1 {is_below}, i64 {self.new(f'sub i64 0, {number}')}, i64 {number}"),))

    def _call_round(self, value: Value) -> Value:
        return self._call_int(self._library("rint", [value]))

    def _call_min(self, *values: Value) -> Value:
        return self._extreme(ast.Lt(), values)

    def _call_max(self, *values: Value) -> Value:
        return self._extreme(ast.Gt(), values)

    def _extreme(self, op: ast.cmpop, values: Sequence[Value]) -> Value:
        best = values[0]
        for other in values[1:]:
            type_ = wider(wider(best.type, other.type), INT)
            is_better = self.compare(ast.Pass(), op, other, best)
            a, b = self.number(other, type_), self.number(best, type_)
            best = Value(type_, (self.new(f"select i1 {is_better}, {type_} {a}, {type_} {b}"),))
        return best
