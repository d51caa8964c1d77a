"""A tree becomes a program: which predicate is which column, which goal is a literal, what is safe.

`syntax` gives the tree; here it gets its meaning. A text without a header, such as the paper's own programs, is read
too: the columns and their kinds are then taken from their use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from lark import Token, Tree

from unless.errors import ProgramError, ProgramSyntaxError, listing, unknown_column
from unless.logic.clause import Call, Clause, Goal
from unless.logic.names import name_predicates, unguard
from unless.logic.program import Program, Target, label_text, label_texts, unnamed_default
from unless.logic.readings import READINGS, find_format, read_text, say_number
from unless.logic.relations import ROW, RelatedName, related_literal, relations_of
from unless.logic.rules import Column, Kind, Label, Literal, word_op
from unless.logic.terms import Atom, Variable
from unless.logic.text.awards import read_points
from unless.logic.text.conjunctions import of_the_row, related_column
from unless.logic.text.constraint_lines import read_constraints
from unless.logic.text.default_clauses import DECIDES
from unless.logic.text.grade_lines import read_grade
from unless.logic.text.syntax import read_tree, unquote
from unless.logic.text.unseen_lines import read_unseen
from unless.logic.text.written import (
    RawClause,
    RawGoal,
    finite,
    name_text,
    only_token,
    read_named,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from unless.logic.templates import Template


EXCEPTION = re.compile(r"ab\d*")
"""How exceptions are called; a text without a header has no such target."""


def parse(text: str) -> Program:
    """Read a program from its text.

    >>> parse("good(X,'yes') :- age(X,N), N > 18.0, not ab1(X). ab1(X) :- town(X,'here').").n_literals
    2
    """
    return _ProgramReader(text).program(read_tree(text))


def parse_clauses(text: str, program: Program) -> tuple[Clause, ...]:
    """Read clauses in the words of a program: its target, labels and columns. What they call is not looked up."""
    reader = _ProgramReader(text)
    reader.header = _header_of(program)
    reader.relations = set(relations_of(program.columns))
    parts = [part for part in read_tree(text).children if isinstance(part, Tree)]
    for part in parts:
        if part.data != "clause":
            raise reader.error(part, "a header line cannot be read here; write clauses only")
    return tuple(reader.clause(RawClause.read(part, reader)) for part in parts)


def _only_uncalled(clauses: list[RawClause]) -> str:
    """Name the one predicate that clauses define and none asks for: what `fly(X) :- bird(X).` concludes."""
    called = {goal.name for clause in clauses for goal in clause.goals if goal.arity == 1}
    heads = dict.fromkeys(clause.head_name for clause in clauses)
    found = [name for name in heads if name not in called and not EXCEPTION.fullmatch(name)]
    if len(found) == 1:
        return found[0]
    msg = "the program concludes nothing: no clause has a head such as income(X,'low')"
    if found:
        msg += f", and of {listing(found)} any may be the target; write one: %@ target {found[0]}: true else false"
    msg += "."
    raise ProgramError(msg)


def _header_of(program: Program) -> _Header:
    """Return the header as it is written for a program."""
    names = name_predicates(program.target.column, program.columns)
    columns = {names.numbers_or_words[column.name]: column for column in program.columns}
    target = program.target
    return _Header((names.target, target.column), list(target.labels), target.default, columns, list(program.missing))


@dataclass
class _Header:
    """What the `%@` lines say."""

    target: tuple[str, str] | None = None
    labels: list[Label] = field(default_factory=list)
    default: Label | None = None
    columns: dict[str, Column] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    related: list[RelatedName] = field(default_factory=list)

    @property
    def is_there(self) -> bool:
        return self.target is not None or bool(self.columns)


class _ProgramReader:
    """Gives meaning to one tree."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.header = _Header()
        self.relations: set[str] = set()

    def program(self, tree: Tree[Token]) -> Program:
        parts = [part for part in tree.children if isinstance(part, Tree)]
        for part in parts:
            if part.data not in ("clause", "template", "values", "constraint", "grade", "unseen"):
                getattr(self, "_related_table" if part.data == "related" else f"_{part.data}")(part)
        for part in parts:
            if part.data == "values":
                self._values(part)
        clauses = self._rules([RawClause.read(part, self) for part in parts if part.data == "clause"])
        if not self.header.is_there:
            self._infer_columns(clauses)
        target = self._target_of(clauses)
        read = tuple(self.clause(clause) for clause in clauses)
        templates = tuple(self._template(part) for part in parts if part.data == "template")
        columns = tuple(self.header.columns.values())
        graded = [only_token(part) for part in parts if part.data == "grade"]
        grade = read_grade(graded, self.header.columns, self)
        unseen = read_unseen([only_token(part) for part in parts if part.data == "unseen"], self)
        asked = [only_token(part) for part in parts if part.data == "constraint"]
        constraints = read_constraints(asked, self.header.columns, label_texts(target, grade), self)
        beside, missing = tuple(self.header.related), tuple(self.header.missing)
        return Program(target, columns, read, missing, templates, grade, unseen, beside, constraints)

    def _template(self, part: Tree[Token]) -> Template:
        from unless.logic.text.template_lines import read_template  # few programs have a person's own words

        return read_template(part, self.header.target, self.header.columns, self)

    def error(self, where: Tree[Token] | Token, problem: str, *expected: str) -> ProgramSyntaxError:
        """Build an error that points at a part of the text."""
        line, column = (where.meta.line, where.meta.column) if isinstance(where, Tree) else (where.line, where.column)
        assert line is not None
        assert column is not None
        return ProgramSyntaxError(problem, self.lines[line - 1], line, column, expected)

    # The header.

    def _format(self, part: Tree[Token]) -> None:
        version = str(only_token(part))
        if version != "1":
            problem = f"this text is in format {version}; this version of unless reads format 1"
            raise self.error(part, problem)

    def _target(self, part: Tree[Token]) -> None:
        if self.header.target is not None:
            raise self.error(part, "a program has one target")
        named, *labels = part.children
        assert isinstance(named, Tree)
        self.header.target = read_named(named)
        values = [self._label(label) for label in labels]
        self.header.labels, self.header.default = values[:-1], values[-1]

    def _categorical(self, part: Tree[Token]) -> None:
        self._columns(part, "categorical")

    def _numerical(self, part: Tree[Token]) -> None:
        self._columns(part, "numerical")

    def _relations(self, part: Tree[Token]) -> None:
        self.relations |= {name_text(name) for name in part.children}

    def _related_table(self, part: Tree[Token]) -> None:
        name, key, column = part.children
        self.header.related.append(RelatedName(name_text(name), unquote(only_token(key)), unquote(only_token(column))))

    def _read(self, part: Tree[Token]) -> None:
        predicate, reading = name_text(part.children[0]), unquote(only_token(part.children[1]))
        column = self.header.columns.get(predicate)
        if column is None:
            raise self.error(
                part, unknown_column(predicate, tuple(self.header.columns), "the header above").rstrip(".")
            )
        if find_format(reading) is None:
            raise self.error(part, f"{reading!r} is not a way to read a column", *READINGS)
        self.header.columns[predicate] = replace(column, reading=reading)

    def _missing(self, part: Tree[Token]) -> None:
        self.header.missing += [unquote(only_token(word)) for word in part.children]

    def _columns(self, part: Tree[Token], kind: Kind) -> None:
        for named in part.children:
            assert isinstance(named, Tree)
            predicate, name = read_named(named)
            if predicate in self.header.columns:
                raise self.error(named, f"predicate {predicate!r} stands for two columns")
            self.header.columns[predicate] = Column(name, kind)

    def _values(self, part: Tree[Token]) -> None:
        """Read the few whole numbers that a column had in training."""
        name, *numbers = part.children
        predicate = name_text(name)
        column = self.header.columns.get(predicate)
        if column is None:
            raise self.error(part, unknown_column(predicate, tuple(self.header.columns), "the program"))
        if column.kind != "numerical":
            raise self.error(part, f"column {column.name!r} is categorical; values are of numerical columns")
        found = [finite(self, only_token(number)) for number in numbers]
        if sorted({number for number in found if number.is_integer()}) != found:
            raise self.error(part, f"the values of {column.name!r} are not whole numbers in rising order")
        self.header.columns[predicate] = replace(column, values=tuple(map(int, found)))

    def _label(self, part: Any) -> Label:
        if part.data in ("true", "false"):
            return bool(part.data == "true")
        token = only_token(part)
        if part.data == "quoted":
            return unquote(token)
        return finite(self, token) if re.search(r"[.eE]", token) else whole(self, token)

    def _rules(self, clauses: list[RawClause]) -> list[RawClause]:
        """Leave out the clauses that conclude the default; where there is no header, they tell it."""
        ends = [
            clause for clause in clauses if [(goal.negated, goal.name) for goal in clause.goals] == [(True, DECIDES)]
        ]
        if self.header.target is None and ends:
            self.header.default = ends[0].head_label
        for end in ends:
            default = self.header.default
            if default is not None and end.head_label != label_text(default):
                problem = f"where no rule decides, {label_text(default)!r} is predicted, not {end.head_label!r}"
                raise self.error(end.tree, f"{problem}; the last label of the line %@ target says so")
        return [clause for clause in clauses if clause not in ends and clause.head_name != DECIDES]

    # A text without a header: columns and target from their use.

    def _infer_columns(self, clauses: list[RawClause]) -> None:
        goals = [goal for clause in clauses for goal in clause.goals if goal.arity == 2 and not goal.terms]
        numerical = {goal.name for goal in goals if isinstance(goal.value, Token)}
        for goal in goals:
            is_word_of = goal.name.removesuffix("_is") if goal.name.endswith("_is") else ""
            if goal.name not in self.header.columns and is_word_of not in numerical:
                kind: Kind = "numerical" if goal.name in numerical else "categorical"
                self.header.columns[goal.name] = Column(goal.name, kind)

    def _target_of(self, clauses: list[RawClause]) -> Target:
        heads = [clause for clause in clauses if clause.head_label is not None]
        if self.header.target is None:
            name = heads[0].head_name if heads else _only_uncalled(clauses)
            concluded = dict.fromkeys(str(clause.head_label) for clause in heads)
            self.header.target = (name, name)
            self.header.labels = list(concluded) or [True]
            self.header.default = self.header.default or (unnamed_default(concluded) if heads else False)
        default = self.header.default
        assert default is not None
        return Target(self.header.target[1], tuple(self.header.labels), default)

    # The clauses.

    def clause(self, raw: RawClause) -> Clause:
        """Give meaning to one clause."""
        name, label = self._head(raw)
        bound = raw.numbers(self)
        body: list[Goal] = list(self._related(raw))
        for goal in raw.goals:
            if goal.terms:
                continue
            if goal.name == "at_least":
                body.append(read_points(goal, raw.row, self))
            elif goal.arity == 0:
                body.append(self._comparison(goal, bound))
            elif not goal.binds:
                body.append(self._goal(goal, raw.row))
            else:
                self._check_row(goal, raw.row)
        return Clause(name, label, tuple(body), line=raw.line)

    @cached_property
    def _labels(self) -> dict[str, Label]:
        """Map the text of each label to it; the header is complete before clauses are read."""
        return {label_text(label): label for label in reversed(self.header.labels)}

    def _related(self, raw: RawClause) -> Iterator[Literal]:
        """Read the goals of a clause that are relations as one conjunction, and a column of it."""
        goals = [goal for goal in raw.goals if goal.terms]
        for goal in goals:
            if goal.negated:
                raise self.error(goal.tree, f"not {goal.name}: a negated relation needs a helper predicate of its own")
        if goals:
            atoms = of_the_row([Atom(goal.name, goal.terms) for goal in goals], Variable(raw.row))
            if not any(ROW in atom.terms for atom in atoms):
                raise self.error(goals[0].tree, f"unsafe: none of the relations speaks of the row, {raw.row}")
            column = related_column(atoms)
            self.header.columns[column.name] = column
            yield related_literal(column)

    def _head(self, raw: RawClause) -> tuple[str | None, Label | None]:
        assert self.header.target is not None
        predicate = self.header.target[0]
        if raw.head_label is None:
            is_true = raw.head_name == predicate and self._labels.get("True") is True
            return (None, True) if is_true else (raw.head_name, None)
        if raw.head_name != predicate:
            problem = f"{raw.head_name!r} is not the target; clauses conclude {predicate!r} or define a helper"
            raise self.error(raw.tree, problem)
        if raw.head_label in self._labels:
            return None, self._labels[raw.head_label]
        known = listing(map(repr, self.header.labels))
        raise self.error(
            raw.tree, f"{raw.head_label!r} is not a label that {predicate!r} may conclude; labels: {known}"
        )

    def _check_row(self, goal: RawGoal, row: str) -> None:
        if goal.row != row:
            raise self.error(goal.tree, f"unsafe: {goal.row} is not the row of this clause, {row}")

    def _goal(self, goal: RawGoal, row: str) -> Goal:
        self._check_row(goal, row)
        if goal.arity == 1:
            return Call(goal.name, goal.negated)
        if isinstance(goal.value, Token):
            problem = f"not {goal.name}({row},{goal.value}): a negated numeric test needs a helper predicate of its own"
            raise self.error(goal.tree, problem)
        if not isinstance(goal.value, str):
            problem = (
                f"{goal.name} is given the number {goal.value}; write a word in quotes, or {goal.name}(X,N), N > 1.0"
            )
            raise self.error(goal.tree, problem)
        column = self._word_column(goal)
        return Literal(column.name, word_op(negated=goal.negated), unguard(goal.value))

    def _word_column(self, goal: RawGoal) -> Column:
        """Find the column of a test on a word; among numbers it has the suffix `_is`."""
        column = self.header.columns.get(goal.name)
        if column is None and goal.name.endswith("_is"):
            column = self.header.columns.get(goal.name.removesuffix("_is"))
            if column is not None and column.kind == "numerical":
                return column
            column = None
        if column is None:
            raise self._unknown(goal)
        if column.kind == "numerical":
            problem = f"{goal.name} holds numbers; a word among them is tested by {goal.name}_is(X,'word')"
            raise self.error(goal.tree, problem)
        return column

    def _unknown(self, goal: RawGoal) -> ProgramSyntaxError:
        assert self.header.target is not None
        if goal.name == self.header.target[0]:
            return self.error(goal.tree, f"cyclic: the target {goal.name!r} cannot be a condition")
        return self.error(goal.tree, unknown_column(goal.name, tuple(self.header.columns), "the program"))

    def _comparison(self, goal: RawGoal, bound: dict[str, RawGoal]) -> Literal:
        variable = str(goal.variable)
        if variable not in bound:
            raise self.error(
                goal.tree, f"unsafe: {variable} is compared but no goal such as age(X,{variable}) binds it"
            )
        binder = bound[variable]
        column = self.header.columns.get(binder.name)
        if column is None:
            raise self._unknown(binder)
        if column.kind == "categorical":
            raise self.error(goal.tree, f"column {column.name!r} is categorical and cannot be compared by {goal.name}")
        return Literal(column.name, goal.name, self._compared_with(goal, column))  # type: ignore[arg-type]

    def _compared_with(self, goal: RawGoal, column: Column) -> float:
        """Return the number of a comparison, which may be written as the column's cells are: '28.11.2023'."""
        if not isinstance(goal.value, str):
            assert isinstance(goal.value, float)
            return goal.value
        number = read_text(column.reading, goal.value) if column.reading else None
        if number is None:
            wanted = f"a number, or a text such as {say_number(column, 0.0)!r}" if column.reading else "a number"
            raise self.error(goal.tree, f"{goal.value!r} cannot be compared with {column.name!r}", wanted)
        return number
