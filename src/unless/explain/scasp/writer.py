"""What s(CASP) is given: the facts of rows, the program with a predicate for each clause and each test, the query.

`facts_text` goes with the model file as it is. For proofs the program is written once more, with `rule3` for the third
clause and `test7` for the seventh test: a refuted label then comes back rule by rule, and queries that must fail stay
cheap. Points are for the same reason a chain, `sum4` for the fourth total that a row may have reached: where s(CASP)
adds up variables, it tries all their values before it gives up. Facts follow the one safe way to tell it of mixed
tables: a missing value is no fact, and a word among numbers is a fact of another predicate (`age_is`), because s(CASP)
loses both answers when it compares it with a number.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from unless.explain.proof.tree import LiteralNode, PredicateNode
from unless.logic.clause import Call, Points
from unless.logic.names import Names, guard, name_predicates
from unless.logic.program import label_text
from unless.logic.relations import ROW
from unless.logic.text.conjunctions import atom_text
from unless.logic.text.constants import number_text, quote
from unless.logic.text.printer import literal_goals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from unless.explain.proof.tree import Node, Proof
    from unless.logic.clause import Goal
    from unless.logic.program import Program
    from unless.logic.rules import Literal, Value
    from unless.logic.terms import Atom, Term


def facts_text(program: Program, rows: Mapping[int | str, Mapping[str, Value | None]]) -> str:
    """Write rows, by name, as facts that go with the model file; the values are those of `holds.read_row`."""
    names = name_predicates(program.target.column, program.columns)
    return "".join(f"{fact}\n" for row, values in rows.items() for fact in _facts(names, row, values))


def related_text(row: int | str, individual: Term | None, facts: Iterable[Atom]) -> str:
    """Write facts about other things than rows, in which an individual is the row."""
    named = (replace(fact, terms=tuple(ROW if term == individual else term for term in fact.terms)) for fact in facts)
    return "".join(f"{atom_text(fact, {ROW: row_constant(row)})}.\n" for fact in named)


def row_constant(row: int | str) -> str:
    """Write the name of a row."""
    return str(row) if isinstance(row, int) else quote(guard(row))


def _facts(names: Names, row: int | str, values: Mapping[str, Value | None]) -> Iterator[str]:
    for column, value in values.items():
        if column in names.conjunctions:
            continue  # its own facts say it
        if isinstance(value, str):
            predicate = names.words_among_numbers.get(column, names.numbers_or_words[column])
            yield f"{predicate}({row_constant(row)},{quote(guard(value))})."
        elif value is not None:
            yield f"{names.numbers_or_words[column]}({row_constant(row)},{number_text(value)})."


@dataclass(frozen=True)
class EngineProgram:
    """A program with a predicate for each clause (`rules`) and each test (`tests`), both by name.

    `points` are the sums by the predicate of their first total, `sums` the clauses of all totals; `asked` are tests
    that a question has and the program perhaps has not.
    """

    program: Program
    asked: tuple[Literal, ...] = ()
    names: Names = field(init=False)
    rules: dict[str, int] = field(init=False)
    tests: dict[str, Literal] = field(init=False)
    points: dict[str, Points] = field(init=False)
    sums: dict[str, tuple[str, ...]] = field(init=False)

    @property
    def options(self) -> tuple[str, ...]:
        """Return how s(CASP) is to deny what has variables: by default it denies conjunctions of several that hold."""
        return ("--forall=prev",) if self.names.conjunctions else ()

    def __post_init__(self) -> None:
        program = self.program
        rule, test = self._free("rule"), self._free("test")
        literals = dict.fromkeys(literal for clause in program.clauses for literal in clause.literals)
        literals |= dict.fromkeys(self.asked)
        rules = {f"{rule}{number}": number for number in range(1, len(program.clauses) + 1)}
        tests = {f"{test}{number}": literal for number, literal in enumerate(literals, 1)}
        object.__setattr__(self, "names", name_predicates(program.target.column, program.columns))
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "tests", tests)
        goals = dict.fromkeys(points for clause in program.clauses for points in clause.points)
        object.__setattr__(self, "points", {})
        object.__setattr__(self, "sums", {})
        for points in goals:
            self._add_up(points, self._free("sum"))

    def _free(self, stem: str) -> str:
        """Lengthen a stem until no helper begins with it."""
        while any(name.startswith(stem) for name in self.program.helpers):
            stem += "x"
        return stem

    def _add_up(self, points: Points, stem: str) -> None:
        """Write a sum as a chain: one predicate for each total that may be reached before each award."""
        first = len(self.sums) + 1
        self.points[f"{stem}{first}"] = points
        reached = {0: f"{stem}{first}"}
        for worth, case in points.awards:
            enough = points.threshold
            after = sorted({min(total + more, enough) for total in reached for more in (0, worth)})
            first += len(reached)
            names = {total: f"{stem}{number}" for number, total in enumerate(after, first)}
            for total, name in reached.items():
                with_it, without = names[min(total + worth, enough)], names[total]
                self.sums[name] = (f"{case}(X), {with_it}(X)", f"not {case}(X), {without}(X)")
            reached = names
        for total, name in reached.items():
            self.sums[name] = (f"{total} >= {points.threshold}",)

    @cached_property
    def points_names(self) -> dict[Points, str]:
        """Name the predicate of each sum of points."""
        return {points: name for name, points in self.points.items()}

    @cached_property
    def test_names(self) -> dict[Literal, str]:
        """Name the predicate of each test."""
        return {literal: name for name, literal in self.tests.items()}

    @cached_property
    def rule_names(self) -> dict[int, str]:
        """Name the predicate of each clause."""
        return {number: name for name, number in self.rules.items()}

    @cached_property
    def text(self) -> str:
        """Write the program, one clause a line."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        for name, number in self.rules.items():
            clause = self.program.clauses[number - 1]
            label = None if clause.label is None else label_text(clause.label)
            head = f"{clause.name}(X)" if label is None else f"{self.names.target}(X,{quote(guard(label))})"
            yield f"{head} :- {name}(X)."
            yield f"{name}(X) :- {', '.join(map(self._goal, clause.body))}."
        for name, literal in self.tests.items():
            yield f"{name}(X) :- {', '.join(literal_goals(literal, self.names, 'N', set()))}."
        yield from (f"{name}(X) :- {body}." for name, bodies in self.sums.items() for body in bodies)

    def _goal(self, goal: Goal) -> str:
        if isinstance(goal, Call):
            return f"{'not ' if goal.negated else ''}{goal.name}(X)"
        if isinstance(goal, Points):
            return f"{self.points_names[goal]}(X)"
        return f"{self.test_names[goal]}(X)"

    def goal_of(self, node: Node, row: int) -> str:
        """Ask for what a node says of a row, held or denied; nothing for a predicate that s(CASP) does not know."""
        sign = "" if node.holds else "not "
        if isinstance(node, LiteralNode):
            return f"{sign}{self.test_names[node.literal]}({row})"
        assert isinstance(node, PredicateNode)
        if node.label is None:
            return f"{sign}{node.name}({row})"
        label = quote(guard(label_text(node.label)))
        return f"{sign}{self.names.target}({row},{label})" if any(self.program.label_clauses) else ""

    def query(self, proof: Proof, row: int) -> str:
        """Ask for what must succeed, all of it ground: the labels that fail, then the label, or its rules, that holds.

        A label without clauses is left out: s(CASP) does not know its predicate. So the query may be empty.
        """
        goals: list[str] = []
        for i, node in enumerate(proof.reasons):
            if node.holds and len(node.children) > 1:
                goals += [f"{self.rule_names[clause.number]}({row})" for clause in node.children]  # type: ignore[union-attr]
            elif self.program.label_clauses[i]:
                label = quote(guard(label_text(self.program.target.labels[i])))
                goals.append(f"{'' if node.holds else 'not '}{self.names.target}({row},{label})")
        return ", ".join(goals)
