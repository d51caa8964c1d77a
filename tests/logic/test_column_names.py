"""Names of columns are matched as people mean them, each at most once, and refused where two could be meant."""

import logging
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unless.errors import DataError
from unless.logic.column_names import (
    caseless,
    found_keys,
    found_name,
    matched,
    names_note,
    no_column,
    resolved_name,
    sought_names,
    tidy,
)
from unless.logic.text.parser import parse

NAMES = st.lists(st.text(" \u00a0\ufeffaAbé", max_size=4), max_size=5)
"""Few letters, so that names are often alike."""


@pytest.mark.parametrize(
    "written",
    [
        "income ",
        " income",
        "\ufeffincome",
        "income\u00a0",
        "\u2009income\u202f",
        "income\n",
        "in\u200bcome",
        "\tincome",
    ],
)
def test_what_nobody_sees_does_not_matter(written):
    assert matched([written], ["age", "income"]) == {written: "income"}
    assert matched(["income"], ["age", written]) == {"income": written}


def test_blanks_within_are_one_blank_and_none_is_not_one():
    assert matched(["paid  in\u00a0cash"], ["paid in cash"]) == {"paid  in\u00a0cash": "paid in cash"}
    assert matched(["paid\nin"], ["paid in"]) == {"paid\nin": "paid in"}
    assert matched(["paidin"], ["paid in"]) == {}


def test_the_form_of_unicode_does_not_matter_but_letters_do():
    composed, apart = (unicodedata.normalize(form, "Größe") for form in ("NFC", "NFD"))
    assert composed != apart
    assert matched([apart], [composed]) == {apart: composed}
    assert matched(["m²"], ["m2"]) == {}
    assert matched(["Grosse"], [composed]) == {}


def test_case_matters_less_than_all_else():
    assert matched(["income"], ["Income"]) == {"income": "Income"}
    assert matched(["income "], ["Income", "income"]) == {"income ": "income"}
    assert matched(["STRASSE"], ["Straße"]) == {"STRASSE": "Straße"}


def test_a_column_is_taken_once():
    """A program that tells x from X must not see one column of a table as both."""
    assert matched(["x", "X"], ["x"]) == {"x": "x"}
    assert matched(["x ", " x"], ["x"]) == {}
    assert matched(["x", "X", "y"], ["X ", "x ", "Y"]) == {"x": "x ", "X": "X ", "y": "Y"}


@given(NAMES, NAMES)
def test_matching_is_of_alike_names_one_to_one_and_exact_first(wanted, known):
    found = matched(wanted, known)
    assert len({*found.values()}) == len(found)
    assert all(caseless(name) == caseless(called) for name, called in found.items())
    assert {*found} <= {*wanted}
    assert {*found.values()} <= {*known}
    assert all(found[name] == name for name in wanted if name in known)
    again = matched([found.get(name, name) for name in wanted], known)
    assert {*found.values()} <= {*again.values()}


@given(st.text(max_size=20))
def test_tidying_twice_is_tidying_once(name):
    assert tidy(tidy(name)) == tidy(name)
    assert caseless(caseless(name)) == caseless(name)


def test_two_that_could_be_meant_are_refused_in_a_sentence():
    with pytest.raises(DataError) as refused:
        found_name("income", ["income ", " income", "age"])
    assert str(refused.value) == (
        "column 'income' is not in the table, and 'income ', ' income' differ from it only in blanks, invisible "
        "characters or case. Hint: give all but one of them another name."
    )
    assert resolved_name("income", ["income ", " income"]) == "income"


def test_what_is_not_there_is_refused_with_what_there_is():
    said = no_column("debt", ["age ", "", "line\nbreak", "depth"], "the program")
    assert said == (
        r"column 'debt' is not in the program; columns: 'age ', '', 'line\nbreak', depth. Did you mean 'depth'?"
    )


def test_what_is_written_otherwise_is_said(caplog):
    with caplog.at_level(logging.WARNING, "unless"):
        assert found_name("age", ["age"]) == "age"
        assert found_keys({"Age ": 1}, ["age"]) == {"age": 1}
    assert caplog.messages == ["there is no column 'Age '; 'age' is taken for it."]


def test_one_note_names_all_columns_that_are_called_otherwise():
    assert names_note({"age": "age"}) == ()
    assert names_note({"age": "age", "b ": "b"}) == ("column %r of the program is called %r here.", "b ", "b")
    sentence, listed = names_note({"b ": "b", "c": "C"})
    assert sentence % listed == "columns of the program are called otherwise here: 'b ' = 'b', 'c' = 'C'."


def test_a_program_looks_for_its_columns_their_dates_and_its_labels():
    program = parse(
        "%@ unless 1\n%@ target ok: 'a' else 'b'\n%@ categorical town, d = 'day weekday'\n"
        "%@ read d: 'weekday of day as dd.mm.yyyy'\nok(X,'a') :- town(X,'Rome').\n"
    )
    assert sought_names(program) == ("town", "day weekday", "day", "ok")
