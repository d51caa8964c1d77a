"""A program as JSON reads back equal, and what is no program is refused in a sentence."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from export_programs import PROGRAMS
from random_programs import AWKWARD, TRICKY, programs
from unless.errors import DataError, UnlessError
from unless.logic.templates import Template
from unless.logic.terms import Variable
from unless.logic.text.files import load
from unless.logic.text.json_program import program_json, read_program_json
from unless.logic.text.parser import parse
from unless.logic.unseen_rows import Unseen


@given(programs(AWKWARD) | programs(TRICKY))
def test_reads_back_equal(program):
    again = read_program_json(program_json(program))
    assert again == program
    assert str(again) == str(program)


@pytest.mark.parametrize("name", PROGRAMS)
def test_grades_and_labels_read_back(name, tmp_path):
    (tmp_path / "program.json").write_text(program_json(PROGRAMS[name]), encoding="utf-8")
    again = load(tmp_path / "program.json")
    assert again == PROGRAMS[name]
    assert [type(label) for label in again.target.labels] == [type(x) for x in PROGRAMS[name].target.labels]


def test_everything_else_reads_back():
    program = parse(
        "%@ target t: 'a' else 'b'\n%@ numerical n\n%@ values n: 1, 2\n%@ read n: '1.234,56'\n"
        "t(X,'a') :- n(X,N), N > 1."
    )
    template = Template("column", "n", True, (Variable("P_"), Variable("V_")), "no n of @(P_)")
    whole = type(program)(
        program.target,
        program.columns,
        program.clauses,
        ("?",),
        (template,),
        None,
        Unseen(10, 8, 5, "b", 6, 0.5, "abcd"),
    )
    assert read_program_json(program_json(whole)) == whole


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda whole: whole.pop("target"), "no whole program"),
        (lambda whole: whole.update(version=2), "version 1"),
        (lambda whole: whole["clauses"][0].update(unless="x"), "not known"),
        (lambda whole: whole["clauses"][0]["body"][0].update(column="nobody"), "nobody"),
        (lambda whole: whole["columns"][0].update(kind="date"), "numerical, categorical"),
        (lambda whole: whole.update(clauses=3), "no whole program"),
    ],
)
def test_what_is_no_program_is_refused(change, said):
    whole = json.loads(program_json(PROGRAMS["mixed"]))
    change(whole)
    with pytest.raises(UnlessError, match=said):
        read_program_json(json.dumps(whole))
    with pytest.raises(UnlessError, match="no JSON"):
        read_program_json("{")


@pytest.mark.parametrize(
    "text",
    ['{"a":' * 100_000 + "1" + "}" * 100_000, '{"format": ' + "9" * 10_000 + "}"],
    ids=["brackets", "digits"],
)
def test_json_that_no_program_holds_is_refused(text):
    with pytest.raises(DataError, match="no program does"):
        read_program_json(text)


@pytest.mark.parametrize("name", [5, 1.5, None, ["a"]])
def test_names_that_are_no_words_are_refused(name):
    data = json.loads(program_json(parse("%@ target y: 'a' else 'b'\n%@ categorical z\ny(X,'a') :- z(X,'q').\n")))
    data["target"]["column"] = name
    with pytest.raises(DataError):
        read_program_json(json.dumps(data))


BLANK = {"column": "n", "blank": True}


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ({"both": []}, "accepted: two"),
        ({"both": [BLANK]}, "accepted: two"),
        ({"both": [BLANK, BLANK, BLANK]}, "accepted: two"),
        ({"both": 5}, "no whole program"),
        ({"both": [BLANK, {"decided": True}]}, "not known"),
        ({"both": [BLANK, BLANK], "column": "n"}, "'column' that is not known"),
        ({"both": [BLANK, {**BLANK, "op": ">"}]}, "'op' that is not known"),
        ({"column": "n", "in": ["a"], "negated": False, "value": "b"}, "'value' that is not known"),
        ({"decided": True, "column": "n"}, "'column' that is not known"),
    ],
)
def test_a_line_of_a_grade_loses_no_condition(condition, said):
    program = parse(
        "%@ target t: 'a' else 'b'\n%@ numerical n\n%@ grade 'a' curve 0.5 -1.0\n"
        "%@ grade 'a' points 2 if n > 1.0 and n is blank\n"
    )
    whole = json.loads(program_json(program))
    assert read_program_json(json.dumps(whole)) == program
    whole["grade"]["cards"][0]["awards"][0]["if"] = condition
    with pytest.raises(DataError, match=said):
        read_program_json(json.dumps(whole))
