"""More than two classes: the naive twin of the ordered loop, the program that needs no order, FOLD-SE's options."""

from __future__ import annotations

import math
import shutil

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

import naive
from engine import run_scasp
from kernels import exact_mgi
from shapes import as_lists, plain
from strategies import ratios, tables
from unless import FoldRPPClassifier, Literal, Rule, UnlessError, parse, prove
from unless.evaluate.predict import predict
from unless.explain.faces.plain_text import proof_english
from unless.explain.scasp import facts_text, prove_all_by_scasp
from unless.learn.optimise.one_label_at_a_time import learn_ordered
from unless.logic.forms.flatten import flatten_ordered
from unless.logic.holds import clause_holds, helpers_hold, read_row, rule_holds
from unless.logic.program import Target
from unless.logic.rules import Column
from unless.logic.text.printer import clause_lines

has_scasp = pytest.mark.skipif(shutil.which("scasp") is None, reason="s(CASP) is not installed")


@st.composite
def labelled(draw):
    """Draw a table with three classes, all of which occur."""
    table = draw(tables(max_rows=14, max_columns=3, tricky=False))
    assume(len(table.rows) >= 3)
    rest = draw(st.lists(st.sampled_from("abc"), min_size=len(table.rows) - 3, max_size=len(table.rows) - 3))
    return table, [*rest, "a", "b", "c"]


def naive_ordered(columns, rows, labels, ratio):
    """FOLD-RM with its repairs, on lists."""
    left, found = list(zip(rows, labels, strict=True)), []
    while len({label for _, label in left}) > 1:
        for target in sorted(set(labels), key=lambda c: (-sum(label == c for _, label in left), c)):
            pos = [row for row, label in left if label == target]
            neg = [row for row, label in left if label != target]
            rule = naive.learn_rule(columns, pos, neg, frozenset(), ratio) if pos else None
            if rule is not None and any(naive.covers(rule, row) for row in pos):
                break
        else:
            return found
        found.append((target, rule))
        left = [(row, label) for row, label in left if not naive.covers(rule, row)]
    return found


def fit(table, labels, ratio=0.5, **options):
    model = FoldRPPClassifier(ratio, categorical_features=table.categorical, **options)
    return model.fit(table.rows, labels)


@settings(max_examples=60, deadline=None)
@given(labelled(), ratios)
def test_the_rules_are_those_of_the_naive_twin(case, ratio):
    table, labels = case
    expected = naive_ordered(list(table.kinds), table.rows, labels, ratio)
    assert [(rule.head, plain(rule)) for rule in fit(table, labels, ratio).rules_] == [
        (label, as_lists(rule)) for label, rule in expected
    ]


@settings(max_examples=60, deadline=None)
@given(labelled(), ratios)
def test_the_program_needs_no_order(case, ratio):
    table, labels = case
    model = fit(table, labels, ratio)
    program = model.program_
    assert parse(str(program)) == program
    told = []
    for row in table.rows:
        first = next((rule.head for rule in model.rules_ if rule_holds(rule, row)), program.target.default)
        known = helpers_hold(program, row)
        concluded = {c.label for c in program.clauses if c.name is None and clause_holds(c, row, known)}
        assert concluded <= {first}
        told.append(first)
    assert model.predict(table.rows).tolist() == told == predict(program, table.rows)
    shares = model.predict_proba(table.rows)
    assert model.classes_[shares.argmax(axis=1)].tolist() == told
    assert np.allclose(shares.sum(axis=1), 1.0)


@settings(max_examples=30, deadline=None)
@given(labelled())
def test_the_default_is_the_commonest_class_of_what_is_left(case):
    table, labels = case
    model = fit(table, labels)
    left = [c for row, c in zip(table.rows, labels, strict=True) if not any(rule_holds(r, row) for r in model.rules_)]
    if left:
        assert left.count(model.program_.target.default) == max(map(left.count, left))


def literal(value):
    return (Literal("x", "=", value),)


def test_rules_of_one_label_that_follow_each_other_share_a_helper():
    rules = [Rule("a", literal("1")), Rule("a", literal("2")), Rule("b", literal("3")), Rule("a", literal("4"))]
    program = flatten_ordered(rules, Target("t", ("c",), "c"), (Column("x", "categorical"),))
    assert list(clause_lines(program)) == [
        "t(X,'a') :- a_rule1(X).",
        "a_rule1(X) :- x(X,'1').",
        "a_rule1(X) :- x(X,'2').",
        "t(X,'b') :- b_rule1(X), not a_rule1(X).",
        "b_rule1(X) :- x(X,'3').",
        "t(X,'a') :- a_rule2(X), not b_rule1(X).",
        "a_rule2(X) :- x(X,'4').",
    ]


def test_the_proof_says_why_this_class_and_why_not_an_earlier_one():
    rules = [Rule("a", literal("1")), Rule("b", (Literal("n", ">", 3.0),))]
    program = flatten_ordered(rules, Target("t", ("c",), "c"), (Column("x", "categorical"), Column("n", "numerical")))
    proof = prove(program, {"x": "2", "n": 5})
    assert proof_english(proof) == "This row: b, by rule 2: n is 5 (above 3)."
    assert proof_english(proof, full=True).splitlines() == [
        "This row: b, by rule 2, because",
        "    n is 5 (above 3).",
        "No rule for a applies, because",
        "    rule 1 does not apply, because x is 2 (1 is needed).",
    ]


@has_scasp
def test_the_engine_gives_exactly_one_label():
    frame = load_iris(as_frame=True)
    labels = frame.target.map(dict(enumerate(map(str, frame.target_names))))
    model = FoldRPPClassifier().fit(frame.data, labels)
    rows = frame.data.iloc[[3, 60, 77, 83, 106, 133, 140]].to_dict("records")
    assert list(prove_all_by_scasp(model.program_, rows)) == [prove(model.program_, row) for row in rows]
    facts = facts_text(model.program_, {n: read_row(model.program_, row) for n, row in enumerate(rows)})
    told = list(model.program_.target.labels)
    queries = [f"label({n},'{label}')" for n in range(len(rows)) for label in told]
    text = str(model.program_).replace("col_target(", "label(")
    proofs = [prove(model.program_, row) for row in rows]
    expected = [int(proof.holds and proof.label == label) for proof in proofs for label in told]
    assert run_scasp(text + facts, *queries) == expected


@pytest.mark.parametrize(("load", "least", "n_rules"), [(load_iris, 0.92, 6), (load_wine, 0.88, 8)])
@pytest.mark.parametrize("options", [{}, {"heuristic": "mgi", "tail": 0.005}])
def test_known_tables(load, least, n_rules, options):
    X, y = load(return_X_y=True, as_frame=True)
    model = FoldRPPClassifier(**options).fit(X[::2], y[::2])
    assert (model.predict(X[1::2]) == y[1::2]).mean() >= least
    assert len(model.rules_) <= n_rules
    assert model.predict(X[:1]).dtype.kind == "i"


def test_a_class_without_a_valid_literal_is_passed_over():
    """The commonest class has no rule (every literal is worse than a coin), another one has."""
    rows = [{"x": x} for x in "1212" + "3344"]
    labels = ["a", "a", "a", "a", "b", "b", "c", "c"]
    model = FoldRPPClassifier().fit(rows, labels)
    assert model.predict(rows).tolist() == labels


def test_positive_is_for_two_labels():
    with pytest.raises(UnlessError, match="positive='a' is for two labels, not for 3: 'a', 'b', 'c'"):
        FoldRPPClassifier(positive="a").fit([[1], [2], [3]], ["a", "b", "c"])


# FOLD-SE's options.


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_mgi_is_the_weighted_impurity(tp, fn, tn, fp):
    assume(tp + fn + tn + fp)
    found = exact_mgi(tp, fn, tn, fp)
    if fp + fn > tp + tn:
        assert found == -math.inf
    else:
        assert found == pytest.approx(-(math.sqrt(tp * fp) + math.sqrt(tn * fn)) / (tp + fn + tn + fp))


@settings(max_examples=40, deadline=None)
@given(tables(max_rows=14, max_columns=3, tricky=False), ratios)
def test_mgi_chooses_like_the_naive_twin(table, ratio):
    model = FoldRPPClassifier(ratio, heuristic="mgi", positive=True, categorical_features=table.categorical)
    model.fit(table.rows, table.positive)
    gain = naive.gain
    naive.gain = exact_mgi
    try:
        expected = naive.learn(table.kinds, table.rows, table.positive, ratio)
    finally:
        naive.gain = gain
    assert [plain(rule) for rule in model.rules_] == list(map(as_lists, expected))


def test_tail_keeps_only_rules_that_cover_enough():
    rows = [{"x": x} for x in "aaaaabbbbbc" + "ddddddddd"]
    labels = ["y"] * 11 + ["n"] * 9
    for tail in (0.0, 0.1, 0.9):
        model = FoldRPPClassifier(positive="y", tail=tail).fit(rows, labels)
        for rule in model.rules_:
            assert sum(rule_holds(rule, row) for row in rows) >= max(1, math.floor(tail * len(rows)))


@pytest.mark.parametrize("options", [{"heuristic": "gini"}, {"tail": 1.0}, {"tail": -0.1}])
def test_wrong_options(options):
    with pytest.raises(ValueError, match="accepted: "):
        FoldRPPClassifier(**options).fit([[1], [2]], [0, 1])


# One class after the other, by any learner of two classes.


def test_learn_ordered_gives_each_class_what_the_earlier_left():
    codes = np.array([0, 0, 0, 1, 1, 2])
    seen = []

    def learn(place, rows, positive):
        seen.append((place, rows.tolist(), positive.tolist()))
        return [Rule(str(place), literal(str(place)))], positive

    found = learn_ordered(codes, 3, learn)
    assert seen == [(2, [0, 1, 2, 3, 4, 5], [False] * 5 + [True]), (1, [0, 1, 2, 3, 4], [False] * 3 + [True] * 2)]
    assert [rule.head for rule in found.rules] == ["2", "1"]
    assert found.default == 0


def test_learn_ordered_goes_by_weight():
    places = []

    def learn(place, rows, positive):
        places.append(place)
        return [], np.zeros(len(rows), dtype=bool)

    assert learn_ordered(np.array([0, 1, 1, 2]), 3, learn).default == 1
    assert places == [0, 2]
    places.clear()
    assert learn_ordered(np.array([0, 1, 1, 2]), 3, learn, np.array([9, 1, 1, 1])).default == 0
    assert places == [2, 1]


def test_files_and_tables_give_the_same_program(tmp_path):
    rows = [("1", "a"), ("2", "a"), ("3", "b"), ("4", "b"), ("5", "c"), ("6", "c")]
    place = tmp_path / "sizes.csv"
    place.write_text("size,kind\n" + "".join(f"{size},{kind}\n" for size, kind in rows))
    by_file = FoldRPPClassifier().fit_files(place, "kind")
    by_table = FoldRPPClassifier().fit([[float(size)] for size, _ in rows], [kind for _, kind in rows])
    assert [rule.head for rule in by_file.rules_] == [rule.head for rule in by_table.rules_]
    assert by_file.predict([{"size": float(size)} for size, _ in rows]).tolist() == [kind for _, kind in rows]
