"""Expressions of kernels: names, numbers, operations, comparisons.

In: Python's tree of an expression. Out: a value, and the lines that make it.
"""

from __future__ import annotations

import ast
import struct
from typing import Any

import numpy as np

from unless.learn.compiling.kernel_lines import Lines
from unless.learn.compiling.kernel_values import BOOL, FLOAT, INT, RecordType, Value, wider

COMPARED = {
    ast.Lt: ("slt", "olt"), ast.LtE: ("sle", "ole"), ast.Gt: ("sgt", "ogt"), ast.GtE: ("sge", "oge"),
    ast.Eq: ("eq", "oeq"), ast.NotEq: ("ne", "une"),
}  # fmt: skip
ARITHMETIC = {ast.Add: ("add", "fadd"), ast.Sub: ("sub", "fsub"), ast.Mult: ("mul", "fmul")}
BITS = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "shl", ast.RShift: "ashr"}


class Expressions(Lines):
    """Writes expressions."""

    def fork(self, condition: ast.expr, yes: str, no: str) -> None:
        """Go on at one of two labels."""
        self.lines.append(f"br i1 {self.truth(self.value(condition))}, label %{yes}, label %{no}")

    def value(self, node: ast.expr) -> Value:
        """Write an expression; returns its value."""
        write = getattr(self, f"_{type(node).__name__.lower()}", None)
        if write is None:
            self.refuse(node, type(node).__name__)
        result = write(node)
        assert isinstance(result, Value)
        return result

    def _constant(self, node: ast.Constant) -> Value:
        return self.constant(node, node.value)

    def constant(self, node: ast.AST, value: Any) -> Value:
        """Return a number that is known while writing."""
        if isinstance(value, (bool, np.bool_)):
            return Value(BOOL, ("1" if value else "0",))
        if isinstance(value, (int, np.integer)):
            wrapped = (int(value) + 2**63) % 2**64 - 2**63
            return Value(INT, (str(wrapped),))
        if isinstance(value, float):
            bits = struct.unpack("<Q", struct.pack("<d", value))[0]
            return Value(FLOAT, (f"0x{bits:016X}",))
        self.refuse(node, repr(value))
        return None

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.named:
            return self.named[node.id]
        if node.id in self.types:
            return self.read(node.id)
        return self.constant(node, self.known(node))

    def known(self, node: ast.expr) -> Any:
        """Return what a name means outside of the function."""
        if isinstance(node, ast.Name):
            found = self.function.__globals__.get(node.id)
            if found is None:
                self.refuse(node, node.id)
            return found
        if isinstance(node, ast.Attribute):
            return getattr(self.known(node.value), node.attr)
        self.refuse(node, ast.unparse(node))
        return None

    def _attribute(self, node: ast.Attribute) -> Value:
        field = self._field(node)
        return self.constant(node, self.known(node)) if field is None else field

    def _field(self, node: ast.expr) -> Value | None:
        """Return what a name stands for, or a field of a record, itself a field perhaps; None if that is nothing."""
        if isinstance(node, ast.Name):
            return self.named.get(node.id)
        if not isinstance(node, ast.Attribute):
            return None
        record = self._field(node.value)
        if record is None or not isinstance(record.type, RecordType) or node.attr not in record.type.names:
            return None
        return record.field(node.attr)

    def _tuple(self, node: ast.Tuple) -> Value:
        values = [self.value(one) for one in node.elts]
        return Value(tuple(one.type for one in values), tuple(part for one in values for part in one.parts))

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return self.constant(node, -node.operand.value)  # type: ignore[operator]
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return Value(BOOL, (self.new(f"xor i1 {self.truth(value)}, 1"),))
        if isinstance(node.op, ast.USub):
            if value.type == FLOAT:
                return Value(FLOAT, (self.new(f"fneg double {value.only}"),))
            return Value(INT, (self.new(f"sub i64 0, {self.number(value, INT)}"),))
        self.refuse(node, ast.unparse(node))
        return None

    def _binop(self, node: ast.BinOp) -> Value:
        return self.combine(node, node.op, self.value(node.left), self.value(node.right))

    def combine(self, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
        """Write an operation of two numbers."""
        type_ = wider(left.type, right.type)
        if isinstance(op, ast.Div):
            type_ = FLOAT
        elif not (type_ == BOOL and isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor))):
            type_ = wider(type_, INT)
        a, b = self.number(left, type_), self.number(right, type_)
        kind = type(op)
        if kind in ARITHMETIC:
            return Value(type_, (self.new(f"{ARITHMETIC[kind][type_ == FLOAT]} {type_} {a}, {b}"),))
        if kind is ast.Div:
            return Value(FLOAT, (self.new(f"fdiv double {a}, {b}"),))
        if kind in BITS and type_ != FLOAT:
            return Value(type_, (self.new(f"{BITS[kind]} {type_} {a}, {b}"),))
        if kind in (ast.FloorDiv, ast.Mod) and type_ == INT:
            return self._divide(a, b, kind is ast.Mod)
        self.refuse(node, ast.unparse(node))
        return None

    def _divide(self, a: str, b: str, is_rest: bool) -> Value:
        """Divide whole numbers towards minus infinity, as Python does."""
        rest = self.new(f"srem i64 {a}, {b}")
        some, signs = self.new(f"icmp ne i64 {rest}, 0"), self.new(f"xor i64 {rest}, {b}")
        is_below = self.new(f"and i1 {some}, {self.new(f'icmp slt i64 {signs}, 0')}")
        if is_rest:
            return Value(INT, (self.new(f"add i64 {rest}, {self.new(f'select i1 {is_below}, i64 {b}, i64 0')}"),))
        down = self.new(f"zext i1 {is_below} to i64")
        return Value(INT, (self.new(f"sub i64 {self.new(f'sdiv i64 {a}, {b}')}, {down}"),))

    def _compare(self, node: ast.Compare) -> Value:
        left, result = self.value(node.left), ""
        for op, other in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, (ast.In, ast.NotIn)) and isinstance(other, ast.Tuple):
                one = self._is_among(left, other)
                if isinstance(op, ast.NotIn):
                    one = self.new(f"xor i1 {one}, 1")
                right = left
            else:
                right = self.value(other)
                one = self.compare(node, op, left, right)
            result = self.new(f"and i1 {result}, {one}") if result else one
            left = right
        return Value(BOOL, (result,))

    def _is_among(self, left: Value, listed: ast.Tuple) -> str:
        result = "0"
        for one in listed.elts:
            result = self.new(f"or i1 {result}, {self.compare(listed, ast.Eq(), left, self.value(one))}")
        return result

    def compare(self, node: ast.AST, op: ast.cmpop, left: Value, right: Value) -> str:
        """Write a comparison of two numbers."""
        if type(op) not in COMPARED:
            self.refuse(node, ast.unparse(node))
        type_ = wider(wider(left.type, right.type), INT)
        whole, broken = COMPARED[type(op)]
        a, b = self.number(left, type_), self.number(right, type_)
        return self.new(f"fcmp {broken} double {a}, {b}" if type_ == FLOAT else f"icmp {whole} i64 {a}, {b}")

    def _boolop(self, node: ast.BoolOp) -> Value:
        name, end = self.variable(), self.label()
        for one in node.values:
            self.assign(name, Value(BOOL, (self.truth(self.value(one)),)))
            go_on = self.label()
            labels = (go_on, end) if isinstance(node.op, ast.And) else (end, go_on)
            self.lines.append(f"br i1 {self.read(name).only}, label %{labels[0]}, label %{labels[1]}")
            self.begin(go_on)
        self.jump(end)
        self.begin(end)
        return self.read(name)

    def _ifexp(self, node: ast.IfExp) -> Value:
        yes, no, end, name = self.label(), self.label(), self.label(), self.variable()
        self.fork(node.test, yes, no)
        n = 0
        for label, branch in ((yes, node.body), (no, node.orelse)):
            self.begin(label)
            scalars = self.scalars(node, self.value(branch))
            n = len(scalars)
            for k, one in enumerate(scalars):
                self.assign(f"{name}.{k}", one)
            self.jump(end)
        self.begin(end)
        values = [self.read(f"{name}.{k}") for k in range(n)]
        if not isinstance(node.body, ast.Tuple):
            return values[0]
        return Value(tuple(one.type for one in values), tuple(one.only for one in values))
