"""Clauses and facts of background knowledge, as read: general logic programs without functions.

In: text in the form that Prolog and answer-set users write. Out: frozen clauses over terms, checked to be stratified:
a loop through negation has no one meaning and is refused, by name. What the clauses say of a table's rows is worked
out in `predicates`; what they say of anything else, in `consequences`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lark import Token, Tree

from unless.errors import ProgramError, ProgramSyntaxError
from unless.logic.rules import OPERATORS
from unless.logic.terms import Atom, Predicate, Term, Variable
from unless.logic.text.syntax import read_tree, unquote
from unless.logic.values import number_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from unless.logic.rules import Op

SPELLINGS: dict[str, Op] = {spelling: each.symbol for each in OPERATORS.values() for spelling in each.spellings}
"""Our operators by all their spellings."""

SIGNS = ("pos", "neg")
"""What may hold an atom: `pos(fly(tweety))`."""


@dataclass(frozen=True, slots=True)
class AtomGoal:
    """A goal: an atom, or, negated, its absence."""

    atom: Atom
    negated: bool = False

    @property
    def variables(self) -> set[Variable]:
        """Return the variables that occur."""
        return {term for term in self.atom.terms if isinstance(term, Variable)}


@dataclass(frozen=True, slots=True)
class ComparisonGoal:
    """A goal: a comparison of two terms."""

    left: Term
    op: Op
    right: Term

    @property
    def variables(self) -> set[Variable]:
        """Return the variables that occur."""
        return {term for term in (self.left, self.right) if isinstance(term, Variable)}


@dataclass(frozen=True, slots=True)
class BackgroundClause:
    """A clause, or a fact when it has no goals; `line` is where it stands."""

    head: Atom
    body: tuple[AtomGoal | ComparisonGoal, ...]
    line: int

    @property
    def asked(self) -> Iterator[AtomGoal]:
        """Yield the goals that are atoms."""
        return (goal for goal in self.body if isinstance(goal, AtomGoal))

    def error(self, problem: str) -> ProgramError:
        """Build an error that says where it is."""
        return ProgramError(f"background, line {self.line}: {problem}")


def read_sentences(text: str, of: str = "background") -> tuple[BackgroundClause, ...]:
    """Read background text; loops through negation are refused, and terms inside terms but in examples."""
    tree = read_tree(text, "background", of)
    lines = text.split("\n")
    parts = [part for part in tree.children if isinstance(part, Tree) and part.data == "clause"]
    try:
        sentences = tuple(_sentence(part, lines) for part in parts)
    except ProgramSyntaxError as error:  # which text it is, only its reader knows
        raise ProgramSyntaxError(error.problem, error.text, error.line, error.column, of=of) from None
    for sentence in sentences:
        if sentence.head.inner is not None and sentence.head.name not in SIGNS:
            msg = f"{sentence.head.name} holds a term inside a term; background has no functions."
            raise sentence.error(msg)
    refuse_negative_loops(sentences)
    return sentences


def refuse_negative_loops(sentences: Iterable[BackgroundClause]) -> None:
    """Refuse predicates that are defined through their own negation, and name them."""
    calls: dict[Predicate, dict[Predicate, bool]] = {}
    for sentence in sentences:
        own = calls.setdefault(sentence.head.predicate, {})
        for goal in sentence.asked:
            own[goal.atom.predicate] = own.get(goal.atom.predicate, False) or goal.negated
    for caller, called in calls.items():
        for other, negated in called.items():
            back = path(calls, other, caller) if negated else None
            if back is not None:
                rest = "".join(f", which needs {name}" for name, _ in back[1:])
                msg = (
                    f"the background has a loop through negation: {caller[0]} needs not {other[0]}{rest}. "
                    "Background knowledge must be stratified: no predicate may depend on its own negation."
                )
                raise ProgramError(msg)


def path(
    calls: Mapping[Predicate, Iterable[Predicate]], start: Predicate, goal: Predicate
) -> tuple[Predicate, ...] | None:
    """Return the predicates on a way of calls from start to goal, both included, or None."""
    ways: dict[Predicate, tuple[Predicate, ...]] = {start: (start,)}
    waiting = [start]
    while waiting:
        here = waiting.pop(0)
        if here == goal:
            return ways[here]
        for other in calls.get(here, ()):
            if other not in ways:
                ways[other] = (*ways[here], other)
                waiting.append(other)
    return None


def _sentence(tree: Tree[Token], lines: Sequence[str]) -> BackgroundClause:
    head, *goals = [child for child in tree.children if isinstance(child, Tree)]
    return BackgroundClause(_atom(head, lines), tuple(_goal(goal, lines) for goal in goals), head.meta.line)


def _goal(tree: Tree[Any], lines: Sequence[str]) -> AtomGoal | ComparisonGoal:
    if tree.data == "compared":
        left, op, right = tree.children
        return ComparisonGoal(_term(left, lines), SPELLINGS[str(op)], _term(right, lines))
    atom = _atom(tree.children[0], lines)
    if atom.inner is not None:
        raise _error(tree, lines, f"{atom.name} holds a term inside a term; background has no functions")
    return AtomGoal(atom, tree.data == "denied")


def _atom(tree: Tree[Any], lines: Sequence[str]) -> Atom:
    name, *arguments = (child for child in tree.children if child is not None)
    inner = [_atom(part, lines) for part in arguments if part.data == "inner"]
    if inner and len(arguments) > 1:
        raise _error(tree, lines, f"{name} holds a term inside a term; background has no functions")
    terms = tuple(_term(part, lines) for part in arguments if part.data != "inner")
    return Atom(str(name), terms, inner[0] if inner else None)


def _term(tree: Tree[Any], lines: Sequence[str]) -> Term:
    token = str(tree.children[0])
    if tree.data == "variable":
        # Every `_` is a variable of its own.
        position = f"{tree.meta.line}:{tree.meta.column}"
        return Variable(f"_{position}" if token == "_" else token)
    if tree.data == "number":
        number = float(token)
        if number in (float("inf"), float("-inf")):
            raise _error(tree, lines, f"{token[:40]} is too large for a number")
        digits = token.removeprefix("-")
        if digits.isdigit() and digits != str(abs(int(number))):
            problem = f"{token[:40]} is read as the number {number_word(number)}; write it in quotes if it is a word"
            raise _error(tree, lines, problem)
        return number
    return token if tree.data == "word" else unquote(token)


def _error(tree: Tree[Any], lines: Sequence[str], problem: str) -> ProgramSyntaxError:
    line, column = tree.meta.line, tree.meta.column
    return ProgramSyntaxError(problem, lines[line - 1], line, column)
