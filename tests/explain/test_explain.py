"""The faces of proofs and programs: text, plain language, JSON, HTML, languages."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings

from random_programs import AWKWARD, programs, programs_with_rows
from unless import FoldRPPClassifier, UnlessError, load, parse, prove
from unless.explain.faces.html_pages import program_page, proof_page
from unless.explain.faces.json_data import proof_data, proof_json
from unless.explain.faces.paper_text import proof_text
from unless.explain.faces.plain_text import program_english, proof_english
from unless.explain.words.language import languages
from unless.logic.program import Call, Clause, Program, Target
from unless.logic.rules import Column, Literal

ADULT = load(Path(__file__).parents[2] / "examples" / "adult.lp")
PERSON_30 = {"age": 18, "marital_status": "never-married", "education_num": 7, "capital_gain": 0, "capital_loss": 0}
PERSON_32 = {
    "age": 52,
    "marital_status": "married-civ-spouse",
    "education_num": 8,
    "capital_gain": 0,
    "capital_loss": 1740,
}


def test_the_papers_manner():
    assert str(prove(ADULT, PERSON_30, row_name=30)).splitlines() == [
        "'income' holds (for 30, and '=<50k'), because",
        "    there is no evidence that 'marital_status' holds (for 30, and 'married-civ-spouse'), and",
        "    there is no evidence that 'ab4' holds (for 30), because",
        "        'capital_gain' holds (for 30, and 0.0), and 0.0 is less than or equal to 6849.0.",
        "    there is no evidence that 'ab5' holds (for 30), because",
        "        'education_num' holds (for 30, and 7.0), and 7.0 is less than or equal to 12.0.",
    ]


def test_plain_english():
    assert proof_english(prove(ADULT, PERSON_30)).splitlines() == [
        "The income is '=<50k' (rule 1), because",
        "    the marital status is 'never-married', not 'married-civ-spouse', and",
        "    exception ab4 does not apply, because the capital gain is 0, which is at most 6849, and",
        "    exception ab5 does not apply, because the education num is 7, which is at most 12.",
    ]


def test_plain_english_of_the_default():
    assert proof_english(prove(ADULT, PERSON_32, row_name="Bo")).splitlines() == [
        "Row Bo: the income is '>50k', because",
        "    no rule concludes that the income is '=<50k', because",
        "        rule 1 does not apply, because the marital status is 'married-civ-spouse', and",
        "        rule 2 does not apply, because",
        "            exception ab8 applies, because",
        "                the education num is 8, which is at most 8, and",
        "                the capital loss is 1740, which is more than 1672 and at most 1977, and",
        "                exception ab7 does not apply, because the occupation is missing.",
        "        rule 3 does not apply, because the occupation is missing, and",
        "        rule 4 does not apply, because the age is 52, which is at most 65, and",
        "        rule 5 does not apply, because the fnlwgt is missing.",
    ]


@pytest.mark.parametrize(
    ("literal", "value", "plain", "paper"),
    [
        (
            Literal("n", "=<", 3),
            3,
            "the n is 3, which is at most 3",
            "'col_n' holds (for this row, and 3.0), and 3.0 is less than or equal to 3.0",
        ),
        (
            Literal("n", "<", 3),
            4,
            "the n is 4, which is at least 3",
            "'col_n' holds (for this row, and 4.0), and 4.0 is greater than or equal to 3.0",
        ),
        (
            Literal("n", ">", 0.5),
            0.25,
            "the n is 0.25, which is at most 0.5",
            "'col_n' holds (for this row, and 0.25), and 0.25 is less than or equal to 0.5",
        ),
        (Literal("n", ">=", 3), None, "the n is missing", "there is no evidence that 'col_n' holds (for this row)"),
        (
            Literal("n", ">", 3),
            "?",
            "the n is '?', which is not a number",
            "there is no evidence that 'col_n' holds (for this row), and 'col_n_is' holds (for this row, and '?')",
        ),
        (Literal("n", "=", "?"), "?", "the n is '?'", "'col_n_is' holds (for this row, and '?')"),
        (
            Literal("n", "=", "?"),
            3,
            "the n is 3, not '?'",
            "there is no evidence that 'col_n_is' holds (for this row, and '?')",
        ),
        (
            Literal("n", "!=", "?"),
            3,
            "the n is 3, not '?'",
            "there is no evidence that 'col_n_is' holds (for this row, and '?')",
        ),
        (Literal("n", "!=", "?"), "?", "the n is '?'", "'col_n_is' holds (for this row, and '?')"),
        (
            Literal("n", "!=", "?"),
            None,
            "the n is missing, and so not '?'",
            "there is no evidence that 'col_n_is' holds (for this row, and '?')",
        ),
        (
            Literal("n", "=", "?"),
            None,
            "the n is missing",
            "there is no evidence that 'col_n_is' holds (for this row, and '?')",
        ),
    ],
)
def test_each_test_on_each_kind_of_value(literal, value, plain, paper):
    program = Program(Target("t", ("y",), "n"), (Column("n", "numerical"),), (Clause(None, "y", (literal,)),))
    proof = prove(program, {"n": value})
    assert f"{plain}." in proof_english(proof)
    assert f"{paper}." in str(proof)


def test_several_labels_begin_with_the_one_that_is_told():
    program = parse("""
    %@ target size: 'small', 'medium' else 'large'
    %@ numerical length
    size(X,'small') :- length(X,N), N =< 5.0.
    size(X,'medium') :- length(X,N), N =< 10.0.
    """)
    assert proof_english(prove(program, {"length": 8})).splitlines() == [
        "The size is 'medium' (rule 2), because",
        "    the length is 8, which is at most 10.",
        "No rule concludes that the size is 'small', because",
        "    the length is 8, which is more than 5.",
    ]
    assert proof_english(prove(program, {"length": 80})).splitlines()[0] == "The size is 'large', because"
    assert "the one named first counts" in program_english(program)


def test_conditions_and_what_was_said_above():
    program = parse("""
    t(X,'y') :- tall(X), not ab1(X).
    t(X,'y') :- not tall(X), not ab1(X).
    tall(X) :- h(X,N), N > 2.0.
    tall(X) :- w(X,'tall').
    ab1(X) :- w(X,'odd').
    """)
    assert proof_english(prove(program, {"h": 3, "w": "odd"})).splitlines()[2:] == [
        "        rule 1 does not apply, because",
        "            exception ab1 applies, because the w is 'odd'.",
        "        rule 2 does not apply, because",
        "            condition tall holds, because the h is 3, which is more than 2.",
    ]
    again = parse("t(X,'y') :- ab1(X). t(X,'y') :- not ab1(X), w(X,'x'). ab1(X) :- ab2(X). ab2(X) :- w(X,'odd').")
    assert "condition ab1 does not hold" in proof_english(prove(again, {"w": "x"}))
    assert program_english(program).splitlines()[1:] == [
        "Rule 1: the t is 'y'",
        "    only if one of these holds (tall)",
        "        the h is more than 2",
        "        the w is 'tall'",
        "    unless the w is 'odd' (ab1)",
        "Rule 2: the t is 'y'",
        "    unless one of these holds (tall), as above",
        "    unless the w is 'odd' (ab1), as above",
    ]


def test_the_whole_program_in_english():
    assert program_english(ADULT).splitlines()[:7] == [
        "The income is '=<50k' by the rules below, else '>50k'.",
        "Rule 1: the income is '=<50k' if the marital status is not 'married-civ-spouse'",
        "    unless the capital gain is more than 6849 (ab4)",
        "        unless the age is at most 20 (ab1)",
        "        unless the education num is at most 10 and the capital gain is at most 7978 (ab2)",
        "        unless the capital gain is more than 27828 and at most 34095 (ab3)",
        "    unless the age is at most 27, the education num is more than 12"
        " and the capital loss is more than 1974 and at most 2258 (ab5)",
    ]
    empty = Program(ADULT.target, ADULT.columns, ())
    assert program_english(empty) == "The income is always '>50k': there is no rule."


def test_german():
    assert proof_english(prove(ADULT, {**PERSON_30, "capital_gain": 0.5}, row_name=30), lang="de").splitlines() == [
        "Zeile 30: „income“ ist ‚=<50k‘ (Regel 1), denn",
        "    „marital status“ ist ‚never-married‘, nicht ‚married-civ-spouse‘, und",
        "    Ausnahme ab4 greift nicht, denn „capital gain“ ist 0,5, also höchstens 6849, und",
        "    Ausnahme ab5 greift nicht, denn „education num“ ist 7, also höchstens 12.",
    ]
    assert program_english(ADULT, lang="de").startswith("„income“ ist ‚=<50k‘ nach den folgenden Regeln")


def test_an_unknown_language_is_refused():
    with pytest.raises(UnlessError, match="languages: de, en"):
        proof_english(prove(ADULT, PERSON_30), lang="xx")


# JSON.


def test_json():
    data = json.loads(proof_json(prove(ADULT, PERSON_30, row_name=30)))
    assert {key: data[key] for key in ("format", "version", "target", "label", "holds", "row")} == {
        "format": "unless proof", "version": 1, "target": "income", "label": "=<50k", "holds": True, "row": 30,
    }  # fmt: skip
    assert data["values"]["capital_gain"] == 0.0
    assert data["values"]["occupation"] is None
    assert data["steps"][:4] == [
        {"id": 0, "parent": None, "kind": "label", "label": "=<50k", "holds": True},
        {"id": 1, "parent": 0, "kind": "clause", "number": 1, "holds": True},
        {"id": 2, "parent": 1, "kind": "literal", "column": "marital_status", "op": "!=", "bound": "married-civ-spouse",
         "value": "never-married", "holds": True},
        {"id": 3, "parent": 1, "kind": "helper", "name": "ab4", "holds": False, "same_as": None},
    ]  # fmt: skip


def test_labels_keep_their_type_in_json():
    program = Program(
        Target("t", (True,), False), (Column("a", "categorical"),), (Clause(None, True, (Literal("a", "=", "1"),)),)
    )
    assert proof_data(prove(program, {"a": "1"}))["label"] is True


@settings(max_examples=30, deadline=None)
@given(programs_with_rows)
def test_json_holds_the_whole_tree(case):
    program, rows = case
    for row in rows:
        proof = prove(program, row)
        steps = json.loads(proof_json(proof))["steps"]
        assert len(steps) == sum(1 for _ in proof.walk())
        for step, line in zip(steps, proof.walk(), strict=True):
            depth, at = 0, step
            while at["parent"] is not None:
                depth, at = depth + 1, steps[at["parent"]]
            assert depth == line.depth
            if line.again:
                assert steps[step["same_as"]]["name"] == step["name"]


# HTML.


class Checker(HTMLParser):
    """Checks that tags are balanced, and collects text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open, self.tags, self.text = [], set(), ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("lang", languages())
def test_pages_are_whole_and_stand_alone(lang):
    for page in (proof_page(prove(ADULT, PERSON_32, row_name=32), lang=lang), program_page(ADULT, lang=lang)):
        checked = Checker(page)
        assert page.startswith("<!DOCTYPE html>")
        assert f'<html lang="{lang}">' in page
        assert "details" in checked.tags
        assert "script" not in checked.tags
        assert not re.search(r"https?://|@import|url\(", page)


def test_everything_is_escaped():
    evil = "<script>alert('x')</script>&\"$text${body}"
    literal = Literal(evil, "=", evil)
    program = Program(
        Target(evil + "t", (evil,), evil + "d"),
        (Column(evil, "categorical"),),
        (Clause(None, evil, (literal, Call("ab1"))), Clause("ab1", None, (Literal(evil, "=", "z"),))),
    )
    for row in ({evil: evil}, {evil: "<b>"}):
        proof = prove(program, row, row_name=evil)
        for page in (proof_page(proof), program_page(program), proof._repr_html_(), program._repr_html_()):
            assert "script" not in Checker(page).tags
            assert evil.split("$", maxsplit=1)[0] in Checker(page).text


@settings(max_examples=30, deadline=None)
@given(programs_with_rows)
def test_every_face_shows_every_proof(case):
    program, rows = case
    for row in rows:
        proof = prove(program, row, all_rules=True)
        for lang in languages():
            assert proof_text(proof, lang=lang)
            assert proof_english(proof, lang=lang)
        Checker(proof_page(proof))


@settings(max_examples=40, deadline=None)
@given(programs(AWKWARD))
def test_every_face_shows_every_program(program):
    for lang in languages():
        assert program_english(program, lang=lang)
    Checker(program_page(program))


def test_a_long_chain_is_shown_and_not_indented_off_the_page():
    n = 2_000
    test = Literal("x", "=", "1")
    chain = [Clause(f"ab{i}", None, (test, Call(f"ab{i + 1}"))) for i in range(1, n)]
    clauses = (Clause(None, "y", (test, Call("ab1"))), *chain, Clause(f"ab{n}", None, (test,)))
    program = Program(Target("t", ("y",), "n"), (Column("x", "categorical"),), clauses)
    proof = prove(program, {"x": "1"})
    assert f"'ab{n}'" in str(proof)
    assert max(map(len, str(proof).splitlines())) < 250
    assert len(json.loads(proof_json(proof))["steps"]) > n
    Checker(proof_page(proof))
    assert f"(ab{n})" in program_english(program)


# The classifier.


def test_the_classifier_explains_and_shows_itself():
    rows = [{"bird": "yes", "name": "robin"}, {"bird": "yes", "name": "penguin"}, {"bird": "no", "name": "cat"}]
    model = FoldRPPClassifier(positive="flies").fit(rows, ["flies", "walks", "walks"])
    proofs = model.explain(rows)
    assert [proof.label for proof in proofs] == list(model.predict(rows))
    assert [proof.row_name for proof in proofs] == [0, 1, 2]
    assert "unless" in model._repr_mimebundle_()["text/html"]
    assert "unless" not in FoldRPPClassifier(positive="x")._repr_mimebundle_()["text/plain"]
