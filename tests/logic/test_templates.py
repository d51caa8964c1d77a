"""Templates: read, written, refused, and used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_programs import AWKWARD_WORDS
from unless import UnlessError, load, parse, prove
from unless.explain.faces.plain_text import proof_english
from unless.logic.templates import MENTION, Template
from unless.logic.terms import Variable

ADULT = load(Path(__file__).parents[2] / "examples" / "adult.lp")
ROW = {"age": 18, "marital_status": "never-married", "education_num": 7, "capital_gain": 0, "capital_loss": 0}


def with_templates(*lines: str):
    return parse(str(ADULT) + "\n".join(lines))


@pytest.mark.parametrize(
    ("line", "template"),
    [
        (
            '#pred income(P_,V_) :: "the income of @(P_) is @(V_)".',
            Template("target", "income", False, (Variable("P_"), Variable("V_")), "the income of @(P_) is @(V_)"),
        ),
        ("#pred not ab4(P_) :: 'it''s {{P_}}'.", Template("helper", "ab4", True, (Variable("P_"),), "it's {{P_}}")),
        ("#pred not age(P_,V_) :: html([]).", Template("column", "age", True, (Variable("P_"), Variable("V_")), None)),
        ("#pred age_is(30,'grp_1 ') :: \"odd\".", Template("words", "age", False, (30.0, "grp_1"), "odd")),
        (
            '#pred A_ =< 27.0 :: "@(A_) is low".',
            Template("compared", "=<", False, (Variable("A_"), 27.0), "@(A_) is low"),
        ),
        (
            '#pred age(_,V_) :: "say \\"@(V_)\\"\\n".',
            Template("column", "age", False, (Variable("_"), Variable("V_")), 'say "@(V_)"\n'),
        ),
    ],
)
def test_templates_are_read_and_written(line, template):
    program = with_templates(line)
    assert program.templates == (template,)
    assert parse(str(program)) == program


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('#pred aeg(P_,V_) :: "a".', "Did you mean 'age'"),
        ('#pred ab44(P_) :: "a".', "ab44/1"),
        ('#pred age(P_,V_,W_) :: "a".', "age/3"),
        ('#pred age(P_,V_) :: "@(Q_)".', "mentions Q_"),
        ('#pred age(P_,V_) :: "@(V_) and @(V_)".', "uses V_ twice"),
        ('#pred age(V_,V_) :: "a".', "uses V_ twice"),
        ('#pred age(P_,V_) :: "about ~ that".', "~"),
        ("#pred marital_status(X,'X') :: \"a\".", "rename the variable"),
        ("#pred age(P_,V_) :: a.", "a text in double quotes"),
        ('#pred age(P_,V_) "a".', "'::'"),
        ('#pred age(P_,V_) :: "a', "unexpected"),
    ],
)
def test_templates_that_scasp_would_get_wrong_are_refused(line, problem):
    with pytest.raises(UnlessError) as caught:
        with_templates(line)
    assert problem in str(caught.value)


def test_a_template_of_a_renamed_column_follows_it():
    text = "%@ target t: 'y' else 'n'\n%@ numerical hpw = 'Hours per week'\nt(X,'y') :- hpw(X,N), N > 3.0.\n"
    program = parse(text + '#pred hpw(P_,V_) :: "@(P_) works @(V_) hours".')
    assert parse(str(program)) == program
    told = proof_english(prove(program, {"Hours per week": 40}, row_name="Ann"))
    assert "Ann works 40 hours (above 3)" in told


def test_templates_word_proofs_and_the_first_that_matches_counts():
    program = with_templates(
        '#pred income(P_,V_) :: "person @(P_) earns @(V_)".',
        "#pred not marital_status(P_,'married-civ-spouse') :: \"@(P_) has no civil spouse\".",
        '#pred not marital_status(P_,V_) :: "never used".',
        '#pred ab4(P_) :: "@(P_:person) gained a lot".',
        '#pred capital_gain(P_,V_) :: "the gain is @(V_)".',
        '#pred A_ =< B_ :: "@(A_) does not exceed @(B_)".',
        "#pred not ab5(P_) :: html([]).",
    )
    assert proof_english(prove(program, ROW, row_name=30), full=True, width=200).splitlines() == [
        "Row 30: person 30 earns =<50k, by rule 1, because",
        "    30 has no civil spouse, and",
        "    there is no evidence that the person 30 gained a lot,"
        " because the gain is 0, and 0 does not exceed 6,849, and",
        "    education num is 7 (not above 12).",
    ]
    assert proof_english(prove(program, ROW, row_name=30)).startswith(
        "Row 30: person 30 earns =<50k, by rule 1: 30 has no civil spouse."
    )
    assert "30 has no civil spouse" in str(prove(program, ROW, row_name=30))


def test_a_missing_value_is_said_even_where_its_template_hides_it():
    """s(CASP) shows "because" and nothing after it there."""
    program = with_templates("#pred not capital_gain(P_,V_) :: html([]).")
    assert "capital gain is blank" in proof_english(prove(program, {**ROW, "capital_gain": None}), full=True)


texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="~"), max_size=20).filter(
    lambda text: not MENTION.search(text)
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.sampled_from(AWKWARD_WORDS), texts), max_size=3))
def test_any_text_comes_back(parts):
    templates = tuple(Template("column", "occupation", no, (Variable("P_"), word), text) for no, word, text in parts)
    program = replace(ADULT, templates=templates)
    assert parse(str(program)) == program
