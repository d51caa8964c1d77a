"""The tables that are kept give the parser that the grammar gives, and are left alone where they do not fit."""

from __future__ import annotations

import json

import lark
import pytest

from unless.datasets import PLANTED
from unless.errors import ProgramSyntaxError
from unless.logic.text import lalr_tables, syntax
from unless.logic.text.lalr_tables import made_for, parser_from_tables, write_tables
from unless.logic.text.sums import GENERAL
from unless.logic.text.syntax import TABLES, build_parser, grammar_text, read_tree, without_sums

NAME = "text/program.lark"
TEXTS = [
    PLANTED,
    "good(X,'yes') :- age(X,N), N > 18.0, not ab1(X). ab1(X) :- town(X,'here').",
    "#pred age(P_,V_) :: \"the age is @(V_)\".\n%@ unless 1\n%@ target a = 'A b': 1, true else 'x'",
    "a(X,'b') :- at_least(2, [1*c1(X), 2*c2(X)]). % a comment",
    f"%@ values age: 1, 2\n{GENERAL}",
    "",
]
SLIPS = ["a(X,'b') :- age(X,N), N <= 3.", "a(X,'b')", "a(X,'b') :- .", "%@ target", "a(X,b).", "?- a(X).", "a(X,'b"]


@pytest.fixture(params=["kept", "built", "written and read"])
def parser(request, monkeypatch):
    """Read by the tables that are kept, by the grammar, or by tables that were just written."""
    built = build_parser(NAME)
    made = {
        "built": built,
        "written and read": parser_from_tables(write_tables(built, grammar_text(NAME)), grammar_text(NAME)),
    }
    if request.param != "kept":
        monkeypatch.setattr(syntax, "_parser", lambda _: made[request.param])
    return built


def test_all_ways_give_the_same_trees(parser):
    for text in TEXTS:
        tree = read_tree(text)
        again = parser.parse(without_sums(text), start="start")
        assert tree == again
        assert [t.meta.line for t in tree.iter_subtrees() if t.children] == [
            t.meta.line for t in again.iter_subtrees() if t.children
        ]
    assert read_tree("?- age(X, N), N > 3.", "query") == parser.parse("?- age(X, N), N > 3.", start="query")


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("text", SLIPS)
def test_all_ways_give_the_same_errors(text, monkeypatch):
    with pytest.raises(ProgramSyntaxError) as caught:
        read_tree(text)
    built = build_parser(NAME)
    monkeypatch.setattr(syntax, "_parser", lambda _: built)
    with pytest.raises(ProgramSyntaxError) as expected:
        read_tree(text)
    assert str(caught.value) == str(expected.value)


def test_the_tables_that_are_kept_are_those_of_the_grammar():
    tables = json.loads(TABLES[NAME].read_text(encoding="utf-8"))
    kept = tables["made_for"]
    assert tables["data"]["options"]["source_path"] is None
    if f"lark {lark.__version__},\n" not in kept:
        pytest.skip(f"the tables are for {kept.partition(chr(44))[0]}")
    assert kept == made_for(grammar_text(NAME)), "run: make grammar"


def test_tables_of_another_grammar_or_of_another_lark_are_left_alone(monkeypatch):
    text = TABLES[NAME].read_text(encoding="utf-8")
    assert parser_from_tables(text, grammar_text(NAME) + "\n") is None
    monkeypatch.setattr(lalr_tables.lark, "__version__", "0.0")
    assert parser_from_tables(text, grammar_text(NAME)) is None
    monkeypatch.setattr(syntax, "_parser", syntax._parser.__wrapped__)
    assert read_tree(PLANTED).data == "start"


def test_clauses_that_add_up_points_are_passed_over_where_they_stand_and_nowhere_else():
    chain = "at_least(2, [1*c1(X), 2*c2(X)]) :-\n    at_least1(X).\n  at_least1(X) :- c1(X), not c2(X)."
    for sums in (GENERAL, chain):
        blank = without_sums(f"{sums}\na(X,'b').")
        assert not blank[: len(sums)].strip()
        assert blank[len(sums) :] == "\na(X,'b')."
        assert blank.count("\n") == sums.count("\n") + 1
    words = "a(X,'b') :- town(X,'at_least1(X) :- c1(X).'), at_least(2, [1*c1(X), 2*c2(X)])."
    assert without_sums(words) == words
