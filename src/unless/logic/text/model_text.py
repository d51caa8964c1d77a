"""A program becomes the text of a model file: header, templates, clauses, and at the end its grade.

Each part is one line after the other. What the lines of the grade look like stands in `grade_lines`, which reads them,
as `unseen_lines` does those of unseen rows; the rest is written by `printer`. Writing loads no parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.logic.grade import Blank, Both, Decided
from unless.logic.names import name_predicates
from unless.logic.rules import Literal, OneOf
from unless.logic.text.constants import label_constant, number_text, quote
from unless.logic.text.printer import header_lines, laid_out, template_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unless.logic.grade import Award, Card, GradeCondition
    from unless.logic.program import Program
    from unless.logic.unseen_rows import Unseen


def program_text(program: Program) -> str:
    """Write a whole program: header, clauses and grade, the text of a model file."""
    lines = [*header_lines(program), *template_lines(program), *laid_out(program)]
    lines += [*grade_lines(program), *unseen_lines(program.unseen)]
    return "\n".join(lines) + "\n"


def grade_lines(program: Program) -> Iterator[str]:
    """Write the grade of a program, if it has one."""
    grade = program.grade
    if grade is None:
        return
    names = _names(program)
    if grade.mark:  # one written by hand has none
        ratio = "" if grade.cost_ratio is None else f" by {grade.cost_ratio!r}"
        yield f"%@ grade of {grade.mark}{' weighed' if grade.is_weighed else ''}{ratio}"
    for card in grade.cards:
        start = f"%@ grade {label_constant(card.label)}"
        yield f"{start} curve {number_text(card.slope)} {number_text(card.offset)}"
        for award in card.awards:
            yield f"{start} {_award_text(award, names)}"
        for band in card.bands:
            yield f"{start} band {band.low} .. {band.high}: {band.n_label} of {band.n_rows}"


def award_text(program: Program, card: Card, award: Award) -> str:
    """Write one line of points as it stands in the model file."""
    return f"%@ grade {label_constant(card.label)} {_award_text(award, _names(program))}"


def _award_text(award: Award, names: Mapping[str, str]) -> str:
    return f"points {award.points} {'unless' if award.unless else 'if'} {condition_text(award.condition, names)}"


def _names(program: Program) -> Mapping[str, str]:
    return name_predicates(program.target.column, program.columns).numbers_or_words


def condition_text(condition: GradeCondition, names: Mapping[str, str]) -> str:
    """Write a condition of a grade, its column by its predicate."""
    match condition:
        case Decided():
            return "decided"
        case Both(first, second):
            return f"{condition_text(first, names)} and {condition_text(second, names)}"
        case Blank(column):
            return f"{names[column]} is blank"
        case OneOf(column, words, negated):
            return f"{names[column]} {'not in' if negated else 'in'} {', '.join(map(quote, words))}"
        case Literal(column, op, value):
            return f"{names[column]} {op} {quote(value) if isinstance(value, str) else number_text(value)}"


def unseen_lines(unseen: Unseen | None) -> Iterator[str]:
    """Write the figures of unseen rows, if there are any."""
    if unseen is None:
        return
    folds = f"{unseen.n_folds} fold{'' if unseen.n_folds == 1 else 's'}"
    always = f"always {label_constant(unseen.commonest)} {unseen.n_commonest}"
    auc = "" if unseen.auc is None else f", auc {unseen.auc!r}"
    yield f"%@ unseen of {unseen.mark}: {unseen.n_right} of {unseen.n_rows} right, {folds}, {always}{auc}"
