"""A program becomes text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from program_texts import CASES, without_remarks
from random_programs import learned_programs, programs
from strategies import numbers, words
from unless import UnlessError, parse
from unless.logic.text.constants import number_text, quote
from unless.logic.text.printer import clause_lines, header_lines
from unless.logic.text.syntax import unquote


@pytest.mark.parametrize("case", CASES)
def test_text_of_a_program(case):
    program, text = CASES[case]
    assert without_remarks(str(program)) == text


@given(programs())
@settings(max_examples=100)
def test_text_reads_back_as_the_program(program):
    text = str(program)
    again = parse(text)
    assert again == program
    assert str(again) == text


@given(learned_programs())
def test_text_of_learned_rules_reads_back(case):
    assert parse(str(case[1])) == case[1]


@given(programs())
def test_a_clause_begins_a_line_and_goes_on_further_in(program):
    lines = str(program).split("\n")
    clauses = [line for line in without_remarks(str(program)).split("\n") if line and line[0] not in "% "]
    assert len(clauses) == len(program.clauses)
    assert len(str(program).splitlines()) == len(lines) - 1  # no other line ends hide in words


@given(programs())
def test_one_clause_a_line_where_lines_are_asked_for(program):
    assert len(list(clause_lines(program))) == len(program.clauses)


ORDERED = """\
kind(X,'a') :- first(X).
first(X) :- word(X,'1').
kind(X,'b') :- second(X), not first(X).
second(X) :- word(X,'2').
second(X) :- other(X,'2').
"""
DEFAULT = """
% No rule decides:
kind(X,'c') :- not some_rule_decides(X).
some_rule_decides(X) :- first(X).
some_rule_decides(X) :- second(X).
"""


def test_default_of_two_labels_is_a_clause_and_no_part_of_the_program():
    program = parse(f"%@ target kind: 'a', 'b' else 'c'\n%@ categorical word, other\n{ORDERED}")
    assert str(program).endswith(DEFAULT)
    assert parse(str(program)) == program
    assert parse(ORDERED + DEFAULT).target == program.target  # without a header, the clause tells the default


def test_default_of_one_label_is_not_written():
    assert "decides" not in str(parse("kind(X,'a') :- word(X,'1')."))


def test_rules_without_an_order_are_denied_as_they_are():
    """Each of two rules that deny each other may fail where both helpers hold: their helpers decide nothing."""
    text = "kind(X,'a') :- p(X), not q(X). kind(X,'b') :- q(X), not p(X). p(X) :- v(X,'1'). q(X) :- w(X,'1')."
    written = str(parse(text))
    assert "some_rule_decides(X) :- p(X), not q(X).\nsome_rule_decides(X) :- q(X), not p(X).\n" in written


def test_name_of_the_defaults_helper_is_not_free():
    with pytest.raises(UnlessError, match="no clause defines it"):
        parse("kind(X,'a') :- word(X,'1'), not some_rule_decides(X).")


@given(words)
def test_quoted_words_read_back(word):
    assert unquote(quote(word)) == word
    assert "\n" not in quote(word)


@given(numbers)
def test_numbers_read_back(number):
    assert float(number_text(number)) == number


def test_long_headers_are_wrapped():
    program = parse("%@ target t: 'y' else 'n'\n%@ categorical " + ", ".join(f"column{i}" for i in range(100)))
    lines = list(header_lines(program))
    assert len(lines) > 5
    assert max(map(len, lines)) <= 120
    assert parse(str(program)) == program
