"""What s(CASP) is given: the facts of rows, the program with a predicate for each clause and each test, the query.

`facts_text` goes with the model file as it is. For proofs the program is written once more, with `rule3` for the third
clause and `test7` for the seventh test: a refuted label then comes back rule by rule, and queries that must fail stay
cheap. Facts follow the one safe way to tell s(CASP) of mixed tables: a missing value is no fact, and a word among
numbers is a fact of another predicate (`age_is`), because s(CASP) loses both answers when it compares it with a number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from unless.logic.names import Names, guard, name_predicates
from unless.logic.printer import literal_goals, number_text, quote
from unless.logic.program import Call, label_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unless.logic.program import Goal, Program
    from unless.logic.prove import Proof
    from unless.rules import Literal, Value


def facts_text(program: Program, rows: Mapping[int | str, Mapping[str, Value | None]]) -> str:
    """Write rows, by name, as facts that go with the model file; the values are those of `holds.read_row`."""
    names = name_predicates(program.target.column, program.columns)
    return "".join(f"{fact}\n" for row, values in rows.items() for fact in _facts(names, row, values))


def row_constant(row: int | str) -> str:
    """Write the name of a row."""
    return str(row) if isinstance(row, int) else quote(guard(row))


def _facts(names: Names, row: int | str, values: Mapping[str, Value | None]) -> Iterator[str]:
    for column, value in values.items():
        if isinstance(value, str):
            predicate = names.words_among_numbers.get(column, names.numbers_or_words[column])
            yield f"{predicate}({row_constant(row)},{quote(guard(value))})."
        elif value is not None:
            yield f"{names.numbers_or_words[column]}({row_constant(row)},{number_text(value)})."


@dataclass(frozen=True)
class EngineProgram:
    """A program with a predicate for each clause (`rules`) and each test (`tests`), both by name."""

    program: Program
    names: Names = field(init=False)
    rules: dict[str, int] = field(init=False)
    tests: dict[str, Literal] = field(init=False)

    def __post_init__(self) -> None:
        program = self.program
        rule, test = self._free("rule"), self._free("test")
        literals = dict.fromkeys(literal for clause in program.clauses for literal in clause.literals)
        rules = {f"{rule}{number}": number for number in range(1, len(program.clauses) + 1)}
        tests = {f"{test}{number}": literal for number, literal in enumerate(literals, 1)}
        object.__setattr__(self, "names", name_predicates(program.target.column, program.columns))
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "tests", tests)

    def _free(self, stem: str) -> str:
        """Lengthen a stem until no helper begins with it."""
        while any(name.startswith(stem) for name in self.program.helpers):
            stem += "x"
        return stem

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

    def _goal(self, goal: Goal) -> str:
        if isinstance(goal, Call):
            return f"{'not ' if goal.negated else ''}{goal.name}(X)"
        return f"{self.test_names[goal]}(X)"

    def query(self, proof: Proof, row: int) -> str:
        """Ask for what must succeed, all of it ground: the labels that fail, then the label, or its rules, that holds.

        A label without clauses is left out: s(CASP) does not know its predicate. So the query may be empty.
        """
        goals: list[str] = []
        for place, node in enumerate(proof.reasons):
            if node.holds and len(node.children) > 1:
                goals += [f"{self.rule_names[clause.number]}({row})" for clause in node.children]  # type: ignore[union-attr]
            elif self.program.label_clauses[place]:
                label = quote(guard(label_text(self.program.target.labels[place])))
                goals.append(f"{'' if node.holds else 'not '}{self.names.target}({row},{label})")
        return ", ".join(goals)
