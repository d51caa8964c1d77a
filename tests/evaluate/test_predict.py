"""The fast predictor is the definition of truth, row by row."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_programs import learned_programs, programs, rows_for
from unless import Program, parse
from unless.errors import DataError
from unless.evaluate.predict import predict, present_cells, row_values
from unless.evaluate.probabilities import probabilities
from unless.logic.holds import decide, read_row
from unless.logic.program import same_label
from unless.table.frames import raw_table

TEXT = """\
%@ unless 1
%@ target loan: 'yes' else 'no'
%@ categorical word
%@ numerical age
%@ missing '?'
loan(X,'yes') :- age(X,N1), N1 > 3.0, not ab1(X).
loan(X,'yes') :- age_is(X,'old'), not word(X,'b').
ab1(X) :- word(X,'b').
"""


@given(programs() | learned_programs().map(lambda case: case[1]), st.data())
@settings(max_examples=60)
def test_predict_is_decide_on_every_row(program: Program, data):
    tested = [literal for clause in program.clauses for literal in clause.literals]
    rows = data.draw(st.lists(rows_for(program.columns, tested), min_size=1, max_size=6))
    rows = [{column.name: row[column.name] for column in program.columns} for row in rows]
    told = predict(program, rows)
    expected = [decide(program, read_row(program, row)) for row in rows]
    assert all(same_label(one, other) for one, other in zip(told, expected, strict=True))
    read = present_cells(raw_table(rows), program)
    assert [row_values(read, i) for i in range(len(rows))] == [read_row(program, row) for row in rows]


@pytest.mark.parametrize(
    ("row", "label"),
    [
        ({"age": 4, "word": "a"}, "yes"),
        ({"age": "4", "word": None}, "yes"),
        ({"age": 4, "word": "b"}, "no"),
        ({"age": 3, "word": "a"}, "no"),
        ({"age": "old", "word": "a"}, "yes"),
        ({"age": "old", "word": "b"}, "no"),
        ({"age": "new", "word": "a"}, "no"),
        ({"age": None, "word": "a"}, "no"),
        ({"age": "?", "word": "?"}, "no"),
        ({"age": 4, "word": "never seen"}, "yes"),
    ],
)
def test_rows_by_hand(row, label):
    program = parse(TEXT)
    assert predict(program, [row]) == [label]
    assert decide(program, read_row(program, row)) == label


def test_columns_in_any_order_and_others_do_not_matter():
    program = parse(TEXT)
    table = pl.DataFrame({"other": [1, 2], "word": ["a", "b"], "age": [4, 4]})
    assert predict(program, table) == predict(program, table.select("age", "word")) == ["yes", "no"]


def test_an_absent_column_is_refused_by_name():
    with pytest.raises(DataError) as caught:
        predict(parse(TEXT), pl.DataFrame({"wrod": ["a"], "age": [4]}))
    assert "the program tests a column that is absent: column 'word' is not in the table; columns: wrod, age." in str(
        caught.value
    )
    assert "Did you mean 'wrod'?" in str(caught.value)


def test_an_absent_column_that_only_the_grade_tests_is_said_to_be_so():
    """It was said that the program tests it, though labels can do without."""
    grade = "%@ grade 'yes' curve 1.0 0.0\n%@ grade 'yes' points 1 if town = 'a'\n"
    program = parse(TEXT.replace("categorical word", "categorical word, town") + grade)
    table = pl.DataFrame({"word": ["a"], "age": [4]})
    assert predict(program, table) == ["yes"]
    with pytest.raises(DataError, match="the grade, which gives probabilities, tests a column that is absent: column"):
        probabilities(program, table)


def test_a_column_that_no_clause_tests_may_be_absent():
    program = parse("%@ target t: 'y' else 'n'\n%@ categorical a, b\nt(X,'y') :- a(X,'1').")
    assert predict(program, [{"a": "1"}, {"a": "2"}]) == ["y", "n"]


def test_the_first_label_wins_when_several_hold():
    text = "%@ target t: 'x', 'y' else 'z'\n%@ categorical a, b\nt(X,'y') :- a(X,'1').\nt(X,'x') :- b(X,'1')."
    rows = [{"a": a, "b": b} for a in "01" for b in "01"]
    program = parse(text)
    assert predict(program, rows) == ["z", "x", "y", "x"] == [decide(program, row) for row in rows]


def test_no_rows_give_no_labels():
    assert predict(parse(TEXT), pl.DataFrame(schema={"word": pl.String, "age": pl.Float64})) == []
