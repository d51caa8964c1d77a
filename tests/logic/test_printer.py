"""A program becomes text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from program_texts import CASES, without_remarks
from random_programs import learned_programs, programs
from strategies import numbers, words
from unless import parse
from unless.logic.text.printer import clause_lines, header_lines, number_text, quote
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
