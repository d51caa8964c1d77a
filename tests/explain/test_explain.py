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
from unless.explain.faces.html_pages import program_page, proofs_page
from unless.explain.faces.json_data import proof_data
from unless.explain.faces.paper_text import proof_text
from unless.explain.faces.plain_text import program_english, proof_english
from unless.explain.words.language import languages
from unless.logic.clause import Call, Clause, Points
from unless.logic.program import Program, Target
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


def test_plain_english_in_short():
    assert proof_english(prove(ADULT, PERSON_30, row_name=30)).splitlines() == [
        "Row 30: =<50k, by rule 1: marital status is never-married (not married-civ-spouse).",
        "  Its exceptions do not apply: capital gain is 0 (not above 6,849) and education num is 7 (not above",
        "    12).",
    ]


def test_plain_english_in_full():
    assert proof_english(prove(ADULT, PERSON_30), full=True).splitlines() == [
        "This row: =<50k, by rule 1, because",
        "    marital status is never-married (not married-civ-spouse), and",
        "    exception 1.1 does not apply, because capital gain is 0 (not above 6,849), and",
        "    exception 1.2 does not apply, because education num is 7 (not above 12).",
    ]


def test_plain_english_of_the_default():
    proof = prove(ADULT, PERSON_32, row_name="Bo")
    assert proof_english(proof, width=300) == (
        "Row Bo: >50k, although education num is 8 (at most 12) and capital gain is 0 (at most 5,013): exception 2.2"
        " applies, because education num is 8 (at most 8) and capital loss is 1,740 (above 1,672 up to 1,977),"
        " and is not lifted: occupation is blank."
    )
    assert proof_english(proof, full=True, width=200).splitlines() == [
        "Row Bo: >50k, because",
        "    no rule for =<50k applies, because",
        "        rule 1 does not apply, because marital status is married-civ-spouse, which it must not be, and",
        "        rule 2 does not apply, because",
        "            exception 2.2 applies, because",
        "                education num is 8 (at most 8), and",
        "                capital loss is 1,740 (above 1,672 up to 1,977), and",
        "                exception 2.2.1 does not apply, because occupation is blank.",
        "        rule 3 does not apply, because",
        "            occupation is blank, and",
        "            age is 52 (above 62 up to 63 is needed), and",
        "            education num is 8 (above 12 is needed), and",
        "            capital gain is 0 (above 5,013 is needed).",
        "        rule 4 does not apply, because",
        "            age is 52 (above 65 is needed), and",
        "            education num is 8 (above 12 is needed), and",
        "            capital gain is 0 (above 9,386 up to 10,566 is needed).",
        "        rule 5 does not apply, because",
        "            fnlwgt is blank, and",
        "            education num is 8 (above 12 is needed), and",
        "            capital gain is 0 (above 5,013 is needed), and",
        "            hours per week is blank.",
    ]


@pytest.mark.parametrize(
    ("literal", "value", "plain", "paper"),
    [
        (
            Literal("n", "=<", 3),
            3,
            "n is 3 (at most 3)",
            "'col_n' holds (for this row, and 3.0), and 3.0 is less than or equal to 3.0",
        ),
        (
            Literal("n", "<", 3),
            4,
            "n is 4 (below 3 is needed)",
            "'col_n' holds (for this row, and 4.0), and 4.0 is greater than or equal to 3.0",
        ),
        (
            Literal("n", ">", 0.5),
            0.25,
            "n is 0.25 (above 0.5 is needed)",
            "'col_n' holds (for this row, and 0.25), and 0.25 is less than or equal to 0.5",
        ),
        (Literal("n", ">=", 3), None, "n is blank", "there is no evidence that 'col_n' holds (for this row)"),
        (
            Literal("n", ">", 3),
            "?",
            "n is ? (above 3 is needed)",
            "there is no evidence that 'col_n' holds (for this row), and 'col_n_is' holds (for this row, and '?')",
        ),
        (Literal("n", "=", "?"), "?", "n is ?", "'col_n_is' holds (for this row, and '?')"),
        (
            Literal("n", "=", "?"),
            3,
            "n is 3 (? is needed)",
            "there is no evidence that 'col_n_is' holds (for this row, and '?')",
        ),
        (
            Literal("n", "!=", "?"),
            3,
            "n is 3 (not ?)",
            "there is no evidence that 'col_n_is' holds (for this row, and '?')",
        ),
        (Literal("n", "!=", "?"), "?", "n is ?, which it must not be", "'col_n_is' holds (for this row, and '?')"),
        (
            Literal("n", "!=", "?"),
            None,
            "n is blank",
            "there is no evidence that 'col_n_is' holds (for this row, and '?')",
        ),
        (
            Literal("n", "=", "?"),
            None,
            "n is blank",
            "there is no evidence that 'col_n_is' holds (for this row, and '?')",
        ),
    ],
)
def test_each_test_on_each_kind_of_value(literal, value, plain, paper):
    program = Program(Target("t", ("y",), "n"), (Column("n", "numerical"),), (Clause(None, "y", (literal,)),))
    proof = prove(program, {"n": value})
    assert plain in proof_english(proof, full=True)
    assert plain in proof_english(proof, width=200)
    assert f"{paper}." in str(proof)


def test_several_labels_begin_with_the_one_that_is_predicted():
    program = parse("""
    %@ target size: 'small', 'medium' else 'large'
    %@ numerical length
    size(X,'small') :- length(X,N), N =< 5.0.
    size(X,'medium') :- length(X,N), N =< 10.0.
    """)
    assert proof_english(prove(program, {"length": 8}), full=True).splitlines() == [
        "This row: medium, by rule 2, because",
        "    length is 8 (at most 10).",
        "No rule for small applies, because",
        "    rule 1 does not apply, because length is 8 (at most 5 is needed).",
    ]
    assert proof_english(prove(program, {"length": 80})) == (
        "This row: large. No rule applies. Nearest is rule 1 (for small): length is 80 (at most 5 is needed)."
    )
    assert "the value named first counts" in program_english(program)


def test_conditions_are_said_in_place():
    program = parse("""
    t(X,'y') :- tall(X), not ab1(X).
    t(X,'y') :- not tall(X), not ab1(X).
    tall(X) :- h(X,N), N > 2.0.
    tall(X) :- w(X,'tall').
    ab1(X) :- w(X,'odd').
    """)
    assert proof_english(prove(program, {"h": 3, "w": "odd"}), full=True).splitlines()[2:] == [
        "        rule 1 does not apply, because",
        "            exception 1.1 applies, because w is odd.",
        "        rule 2 does not apply, because",
        "            exception 2.1 applies, because h is 3 (above 2), and",
        "            exception 2.3 applies, because w is odd.",
    ]
    assert program_english(program).splitlines()[1:] == [
        "1  y, if either h above 2, or w is tall",
        "    1.1  unless w is odd",
        "2  y, in any case",
        "    2.1  unless h above 2",
        "    2.2  unless w is tall",
        "    2.3  unless w is odd",
    ]


def test_the_whole_program_in_english():
    assert program_english(ADULT, width=80).splitlines()[:8] == [
        "income is =<50k by these rules, otherwise >50k.",
        "1  =<50k, if marital status is not married-civ-spouse",
        "    1.1  unless capital gain above 6,849",
        "        1.1.1  unless age at most 20",
        "        1.1.2  unless education num at most 10 and capital gain at most 7,978",
        "        1.1.3  unless capital gain above 27,828 up to 34,095",
        "    1.2  unless age at most 27, education num above 12 and capital loss above",
        "         1,974 up to 2,258",
    ]
    empty = Program(ADULT.target, ADULT.columns, ())
    assert program_english(empty) == "income is always >50k: there is no rule."


SCORECARD = Program(
    Target("risk", ("high",), "low"),
    (Column("thal", "categorical"), Column("age", "numerical"), Column("vessels", "numerical")),
    (
        Clause(None, "high", (Points(((1, "case1"), (1, "case2"), (2, "case3")), threshold=3),)),
        Clause("case1", None, (Literal("thal", "=", "3"),)),
        Clause("case2", None, (Literal("age", ">", 50.5),)),
        Clause("case3", None, (Literal("vessels", ">", 0),)),
    ),
)


def test_a_scorecard_is_a_table():
    assert program_english(SCORECARD).splitlines() == [
        "risk is high by these rules, otherwise low.",
        "1  high, with 3 points or more:",
        "    2  vessels above 0",
        "    1  thal is 3",
        "    1  age above 50.5",
    ]
    assert proof_english(prove(SCORECARD, {"thal": "7", "age": 60, "vessels": 1}, row_name=3)).splitlines() == [
        "Row 3: high, by rule 1: 3 points (3 needed).",
        "    2  vessels is 1 (above 0)",
        "    1  age is 60 (above 50.5)",
        "    0  thal is 7 (not 3)",
    ]
    assert proof_english(prove(SCORECARD, {"age": 60}, row_name=3), lang="de").splitlines() == [
        "Zeile 3: low. Keine Regel für high greift. Am nächsten kommt Regel 1: 1 Punkt (3 nötig).",
        "    1  age ist 60 (über 50,5)",
        "    0  vessels ist leer",
        "    0  thal ist leer",
    ]
    assert '<td class="points">2</td><td>vessels above 0</td>' in program_page(SCORECARD)


def test_german():
    person = {**PERSON_30, "capital_gain": 0.5}
    assert proof_english(prove(ADULT, person, row_name=30), lang="de", full=True).splitlines() == [
        "Zeile 30: =<50k, nach Regel 1, denn",
        "    marital status ist never-married (nicht married-civ-spouse), und",
        "    Ausnahme 1.1 greift nicht, denn capital gain ist 0,5 (nicht über 6.849), und",
        "    Ausnahme 1.2 greift nicht, denn education num ist 7 (nicht über 12).",
    ]
    assert program_english(ADULT, lang="de").startswith("income ist =<50k nach diesen Regeln, sonst >50k.")


def test_an_unknown_language_is_refused():
    with pytest.raises(UnlessError, match="languages: de, en"):
        proof_english(prove(ADULT, PERSON_30), lang="xx")


# JSON.


def as_json(proof):
    """Return a proof as who reads its JSON sees it."""
    return json.loads(json.dumps(proof_data(proof)))


def test_json():
    data = as_json(prove(ADULT, PERSON_30, row_name=30))
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
        steps = as_json(proof)["steps"]
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
    for page in (proofs_page([prove(ADULT, PERSON_32, row_name=32)], lang=lang), program_page(ADULT, lang=lang)):
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
        for page in (proofs_page([proof]), program_page(program), proof._repr_html_(), program._repr_html_()):
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
            assert proof_english(proof, lang=lang, full=True)
        Checker(proofs_page([proof]))


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
    assert len(as_json(proof)["steps"]) > n
    Checker(proofs_page([proof]))
    assert "nested too deep" in program_english(program, width=200)
    assert "no exception that is nested deeper applies" in proof_english(proof, full=True)


# The classifier.


def test_the_classifier_explains_and_shows_itself():
    rows = [{"bird": "yes", "name": "robin"}, {"bird": "yes", "name": "penguin"}, {"bird": "no", "name": "cat"}]
    model = FoldRPPClassifier(positive="flies").fit(rows, ["flies", "walks", "walks"])
    proofs = model.explain(rows)
    assert [proof.label for proof in proofs] == list(model.predict(rows))
    assert [proof.row_name for proof in proofs] == [0, 1, 2]
    assert "unless" in model._repr_mimebundle_()["text/html"]
    assert "unless" not in FoldRPPClassifier(positive="x")._repr_mimebundle_()["text/plain"]
