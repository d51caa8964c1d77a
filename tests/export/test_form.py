"""The form that exports are printed from says what the program says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from export_programs import graded, graded_two, weighed
from naive_forms import evaluate_form
from random_programs import AWKWARD, DENSE, TRICKY, programs, raw_rows
from unless.errors import DataError
from unless.evaluate.row_risk import row_risk
from unless.export.from_program import decision_form
from unless.export.two_valued import Compared, Equal, IsNumber, IsWord, walk
from unless.export.vectors import mixed_vectors, text_vectors, typed_vectors
from unless.logic.holds import decide, read_row
from unless.logic.program import same_label
from unless.logic.reason.deciding import deciding_rule
from unless.logic.text.parser import parse

some_programs = programs(AWKWARD) | programs(TRICKY) | programs(DENSE)


def check(program, row):
    form = decision_form(program)
    try:
        values = read_row(program, row)
    except DataError:
        with pytest.raises(DataError):
            evaluate_form(form, {name: cell for name, cell in row.items() if cell is not None})
        return
    found = evaluate_form(form, row)
    assert same_label(found.label, decide(program, values))
    assert found.rule == deciding_rule(program, values)
    risk = row_risk(program, values)
    assert found.probability == (None if risk is None else risk.probability)


@given(st.data(), some_programs)
def test_form_decides_as_the_program_does(data, program):
    used = [column for column in program.columns if column.name in program.used_columns]
    check(program, data.draw(raw_rows(used)))


@given(some_programs)
def test_vectors_are_decided_alike(program):
    for make in (text_vectors, typed_vectors, mixed_vectors):
        for row in list(make(program, 60).as_dicts()):
            check(program, row)


@given(some_programs)
def test_every_comparison_has_its_guard(program):
    form = decision_form(program)
    for test in form.all_tests():
        for part in walk(test):
            inner = getattr(part, "tests", ())
            for asked, guard in ((Compared, IsNumber), (Equal, IsWord)):
                for one in inner:
                    assert not isinstance(one, asked) or guard(one.column) in inner


def test_all_pairs_of_cells_meet():
    program = parse("%@ categorical c, d\n%@ numerical n\nt(X,'a') :- c(X,'x'), d(X,'y'), n(X,N), N =< 3.")
    for make in (text_vectors, typed_vectors, mixed_vectors):
        vectors = make(program, 100_000)
        lists = [{repr(row[i]) for row in vectors.rows} for i in range(3)]
        for i, j in ((0, 1), (0, 2), (1, 2)):
            pairs = {(repr(row[i]), repr(row[j])) for row in vectors.rows[:20_000]}
            assert len(pairs) == len(lists[i]) * len(lists[j])


@pytest.mark.parametrize("to", ["python", "javascript", "sql:sqlite", "sql:duckdb", "prolog", "clingo", "pmml"])
def test_a_file_says_that_its_grade_is_of_the_program_before_an_edit(to):
    """The command said so, and the file that went into production did not; Prolog, clingo and PMML were the last."""
    program = weighed()
    edited = replace(program, grade=replace(program.grade, mark="0123456789ab"))
    old = "by the grade of the program before it was edited"
    assert [old in each.export(to) for each in (graded_two(), program, edited)] == [False, False, True]
    assert "weighed in learning" in edited.export(to)


def test_a_clingo_file_without_probabilities_does_not_say_what_they_are():
    edited = replace(graded(), grade=replace(graded().grade, mark="0123456789ab"))
    assert "the program before it was edited" in edited.export("prolog")
    assert "the program before it was edited" not in edited.export("clingo")


@pytest.mark.parametrize("to", ["clingo", "sql:sqlite", "sql:duckdb"])
def test_a_word_that_an_engine_cannot_hold_is_refused(to):
    """A NUL went into a file that clingo does not read."""
    program = parse("%@ target t: 'a' else 'b'\n%@ categorical c\nt(X,'a') :- c(X,'x\\x0\\y').")
    assert "x\0y" in decision_form(program).words["c"]
    with pytest.raises(DataError, match="holds a NUL, which a text in"):
        program.export(to)
