"""Background knowledge: what it may say, what rules make of it, and what is refused."""

from __future__ import annotations

import polars as pl
import pytest

from unless import FoldRClassifier, FoldRPPClassifier, Literal, UnlessError, parse
from unless.errors import ProgramError
from unless.logic.background.clauses import AtomGoal, read_sentences
from unless.logic.background.consequences import answers
from unless.logic.background.predicates import read_background
from unless.logic.clause import Call
from unless.logic.holds import decide, read_row
from unless.logic.rules import Column
from unless.logic.terms import Atom, Variable

COLUMNS = [Column("city", "categorical"), Column("age", "numerical"), Column("Job Years", "numerical")]
TAXONOMY = """
region(X,R) :- city(X,C), part_of(C,R).
part_of(A,B) :- in(A,B).
part_of(A,C) :- in(A,B), part_of(B,C).
in('Lyon','Rhône'). in('Rhône',south). in("Nice",south). in(lille,north).
"""
PEOPLE = pl.DataFrame({
    "age": [3.0, 40.0, 17.0, 35.0, 15.0, 30.0],
    "city": ["Lyon", "Nice", "lille", "lille", "Nice", "Lyon"],
    "ok": ["no", "yes", "no", "no", "no", "yes"],
})  # fmt: skip


def clauses(text):
    return [(clause.name, clause.body) for clause in read_background(text, "ok", COLUMNS)]


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("p(X) :- age(X,N), N < 18.", [Literal("age", "<", 18)]),
        ("p(X) :- age(X,N), 18 =< N, N < 65.5.", [Literal("age", ">=", 18), Literal("age", "<", 65.5)]),
        ("p(X) :- age(X,N), N <= 18.", [Literal("age", "=<", 18)]),
        ("p(X) :- age(X,18).", [Literal("age", ">=", 18), Literal("age", "=<", 18)]),
        ("p(X) :- age(X,N), N = 18.", [Literal("age", ">=", 18), Literal("age", "=<", 18)]),
        ("p(X) :- city(X,lyon).", [Literal("city", "=", "lyon")]),
        ("p(Y) :- not city(Y,'Lyon').", [Literal("city", "!=", "Lyon")]),
        ('p(X) :- \\+ city(X,"Lyon").', [Literal("city", "!=", "Lyon")]),
        ("p(X) :- age_is(X,unknown).", [Literal("age", "=", "unknown")]),
        ("p(X) :- job_years(X,N), N > 3.", [Literal("Job Years", ">", 3)]),
        (":- dynamic q/1.\n% a comment\np(X) :- city(X,lyon).", [Literal("city", "=", "lyon")]),
    ],
)
def test_clause_over_columns(text, body):
    assert clauses(text) == [("p", tuple(body))]


def test_predicates_may_call_each_other():
    found = clauses("old(X) :- age(X,N), N > 60. free(X) :- city(X,lyon), not old(X).")
    assert found[1] == ("free", (Literal("city", "=", "lyon"), Call("old")))


def test_taxonomy_gives_a_helper_per_value():
    pytest.importorskip("clingo")
    found = {}
    for name, (literal,) in clauses(TAXONOMY):
        found.setdefault(name, set()).add(literal.value)
    assert found == {"region_south": {"Lyon", "Nice", "Rhône"}, "region_rhone": {"Lyon"}, "region_north": {"lille"}}


def test_numbers_of_facts_need_not_be_whole():
    """clingo has whole numbers only; a limit of 4.5 goes through it and is compared with the column by us."""
    pytest.importorskip("clingo")
    text = "over(X) :- city(X,C), limit(C,L), age(X,N), N > L. limit(lyon,4.5). limit(lille,-1). limit(nice,3e10)."
    limits = {body[0].value: body[1] for _, body in clauses(text)}
    assert limits == {
        "lyon": Literal("age", ">", 4.5),
        "lille": Literal("age", ">", -1),
        "nice": Literal("age", ">", 3e10),
    }


def test_value_of_another_predicate_of_rows():
    pytest.importorskip("clingo")
    found = dict(clauses(TAXONOMY + "warm(X) :- region(X,south), age(X,N), N > 1."))
    assert found["warm"] == (Literal("age", ">", 1), Call("region_south", negated=False))


def test_goal_that_cannot_hold_gives_no_clause():
    pytest.importorskip("clingo")
    found = dict(clauses(TAXONOMY + "a(X) :- region(X,east). b(X) :- city(X,lyon), not region(X,east)."))
    assert "a" not in found
    assert found["b"] == (Literal("city", "=", "lyon"),)


def test_one_variable_for_two_columns_is_refused():
    """Only the last column was compared, and the first forgotten."""
    with pytest.raises(ProgramError, match=r"job_years\(X, N\): N is the number of age already"):
        clauses("p(X) :- age(X,N), job_years(X,N), N > 3.")


def test_a_helper_without_clauses_never_holds():
    """A helper of which all clauses ask for what cannot hold was called, and the program refused for it."""
    pytest.importorskip("clingo")
    text = TAXONOMY + "a(X) :- city(X,lyon), region(X,east). b(X) :- a(X). c(X) :- city(X,lyon), not b(X)."
    found = dict(clauses(text))
    assert not {"a", "b"} & found.keys()
    assert found["c"] == (Literal("city", "=", "lyon"),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "p(X) :- age(X,N), N > 1, not q(X). q(X) :- age(X,N), N < 3, not p(X).",
            "loop through negation: p needs not q",
        ),
        ("p(X) :- city(X,a), not p(X).", "loop through negation: p needs not p"),
        ("p(X) :- city(X,a), q(X). q(X) :- p(X).", "circle"),
        ("age(X) :- city(X,a).", "'age' is a column"),
        ("ok(X) :- city(X,a).", "'ok' is the target"),
        ("p(X) :- city(Y,a).", "not about the row"),
        ("p(X) :- city(X,C).", "C gets no value"),
        ("p(X,V) :- city(X,a).", "V gets no value"),
        ("p(X) :- age(X,N), N != 3.", "is compared by"),
        ("p(X) :- not age(X,3).", "negated numeric test"),
        ("p(X) :- age(X,word).", "age_is"),
        ("p(X) :- city(X,a), foo(X).", "foo(X) is asked of a row"),
        ("p(lyon) :- city(lyon,a).", "first argument is the row"),
        ("p(X) :- city(X,f(a)).", "no functions"),
        ("p(X) :- city(X,a)", "the text ends"),
        ("p(X) :- age(X,N), N > 1e999.", "too large"),
        ("p(X) :- agee(X,N), N > 60.", "Did you mean 'age'"),
        ("p(X) :- city(X,C), north(C). north(08).", "08 is read as the number 8; write it in quotes"),
        ("p(X) :- city(X,9007199254740993).", "9007199254740993 is read as the number 9007199254740992"),
        ("p(X) :- age(X,X), X > 3.", "X is the row already"),
        ("p(X) :- city(X,a), age(X,N).", "N is the number of age but never compared"),
        ("p(X) :- age(X,N), N > 3, not old(N). old(3).", "old(N) speaks of N, the number of age"),
        ("p(X,N) :- age(X,N), N > 3.", "p(X, N) speaks of N, the number of age"),
    ],
)
def test_refused_with_the_reason(text, words):
    with pytest.raises(UnlessError, match="(?s)" + words.replace("(", r"\(").replace(")", r"\)")):
        FoldRPPClassifier(background=text).fit(PEOPLE.select("age", "city"), PEOPLE["ok"])


SIZES = "size(a,2). size(b,1.5). size(c,-0.25). size(d,3e10). size(e,huge). limit(1.5)."


@pytest.mark.parametrize(
    ("clause", "towns"),
    [
        ("big(C) :- size(C,S), S > 1.5.", "ad"),
        ("big(C) :- size(C,S), S >= 1.5.", "abd"),
        ("big(C) :- size(C,S), 1 < S.", "abd"),
        ("big(C) :- size(C,S), S =< 2.", "abc"),
        ("big(C) :- size(C,S), limit(L), S < L.", "c"),
        ("big(C) :- size(C,S), S = 1.5.", "b"),
        ("big(C) :- size(C,S), S != 2.", "bcde"),
        ("big(C) :- size(C,S), S > word.", ""),
    ],
)
def test_numbers_of_facts_are_compared_exactly_and_words_have_no_order(clause, towns):
    """clingo has whole numbers of 32 bits only, and puts words above them."""
    pytest.importorskip("clingo")
    found = answers(read_sentences(SIZES + clause), [[AtomGoal(Atom("big", (Variable("C"),)))]])[0]
    assert "".join(answer[Variable("C")] for answer in found) == towns


@pytest.mark.parametrize(
    "clause", ["p(A) :- q(B).", "p(A) :- not q(A).", "p(B) :- q(B), A > 3.", "p(A) :- q(B), A = C."]
)
def test_variable_without_a_value_is_named_with_its_line(clause):
    with pytest.raises(ProgramError, match=r"^background, line 2: A gets no value; a goal of p that is not denied"):
        answers(read_sentences(f"q(a).\n{clause}"), [])


def test_value_goes_on_through_equalities():
    pytest.importorskip("clingo")
    found = answers(read_sentences("q(a). p(A) :- A = B, B = C, q(C)."), [[AtomGoal(Atom("p", (Variable("A"),)))]])
    assert found == [[{Variable("A"): "a"}]]


@pytest.mark.parametrize("classifier", [FoldRClassifier, FoldRPPClassifier])
def test_background_is_used_and_stays_in_the_program(classifier):
    text = "adult(X) :- age(X,N), N >= 18. southern(X) :- city(X,'Lyon'). southern(X) :- city(X,'Nice')."
    X = PEOPLE.select("age", "city")
    model = classifier(positive="yes", background=text).fit(X, PEOPLE["ok"])
    written = str(model.program_)
    assert "southern(X)" in written.split("ok(X,'yes')")[1]
    assert "southern(X) :- city(X,'Lyon')." in written
    assert parse(written) == model.program_
    assert model.predict(X).tolist() == PEOPLE["ok"].to_list()
    rows = [read_row(model.program_, row) for row in X.to_dicts()]
    assert [decide(model.program_, row) for row in rows] == PEOPLE["ok"].to_list()


def test_unused_background_is_left_out():
    text = "adult(X) :- age(X,N), N >= 18. silly(X) :- city(X,nowhere)."
    model = FoldRPPClassifier(positive="yes", background=text).fit(PEOPLE.select("age", "city"), PEOPLE["ok"])
    assert "silly" not in str(model.program_)


def test_background_column_is_tested_by_the_background_only():
    pytest.importorskip("clingo")
    X = PEOPLE.select("age", "city")
    model = FoldRClassifier(positive="yes", background=TAXONOMY, background_columns=["city"]).fit(X, PEOPLE["ok"])
    learned = [clause for clause in model.program_.clauses if not (clause.name or "").startswith("region")]
    assert all(literal.column == "age" for clause in learned for literal in clause.literals)
    with pytest.raises(UnlessError, match="Did you mean 'city'"):
        FoldRClassifier(background=TAXONOMY, background_columns=["citty"]).fit(X, PEOPLE["ok"])


def test_helpers_named_like_exceptions_keep_their_names():
    text = "ab1(X) :- city(X,'Lyon')."
    X = pl.DataFrame({"city": ["Lyon", "Lyon", "Nice", "Oslo"] * 3, "age": [1.0, 9, 9, 1] * 3})
    model = FoldRClassifier(positive=True, background=text).fit(X, ((X["age"] > 1) | (X["city"] == "Lyon")))
    assert parse(str(model.program_)) == model.program_
    assert all(clause.line or clause.name != "ab1" for clause in model.program_.clauses)


def test_background_from_a_file(tmp_path):
    place = tmp_path / "bk.pl"
    place.write_text("adult(X) :- age(X,N), N >= 18.")
    model = FoldRPPClassifier(positive="yes", background=place).fit(PEOPLE.select("age", "city"), PEOPLE["ok"])
    assert "adult(X)" in str(model.program_)
