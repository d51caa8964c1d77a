"""A program: the flat form of the rules, and the model itself.

A program is a list of clauses. A clause of the target concludes a label; a clause of a helper predicate (`ab1`, or a
name that a person gave) defines an exception or a condition that other clauses call. A predicate holds for a row when
the body of one of its clauses does. Calls never form a cycle, so every predicate has one meaning: the program is
stratified. The law of the text is

>>> from unless.logic.clause import Clause
>>> from unless.logic.text.parser import parse
>>> from unless.logic.rules import Column, Literal
>>> p = Program(Target("income", ("low",), "high"), (Column("age", "numerical"),),
...             (Clause(None, "low", (Literal("age", "=<", 27.0),)),))
>>> parse(str(p)) == p
True
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from unless.errors import ProgramError, did_you_mean, listing, unknown_column
from unless.logic.clause import Call, as_dict
from unless.logic.grade import cell_conditions
from unless.logic.kept_constraints import UNCONSTRAINED, Constraints, checked_constraints
from unless.logic.names import is_plain, name_predicates, why_not_plain
from unless.logic.relations import used_relations
from unless.logic.rules import NUMBER_OPS, Column, Label, Literal, OneOf
from unless.showing import show

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unless.logic.clause import Clause, Goal
    from unless.logic.grade import CellCondition, Grade
    from unless.logic.relations import RelatedName
    from unless.logic.templates import Template
    from unless.logic.unseen_rows import Unseen

MAX_CHARACTERS = 4_000_000
"""A longer text is neither read nor written: no readable program is that long."""

GRADE_AGAIN = "unless grade MODEL.lp DATA -o NEW.lp"
OLD_GRADE = f"the grade is of the program before it was edited. Hint: {GRADE_AGAIN}."
"""What is said wherever a grade is used that was made for another program."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is predicted: a column, the labels that clauses may conclude, and the label when none is concluded.

    When clauses of several labels hold for a row, the label that comes first in `labels` is predicted.
    """

    column: str
    labels: tuple[Label, ...]
    default: Label


@dataclass(frozen=True)
class Program:
    """A stratified program with the columns it may test, perhaps its grade, figures of unseen rows and constraints.

    `str(program)` is the model file.
    """

    target: Target
    columns: tuple[Column, ...]
    clauses: tuple[Clause, ...]
    missing: tuple[str, ...] = ()
    templates: tuple[Template, ...] = ()
    grade: Grade | None = None
    unseen: Unseen | None = None
    related: tuple[RelatedName, ...] = ()
    constraints: Constraints = UNCONSTRAINED

    def __post_init__(self) -> None:
        # One order of columns, so that equal programs print alike: categorical, then numerical, else as given.
        # Conjunctions over relations come last of the categorical ones, by name, and only where they are tested.
        tested = {literal.column for clause in self.clauses for literal in clause.literals}
        by_kind = sorted(used_relations(self.columns, tested), key=_column_order)
        object.__setattr__(self, "columns", tuple(by_kind))
        _check_target(self.target)
        _check_columns(self.target, self.columns)
        for clause in self.clauses:
            _check_clause(self, clause)
        for template in self.templates:
            _check_template(self, template)
        if self.grade is not None:
            _check_grade(self, self.grade)
        if self.constraints:
            labels = label_texts(self.target, self.grade)
            object.__setattr__(self, "constraints", checked_constraints(self.constraints, self.columns, labels))
        _ = self.order

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Map each column to its kind."""
        return {column.name: column.kind for column in self.columns}

    @cached_property
    def helpers(self) -> dict[str, tuple[Clause, ...]]:
        """Map each helper predicate to its clauses."""
        found: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            if clause.name is not None:
                found.setdefault(clause.name, []).append(clause)
        return {name: tuple(clauses) for name, clauses in found.items()}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """List the helper predicates so that each comes after those it calls; refuse cycles."""
        try:
            return tuple(TopologicalSorter(self.calls).static_order())
        except CycleError as error:
            around = " calls ".join(reversed(error.args[1]))
            msg = f"predicates are defined in a circle: {around}. A predicate may call only others that do not call it."
            raise ProgramError(msg) from None

    @cached_property
    def calls(self) -> dict[str, tuple[str, ...]]:
        """Map each helper predicate to those it calls, in the order of its clauses."""
        called = {name: (n for clause in cs for n in clause.called) for name, cs in self.helpers.items()}
        return {name: tuple(dict.fromkeys(names)) for name, names in called.items()}

    @cached_property
    def label_keys(self) -> frozenset[object]:
        """Hold the labels that clauses may conclude, as they are compared."""
        return frozenset(map(_label_key, self.target.labels))

    @cached_property
    def label_clauses(self) -> tuple[tuple[int, ...], ...]:
        """Number, for each label of the target, the clauses that conclude it; the first clause is 1."""
        found: dict[object, list[int]] = {_label_key(label): [] for label in self.target.labels}
        for number, clause in enumerate(self.clauses, 1):
            if clause.name is None:
                found[_label_key(clause.label)].append(number)
        return tuple(tuple(found[_label_key(label)]) for label in self.target.labels)

    @cached_property
    def helper_clauses(self) -> dict[str, tuple[int, ...]]:
        """Number, for each helper predicate, its clauses; the first clause of the program is 1."""
        found: dict[str, list[int]] = {name: [] for name in self.helpers}
        for number, clause in enumerate(self.clauses, 1):
            if clause.name is not None:
                found[clause.name].append(number)
        return {name: tuple(numbers) for name, numbers in found.items()}

    @cached_property
    def bare_head(self) -> str | None:
        """Return the target's predicate where clauses conclude the label true, which is written without a value."""
        if not any(label is True for label in self.target.labels):
            return None
        return name_predicates(self.target.column, ()).target

    @cached_property
    def mark(self) -> str:
        """Name what the program decides by: a grade that has another mark was made before an edit."""
        from hashlib import sha256

        target = [self.target.column, *map(label_text, (*self.target.labels, self.target.default))]
        clauses = [
            [c.name, None if c.label is None else label_text(c.label), list(map(as_dict, c.body))] for c in self.clauses
        ]
        return sha256(json.dumps([target, clauses], sort_keys=True).encode()).hexdigest()[:12]

    @property
    def has_old_grade(self) -> bool:
        """Tell whether the grade is of the program before an edit; one without a mark was written by hand."""
        return self.grade is not None and self.grade.mark not in ("", self.mark)

    @cached_property
    def thresholds(self) -> dict[str, frozenset[float]]:
        """Map each column that is compared with numbers to these."""
        found: dict[str, set[float]] = {}
        for clause in self.clauses:
            for literal in clause.literals:
                if not isinstance(literal.value, str):
                    found.setdefault(literal.column, set()).add(literal.value)
        return {column: frozenset(numbers) for column, numbers in found.items()}

    @cached_property
    def used_columns(self) -> tuple[str, ...]:
        """Name the columns that some clause tests, in column order."""
        used = {literal.column for clause in self.clauses for literal in clause.literals}
        return tuple(column.name for column in self.columns if column.name in used)

    @cached_property
    def helper_columns(self) -> dict[str, frozenset[str]]:
        """Map each helper predicate to the columns that it tests, itself or through others."""
        tested: dict[str, frozenset[str]] = {}
        for name in self.order:  # those called come first
            own = frozenset(literal.column for clause in self.helpers[name] for literal in clause.literals)
            tested[name] = own.union(*(tested[called] for called in self.calls[name]))
        return tested

    def clauses_for(self, label: Label) -> tuple[Clause, ...]:
        """Return the clauses that conclude a label."""
        return tuple(c for c in self.clauses if c.name is None and same_label(c.label, label))

    @property
    def n_literals(self) -> int:
        """Count the tests on columns in all clauses."""
        return sum(1 for clause in self.clauses for _ in clause.literals)

    def __str__(self) -> str:
        return show("program as text", self)

    def _repr_html_(self) -> str:
        return show("program as html", self)

    def export(self, to: str, **options: str) -> str:
        """Write the program for another engine: `sql:duckdb`, `python`, ... (docs/exports.md)."""
        return show("program as export", self, to=to, **options)

    def to_sql(self, dialect: str, **options: str) -> str:
        """Write the program in a dialect of SQL: `sqlite`, `duckdb`, `postgres`, ..."""
        return self.export(f"sql:{dialect}", **options)


def _column_order(column: Column) -> tuple[bool, bool, str]:
    return column.kind == "numerical", bool(column.atoms), column.name if column.atoms else ""


def same_label(a: Label | None, b: Label | None) -> bool:
    """Compare labels without taking 1 for True."""
    return _label_key(a) == _label_key(b)


def _label_key(label: Label | None) -> tuple[Label | None, bool]:
    return label, isinstance(label, bool)


def label_text(label: Label) -> str:
    """Spell a label as the word that stands in a clause's head."""
    return label if isinstance(label, str) else repr(label)


def label_texts(target: Target, grade: Grade | None) -> list[str]:
    """Spell the labels that there are, each once: those of the target, and those that only the grade knows."""
    cards = () if grade is None else grade.cards
    labels = (*target.labels, target.default, *(card.label for card in cards))
    return list(dict.fromkeys(map(label_text, labels)))


def unnamed_default(labels: Iterable[Label]) -> str:
    """Name what is predicted when no clause holds, for a program whose text does not say."""
    return "not " + " or ".join(map(label_text, labels))


def _check_target(target: Target) -> None:
    texts = Counter(label_text(label) for label in dict.fromkeys((*target.labels, target.default)))
    for text, count in texts.items():
        if count > 1:
            msg = f"two labels of {target.column!r} are written {text!r}; labels must differ in their text."
            raise ProgramError(msg)
    if not target.labels:
        msg = f"target {target.column!r} has no label to conclude."
        raise ProgramError(msg)


def _check_columns(target: Target, columns: tuple[Column, ...]) -> None:
    seen = {target.column}
    for column in columns:
        if column.name in seen:
            what = "the target" if column.name == target.column else "another column"
            msg = f"column {column.name!r} has the name of {what}; each needs a name of its own."
            raise ProgramError(msg)
        seen.add(column.name)


def _check_clause(program: Program, clause: Clause) -> None:
    where = f"line {clause.line}: " if clause.line else ""
    head = clause.name if clause.name is not None else program.target.column
    if clause.name is not None and not is_plain(clause.name):
        msg = f"{where}{clause.name!r} cannot name a predicate; {why_not_plain(clause.name)}"
        raise ProgramError(msg)
    if clause.name is not None and clause.name == program.bare_head:
        msg = f"{where}{clause.name!r} is the target, and {clause.name}(X) concludes its label true; rename the helper."
        raise ProgramError(msg)
    if not clause.body:
        msg = f"{where}the clause of {head!r} has no condition and would hold for every row; give it one."
        raise ProgramError(msg)
    if clause.name is None and _label_key(clause.label) not in program.label_keys:
        known = listing(map(repr, program.target.labels))
        msg = f"{where}{clause.label!r} is not a label that {head!r} may conclude; labels: {known}."
        raise ProgramError(msg)
    for goal in clause.body:
        _check_goal(program, goal, where)
    related = {c.name for c in program.columns if c.atoms} & {literal.column for literal in clause.literals}
    if len(related) > 1 or any(goal.op != "=" for goal in clause.literals if goal.column in related):
        msg = f"{where}the clause of {head!r} asks for more than that one conjunction holds; give each its own helper."
        raise ProgramError(msg)


def _check_template(program: Program, template: Template) -> None:
    known: dict[str, dict[str, int]] = {
        "target": {program.target.column: 2},
        "column": {column.name: 2 for column in program.columns},
        "words": {column.name: 2 for column in program.columns if column.kind == "numerical"},
        "helper": dict.fromkeys(program.helpers, 1),
        "compared": dict.fromkeys(NUMBER_OPS, 2),
    }
    if known[template.subject].get(template.name) != len(template.arguments):
        listed = listing(dict.fromkeys(name for names in known.values() for name in names))
        shape = f"{template.name}/{len(template.arguments)}"
        msg = f"a #pred template is about {shape}, which the program does not have; it has {listed}."
        raise ProgramError(msg)


def _check_grade(program: Program, grade: Grade) -> None:
    cards = [label_text(card.label) for card in grade.cards]
    labels = label_texts(program.target, grade)
    twice = [text for text in labels if cards.count(text) > 1]
    wanted = 1 if len(labels) == 2 else len(labels)
    if twice or len(cards) != wanted:
        found = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
        msg = f"the grade has {found}; {len(labels)} labels need {wanted}: {listing(map(repr, labels))}."
        raise ProgramError(msg)
    for condition in grade.conditions:
        for part in cell_conditions(condition):
            _check_cell_condition(program, part)


def _check_cell_condition(program: Program, condition: CellCondition) -> None:
    if isinstance(condition, Literal):
        _check_goal(program, condition, "in the grade: ")
    elif isinstance(condition, OneOf) and not condition.words:
        msg = f"in the grade: {condition.column!r} is one of no words; accepted: one word or more."
        raise ProgramError(msg)
    elif condition.column not in program.kinds:
        raise ProgramError("in the grade: " + unknown_column(condition.column, tuple(program.kinds), "the program"))


def _check_goal(program: Program, goal: Goal, where: str) -> None:
    if not isinstance(goal, Literal):
        for name in [goal.name] if isinstance(goal, Call) else [case for _, case in goal.awards]:
            if name not in program.helpers:
                hint = did_you_mean(name, program.helpers) if is_plain(name) else f" Hint: {why_not_plain(name)}"
                msg = f"{where}predicate {name!r} is called but no clause defines it.{hint}"
                raise ProgramError(msg)
        return
    kind = program.kinds.get(goal.column)
    if kind is None:
        raise ProgramError(where + unknown_column(goal.column, tuple(program.kinds), "the program"))
    if kind == "categorical" and goal.op in NUMBER_OPS:
        msg = (
            f"{where}column {goal.column!r} is categorical and cannot be compared by {goal.op} {goal.value}; "
            "declare it numerical, or test it with a word."
        )
        raise ProgramError(msg)
