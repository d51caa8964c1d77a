"""Conditions over relations: small trains of our own, learned by every learner, written, said, proved."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from engine import run_scasp
from unless import UnlessError, parse
from unless.cli.app import make_app
from unless.evaluate.predict import predict
from unless.explain.faces.plain_text import program_english, proof_english
from unless.explain.proof.prover import prove, prove_values
from unless.explain.proof.query import parse_query
from unless.explain.scasp import facts_text, prove_all_by_scasp
from unless.explain.scasp.writer import related_text
from unless.learn.examples import read_examples
from unless.learn.front import learn
from unless.learn.learners import FoldRPPSettings, FoldRSettings, UnlessSettings
from unless.learn.relations.bias import read_bias
from unless.learn.relations.search import Conjunction, _Search, canonical, search
from unless.logic.background.clauses import read_sentences
from unless.logic.relations import REMARKS, said_of_row
from unless.logic.terms import Atom, Variable
from unless.logic.text.conjunctions import related_column
from unless.table.facts import Facts

has_scasp = pytest.mark.skipif(shutil.which("scasp") is None, reason="s(CASP) is not installed")
LEARNERS = [FoldRPPSettings(), FoldRSettings(), UnlessSettings()]
BIAS = """
head_pred(east,1). % the target
body_pred(has_car,2). body_pred(long,1). body_pred(short,1). body_pred(closed,1). body_pred(open,1).
body_pred(has_load,2). body_pred(round,1). body_pred(square,1).
type(east,(train,)). type(has_car,(train,wagon)). type(long,(wagon,)). type(short,(wagon,)). type(closed,(wagon,)).
type(open,(wagon,)). type(has_load,(wagon,load)). type(round,(load,)). type(square,(load,)).
"""


def trains(n: int, seed: int = 1, is_east=lambda cars: any(c[0] == "long" and c[1] == "closed" for c in cars)):
    """Make trains of one to three cars, each long or short, closed or open, with a round or square load or none."""
    rng = random.Random(seed)
    facts, examples = [], []
    for t in range(n):
        cars = [
            (rng.choice(["long", "short"]), rng.choice(["closed", "open"]), rng.choice(["round", "square", ""]))
            for _ in range(rng.randint(1, 3))
        ]
        for c, (length, roof, load) in enumerate(cars):
            facts += [f"has_car(t{t},t{t}_c{c}).", f"{length}(t{t}_c{c}).", f"{roof}(t{t}_c{c})."]
            facts += [f"has_load(t{t}_c{c},l{t}_{c}).", f"{load}(l{t}_{c})."] if load else []
        examples.append(f"{'pos' if is_east(cars) else 'neg'}(east(t{t})).")
    return "\n".join(examples), "\n".join(facts)


EXAMPLES, FACTS = trains(60)


def learned(settings, examples=EXAMPLES, facts=FACTS, bias=BIAS):
    read = read_examples(examples, facts, bias)
    return read, learn(read.task(), settings).program


@pytest.mark.parametrize("settings", LEARNERS, ids=lambda settings: settings.name)
def test_every_learner_finds_the_conjunction(settings):
    read, program = learned(settings)
    assert [column.name for column in program.columns if column.atoms] == [
        "has_car(X,Wagon), long(Wagon), closed(Wagon)"
    ]
    assert predict(program, read.table(program)) == read.labels.to_list()
    assert parse(str(program)) == program
    assert "has_car_long_closed(X) :- has_car(X,Wagon), long(Wagon), closed(Wagon).\n" in str(program)
    assert "if some wagon is long and closed." in str(program)


def test_types_are_seen_in_the_facts():
    _, program = learned(FoldRPPSettings(), bias="")
    assert "has_car(X,Car), long(Car), closed(Car)" in str(program)


def test_other_trains_are_predicted_from_their_facts():
    _, program = learned(FoldRPPSettings())
    other = read_examples(*trains(40, seed=2))
    assert predict(program, other.table(program)) == other.labels.to_list()


def test_exceptions_and_chains_of_two_relations():
    def is_east(cars):
        return any(load == "round" for *_, load in cars) and not any(c == ("short", "open", "square") for c in cars)

    read, program = learned(FoldRPPSettings(), *trains(150, seed=4, is_east=is_east))
    right = np.mean(np.array(predict(program, read.table(program))) == read.labels.to_numpy())
    assert right == 1.0
    assert "has_load(Wagon,Load), round(Load)" in str(program)


def test_things_that_meet_in_a_value():
    facts = "p(a,a1). p(a,a2). p(b,b1). p(b,b2). p(c,c1). p(c,c2). p(d,d1). p(d,d2)."
    facts += "at(a1,1). at(a2,1). at(b1,2). at(b2,2). at(c1,1). at(c2,2). at(d1,2). at(d2,1)."
    facts += "".join(f"red({x}1). blue({x}2)." for x in "abcd")
    read, program = learned(FoldRPPSettings(), "pos(ok(a)). pos(ok(b)). neg(ok(c)). neg(ok(d)).", facts, "")
    assert predict(program, read.table(program)) == [True, True, False, False]


def test_thing_that_is_met_by_way_of_another_also_comes_as_one_of_the_rows_own():
    facts = Facts.of(s.head for s in read_sentences("piece(s,p). piece(s,q). at(p,1). at(q,1). red(p)."))
    bias = read_bias("", facts, "good", ["s"])
    searcher = _Search(facts, ["s"], np.array([True]), bias)
    x, piece, height, other = map(Variable, ("X", "V0", "V1", "V2"))
    known = dict(zip(("X", "V0", "V1"), (*bias.types["piece", 2], bias.types["at", 2][1]), strict=True))
    start = Conjunction((Atom("piece", (x, piece)), Atom("at", (piece, height))), known, pl.DataFrame(), np.ones(1))
    added = [atoms[2:] for atoms, _ in searcher.grown(start)]
    met = Atom("at", (other, height))
    assert (met,) in added
    assert (met, Atom("piece", (x, other))) in added


def test_values_of_which_somebody_has_several_are_conditions():
    facts = "likes(a,fish). likes(a,meat). likes(b,fish). likes(c,meat). likes(d,corn)."
    read, program = learned(FoldRSettings(), "pos(cat(a)). pos(cat(b)). neg(cat(c)). neg(cat(d)).", facts, "")
    assert "likes(X,'fish')." in str(program)
    assert "some likes is fish" in program_english(program)
    assert predict(program, read.table(program)) == [True, True, False, False]


def test_what_is_not_used_is_said(caplog):
    read_examples(EXAMPLES, FACTS + " knows(s1,s2).", "").task()
    assert "facts that no condition speaks of: knows/2" in caplog.text


def test_bias_of_another_target_is_refused():
    with pytest.raises(UnlessError, match="the bias is for west/2; the examples are about east/1"):
        read_examples(EXAMPLES, FACTS, "head_pred(west,2).").task()


@pytest.mark.parametrize(
    ("bias", "problem"),
    [
        ("head_pred(east,1).\nbody_pred(has_car,2)\nbody_pred(long,1).", "bias, line 2: body_pred.*with its dot"),
        ("% types\ntype(has_car,(train,car).", r"bias, line 2: type\(has_car,\(train,car\) is not understood"),
        ("type(long,(car,))", "bias, line 1: .* is not understood"),
        ("body_pred(has_car,2). type(has_car,(train,)).", "gives has_car/2 1 types; it has 2 arguments"),
    ],
)
def test_bias_that_is_nearly_right_is_refused(bias, problem):
    with pytest.raises(UnlessError, match=problem):
        read_examples(EXAMPLES, FACTS, bias).task()


def test_what_of_the_bias_is_not_used_is_said(caplog):
    bias = "max_vars(4). body_pred(has_cra,2). body_pred(has_car,2).\n:- body_literal(_,open,_,_).\n"
    read_examples(EXAMPLES, FACTS, bias).task()
    assert "of the bias is not used: max_vars, constraints." in caplog.text
    assert "speaks of has_cra/2, of which the background has no fact. Did you mean 'has_car'?" in caplog.text


def test_types_of_some_predicates_are_enough():
    """An argument without a type has that of the arguments with which it shares things."""
    bias = "".join(line for line in BIAS.splitlines(keepends=True) if "type" not in line)
    _, program = learned(FoldRPPSettings(), bias=bias + "type(has_car,(train,wagon)).\n")
    assert "has_car(X,Wagon), long(Wagon), closed(Wagon)" in str(program)


def test_directions_are_kept():
    facts = Facts.of(s.head for s in read_sentences(FACTS))
    bias = read_bias(BIAS + "direction(has_car,(in,out)). direction(has_load,(in,out)).", facts, "east", ["t1"])
    found = search(facts, [f"t{i}" for i in range(60)], np.arange(60) % 2 == 0, bias)
    reached = [atom.terms for each in found for atom in each.atoms if atom.name == "has_load"]
    assert all(terms[0] != Variable("X") for terms in reached)
    assert bias.row_type == "train"


@pytest.mark.parametrize("bias", ["", BIAS])
def test_order_of_rows_and_facts_does_not_matter(bias):
    lines = EXAMPLES.split("\n")
    _, program = learned(FoldRPPSettings(), bias=bias)
    _, other = learned(FoldRPPSettings(), "\n".join(reversed(lines)), "\n".join(reversed(FACTS.split("\n"))), bias)
    assert other.clauses == program.clauses


# What is said and proved.


def test_question_about_a_relation_is_refused_without_inner_names():
    _, program = learned(FoldRPPSettings())
    with pytest.raises(UnlessError) as caught:
        parse_query(program, "has_car(t1,C)")
    said = str(caught.value)
    assert "it has has_car_long_closed/1, name/2, east/2, east/1. has_car is a relation of the facts" in said


def test_proof_names_the_witness_and_refutation_says_no():
    read, program = learned(FoldRPPSettings())
    table = read.table(program)
    column = next(column for column in program.columns if column.atoms)
    east = read.labels.to_list().index(True)
    values = {column.name: table[column.name][east]}
    witness = read.facts.witness(column, read.individuals[east])
    proof = replace(prove_values(program, values), witnesses={column.name: {"wagon": witness["Wagon"]}})
    assert f"some wagon is long and closed (wagon {witness['Wagon']})" in proof_english(proof)
    assert "no wagon is long and closed" in proof_english(prove_values(program, {column.name: None}))
    assert "kein einziges Mal gilt: wagon ist long und closed" in proof_english(
        prove_values(program, {column.name: None}), lang="de"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("has_car(X,Car)", "it has some car"),
        ("has_car(X,Car), long(Car)", "some car is long"),
        ("has_car(X,Car), has_load(Car,Load), round(Load)", "some car has a load that is round"),
        ("payments(X,Payment), payments_status(Payment,late)", "some payment has status late"),
        ("bond(X,A,B,2), atom(X,B,c)", "there are facts bond(X,A,B,2), atom(X,B,c)"),
        ("piece(X,P), at(P,V), at(Q,V), piece(X,Q)", "some p has a at that is the at of a q that is a piece of it"),
    ],
)
def test_conjunctions_in_words(text, said):
    assert said_of_row([goal.atom for goal in read_sentences(f"p(X) :- {text}.")[0].asked], REMARKS) == said


@has_scasp
def test_scasp_gives_the_same_proofs_from_the_facts():
    read, program = learned(FoldRPPSettings(), *trains(12, seed=7))
    table = read.table(program)
    columns = [column for column in program.columns if column.atoms]
    rows = [{column.name: row[column.name] for column in columns} for row in table.iter_rows(named=True)]
    related = [(i, [f for column in columns for f in read.facts.about(column, i)]) for i in read.individuals]
    assert list(prove_all_by_scasp(program, rows, related=related)) == [prove(program, row) for row in rows]


MOLECULES = """%@ unless 1
%@ target active: true else false
%@ categorical name
%@ relations atom, bond

active(X) :- bond_atom_c(X), atom_o_bond(X).
active(X) :- atom_o_bond2(X), bond_atom_c(X).
bond_atom_c(X) :- bond(X,Bond,Bond2,2.0), atom(X,Bond2,'c',Atom).
atom_o_bond(X) :- atom(X,Atom,'o',Atom2), bond(X,Atom,Bond,2.0).
atom_o_bond2(X) :- atom(X,Atom,'o',Atom2), bond(X,Bond,Atom,2.0).
"""
BONDS = """
atom(m,a0,o,0.43). atom(m,a1,o,-0.077). atom(m,a2,o,0.061). atom(m,a3,cl,-0.02).
bond(m,a0,a1,2). bond(m,a1,a2,7). bond(m,a2,a3,2).
atom(n,b0,c,0.5). atom(n,b1,o,0.25). bond(n,b1,b0,2).
"""


@has_scasp
def test_scasp_gives_the_same_proofs_from_facts_of_several_things():
    """By its default way with variables s(CASP) denies that m has an o with a double bond, and proves it too."""
    read, program = read_examples("neg(active(m)). pos(active(n)).", BONDS), parse(MOLECULES)
    columns = [column for column in program.columns if column.atoms]
    table = read.table(program)
    rows = [{column.name: row[column.name] for column in columns} for row in table.iter_rows(named=True)]
    related = [(i, [f for column in columns for f in read.facts.about(column, i)]) for i in read.individuals]
    assert predict(program, table) == [False, True]
    assert list(prove_all_by_scasp(program, rows, related=related)) == [prove_values(program, row) for row in rows]


@has_scasp
def test_model_file_runs_unchanged_beside_the_facts():
    read, program = learned(FoldRPPSettings(), *trains(12, seed=7))
    column = next(column for column in program.columns if column.atoms)
    labels = read.labels.to_list()
    text = str(program) + facts_text(program, {})
    text += "".join(related_text(n, i, read.facts.about(column, i)) for n, i in enumerate(read.individuals))
    queries = [f"{'' if label else 'not '}east({n})" for n, label in enumerate(labels)]
    assert all(run_scasp(text, *queries))


# The text, and the engine.


@pytest.mark.parametrize(
    ("clause", "problem"),
    [
        ("t(X,'y') :- p(X). p(X) :- not has_car(X,C).", "a negated relation needs a helper"),
        ("t(X,'y') :- p(X). p(X) :- has_car(Z,C).", "none of the relations speaks of the row, X"),
    ],
)
def test_what_a_relation_cannot_be(clause, problem):
    with pytest.raises(UnlessError, match=problem):
        parse(f"%@ target t: 'y' else 'n'\n%@ relations has_car\n{clause}")


def test_row_may_have_any_variable_and_a_column_may_be_called_like_a_relation():
    program = parse(
        "%@ target t: 'y' else 'n'\n%@ categorical long_2 = 'long'\n%@ relations has_car, long\n"
        "t(A,'y') :- p(A), long_2(A,'yes'). p(A) :- has_car(A,C), long(C)."
    )
    assert program.columns[1].name == "has_car(X,C), long(C)"
    assert parse(str(program)) == program


PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


@settings(max_examples=60, deadline=None)
@given(PAIRS, PAIRS, st.sets(st.integers(0, 4)))
def test_joins_are_what_conjunctions_mean(r, s, u):
    atoms = [Atom("r", (f"x{a}", f"y{b}")) for a, b in r] + [Atom("s", (f"y{a}", f"y{b}")) for a, b in s]
    facts = Facts.of([*atoms, *(Atom("u", (f"y{a}",)) for a in u)])
    x, a, b = Variable("X"), Variable("A"), Variable("B")
    column = related_column([Atom("r", (x, a)), Atom("s", (a, b)), Atom("u", (b,))])
    rows = [f"x{i}" for i in range(5)]
    expected = [any(i == p and q == c and d in u for p, q in r for c, d in s) for i in range(5)]
    table = facts.with_conjunctions(pl.DataFrame({"n": rows}), rows, [column])
    assert [cell == "true" for cell in table[column.name]] == expected
    for row, holds in zip(rows, expected, strict=True):
        assert bool(facts.witness(column, row)) == holds
        few = Facts.of(facts.about(column, row))
        assert bool(few.witness(column, row)) == holds


def test_names_of_things_do_not_matter():
    x, a, b = Variable("X"), Variable("V0"), Variable("V1")
    one = [Atom("r", (x, a)), Atom("r", (x, b)), Atom("s", (a, b))]
    other = [Atom("s", (b, a)), Atom("r", (x, b)), Atom("r", (x, a))]
    assert canonical(one) == canonical(other)


# The command.


def test_command_learns_predicts_and_explains(tmp_path):
    for name, text in {"exs.pl": EXAMPLES, "bk.pl": FACTS, "bias.pl": BIAS}.items():
        (tmp_path / name).write_text(text)
    exs, bk, model = (str(tmp_path / name) for name in ("exs.pl", "bk.pl", "m.lp"))
    app, runner = make_app(), CliRunner()
    learning = ["learn", "--examples", exs, "--background", bk, "--bias", str(tmp_path / "bias.pl")]
    assert runner.invoke(app, [*learning, "--algorithm", "fold-r++", "-o", model]).exit_code == 0
    told = runner.invoke(app, ["predict", model, exs, "--background", bk]).stdout.split()[1:]
    assert told == [str(line.startswith("pos")) for line in EXAMPLES.split("\n")]
    assert "accuracy 1.0000" in runner.invoke(app, ["score", model, exs, "--background", bk]).stdout
    east = told.index("True")
    done = runner.invoke(app, ["explain", model, exs, "--background", bk, "--row", f"t{east}"])
    assert f"some wagon is long and closed (wagon t{east}_c" in done.stdout
    table = tmp_path / "rows.csv"
    table.write_text("name\nt1\n")
    assert "the program speaks of relations (closed, has_car, long)" in str(
        runner.invoke(app, ["predict", model, str(table)]).exception
    )
