"""Clauses as written: what a goal, a clause or a header's name says, before anything knows what it stands for.

In: parts of the tree. Out: `RawGoal` and `RawClause`, with their parts of the tree for messages. Only the shape is
checked: how many arguments, which of them is the row, numbers that fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lark import Token, Tree

from unless.logic.names import unguard
from unless.logic.terms import Variable
from unless.logic.text.syntax import unquote

if TYPE_CHECKING:
    from typing import Any

    from unless.errors import ProgramSyntaxError
    from unless.logic.templates import Argument

MAX_DIGITS = 1000
"""A label that is a whole number has at most this many digits: reading them takes quadratic time."""


class ProgramText(Protocol):
    """Knows the text, and so where in it a part stands; `relations` are predicates of facts about other things."""

    relations: set[str]

    def error(self, where: Tree[Token] | Token, problem: str, *expected: str) -> ProgramSyntaxError:
        """Build an error that points at a part of the text."""


@dataclass
class RawGoal:
    """A goal as written: an atom (arity 1 or 2), or a comparison or a sum of points (arity 0).

    The name of a comparison is its operator, and its value a number, or a text in quotes that says one, such as a date.
    `terms` are the arguments of a relation, which has no row of its own.
    """

    tree: Tree[Token]
    name: str
    arity: int
    row: str = ""
    value: Token | str | float | None = None
    negated: bool = False
    variable: Token | None = None
    terms: tuple[Argument, ...] = ()

    @property
    def binds(self) -> bool:
        """Tell whether the goal binds a variable to a number, as age(X,N) does."""
        return isinstance(self.value, Token) and not self.negated

    @staticmethod
    def read(tree: Tree[Token], reader: ProgramText) -> RawGoal:
        """Read a goal: an atom, perhaps denied, or a comparison."""
        if tree.data == "compared":
            variable, op, number = tree.children
            assert isinstance(number, Tree)
            token = only_token(number)
            value = unquote(token) if number.data == "quoted" else finite(reader, token)
            return RawGoal(tree, str(op), 0, value=value, variable=as_token(variable))
        if tree.data == "summed":
            return RawGoal(tree, "at_least", 0)
        atom = tree.children[0]
        assert isinstance(atom, Tree)
        name, *arguments = atom.children
        if name_text(name) in reader.relations:
            terms = tuple(read_argument(argument, reader) for argument in arguments)
            return RawGoal(atom, name_text(name), len(terms), negated=tree.data == "denied", terms=terms)
        goal = RawGoal(atom, *read_atom(atom, reader))
        goal.negated = tree.data == "denied"
        return goal


@dataclass
class RawClause:
    """A clause as written."""

    tree: Tree[Token]
    line: int
    head_name: str
    head_label: str | None
    row: str
    goals: list[RawGoal]

    @staticmethod
    def read(tree: Tree[Token], reader: ProgramText) -> RawClause:
        """Read a clause; its head must conclude a value, not a variable."""
        head, *goals = (child for child in tree.children if child is not None)
        assert isinstance(head, Tree)
        name, _, row, value = read_atom(head, reader)
        if isinstance(value, Token):
            raise reader.error(head, f"unsafe: the head concludes {value}, which no goal gives a value")
        label = _head_text(value)
        read = [RawGoal.read(goal, reader) for goal in goals if isinstance(goal, Tree)]
        return RawClause(head, head.meta.line, name, label, row, read)

    def numbers(self, reader: ProgramText) -> dict[str, RawGoal]:
        """Map each variable to the goal that gives it a number; refuse what says that two things are equal."""
        bound: dict[str, RawGoal] = {}
        compared = {str(goal.variable) for goal in self.goals}
        for goal in (goal for goal in self.goals if goal.binds):
            variable = str(goal.value)
            if variable not in compared:
                raise reader.error(goal.tree, f"unsafe: {variable} is bound to a number but never compared")
            first = bound.setdefault(variable, goal)
            if variable == self.row or first.name != goal.name:
                raise _used_twice(goal, variable, "row" if variable == self.row else f"number of {first.name}", reader)
        for goal in self.goals:
            shared = next((v for v in bound if Variable(v) in goal.terms), None)
            if shared is not None:
                raise _used_twice(goal, shared, f"number of {bound[shared].name}", reader)
        return bound


def _used_twice(goal: RawGoal, variable: str, what: str, reader: ProgramText) -> ProgramSyntaxError:
    problem = f"unsafe: {variable} is the {what} already, and no clause can ask whether two things are equal"
    return reader.error(goal.tree, f"{problem}; give {goal.name} a variable of its own")


def read_argument(part: Any, reader: ProgramText) -> Argument:
    """Read an argument of a template: a variable, a word or a number."""
    if isinstance(part, Token):
        return Variable(str(part))
    token = only_token(part)
    return unguard(unquote(token)) if part.data == "quoted" else finite(reader, token)


def _head_text(value: str | float | None) -> str | None:
    if value is None or isinstance(value, str):
        return None if value is None else unguard(value)
    return str(int(value)) if value.is_integer() else repr(value)


def read_atom(atom: Tree[Token], reader: ProgramText) -> tuple[str, int, str, Token | str | float | None]:
    """Return name, arity, row variable and value (a variable stays a token) of an atom."""
    name, *arguments = atom.children
    assert isinstance(name, Tree)
    if len(arguments) > 2:
        raise reader.error(
            atom, f"{name_text(name)} has {len(arguments)} arguments; a predicate has the row, and a value"
        )
    row = arguments[0]
    if not isinstance(row, Token):
        raise reader.error(atom, f"the first argument of {name_text(name)} is the row, a variable such as X")
    value: Token | str | float | None = None
    if len(arguments) == 2:
        second = arguments[1]
        if isinstance(second, Token):
            value = second
        else:
            token = only_token(second)
            value = unquote(token) if second.data == "quoted" else finite(reader, token)
    return name_text(name), len(arguments), str(row), value


def finite(reader: ProgramText, token: Token) -> float:
    """Read a number, or say that it is too large."""
    number = float(token)
    if number in (float("inf"), float("-inf")):
        raise reader.error(token, f"{str(token)[:40]} is too large for a number")
    return number


def whole(reader: ProgramText, token: Token) -> int:
    """Read a whole number of bounded length."""
    if len(token) > MAX_DIGITS:
        raise reader.error(token, f"{str(token)[:40]} is too large for a label")
    return int(token)


def read_named(named: Tree[Token]) -> tuple[str, str]:
    """Return (predicate, column name)."""
    name, column = named.children
    assert isinstance(name, Tree)
    predicate = name_text(name)
    return predicate, predicate if column is None else unquote(only_token(column))


def name_text(tree: Any) -> str:
    """Return the text of a name, quoted or not."""
    token = only_token(tree)
    return unquote(token) if token.type == "QUOTED" else str(token)


def only_token(part: Any) -> Token:
    """Return the token that a part consists of."""
    return as_token(part.children[0])


def as_token(part: Any) -> Token:
    """Return a part that must be a token."""
    assert isinstance(part, Token)
    return part
