"""The grade of a program: its value, its lines in the model file, and what it means for a row."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unless import UnlessError, parse
from unless.logic.edit import add_clauses
from unless.logic.grade import Award, Band, Blank, Both, Card, Decided, Grade
from unless.logic.holds import awards_that_hold
from unless.logic.rules import Literal, OneOf
from unless.logic.text.json_program import program_json, read_program_json

TEXT = """\
%@ unless 1
%@ target income: 'low' else 'high'
%@ categorical town, a_b = 'A b'
%@ numerical age

% 1. low, if age at most 27.
income(X,'low') :- age(X,N2), N2 =< 27.0.
%@ grade of abcdef012345
%@ grade 'low' curve 0.25 -2.5
%@ grade 'low' points 3 if age > 40.0
%@ grade 'low' points -2 if town in 'it\\'s', 'b, c'
%@ grade 'low' points -1 if a_b = 'x'
%@ grade 'low' points 1 if age is blank
%@ grade 'low' points 5 if town = 'here and there' and age > 60.0
%@ grade 'low' points 3 unless age =< 30.0
%@ grade 'low' points 1 unless town in 'there', 'unless' and age is blank
%@ grade 'low' points 2 if decided
%@ grade 'low' band -4 .. 3: 3 of 10
"""


def test_a_grade_comes_back_to_the_letter():
    program = parse(TEXT)
    assert str(program) == TEXT
    assert program.grade is not None
    assert program.grade.columns == ("age", "town", "A b")
    assert parse(str(program)) == program


LABELS = st.sampled_from(["low", "it's, in 'x'", True, 3, 2.5])
WORDS = st.text(min_size=1, max_size=8)
CELLS = st.one_of(
    st.sampled_from([Blank("town"), Blank("age")]),
    st.builds(Literal, st.just("age"), st.sampled_from(["=<", ">"]), st.floats(allow_nan=False, allow_infinity=False)),
    st.builds(Literal, st.just("town"), st.sampled_from(["=", "!="]), WORDS),
    st.builds(OneOf, st.just("town"), st.lists(WORDS, min_size=2, max_size=4, unique=True).map(tuple), st.booleans()),
)
POINTS = st.integers(-50, 50).filter(bool)
AWARDS = st.builds(Award, POINTS, CELLS | st.builds(Both, CELLS, CELLS), st.booleans()) | st.builds(
    Award, POINTS, st.just(Decided())
)
FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(
    LABELS,
    st.lists(AWARDS, max_size=5),
    FINITE,
    FINITE,
    st.sampled_from([(False, None), (True, None)]) | st.tuples(st.just(True), st.floats(1e-300, 1e300)),
)
def test_any_grade_comes_back(label, awards, slope, offset, weighed):
    plain = parse(TEXT)
    card = Card(label, tuple(awards), slope, offset, (Band(-3, 4, 10, 2),))
    target = replace(plain.target, labels=(label,))
    clauses = tuple(replace(clause, label=label) for clause in plain.clauses)
    program = replace(plain, target=target, clauses=clauses, grade=Grade("0123456789ab", (card,), *weighed))
    assert parse(str(program)) == program
    assert read_program_json(program_json(program)) == program


@pytest.mark.parametrize("ratio", ["0", "-3.0", "1e999"])
def test_a_ratio_of_costs_is_above_0(ratio):
    with pytest.raises(UnlessError, match="a grade is weighed by"):
        parse(TEXT.replace("of abcdef012345", f"of abcdef012345 weighed by {ratio}"))


def test_probabilities_of_rows_as_they_are_are_known_where_two_labels_cost_differently():
    program = parse(TEXT.replace("of abcdef012345", "of abcdef012345 weighed by 4.0"))
    assert program.grade.as_they_are(0.5) == pytest.approx(0.2)
    other = parse(TEXT.replace("of abcdef012345", "of abcdef012345 weighed"))
    assert other.grade.as_they_are(0.5) is None
    with pytest.raises(UnlessError, match="two labels share one card"):
        replace(program.grade, cards=program.grade.cards * 2)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("%@ grade 'low' curve 0.25 -2.5\n", "%@ grade 'low' curve 0.25 -2.5\n" * 2, "has a second curve"),
        (
            "%@ grade of abcdef012345\n",
            "%@ grade of abcdef012345 weighed by 3.0\n%@ grade of 0000\n",
            "a second line says",
        ),
        ("curve 0.25", "curve 1e999", "finite"),
        ("-4 .. 3: 3 of 10", "-4 .. 3: 11 of 10", "has 11 of 10 rows"),
        ("-4 .. 3: 3 of 10", "4 .. 3: 3 of 10", "is from 4 to 3"),
        ("-4 .. 3: 3 of 10", "-4 .. 3: 3 of 10\n%@ grade 'low' band 3 .. 5: 1 of 2", "from 3 follows one up to 3"),
        ("-4 .. 3: 3 of 10", f"-4 .. 3: 3 of {'1' * 5000}", "cannot be read"),
        ("of abcdef012345", "of abcdef012345 weighed by 1e-320", "is weighed by 1e-320"),
        ("points 2 if decided", "points 2 unless decided", "accepted: if it does"),
    ],
)
def test_damaged_lines_are_refused(old, new, said):
    """Some were taken without a word: of two lines the last, and bands that cannot be."""
    assert old in TEXT
    with pytest.raises(UnlessError, match=said):
        parse(TEXT.replace(old, new))


def damaged(change):
    data = json.loads(program_json(parse(TEXT.replace("of abcdef012345", "of abcdef012345 weighed by 4.0"))))
    change(data["grade"], data["grade"]["cards"][0])
    return json.dumps(data)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda grade, card: card["bands"][0].update(rows="7"), "a band of a grade"),
        (lambda grade, card: card["bands"][0].update(rows=-1), "a band of a grade"),
        (lambda grade, card: card["bands"][0].update(also=1), "field 'also'"),
        (lambda grade, card: card.update(also=1), "field 'also'"),
        (lambda grade, card: card.update(slope="1"), "the curve of a grade"),
        (lambda grade, card: card.update(slope=10**400), "the curve of a grade"),
        (lambda grade, card: card["awards"][0].update(points=10**19), "points; accepted"),
        (lambda grade, card: card["bands"][0].update(rows=10**20), "a band of a grade"),
        (lambda grade, card: grade.update(is_weighed="no"), "a grade is weighed: 'no'"),
        (lambda grade, card: grade.update(cost_ratio=True), "is weighed by True"),
        (lambda grade, card: grade.update(cost_ratio=10**400), "is weighed by"),
        (lambda grade, card: grade.update(mark="xyz!"), "the mark of a grade"),
        (lambda grade, card: grade.update(mark=""), "is weighed and has no mark"),
        (lambda grade, card: card["awards"][1]["if"].update({"in": []}), "is one of no words"),
    ],
)
def test_json_that_no_file_can_hold_is_refused(change, said):
    """It was written as lines that cannot be read, or ended in a traceback."""
    assert read_program_json(damaged(lambda grade, card: None)).grade is not None
    with pytest.raises(UnlessError, match=re.escape(said)):
        read_program_json(damaged(change))


def test_whole_numbers_of_a_curve_come_back():
    program = read_program_json(damaged(lambda grade, card: card.update(slope=10**30, offset=-2)))
    assert parse(str(program)) == program


def test_many_labels_have_a_card_each():
    text = "%@ target c: 'a', 'b' else 'd'\n%@ numerical x\nc(X,'a') :- x(X,N), N > 1.0.\n%@ grade of 0000\n"
    cards = "".join(f"%@ grade '{label}' curve 1.0 0.0\n" for label in "abd")
    assert [card.label for card in parse(text + cards).grade.cards] == ["a", "b", "d"]
    with pytest.raises(UnlessError, match="3 labels need 3"):
        parse(text + cards.splitlines()[0])
    beyond = parse(text + cards + "%@ grade 'unseen' curve 1.0 0.0\n")
    assert beyond.grade.cards[3].label == "unseen"


def test_an_edit_leaves_the_grade_of_the_program_before():
    program = parse(TEXT)
    graded = replace(program, grade=replace(program.grade, mark=program.mark))
    assert not graded.has_old_grade
    edited = add_clauses(graded, "income(X,'low') :- town(X,'here').")
    assert edited.has_old_grade
    assert parse(str(edited)).has_old_grade
    assert not replace(program, grade=None).has_old_grade


def test_what_holds_for_a_row():
    card = parse(TEXT).grade.cards[0]
    assert [a.points for a in awards_that_hold(card, {"age": 50.0, "town": "it's"}, "high")] == [3, -2, 3, 1]
    assert [a.points for a in awards_that_hold(card, {"age": 70.0, "town": "here and there"}, "high")] == [3, 5, 3, 1]
    assert [a.points for a in awards_that_hold(card, {"age": 50.0, "town": "here and there"}, "high")] == [3, 3, 1]
    assert [a.points for a in awards_that_hold(card, {"age": 30.0, "town": "there"}, "high")] == [1]
    assert [a.points for a in awards_that_hold(card, {"age": None, "town": "here and there"}, "high")] == [1, 3, 1]
    assert [a.points for a in awards_that_hold(card, {"age": None, "town": "unless"}, "high")] == [1, 3]
    assert [a.points for a in awards_that_hold(card, {"age": None, "A b": "x"}, "low")] == [-1, 1, 3, 1, 2]


def test_probabilities_and_bands():
    card = Card("low", (), 1.0, 0.0, (Band(0, 3, 10, 1), Band(5, 8, 10, 9)))
    assert card.probability(0) == 0.5
    assert card.probability(10**6) == 1.0
    assert card.probability(-(10**6)) < 1e-300
    assert [card.band(n).low for n in (-7, 3, 4, 99)] == [0, 0, 5, 5]
    assert Card("low", (), 1.0, 0.0).band(3) is None


def test_between_two_bands_the_nearest_is_named():
    """Of bands from 0 to 2 and from 6 to 15 the second was called the nearest to 3 points."""
    card = Card("low", (), 1.0, 0.0, (Band(0, 2, 640, 1), Band(6, 15, 120, 102)))
    assert [card.band(n).low for n in (2, 3, 4, 5, 6)] == [0, 0, 6, 6, 6]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("%@ grade 'low' points 3 if town > 40.0", "categorical"),
        ("%@ grade 'low' points 3 if ages > 40.0", "ages"),
        ("%@ grade 'low' points 0 if decided", "other than 0"),
        ("%@ grade 'low' points 3 if town like 'x'", "not a condition of a grade"),
        ("%@ grade 'low' points 3 if age > 1.0 and decided", "not a condition of a grade"),
        ("%@ grade 'low' points 3 if age > 1.0 and town = 'x' and age is blank", "not a condition of a grade"),
        ("%@ grade 'low' points 3 if age > 1.0 and ages > 2.0", "ages"),
        ("%@ grade 'low' points 3 if age > 1.0 and town > 2.0", "categorical"),
        ("%@ grade 'new' curve 1.0 2.0", "3 labels need 3"),
        ("%@ grade 'low' curve 1.0", "cannot be read"),
        ("%@ grade hello", "cannot be read"),
        ("%@ grade 'high' points 3 if decided", "has no curve"),
        ("%@ grade 'high' curve 1.0 1.0", "2 labels need 1"),
    ],
)
def test_what_cannot_be_read_is_said(line, problem):
    with pytest.raises(UnlessError, match=problem):
        parse(TEXT + line + "\n")


def test_a_grade_written_by_hand_needs_no_mark():
    """It came back from its own text as a line `grade of` that could not be read."""
    program = parse(
        "%@ unless 1\n%@ target loan: 'late' else 'fine'\n%@ numerical age\n"
        "loan(X,'late') :- age(X,N1), N1 > 40.0.\n%@ grade 'late' curve 0.5 -2.0\n%@ grade 'late' points 3 if decided\n"
    )
    assert parse(str(program)) == program
    assert not program.has_old_grade


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [("clauses", [5], "where another of these is due"), ("target", None, "where another of these is due")],
)
def test_json_of_another_shape_is_refused_in_plain_words(field, value, said):
    """It was said that a str object has no attribute."""
    whole = json.loads(program_json(parse("t(X,'a') :- age(X,N), N > 3.0.")))
    with pytest.raises(UnlessError, match=said):
        read_program_json(json.dumps(whole | {field: value}))
    del whole[field]
    with pytest.raises(UnlessError, match=f"a field '{field}' is missing"):
        read_program_json(json.dumps(whole))
