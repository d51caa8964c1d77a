"""What the background says apart from rows: worked out by clingo, a complete answer-set solver.

In: clauses and facts that touch no column, and conjunctions of goals. Out: the answers of each conjunction. Recursion
(`part_of(A,C) :- part_of(A,B), part_of(B,C)`) and stratified negation are clingo's business, not ours. Its numbers are
whole and of 32 bits, so a number travels through it as its rank among all numbers of the text, which compares as the
number does: nothing here calculates. Words have no order; clingo's own would put them above all numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from unless.errors import ProgramError, UnlessError
from unless.logic.background.clauses import AtomGoal, ComparisonGoal
from unless.logic.rules import NUMBER_OPS, OPERATORS
from unless.logic.terms import Term, Variable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.logic.background.clauses import BackgroundClause
    from unless.logic.terms import Atom

Answer = dict[Variable, Term]


def answers(sentences: Sequence[BackgroundClause], queries: Sequence[Sequence[AtomGoal]]) -> list[list[Answer]]:
    """Return the answers of each conjunction, in one order whatever the engine's."""
    for sentence in sentences:
        _refuse_unbound(sentence)
    variables = [sorted({v for goal in query for v in goal.variables}) for query in queries]
    control = _control()
    writer = _Writer(_numbers(sentences, queries))
    lines = [writer.sentence(sentence) for sentence in sentences]
    if writer.numbers:
        lines.append(f"number_(0..{len(writer.numbers) - 1}).")
    for index, (query, names) in enumerate(zip(queries, variables, strict=True)):
        terms = ",".join([str(index), *map(_variable_text, names)])
        lines.append(f"answer_({terms}) :- {', '.join(map(writer.goal, query))}.")
    found: list[list[Answer]] = [[] for _ in queries]
    for index, *values in _answer_terms(control, "\n".join(lines)):
        found[index].append({name: writer.value(value) for name, value in zip(variables[index], values, strict=True)})
    return [sorted(rows, key=lambda row: [(isinstance(v, str), v) for v in row.values()]) for rows in found]


def _refuse_unbound(sentence: BackgroundClause) -> None:
    """Refuse a clause with a variable to which no goal gives a value, and name it."""
    bound = {v for goal in sentence.asked if not goal.negated for v in goal.variables}
    equal = [goal for goal in sentence.body if isinstance(goal, ComparisonGoal) and goal.op == "="]
    for _ in equal:  # a value goes on through equalities, at most one a round
        for goal in equal:
            if len(goal.variables - bound) == 1:
                bound |= goal.variables
    used = {term for term in sentence.head.terms if isinstance(term, Variable)}
    for variable in sorted(used.union(*(goal.variables for goal in sentence.body)) - bound):
        msg = f"{_said(variable)} gets no value; a goal of {sentence.head.name} that is not denied must speak of it."
        raise sentence.error(msg)


def _said(variable: Variable) -> str:
    return "_" if variable.name.startswith("_") and ":" in variable.name else variable.name


def _numbers(sentences: Sequence[BackgroundClause], queries: Sequence[Sequence[AtomGoal]]) -> tuple[float, ...]:
    """Return all numbers that are written, in their order."""
    goals = [goal for sentence in sentences for goal in sentence.body] + [goal for query in queries for goal in query]
    terms = [term for sentence in sentences for term in sentence.head.terms]
    for goal in goals:
        terms += (goal.left, goal.right) if isinstance(goal, ComparisonGoal) else goal.atom.terms
    return tuple(sorted({term for term in terms if isinstance(term, float)}))


def _control() -> Any:
    try:
        import clingo
    except ImportError:
        msg = "this background needs clingo, which is not installed. Hint: pip install 'unless[background]'."
        raise UnlessError(msg) from None
    return clingo.Control(["--warn=none"], logger=lambda _code, _message: None)


def _answer_terms(control: Any, text: str) -> list[list[Any]]:
    """Solve a program and return the arguments of its answer atoms."""
    try:
        control.add("base", [], text + "\n#show answer_/0.\n")
        control.ground([("base", [])])
    except RuntimeError as error:
        msg = f"clingo cannot use the background: {error}."
        raise ProgramError(msg) from None
    with control.solve(yield_=True) as handle:
        model = handle.model()
        assert model is not None, "a stratified program has exactly one answer set"
        atoms = [symbol for symbol in model.symbols(atoms=True) if symbol.name == "answer_"]
    return [[atom.arguments[0].number, *atom.arguments[1:]] for atom in atoms]


@dataclass(frozen=True)
class _Writer:
    """Writes clauses for clingo and reads its terms; a number is its rank among `numbers`."""

    numbers: tuple[float, ...]

    @cached_property
    def ranks(self) -> dict[float, int]:
        return {number: rank for rank, number in enumerate(self.numbers)}

    def sentence(self, sentence: BackgroundClause) -> str:
        head = self._atom(sentence.head)
        return f"{head} :- {', '.join(map(self.goal, sentence.body))}." if sentence.body else f"{head}."

    def goal(self, goal: AtomGoal | ComparisonGoal) -> str:
        if isinstance(goal, AtomGoal):
            return f"{'not ' if goal.negated else ''}{self._atom(goal.atom)}"
        op, sides = OPERATORS[goal.op], (goal.left, goal.right)
        compared = f" {op.answer_set or op.symbol} ".join(map(self._term, sides))
        if goal.op not in NUMBER_OPS:
            return compared
        return ", ".join([compared, *(f"number_({self._term(side)})" for side in sides)])

    def value(self, symbol: Any) -> Term:
        if symbol.type.name == "Number":
            rank: int = symbol.number
            return self.numbers[rank]
        return str(symbol.string)

    def _atom(self, atom: Atom) -> str:
        """Write an atom; the prefix keeps its name apart from clingo's own words."""
        terms = ",".join(map(self._term, atom.terms))
        return f"p_{atom.name}({terms})" if terms else f"p_{atom.name}"

    def _term(self, term: Term) -> str:
        if isinstance(term, Variable):
            return _variable_text(term)
        if isinstance(term, float):
            return str(self.ranks[term])
        return '"' + term.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _variable_text(variable: Variable) -> str:
    return "V_" + variable.name.replace(":", "_")
