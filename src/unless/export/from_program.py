"""A program becomes the form that exports are printed from; nothing is lost and nothing is rounded.

A word that is also a number (`'8'` in a column of words) is asked for as the word and as the number 8, because a
database may hold that column as numbers: `logic.values.number_word` spells 8.0 so, and no target has to.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.export.missing_numbers import MissingNumbers
from unless.export.two_valued import (
    And,
    Compared,
    DecidingRule,
    DecisionForm,
    Equal,
    IsBlank,
    IsNumber,
    IsWord,
    Named,
    Negation,
    NumberOp,
    Or,
    PointsCard,
    Reaches,
)
from unless.logic.clause import Call, Points
from unless.logic.forms.outline import outline
from unless.logic.grade import Blank, Decided, cell_conditions
from unless.logic.graded import graded_texts
from unless.logic.program import label_text, same_label
from unless.logic.rules import Literal
from unless.logic.values import BLANKS, number_word, read_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unless.export.two_valued import Test
    from unless.logic.clause import Goal
    from unless.logic.grade import Award, Card, CellCondition, Grade
    from unless.logic.program import Program
    from unless.logic.rules import Column, Label, Op

OPS: dict[Op, NumberOp] = {"=<": "<=", ">": ">", "<": "<", ">=": ">="}
MOST_TOTALS = 100_000
"""More totals than this make no table of probabilities."""
NOTHING = Or(())
OLD = "The probability is by the grade of the program before it was edited: unless grade MODEL.lp DATA -o NEW.lp."


def decision_form(program: Program) -> DecisionForm:
    """Return a program as tests of which the first that holds decides."""
    kinds = program.kinds
    grade = program.grade
    graded = () if grade is None else grade.columns
    used = {*program.used_columns, *graded}
    _check_one_table(column for column in program.columns if column.name in used)
    named: dict[str, Test] = {
        name: Or(tuple(_body(clause.body, kinds) for clause in program.helpers[name])) for name in program.order
    }
    entries = [e for label in program.target.labels for e in outline(program) if same_label(e.label, label)]
    cards = () if grade is None else tuple(_card(card, kinds, grade) for card in _in_label_order(program, grade))
    columns = tuple(column for column in program.columns if column.name in used)
    form = DecisionForm(
        program.target.column,
        columns,
        program.missing,
        named,
        tuple(DecidingRule(entry.number, entry.label, _body(entry.when, kinds)) for entry in entries),
        program.target.default,
        _labels(program),
        cards,
        (program.target.column, *(column.name for column in program.columns)),
    )
    return MissingNumbers(columns, program.missing).guarded(form)


def _in_label_order(program: Program, grade: Grade) -> list[Card]:
    """Return the cards as probabilities are added up: in the order of the labels, or the last digit is another."""
    texts = graded_texts(program)
    return sorted(grade.cards, key=lambda card: texts.index(label_text(card.label)))


def probability_note(program: Program) -> str:
    """Say in one line, which travels with a file, what its probabilities must not be taken for."""
    return " ".join(filter(None, (_weighed_note(program), OLD if program.has_old_grade else "")))


def _weighed_note(program: Program) -> str:
    """Say which rows probabilities are of, where rows weighed."""
    grade = program.grade
    if grade is None or not grade.is_weighed:
        return ""
    if grade.cost_ratio is None:
        return "Its probabilities are of the rows as weighed in learning, not of the rows as they are."
    cost = f"where an error on {label_text(grade.cards[0].label)!r} cost {grade.cost_ratio!r} times as much"
    return (
        f"The probability is that of rows as weighed in learning, {cost}; the program decides by it. "
        "The probability as they are is what the points say of rows as they are."
    )


def _check_one_table(columns: Iterable[Column]) -> None:
    """Refuse what is said of related things, which no column of a table holds."""
    for column in columns:
        if column.atoms:
            msg = (
                f"the program asks whether {column.name}, which related tables say; an export reads one table. "
                "Hint: unless predict and unless explain read them too, and --to json keeps the program whole."
            )
            raise DataError(msg)


def _labels(program: Program) -> tuple[Label, ...]:
    """Return all labels, those that only the grade knows last."""
    cards = () if program.grade is None else program.grade.cards
    found = (*program.target.labels, program.target.default, *(card.label for card in cards))
    return tuple({label_text(label): label for label in found}.values())


def _body(goals: Iterable[Goal], kinds: Mapping[str, str]) -> Test:
    return And(tuple(_goal(goal, kinds) for goal in goals))


def _goal(goal: Goal, kinds: Mapping[str, str]) -> Test:
    if isinstance(goal, Literal):
        return literal_test(goal, kinds[goal.column])
    if isinstance(goal, Points):
        return Reaches(tuple((points, Named(case)) for points, case in goal.awards), goal.threshold)
    assert isinstance(goal, Call)
    return Negation(Named(goal.name)) if goal.negated else Named(goal.name)


def literal_test(literal: Literal, kind: str) -> Test:
    """Return a literal with its guards."""
    column, value = literal.column, literal.value
    if isinstance(value, float):
        return And((IsNumber(column), Compared(column, OPS[literal.op], value)))
    equal = _word_test(column, value, kind)
    return Negation(equal) if literal.op == "!=" else equal


def _word_test(column: str, word: str, kind: str) -> Test:
    if not can_be_read(word):
        return NOTHING
    equal = And((IsWord(column), Equal(column, word)))
    number = read_number(word)
    if kind == "numerical" or number is None or number in (float("inf"), -float("inf")) or number_word(number) != word:
        return equal
    return Or((equal, And((IsNumber(column), Compared(column, "==", number)))))


def can_be_read(word: str) -> bool:
    """Tell whether a cell can be read as this word: blanks at the ends never are part of one."""
    return bool(word) and word.strip(BLANKS) == word


def _card(card: Card, kinds: Mapping[str, str], grade: Grade) -> PointsCard:
    decided = sum(award.points for award in card.awards if isinstance(award.condition, Decided))
    awards = [award for award in card.awards if not isinstance(award.condition, Decided)]
    low = sum(award.points for award in awards if award.points < 0) + min(decided, 0)
    high = sum(award.points for award in awards if award.points > 0) + max(decided, 0)
    if high - low > MOST_TOTALS:
        msg = f"the points of {card.label!r} go from {low:,} to {high:,}; exports take at most {MOST_TOTALS:,} totals."
        raise DataError(msg)
    tests = tuple((award.points, _award_test(award, kinds)) for award in awards)
    steps = [*(award.points for award in awards), *([decided] if decided else [])]
    totals = list(accumulate(steps, lambda reached, p: reached | {t + p for t in reached}, initial={0}))[-1]
    by_points = {n: card.probability(n) for n in sorted(totals)}
    plain = {n: grade.as_they_are(p) for n, p in by_points.items()}
    known = {n: p for n, p in plain.items() if p is not None}
    return PointsCard(card.label, tests, decided, by_points, known or None)


def _award_test(award: Award, kinds: Mapping[str, str]) -> Test:
    tests = tuple(_cell_test(part, kinds) for part in cell_conditions(award.condition))
    test = tests[0] if len(tests) == 1 else And(tests)
    return Negation(test) if award.unless else test


def _cell_test(condition: CellCondition, kinds: Mapping[str, str]) -> Test:
    if isinstance(condition, Literal):
        return literal_test(condition, kinds[condition.column])
    if isinstance(condition, Blank):
        return IsBlank(condition.column)
    within = Or(tuple(_word_test(condition.column, word, kinds[condition.column]) for word in condition.words))
    return Negation(within) if condition.negated else within
