"""s(CASP): what it is given (each trap as text), and the same traps and random programs against the real engine."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from typer.testing import CliRunner

from engine import run_scasp
from random_programs import AWKWARD_WORDS, programs_with_rows
from unless import load, parse, prove
from unless.cli.app import make_app
from unless.errors import DisagreementError, EngineError
from unless.explain.scasp import facts_text, prove_all_by_scasp, prove_by_scasp
from unless.explain.scasp.engine import INSTALL, _answers, _read, find_scasp
from unless.explain.scasp.writer import EngineProgram
from unless.logic.clause import Call, Clause
from unless.logic.holds import clause_holds, decide, helpers_hold, read_row
from unless.logic.names import RESERVED, guard, is_plain, name_predicates, unguard
from unless.logic.program import Program, Target
from unless.logic.rules import Column, Literal
from unless.logic.text.constants import quote

EXAMPLES = Path(__file__).parents[2] / "examples"
ADULT = load(EXAMPLES / "adult.lp")
PERSON_30 = {
    "age": 18, "workclass": "private", "fnlwgt": 100000, "education_num": 7, "marital_status": "never-married",
    "occupation": "other-service", "capital_gain": 0, "capital_loss": 0, "hours_per_week": 20,
}  # fmt: skip

has_scasp = pytest.mark.skipif(shutil.which("scasp") is None, reason="s(CASP) is not installed")


def program_of(*clauses: Clause, columns: tuple[Column, ...], labels: tuple[str, ...] = ("yes",)) -> Program:
    return Program(Target("target", labels, "else"), columns, clauses)


def one_test(literal: Literal, kind: str) -> Program:
    return program_of(Clause(None, "yes", (literal,)), columns=(Column(literal.column, kind),))


# What s(CASP) is given.


@pytest.mark.parametrize(
    ("value", "kind", "fact"),
    [
        (18, "numerical", "age(30,18.0)."),
        (-3.5, "numerical", "age(30,-3.5)."),
        (1e16, "numerical", "age(30,1e+16)."),
        (9007199254740993, "numerical", "age(30,9007199254740992.0)."),
        (0.1 + 0.2, "numerical", "age(30,0.30000000000000004)."),
        ("?", "numerical", "age_is(30,'?')."),
        ("pi", "numerical", "age_is(30,'pi')."),
        (None, "numerical", ""),
        ("", "numerical", ""),
        (float("nan"), "numerical", ""),
        (None, "categorical", ""),
        ("it's", "categorical", "age(30,'it\\'s')."),
        ("a\\b\nc\x07", "categorical", "age(30,'a\\\\b\\nc\\x7\\')."),
        ("grp_1", "categorical", "age(30,'grp_1 ')."),
        ("d_a", "categorical", "age(30,' d_a')."),
        ("_a_1", "categorical", "age(30,' _a_1 ')."),
        (12, "categorical", "age(30,'12')."),
    ],
)
def test_facts(value, kind, fact):
    program = one_test(Literal("age", "=", "x"), kind)
    assert facts_text(program, {30: read_row(program, {"age": value})}).strip() == fact


def test_rows_may_have_any_name():
    program = one_test(Literal("age", "=", "x"), "categorical")
    assert facts_text(program, {"it's_1": {"age": "y"}}) == "age('it\\'s_1 ','y').\n"


@pytest.mark.parametrize(
    "word",
    [
        "d_a",
        "c_a",
        "_a",
        "n_a",
        "grp_1",
        "a_1.0",
        "2020_01",
        "a_-1",
        "é_1",
        "a_１",
        "_",
        "n_",
        "_1",
        "a__1",
        "'a'",
        "''",
    ],
)
def test_words_that_scasp_renames_are_guarded(word):
    assert guard(word) != word
    assert unguard(guard(word)) == word
    # The guarded words of different words differ, blanks included.
    assert len({guard(w) for w in (word, f" {word}", f"{word} ", f" {word} ")}) == 4


@pytest.mark.parametrize("word", ["a", "o_a", "a_b", "a_", "-a", "null", "true", "=<50k", "", " ", "a_b1"])
def test_words_that_scasp_leaves_alone_are_left_alone(word):
    assert guard(word) == word == unguard(word)


@pytest.mark.parametrize(
    "name",
    ["is", "mod", "forall", "prolog", "inf", "sup", "goal_origin", "write", "builtin", "true", "false", "null", "o_x",
     "c_x", "-", "Age", "hours per week", "1st", ""],
)  # fmt: skip
def test_names_that_scasp_cannot_have_are_replaced(name):
    assert not is_plain(name)
    predicate = name_predicates("target", [Column(name, "categorical")]).numbers_or_words[name]
    assert is_plain(predicate)


def test_operators_have_blanks_and_numbers_are_exact():
    program = one_test(Literal("age", "=<", -3.5), "numerical")
    assert "age(X,N0), N0 =< -3.5." in str(program)
    assert "26.3875" in str(one_test(Literal("age", ">", 26.3875), "numerical"))


def test_a_negated_number_test_stays_nested():
    """`not (x =< 3)` is true of a missing x, `x > 3` is not: exceptions are never turned around."""
    program = parse("t(X,'y') :- a(X,'1'), not ab1(X). ab1(X) :- b(X,N), N =< 3.0.")
    assert "not ab1(X)" in str(program)
    assert "not ab1(X)" in EngineProgram(program).text


def test_the_engine_has_a_predicate_for_each_rule_and_test():
    engine = EngineProgram(parse("t(X,'y') :- a(X,'1'), not ab1(X). ab1(X) :- b(X,N), N =< 3.0."))
    assert engine.text.splitlines() == [
        "t(X,'y') :- rule1(X).",
        "rule1(X) :- test1(X), not ab1(X).",
        "ab1(X) :- rule2(X).",
        "rule2(X) :- test2(X).",
        "test1(X) :- a(X,'1').",
        "test2(X) :- b(X,N), N =< 3.0.",
    ]


def test_the_engines_predicates_give_way_to_helpers():
    engine = EngineProgram(parse("t(X,'y') :- rule1(X), not test1(X). rule1(X) :- a(X,'1'). test1(X) :- a(X,'2')."))
    assert "rulex1(X) :- rule1(X), not test1(X)." in engine.text


@pytest.mark.parametrize(
    ("row", "all_rules", "query"),
    [
        ({"a": "1"}, False, "t(0,'one')"),
        ({"a": "2"}, False, "not t(0,'one'), t(0,'grp_2 ')"),
        ({"a": "3"}, False, "not t(0,'one'), not t(0,'grp_2 ')"),
        ({"a": "2", "b": "2"}, True, "not t(0,'one'), rule2(0), rule3(0)"),
    ],
)
def test_only_what_must_succeed_is_asked_and_all_of_it_ground(row, all_rules, query):
    program = parse("""
    %@ target t: 'one', 'grp_2', 'never' else 'none'
    %@ categorical a, b
    t(X,'one') :- a(X,'1').
    t(X,'grp_2') :- a(X,'2').
    t(X,'grp_2') :- b(X,'2').
    """)
    assert EngineProgram(program).query(prove(program, row, all_rules=all_rules), 0) == query


# What can go wrong.


def test_absent(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match="not installed") as caught:
        prove_by_scasp(ADULT, PERSON_30)
    assert INSTALL in str(caught.value)


def stand_in(monkeypatch, tmp_path, script: str) -> None:
    """Put another program called scasp on the PATH: an old one, or one that is none."""
    place = tmp_path / "scasp"
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(place.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")


def test_too_old(monkeypatch, tmp_path):
    stand_in(monkeypatch, tmp_path, "echo 's(CASP) version 0.21.10' >&2; exit 1")
    with pytest.raises(EngineError, match=r"0\.21\.10 is too old; 1\.1\.0 or later"):
        prove_by_scasp(ADULT, PERSON_30)


def test_something_else(monkeypatch, tmp_path):
    stand_in(monkeypatch, tmp_path, "echo 'command not understood' >&2; exit 1")
    with pytest.raises(EngineError, match="command not understood"):
        prove_by_scasp(ADULT, PERSON_30)


def test_slow(monkeypatch, tmp_path):
    stand_in(monkeypatch, tmp_path, "exec sleep 30")
    with pytest.raises(EngineError, match=r"no answer after 0\.2 s"):
        prove_by_scasp(ADULT, PERSON_30, timeout=0.2)


def test_some_queries_without_answer(monkeypatch, tmp_path):
    stand_in(monkeypatch, tmp_path, "echo '% s(CASP): version 1.1.4'; echo 'ERROR: Stack limit exceeded' >&2; exit 1")
    with pytest.raises(EngineError, match=r"answered 0 of 1 queries .* Stack limit"):
        prove_by_scasp(ADULT, PERSON_30)


def test_a_disagreement_is_never_hidden():
    expected = prove(ADULT, PERSON_30)
    with pytest.raises(DisagreementError, match=r"s\(CASP\) does not prove income.*report"):
        _read(EngineProgram(ADULT), expected, "income(0,'=<50k')", {"answers": []})


def test_a_word_may_hold_any_line_end():
    done = subprocess.CompletedProcess([], 0, '{"solver":"1.1.4","answers":[],"x":"a\u2028b"}\n\n'.encode(), b"")
    assert len(_answers(["scasp"], done, 1)) == 1


# The real engine.


@has_scasp
def test_person_30_by_both_engines():
    assert prove_by_scasp(ADULT, PERSON_30, row_name=30) == prove(ADULT, PERSON_30, row_name=30)


@has_scasp
def test_the_model_file_runs_unchanged():
    facts = facts_text(ADULT, {30: read_row(ADULT, PERSON_30)})
    text = (EXAMPLES / "adult.lp").read_text() + facts
    assert run_scasp(text, "income(30,Y)", "not income(30,'=<50k')", "not ab4(30)") == [1, 0, 1]


@has_scasp
def test_templates_are_scasps_own(tmp_path):
    templates = (
        '#pred income(P_,V_) :: "the \\"income\\" of person @(P_) is @(V_)".\n#pred not age(P_,V_) :: html([]).\n'
    )
    program = parse(templates + str(ADULT))
    text = str(program) + facts_text(program, {30: read_row(program, PERSON_30)})
    file = tmp_path / "program.pl"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["scasp", "-s1", "--tree", "--human", "--query=income(30,Y)", file],
        capture_output=True, timeout=60, check=True, env={**os.environ, "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert "the \"income\" of person 30 is '=<50k', because" in done.stdout.decode()


@has_scasp
def test_words_are_not_confused():
    """Each word has a row and a rule of its own; without the guards s(CASP) takes some for others."""
    words = [
        *AWKWARD_WORDS,
        "grp",
        "a ",
        "o_a",
        "-a",
        "grp_1 ",
        " _a",
        "a_１",
        "é_1",
        "x_0x1",
        "'a'",
        "a_1_000",
        "[]",
        "~w",
        "",
        "\u2028",
    ]
    columns = (Column("a", "categorical"),)
    names = [f"p{i}" for i in range(len(words))]
    clauses = [Clause(name, None, (Literal("a", "=", word),)) for name, word in zip(names, words, strict=True)]
    program = program_of(Clause(None, "yes", tuple(Call(name) for name in names)), *clauses, columns=columns)
    text = str(program) + facts_text(program, {i: {"a": word} for i, word in enumerate(words)})
    query = ", ".join(f"{name}({i})" for i, name in enumerate(names))
    assert run_scasp(text, query) == [1]
    crossed = [f"{names[i]}({j})" for i, j in [(3, 4), (6, 0), (7, words.index("-a")), (8, words.index("o_a"))]]
    assert run_scasp(text, *crossed) == [0] * len(crossed)


@has_scasp
@pytest.mark.parametrize(("literal", "kind"), [
    (Literal("age", "=<", 12.0), "numerical"), (Literal("age", ">", 12.0), "numerical"),
    (Literal("age", "<", 12.0), "numerical"), (Literal("age", ">=", 12.0), "numerical"),
    (Literal("age", "=", "?"), "numerical"), (Literal("age", "!=", "?"), "numerical"),
    (Literal("age", "=", "d_a"), "categorical"), (Literal("age", "!=", "grp_1"), "categorical"),
])  # fmt: skip
def test_each_test_on_each_value_direct_negated_and_twice_negated(literal, kind):
    program = program_of(
        Clause(None, "direct", (literal,)),
        Clause(None, "negated", (Call("ab1"),)),
        Clause(None, "twice", (Call("ab2"),)),
        Clause("ab1", None, (literal,)),
        Clause("ab2", None, (Call("ab1"),)),
        columns=(Column("age", kind),),
        labels=("direct", "negated", "twice"),
    )
    cells = [11, 12, 13, -1e20, None, "?", "pi", "e", "inf_1", "d_a", "a", "grp_1", "grp_2", "grp"]
    rows = [{"age": cell} for cell in cells]
    proofs = list(prove_all_by_scasp(program, rows))
    assert proofs == [prove(program, row) for row in rows]


@has_scasp
def test_names_of_columns_and_helpers():
    names = [
        *sorted(RESERVED)[:12],
        "pay_0",
        "x_1",
        "n_x",
        "o_x",
        "ab1",
        "rule1",
        "test1",
        "Größe",
        "hours per week",
        "-",
        "age",
        "age_is",
        "html",
    ]
    columns = tuple(Column(name, "numerical" if i % 2 else "categorical") for i, name in enumerate(names))
    tests = [Literal(c.name, "=<", 1.0) if c.kind == "numerical" else Literal(c.name, "=", "1") for c in columns]
    program = program_of(
        Clause(None, "yes", (*tests, Call("html", negated=False), Call("pay_0"))),
        Clause("html", None, (tests[0],)),
        Clause("pay_0", None, (Literal(names[0], "=", "2"),)),
        columns=columns,
    )
    assert parse(str(program)) == program
    row = dict.fromkeys(names, 1)
    assert prove_by_scasp(program, row) == prove(program, row)
    text = str(program) + facts_text(program, {1: read_row(program, row), 2: read_row(program, {**row, "age": 3})})
    target = name_predicates("target", columns).target
    queries = f"{target}(1,'yes')", f"{target}(2,'yes')", f"not {target}(2,'yes')"
    assert run_scasp(text, *queries) == [1, 0, 1]


@has_scasp
def test_a_program_without_rules_has_nothing_to_ask():
    program = program_of(columns=(Column("a", "categorical"),))
    assert prove_by_scasp(program, {"a": "1"}) == prove(program, {"a": "1"})


@has_scasp
def test_all_rules_that_hold():
    program = parse("t(X,'y') :- a(X,'1'). t(X,'y') :- b(X,'1'). t(X,'y') :- not a(X,'1').")
    row = {"a": "1", "b": "1"}
    assert prove_by_scasp(program, row, all_rules=True) == prove(program, row, all_rules=True)


@has_scasp
def test_too_deep_is_said():
    n = 400
    test = Literal("x", "=", "1")
    chain = [Clause(f"ab{i}", None, (test, Call(f"ab{i + 1}"))) for i in range(1, n)]
    last = Clause(f"ab{n}", None, (Literal("x", "=", "2"),))
    program = program_of(Clause(None, "yes", (test, Call("ab1"))), *chain, last, columns=(Column("x", "categorical"),))
    with pytest.raises(EngineError, match="nested too deep"):
        prove_by_scasp(program, {"x": "1"})


@has_scasp
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(programs_with_rows)
def test_random_programs(case):
    """The tree of s(CASP), read back, is the very proof of our own prover."""
    program, rows = case
    assert list(prove_all_by_scasp(program, rows)) == [prove(program, row) for row in rows]


@has_scasp
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(programs_with_rows)
def test_random_model_files_run_unchanged(case):
    program, rows = case
    assume(program.label_clauses[0])
    values = [read_row(program, row) for row in rows]
    text = str(program) + facts_text(program, dict(enumerate(values)))
    predicate = name_predicates(program.target.column, program.columns).target
    label = program.target.labels[0]
    atoms = [f"{predicate}({row},{quote(guard(str(label)))})" for row in range(len(rows))]
    holds = [decide(program, value) == label for value in values]
    expected = [n for h in holds for n in (int(h), int(not h))]
    assert run_scasp(text, *(query for atom in atoms for query in (atom, f"not {atom}"))) == expected


@has_scasp
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(programs_with_rows)
def test_model_files_of_several_labels_prove_the_default(case):
    """A row that no rule decides has the default, by plain s(CASP) on the file as it is; other rows do not."""
    program, rows = case
    concluded = [label for label in program.target.labels if program.clauses_for(label)]
    assume(len(program.target.labels) > 1 and concluded)
    values = [read_row(program, row) for row in rows]
    text = str(program) + facts_text(program, dict(enumerate(values)))
    predicate = name_predicates(program.target.column, program.columns).target
    default = quote(guard(str(program.target.default)))
    helpers = [helpers_hold(program, value) for value in values]
    decided = [
        any(clause_holds(clause, value, known) for label in concluded for clause in program.clauses_for(label))
        for value, known in zip(values, helpers, strict=True)
    ]
    queries = [f"{'not ' if is_decided else ''}some_rule_decides({row})" for row, is_decided in enumerate(decided)]
    assert run_scasp(text, *queries) == [0] * len(rows)
    undecided = [f"{predicate}({row},{default})" for row, is_decided in enumerate(decided) if not is_decided]
    assert all(n > 0 for n in run_scasp(text, *undecided))


def test_swipl_serves_where_scasp_is_not_on_the_path(monkeypatch, tmp_path):
    swipl = shutil.which("swipl")
    if swipl is None:
        pytest.skip("SWI-Prolog is not installed")
    (tmp_path / "swipl").symlink_to(swipl)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_scasp()[0] == str(tmp_path / "swipl")


# Questions.


PEOPLE = EXAMPLES / "people.csv"


def answers_of(query, *more):
    done = CliRunner().invoke(make_app(), ["ask", str(EXAMPLES / "adult.lp"), str(PEOPLE), query, "--id", "id", *more])
    assert done.exception is None, done.exception
    return done.output


@has_scasp
@pytest.mark.parametrize(
    "query",
    ["income(X,Y)", "not income(31,'=<50k')", "ab4(30)", "income(X,'=<50k'), age(X,A), A < 25", "age(30,18)"],
)
def test_scasp_gives_the_same_answers(query):
    assert answers_of(query, "--engine", "scasp") == answers_of(query) != ""


def test_answer_that_scasp_does_not_prove_is_an_error(monkeypatch):
    monkeypatch.setattr("unless.explain.scasp.proved_answers.find_scasp", lambda: ["scasp"])
    monkeypatch.setattr("unless.explain.scasp.proved_answers.ask_engine", lambda *_: iter([{"answers": []}]))
    done = CliRunner().invoke(
        make_app(), ["ask", str(EXAMPLES / "adult.lp"), str(PEOPLE), "ab4(31)", "--id", "id", "--engine", "scasp"]
    )
    assert isinstance(done.exception, DisagreementError)
    assert "unless answers no and s(CASP) does not prove not ab4(0)" in str(done.exception)


def test_missing_pack_is_said_with_the_command():
    from unless.explain.scasp.engine import _check_version

    with pytest.raises(EngineError, match=r"a pack of it, is not: run swipl -g 'pack_install\(scasp"):
        _check_version("source_sink `library(scasp/main)' does not exist")
