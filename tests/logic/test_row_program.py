"""Programs made ready for single rows decide as the definition of truth does, and their grades as whole columns do."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_programs import AWKWARD, programs, raw_rows, words
from unless.errors import DataError
from unless.evaluate.probabilities import agreeing, probabilities
from unless.logic.grade import Award, Blank, Both, Card, Decided, Grade
from unless.logic.graded import agreeing_line, graded_labels
from unless.logic.holds import decide, read_row
from unless.logic.program import label_text
from unless.logic.reason.deciding import deciding_rule
from unless.logic.row_program import RowProgram
from unless.logic.rules import OneOf
from unless.logic.text.parser import parse


@st.composite
def graded_programs(draw):
    """Draw a program with a grade made of its own tests, blanks, sets of words, and its own decision."""
    program = draw(programs(AWKWARD, at_least=1))
    tested = [literal for clause in program.clauses for literal in clause.literals]
    columns = [column.name for column in program.columns]
    cells = st.one_of(
        st.builds(Blank, st.sampled_from(columns)),
        st.builds(OneOf, st.sampled_from(columns), st.lists(words, min_size=1, max_size=3).map(tuple), st.booleans()),
        *([st.sampled_from(tested)] if tested else []),
    )
    conditions = st.one_of(st.just(Decided()), cells, st.builds(Both, cells, cells))
    awards = st.lists(st.builds(Award, st.sampled_from((-3, -1, 1, 2, 7)), conditions), max_size=5).map(tuple)
    labels = list({label_text(label): label for label in (*program.target.labels, program.target.default)}.values())
    shown = labels[:1] if len(labels) == 2 else labels
    cards = tuple(Card(label, draw(awards), draw(st.floats(-2, 2)), draw(st.floats(-3, 3)), ()) for label in shown)
    return replace(program, grade=Grade("", cards))


with_rows = graded_programs().flatmap(
    lambda program: st.tuples(st.just(program), st.lists(raw_rows(program.columns), min_size=1, max_size=4))
)


@given(with_rows)
def test_label_rule_and_probabilities_are_those_of_the_definitions(drawn):
    program, rows = drawn
    ready = RowProgram(program)
    names = [column.name for column in program.columns]
    together = probabilities(program, {name: [row.get(name) for row in rows] for name in names}).tolist()
    for row, line in zip(rows, together, strict=True):
        values = read_row(program, row)
        found = ready.decide(ready.read(row))
        assert (found.label, type(found.label)) == (decide(program, values), type(decide(program, values)))
        if any(found.label == label for label in program.target.labels) and found.rule and "." not in found.rule:
            assert found.rule == deciding_rule(program, values)
        else:
            assert deciding_rule(program, values) == ""
        assert found.probabilities == line
        assert len(line) == len(graded_labels(program))


@given(st.lists(st.floats(0, 1), min_size=3, max_size=20), st.data())
def test_many_labels_are_added_up_in_one_order(raw, data):
    """Arrays add up eight and more numbers in another order: one row alone differed in the last digit."""
    import numpy as np

    decided = data.draw(st.integers(0, len(raw) - 1))
    assert agreeing_line(raw, decided) == agreeing(np.array([raw]), np.array([decided]))[0].tolist()


BIRDS = parse(
    "%@ unless 1\n%@ target flies: 'yes' else 'no'\n%@ categorical bird, name\n%@ numerical age\n"
    "flies(X,'yes') :- bird(X,'yes'), not ab1(X).\nab1(X) :- name(X,'penguin'), not ab2(X).\n"
    "ab2(X) :- age(X,N2), N2 > 100.0.\n"
)


@pytest.mark.parametrize(
    ("row", "label", "rule"),
    [
        ({"bird": "yes", "name": "robin"}, "yes", "1"),
        ({"bird": "yes", "name": "penguin", "age": 3}, "no", "1.1"),
        ({"bird": "yes", "name": "penguin", "age": "101"}, "yes", "1"),
        ({"bird": "no", "name": "penguin"}, "no", None),
    ],
)
def test_rules_are_counted_as_people_do(row, label, rule):
    ready = RowProgram(BIRDS)
    found = ready.decide(ready.read(row))
    assert (found.label, found.rule) == (label, rule)


def test_long_chains_of_exceptions_are_decided_without_recursion():
    n = 3000
    chain = "".join(f"ab{i}(X) :- bird(X,'yes'), not ab{i + 1}(X).\n" for i in range(1, n))
    program = parse(f"flies(X,'yes') :- bird(X,'yes'), not ab1(X).\n{chain}ab{n}(X) :- bird(X,'yes').\n")
    ready, row = RowProgram(program), {"bird": "yes"}
    assert ready.decide(ready.read(row)).label == decide(program, read_row(program, row))


@pytest.mark.parametrize("cell", [10**400, float("inf"), -float("inf"), "1e400", [1], {"a": 1}])
def test_cells_that_are_no_values_are_refused(cell):
    with pytest.raises(DataError, match="'age'"):
        RowProgram(BIRDS).read({"bird": "yes", "name": "x", "age": cell})


@pytest.mark.parametrize("cell", [-999, -999.0, "-999", "-999.0"])
def test_numbers_that_mean_missing_are_missing(cell):
    """A service that was sent -999 took it for a number, and for missing where it was sent "-999"."""
    header = "%@ target late: 'yes' else 'no'\n%@ numerical age\n%@ missing '-999'\n"
    program = parse(f"{header}late(X,'yes') :- age(X,N), N =< 5.")
    ready = RowProgram(program)
    assert ready.read({"age": cell}) == [None]
    assert ready.decide(ready.read({"age": cell})).label == decide(program, read_row(program, {"age": cell})) == "no"
