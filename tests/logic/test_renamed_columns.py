"""A program under the names of another: it decides, grades and explains as before."""

from dataclasses import replace

import pytest

from export_programs import graded_two
from unless.evaluate.compare import compare
from unless.evaluate.difference_counts import difference_on
from unless.learn.front import learn, table_task
from unless.learn.learners import UnlessSettings
from unless.logic.reason.difference import difference
from unless.logic.reason.properties import read_property
from unless.logic.renamed_columns import called_like
from unless.logic.text.files import save
from unless.logic.text.parser import parse

TEXT = """\
%@ unless 1
%@ target ok: 'yes' else 'no'
%@ categorical town, w = 'day weekday'
%@ numerical income
%@ read w: 'weekday of day as dd.mm.yyyy'
%@ forbid town
%@ apart income, w
%@ monotonic income=+1
#pred income(X_,V_) :: "@(X_) earns @(V_)".
ok(X,'yes') :- income(X,N), N > 30.0, not ab1(X).
ab1(X) :- w(X,'Monday').
%@ grade 'yes' curve 0.5 -1.0
%@ grade 'yes' points 2 if income > 30.0
%@ grade 'yes' points 1 if income is blank
%@ grade 'yes' points -1 if income > 50.0 and w in 'Monday', 'Sunday'
%@ grade 'yes' points 3 if decided
"""


def spelled(text):
    """Write the same program from another header."""
    header = {
        "target ok:": "target ok = 'OK ':",
        "categorical town": "categorical town = ' Town'",
        "numerical income": "numerical income = 'income\u00a0'",
        "weekday of day as": "weekday of Day as",
    }
    for old, new in header.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def test_every_part_of_a_program_is_renamed():
    here, there = parse(TEXT), parse(spelled(TEXT))
    assert here != there
    assert called_like(there, here) == here
    assert called_like(here, there) == there
    assert called_like(here, here) is here


def test_a_grade_stays_that_of_the_program():
    marked = parse(TEXT)
    marked = replace(marked, grade=replace(marked.grade, mark=marked.mark))
    renamed = called_like(marked, parse(spelled(TEXT)))
    assert not renamed.has_old_grade
    old = replace(marked, grade=replace(marked.grade, mark="0123456789ab"))
    assert called_like(old, parse(spelled(TEXT))).has_old_grade
    graded = graded_two()
    assert called_like(graded, graded) is graded


def test_programs_from_two_headers_are_compared_and_proved_equal(tmp_path):
    """They were said to predict different columns."""
    here, there = parse(TEXT), parse(spelled(TEXT))
    rows = [{"income": 40, "day": "02.01.2023", "ok": "no"}, {"income": 40, "day": "03.01.2023", "ok": "yes"}]
    assert difference(there, here).verdict == "no"
    assert difference_on(there, here, rows).verdict == "no"
    assert not compare(there, here, rows).flips
    changed = parse(TEXT.replace("'Monday').", "'Friday')."))
    assert [flip.row for flip in compare(there, changed, rows).flips] == [0]
    save(there, tmp_path / "other.lp")
    assert read_property("same as other.lp", here, tmp_path).counterexample().verdict == "no"


@pytest.mark.parametrize("name", ["age", "Age\u00a0"])
def test_rules_to_keep_may_come_from_another_header(name):
    """A column was said not to be in the program."""
    kept = f"%@ unless 1\n%@ target y: 'b' else 'a'\n%@ numerical age = '{name}'\ny(X,'b') :- age(X,N), N > 15.0.\n"
    rows = [{"age": n % 40, "other": n % 7} for n in range(80)]
    labels = ["b" if row["age"] > 20 else "a" for row in rows]
    program = learn(table_task(rows, labels), UnlessSettings(locked=kept)).program
    assert any(literal.value == 15.0 for clause in program.clauses for literal in clause.literals)
    assert {literal.column for clause in program.clauses for literal in clause.literals} <= {"age", "other"}
