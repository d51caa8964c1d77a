"""Constraints of a program: their lines in the model file, in JSON, and what is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_programs import AWKWARD, TRICKY, programs
from unless import UnlessError, parse
from unless.errors import ProgramError
from unless.logic.edit import add_clauses
from unless.logic.edits.whole_rules import switch_off, switch_on
from unless.logic.kept_constraints import Constraints
from unless.logic.program import Target, label_texts
from unless.logic.text.json_program import program_json, read_program_json

TEXT = """\
%@ unless 1
%@ target income: 'low' else 'high'
%@ categorical town, sex
%@ numerical age, debt_ratio = 'Debt ratio'
%@ forbid sex
%@ apart town, age
%@ apart town, debt_ratio
%@ monotonic age=-1, debt_ratio=+1

% 1. low, if age at most 27.
income(X,'low') :- age(X,N2), N2 =< 27.0.
"""
WITHOUT = "".join(line + "\n" for line in TEXT.splitlines() if not line.startswith(("%@ f", "%@ a", "%@ m")))


def test_constraints_come_back_to_the_letter():
    program = parse(TEXT)
    assert str(program) == TEXT
    assert program.constraints == Constraints(
        ("sex",), (("town", "age"), ("town", "Debt ratio")), (("age", -1), ("Debt ratio", 1))
    )
    assert read_program_json(program_json(program)) == program


def test_a_program_without_constraints_has_no_trace_of_them():
    program = parse(WITHOUT)
    assert str(program) == WITHOUT
    assert "constraints" not in json.loads(program_json(program))
    assert program.mark == parse(TEXT).mark  # they are no part of what decides


@given(st.data(), programs(AWKWARD) | programs(TRICKY))
def test_any_constraints_read_back_equal(data, program):
    names = st.sampled_from([column.name for column in program.columns])
    two = len(label_texts(program.target, program.grade)) < 3
    numerical = [column.name for column in program.columns if column.kind == "numerical" and two]
    ways = {name: data.draw(st.sampled_from([1, -1])) for name in data.draw(st.permutations(numerical))}
    forbidden = tuple(data.draw(st.lists(names, max_size=4)))
    apart = tuple(data.draw(st.lists(st.tuples(names, names), max_size=4)))
    program = replace(program, constraints=Constraints(forbidden, apart, tuple(ways.items())))
    assert {*program.constraints.forbidden} == {*forbidden}
    assert {frozenset(pair) for pair in program.constraints.apart} == {frozenset(pair) for pair in apart}
    assert parse(str(program)) == program
    assert read_program_json(program_json(program)) == program


def test_the_order_in_which_they_are_given_does_not_matter():
    lines = [line for line in TEXT.splitlines() if line.startswith(("%@ f", "%@ a", "%@ m"))]
    head, body = WITHOUT.split("\n\n")
    turned = [*reversed(lines), "%@ apart age, town", "%@ forbid sex", "%@ monotonic 'age' = -1\r"]
    assert str(parse("\n".join([head, *turned, body]))) == TEXT


def test_edits_keep_them():
    program = parse(TEXT)
    off, kept = switch_off(program, "1")
    added = add_clauses(program, "income(X,'low') :- town(X,'here').")
    assert off.constraints == switch_on(off, kept).constraints == added.constraints == program.constraints


def test_columns_may_be_called_as_constraints_are():
    text = "forbid(X,'a') :- apart(X,'b'), monotonic(X,N), N > 1.0."
    assert {column.name for column in parse(text).columns} == {"apart", "monotonic"}
    assert parse("%@ forbid apart\n" + text).constraints.forbidden == ("apart",)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("forbid sx", "column 'sx' is not in the program; .* Did you mean 'sex'"),
        ("apart age, salary", "column 'salary' is not in the program"),
        ("monotonic salary=+1", "column 'salary' is not in the program"),
        ("monotonic town=+1", "column 'town' is categorical and has no direction"),
        ("monotonic age=+1", "column 'age' has both directions"),
        ("monotonic age", "cannot be read"),
        ("monotonic age=2", "cannot be read"),
        ("apart age", "cannot be read"),
        ("apart age, town, sex", "cannot be read"),
        ("forbid age=+1", "cannot be read"),
        ("forbid age town", "cannot be read"),
        ("forbid", "cannot be read"),
    ],
)
def test_a_line_that_means_nothing_is_refused_with_its_number(line, said):
    at = TEXT.index("\n\n") + 1
    with pytest.raises(UnlessError, match=f"(?s)line 9, .*{said}.*%@ {re.escape(line)}"):
        parse(f"{TEXT[:at]}%@ {line}\n{TEXT[at:]}")


GRADED = "\n%@ grade 'low' curve 1.0 0.0\n%@ grade 'high' curve 1.0 0.0\n%@ grade 'middling' curve 1.0 0.0\n"


@pytest.mark.parametrize("text", [TEXT.replace("'low' else", "'low', 'middling' else"), TEXT + GRADED])
def test_a_direction_in_a_program_of_three_labels_is_refused_with_its_line(text):
    """It was read, and grading then refused an option that nobody had typed."""
    said = "(?s)line 8, .*directions are for two labels, and the program has 3: .*'middling'.*%@ monotonic age=-1"
    with pytest.raises(UnlessError, match=said):
        parse(text)
    assert parse(text.replace("%@ monotonic age=-1, debt_ratio=+1\n", "")).constraints.forbidden == ("sex",)


def test_three_labels_have_no_directions():
    asked = Constraints(directions=(("age", 1),))
    with pytest.raises(
        ProgramError, match="directions are for two labels, and the program has 3: 'low', 'high', 'mid'"
    ):
        replace(parse(WITHOUT), target=Target("income", ("low", "high"), "mid"), constraints=asked)


@pytest.mark.parametrize(
    ("constraints", "said"),
    [
        (Constraints(("nobody",)), "in the constraints: column 'nobody' is not in the program"),
        (Constraints(apart=(("age",),)), "accepted: pairs of columns"),  # type: ignore[arg-type]
        (Constraints(directions=(("age", 1), ("age", -1))), "both directions"),
        (Constraints(directions=(("age", 2),)), "accepted: \\+1, -1"),
        (Constraints(directions=(("age", True),)), "accepted: \\+1, -1"),
        (Constraints(directions=(("town", 1),)), "categorical"),
    ],
)
def test_a_program_refuses_what_no_column_can_keep(constraints, said):
    with pytest.raises(ProgramError, match=said):
        replace(parse(WITHOUT), constraints=constraints)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"forbidden": ["sex"]}, "a field 'forbidden' that is not known"),
        ({"apart": ["age"]}, "accepted: pairs of columns"),
        ({"monotonic": {"age": 1.0}}, "accepted: \\+1, -1"),
        ({"forbid": 3}, "no whole program"),
        ([], "no whole program"),
    ],
)
def test_json_that_no_column_can_keep_is_refused(data, said):
    whole = json.loads(program_json(parse(WITHOUT)))
    with pytest.raises(UnlessError, match=said):
        read_program_json(json.dumps(whole | {"constraints": data}))
