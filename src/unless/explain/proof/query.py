"""A question in the language of the program becomes a `Query`, and a query and a row give answers with proofs.

    income(30,Y)                 which label, of the row called 30
    not income(30,'=<50k')       is there no rule that concludes it
    ab4(30)                      does an exception hold
    income(X,'=<50k'), age(X,A), A < 25
    paid(X,P), P >= '28.11.2023'  a number as the column's cells are written

All goals of a query are about one row. As in s(CASP), a label is answered when a clause concludes it: where several
are, each is an answer, the one that is predicted first. A negated goal must be ground, since "not income(30,Y)" would
hold of every other word there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lark import Token, Tree

from unless.errors import ProgramSyntaxError, did_you_mean, listing
from unless.explain.proof.prover import Prover
from unless.explain.proof.tree import LiteralNode, Node, Proof
from unless.logic.holds import literal_holds
from unless.logic.names import name_predicates
from unless.logic.program import label_text
from unless.logic.readings import read_value, say_number
from unless.logic.relations import relations_of
from unless.logic.rules import Literal, Value
from unless.logic.terms import Variable
from unless.logic.text.syntax import read_tree, unquote
from unless.logic.values import number_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unless.logic.program import Program
    from unless.logic.templates import Subject

RowName = int | str
Bindings = dict[str, Value | RowName]


@dataclass(frozen=True, slots=True)
class QueryGoal:
    """One goal about a predicate; a helper has no value."""

    subject: Subject
    name: str
    negated: bool
    value: Variable | Value | None


@dataclass(frozen=True, slots=True)
class QueryComparison:
    """A test of the number that a variable stands for: it is a test on the column that gave it."""

    variable: str
    literal: Literal


@dataclass(frozen=True, slots=True)
class Query:
    """Goals about one row: a named one, or any (a variable)."""

    row: Variable | RowName
    goals: tuple[QueryGoal | QueryComparison, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Name the columns that the query itself reads."""
        asked = (g.name for g in self.goals if isinstance(g, QueryGoal) and g.subject in ("column", "words"))
        return tuple(dict.fromkeys(asked))

    @property
    def given(self) -> dict[str, str]:
        """Map the variables to the columns whose cells they stand for."""
        goals = [goal for goal in self.goals if isinstance(goal, QueryGoal) and goal.subject == "column"]
        return {goal.value.name: goal.name for goal in goals if isinstance(goal.value, Variable)}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: the row, whether the query holds for it, what its variables stand for, and why."""

    row: int
    holds: bool
    bindings: Mapping[str, Value | RowName]
    proof: Proof


def parse_query(program: Program, text: str) -> Query:
    """Read a question about the rows of a program.

    >>> from unless.logic.text.parser import parse
    >>> parse_query(parse("flies(X,'yes') :- bird(X,'yes')."), "?- flies(tweety,Y).").row
    'tweety'
    """
    return _QueryReader(program, text).query(read_tree(text, "query"))


def answers(
    program: Program, query: Query, values: Mapping[str, Value | None], row: int, name: RowName
) -> list[Answer]:
    """Answer a query for one row; an answer that does not hold says why not."""
    return _Solver(program, query, values, row, name).answers()


class _QueryReader:
    """Gives meaning to the tree of a query."""

    def __init__(self, program: Program, text: str) -> None:
        self.program = program
        self.lines = text.split("\n")
        self.names = name_predicates(program.target.column, program.columns)
        self.columns = {column.name: column for column in program.columns}
        self.given: dict[str, str] = {}

    def query(self, tree: Tree[Token]) -> Query:
        parts = [part for part in tree.children if isinstance(part, Tree)]
        goals: list[QueryGoal | QueryComparison] = []
        rows: list[Variable | RowName] = []
        for part in parts:
            if part.data == "compared_part":
                goals.append(self._compared(part))
                continue
            row, goal = self._asked(part)
            rows.append(row)
            goals.append(goal)
            if row != rows[0]:
                raise self._error(part, "a query is about one row; its goals name two")
        if not rows:
            raise self._error(parts[0], "a query names a predicate, such as income(30,Y)")
        return Query(rows[0], tuple(goals))

    def _asked(self, part: Tree[Token]) -> tuple[Variable | RowName, QueryGoal]:
        negation, name, *terms = part.children
        predicate = _text(name.children[0])  # type: ignore[union-attr,arg-type]
        subject, stands_for = self._subject(part, predicate, len(terms))
        read: list[Any] = [_term(term) for term in terms]
        row = read[0]
        if isinstance(row, float):
            row = int(row) if row.is_integer() else number_word(row)
        value = read[1] if len(read) == 2 else label_text(True) if subject == "target" else None
        if isinstance(value, Variable):
            if negation is not None:
                raise self._error(part, f"in a negated goal the value must be given, not {value.name}")
            if subject == "column":
                self.given[value.name] = stands_for
        if subject == "column" and isinstance(value, str) and self.columns[stands_for].reading:
            value = read_value(self.columns[stands_for], value)
        if subject == "target" and isinstance(value, str | float):
            value = self._label(part, value)
        return row, QueryGoal(subject, stands_for, negation is not None, value)

    def _label(self, part: Tree[Token], value: Value) -> str:
        """Check that a word can be concluded; the default cannot, it is what is left."""
        word = number_word(value) if isinstance(value, float) else value
        labels = [label_text(label) for label in self.program.target.labels]
        if word in labels:
            return word
        default = label_text(self.program.target.default)
        ask = f"ask not {self.names.target}(..., {labels[0]!r})" if word == default else f"labels: {listing(labels)}"
        raise self._error(part, f"no rule concludes {word!r}; {ask}")

    def _subject(self, part: Tree[Token], predicate: str, n_terms: int) -> tuple[Subject, str]:
        known: dict[tuple[str, int], tuple[Subject, str]] = {
            (name, 1): ("helper", name) for name in self.program.helpers
        }
        known |= {(name, 2): ("words", column) for column, name in self.names.words_among_numbers.items()}
        known |= {
            (name, 2): ("column", column)
            for column, name in self.names.numbers_or_words.items()
            if not self.columns[column].atoms  # a conjunction is asked for by its helper
        }
        known[(self.names.target, 2)] = ("target", self.program.target.column)
        if True in self.program.target.labels:  # fly(30), as it is written in the program
            known[(self.names.target, 1)] = ("target", self.program.target.column)
        if (predicate, n_terms) not in known:
            listed = listing(f"{name}/{arity}" for name, arity in known)
            hint = did_you_mean(predicate, [name for name, _ in known])
            if predicate in relations_of(self.columns.values()):
                hint = f" {predicate} is a relation of the facts; questions are about what the program says of rows."
            raise self._error(part, f"the program has no predicate {predicate}/{n_terms}; it has {listed}.{hint}")
        return known[(predicate, n_terms)]

    def _compared(self, part: Tree[Token]) -> QueryComparison:
        variable, op, number = part.children
        column = self.given.get(str(variable))
        if column is None or self.program.kinds[column] != "numerical":
            raise self._error(
                part, f"{variable} is compared but no goal before gives it a number, as age(X,{variable}) does"
            )
        token: Token = number.children[0]  # type: ignore[union-attr,assignment]
        bound = self._read(part, column, unquote(token)) if token.type == "QUOTED" else float(token)
        return QueryComparison(str(variable), Literal(column, str(op), bound))  # type: ignore[arg-type]

    def _read(self, part: Tree[Token], name: str, text: str) -> float:
        """Read a quoted number as the cells of a column are read: '28.11.2023'."""
        column = self.columns[name]
        number = read_value(column, text)
        if isinstance(number, str):
            wanted = f"a number, or a text such as {say_number(column, 0.0)!r}" if column.reading else "a number"
            raise self._error(part, f"{text!r} cannot be compared with {name!r}; expected {wanted}")
        return number

    def _error(self, part: Tree[Token], problem: str) -> ProgramSyntaxError:
        line, column = part.meta.line, part.meta.column
        return ProgramSyntaxError(problem, self.lines[line - 1], line, column)


class _Solver:
    """Answers one query for one row, goal by goal from the left."""

    def __init__(
        self, program: Program, query: Query, values: Mapping[str, Value | None], row: int, name: RowName
    ) -> None:
        self.program, self.query, self.values, self.row, self.name = program, query, values, row, name
        self.prover = Prover(program, values)
        self.failure: tuple[Node, ...] = ()

    def answers(self) -> list[Answer]:
        start: Bindings = {self.query.row.name: self.name} if isinstance(self.query.row, Variable) else {}
        states: list[tuple[Bindings, tuple[Node, ...]]] = [(start, ())]
        for goal in self.query.goals:
            states = [
                ({**bindings, **new}, (*nodes, *more))
                for bindings, nodes in states
                for new, more in self._solve(goal, bindings)
            ]
        if not states:
            return [self._answer(False, {}, self.failure)]
        return [self._answer(True, bindings, nodes) for bindings, nodes in states]

    def _answer(self, holds: bool, bindings: Bindings, nodes: tuple[Node, ...]) -> Answer:
        shown = {name: value for name, value in bindings.items() if not name.startswith("_")}
        proof = Proof(self.program, self.name, self.values, None, holds, nodes)
        return Answer(self.row, holds, shown, proof)

    def _solve(
        self, goal: QueryGoal | QueryComparison, bindings: Bindings
    ) -> Iterator[tuple[Bindings, tuple[Node, ...]]]:
        if isinstance(goal, QueryComparison):
            yield from self._decide(self.prover.literal(goal.literal), negated=False)
            return
        value = goal.value
        if isinstance(value, Variable) and value.name in bindings:
            value = bindings[value.name]
            value = float(value) if isinstance(value, int) else value
        if goal.subject == "helper":
            yield from self._decide(self.prover.helper(goal.name), negated=goal.negated)
        elif goal.subject == "target":
            yield from self._label(value, goal.negated)
        else:
            yield from self._column(goal, value)

    def _decide(self, *nodes: Node, negated: bool) -> Iterator[tuple[Bindings, tuple[Node, ...]]]:
        """Go on if all nodes hold (or, negated, not all do); else remember why not."""
        if all(node.holds for node in nodes) != negated:
            yield {}, nodes
        else:
            self.failure = nodes

    def _label(self, value: Variable | Value | None, negated: bool) -> Iterator[tuple[Bindings, tuple[Node, ...]]]:
        labels = [label_text(label) for label in self.program.target.labels]
        if not isinstance(value, Variable):
            if value in labels:
                yield from self._decide(self.prover.label(labels.index(str(value))), negated=negated)
            return
        nodes = [self.prover.label(i) for i in range(len(labels))]
        for label, node in zip(labels, nodes, strict=True):
            if node.holds:
                yield {value.name: label}, (node,)
        if not any(node.holds for node in nodes):
            self.failure = tuple(nodes)

    def _column(self, goal: QueryGoal, value: Variable | Value | None) -> Iterator[tuple[Bindings, tuple[Node, ...]]]:
        """Look up a cell: a numerical column gives its numbers, its second predicate the words among them."""
        found = self.values.get(goal.name)
        is_number = self.program.kinds[goal.name] == "numerical" and goal.subject == "column"
        if isinstance(value, Variable):
            if found is not None and isinstance(found, float) == is_number:
                yield {value.name: found}, ()
            return
        assert value is not None
        if isinstance(value, str) and not is_number:
            yield from self._decide(self._test(goal.name, "=", value), negated=goal.negated)
        elif isinstance(value, float) and is_number:
            # Equal is at most and at least.
            tests = (self._test(goal.name, "=<", value), self._test(goal.name, ">=", value))
            yield from self._decide(*tests, negated=goal.negated)
        elif isinstance(value, float):
            yield from self._decide(self._test(goal.name, "=", number_word(value)), negated=goal.negated)
        elif goal.negated:
            yield {}, ()

    def _test(self, column: str, op: Any, value: Value) -> LiteralNode:
        literal, found = Literal(column, op, value), self.values.get(column)
        return LiteralNode(literal, found, literal_holds(literal, found))


def _term(tree: Any) -> Variable | Value:
    token: Token = tree.children[0]
    if token.type == "VARIABLE":
        return Variable(str(token))
    return float(token) if token.type == "NUMBER" else _text(token)


def _text(token: Token) -> str:
    return unquote(token) if token.type == "QUOTED" else str(token)
