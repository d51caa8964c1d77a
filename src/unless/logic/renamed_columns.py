"""A program whose columns are called as another program calls them: last month's beside this month's.

In: two programs. Out: the first under the names of the second, where those are written otherwise; what it decides, its
points and what is kept of it stay. So two programs from headers that differ in a blank can be compared.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from unless.logic.column_names import matched, remark_names, sought_names
from unless.logic.date_parts import date_part
from unless.logic.grade import Blank, Both
from unless.logic.kept_constraints import Constraints
from unless.logic.rules import Literal, OneOf

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.logic.clause import Clause, Goal
    from unless.logic.grade import Award, Card, CellCondition, Grade, GradeCondition
    from unless.logic.program import Program
    from unless.logic.rules import Column
    from unless.logic.templates import Template


def called_like(program: Program, other: Program) -> Program:
    """Return a program with its columns called as another one calls them, where that is clear; say which."""
    called = matched(sought_names(program), sought_names(other))
    if all(name == new for name, new in called.items()):
        return program
    remark_names(called)
    return _Renaming(lambda name: called.get(name, name)).program(program)


class _Renaming:
    """Gives every part of a program other names of columns."""

    def __init__(self, name: Callable[[str], str]) -> None:
        self.name = name

    def program(self, program: Program) -> Program:
        """Rename all of a program; its grade and figures stay those of it."""
        bare = replace(program, grade=None, unseen=None, constraints=Constraints(), templates=())
        renamed = replace(
            bare,
            target=replace(program.target, column=self.name(program.target.column)),
            columns=tuple(map(self._column, program.columns)),
            clauses=tuple(map(self._clause, program.clauses)),
        )
        marks = {program.mark: renamed.mark}  # one of a program before an edit stays so
        unseen = program.unseen
        return replace(
            renamed,
            grade=None if program.grade is None else self._grade(program.grade, marks),
            unseen=None if unseen is None else replace(unseen, mark=marks.get(unseen.mark, unseen.mark)),
            constraints=self._constraints(program.constraints),
            templates=tuple(map(self._template, program.templates)),
        )

    def _column(self, column: Column) -> Column:
        part = date_part(column.reading) if column.reading else None
        reading = column.reading if part is None else replace(part, source=self.name(part.source)).text
        return replace(column, name=self.name(column.name), reading=reading)

    def _clause(self, clause: Clause) -> Clause:
        return replace(clause, body=tuple(map(self._goal, clause.body)))

    def _goal(self, goal: Goal) -> Goal:
        return replace(goal, column=self.name(goal.column)) if isinstance(goal, Literal) else goal

    def _grade(self, grade: Grade, marks: dict[str, str]) -> Grade:
        return replace(grade, cards=tuple(map(self._card, grade.cards)), mark=marks.get(grade.mark, grade.mark))

    def _card(self, card: Card) -> Card:
        return replace(card, awards=tuple(map(self._award, card.awards)))

    def _award(self, award: Award) -> Award:
        return replace(award, condition=self._condition(award.condition))

    def _condition(self, condition: GradeCondition) -> GradeCondition:
        if isinstance(condition, Both):
            return Both(self._cell(condition.first), self._cell(condition.second))
        return self._cell(condition) if isinstance(condition, Literal | OneOf | Blank) else condition

    def _cell(self, condition: CellCondition) -> CellCondition:
        return replace(condition, column=self.name(condition.column))

    def _constraints(self, kept: Constraints) -> Constraints:
        return Constraints(
            tuple(map(self.name, kept.forbidden)),
            tuple((self.name(one), self.name(other)) for one, other in kept.apart),
            tuple((self.name(name), way) for name, way in kept.directions),
        )

    def _template(self, template: Template) -> Template:
        is_named = template.subject in ("target", "column", "words")
        return replace(template, name=self.name(template.name)) if is_named else template
