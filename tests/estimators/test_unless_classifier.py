"""`UnlessClassifier`: the program it gives, wishes by name, weights, probabilities, the frontier, the command."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import cross_val_score
from typer.testing import CliRunner

from unless import FoldRPPClassifier, Literal, Rule, UnlessClassifier, UnlessError, load, parse, prove, save
from unless.cli.app import make_app
from unless.datasets import loans
from unless.errors import Note
from unless.evaluate.predict import predict
from unless.evaluate.probabilities import probabilities
from unless.explain.faces.picture import picture
from unless.learn.grading import grader
from unless.learn.size_path import Frontier, FrontierPoint
from unless.logic.forms.flatten import flatten
from unless.logic.holds import decide, read_row, rule_holds
from unless.logic.kept_constraints import Constraints
from unless.logic.program import Target
from unless.logic.rules import Column, Negated, OneOf, Scorecard

WORDS = ["purpose", "housing", "history"]


@pytest.fixture(scope="module")
def table():
    frame = loans(800)
    return frame.drop("loan"), frame["loan"]


@pytest.fixture(scope="module")
def model(table):
    return UnlessClassifier(categorical_features=WORDS).fit(*table)


def test_the_program_is_the_model(table, model):
    X, y = table
    program = model.program_
    assert parse(str(program)) == program
    assert predict(program, X) == model.predict(X).tolist()
    assert model.score(X, y) > 0.95
    rows = X.head(40).to_dicts()
    for row, told in zip(rows, model.predict(X).tolist(), strict=False):
        values = read_row(program, row)
        assert decide(program, values) == told
        assert any(rule_holds(rule, values) for rule in model.rules_) == (told == program.target.labels[0])
        assert prove(program, row).label == told
    assert picture(program).startswith("<svg")


def test_sets_and_complements_become_helpers():
    columns = [Column("town", "categorical"), Column("age", "numerical")]
    towns = OneOf("town", ("a", "b"))
    rule = Rule(
        "yes", (towns, Negated(Literal("age", ">", 3))), (Rule(None, (OneOf("town", ("a", "b"), negated=True),)),)
    )
    program = flatten([rule], Target("t", ("yes",), "no"), columns)
    assert parse(str(program)) == program
    assert [clause.name for clause in program.clauses] == [None, "town_set1", "town_set1", "age_high1", "ab1"]
    for town in ("a", "b", "c", None):
        for age in (2.0, 4.0, None, "old"):
            row = {"town": town, "age": age}
            assert (decide(program, row) == "yes") == rule_holds(rule, row) == (town in ("a", "b") and age != 4.0)


def test_scorecards_become_points():
    columns = [Column("town", "categorical"), Column("age", "numerical")]
    old, towns = Literal("age", ">", 60), OneOf("town", ("a", "b"))
    awards = (
        (2, towns),
        (1, old),
        (1, Negated(Literal("age", "=<", 80))),
        (1, OneOf("town", ("a", "b"), negated=True)),
    )
    for threshold in (1, 2, 3):
        rule = Rule("yes", (Scorecard(awards, threshold),))
        program = flatten([rule], Target("t", ("yes",), "no"), columns)
        assert parse(str(program)) == program
        for town in ("a", "c", None):
            for age in (50.0, 70.0, 90.0, None, "old"):
                row = {"town": town, "age": age}
                assert (decide(program, row) == "yes") == rule_holds(rule, row)
                assert prove(program, row).label == decide(program, row)
    same = Scorecard(((1, old), (1, old)), 2)
    program = flatten([Rule("yes", (same,))], Target("t", ("yes",), "no"), columns)
    assert decide(program, {"age": 70.0}) == "yes"
    assert decide(program, {"age": 50.0}) == "no"


def test_a_learned_scorecard_is_a_program(table):
    X, y = table
    model = UnlessClassifier(categorical_features=WORDS, points=True).fit(X, y)
    assert parse(str(model.program_)) == model.program_
    assert predict(model.program_, X) == model.predict(X).tolist()
    assert model.score(X, y) > 0.93


def test_kept_names_are_not_taken_again(table):
    X, y = table
    text = "loan(X,'approved') :- history(X,'clean'), not ab1(X).\nab1(X) :- set1(X).\nset1(X) :- housing(X,'rent')."
    model = UnlessClassifier(categorical_features=WORDS, locked=text).fit(X, y)
    lines = str(model.program_).splitlines()
    for line in text.splitlines():
        assert line in lines
    assert model.program_.helpers["ab1"] == parse(text).helpers["ab1"]
    given = parse(text).clauses_for("approved")[0]
    assert model.program_.clauses_for("approved")[0] == given
    assert (
        UnlessClassifier(categorical_features=WORDS, locked=[*model.rules_[:1]]).fit(X, y).rules_[0] == model.rules_[0]
    )


def test_wishes_by_name(table):
    X, y = table
    model = UnlessClassifier(
        0.3, categorical_features=WORDS, positive="refused", forbidden=["history"], apart=[("income", "housing")],
        monotonic_cst={"debt_ratio": 1}, allow_not_equal=False, max_rules=4,
    ).fit(X, y)  # fmt: skip
    assert model.program_.target.labels == ("refused",)
    assert "history" not in model.program_.used_columns
    for rule in model.rules_:
        for literal in rule.body:
            assert literal != Literal("debt_ratio", "=<", getattr(literal, "value", 0.0)) or literal.op != "=<"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"forbidden": ["incom"]}, "column 'incom' is not in the table.*Did you mean 'income'"),
        ({"apart": [("income", "x")]}, "column 'x' is not in the table"),
        ({"monotonic_cst": {"income": 2}}, "monotonic_cst of column 'income' is 2; accepted: 1, -1, 0"),
        ({"locked": "loan(X,'maybe') :- purpose(X,'car')."}, "a locked rule concludes 'maybe'"),
        ({"locked": "loan(X,'approved') :- colour(X,'red')."}, "column 'colour' is not in"),
        ({"size_penalty": 0}, "size_penalty"),
        ({"max_rules": 0}, "max_rules"),
        ({"positive": "maybe"}, "positive='maybe' is not a label"),
        ({"apart": [("income",)]}, "apart holds .*accepted: pairs of column names"),
        ({"apart": ["ab"]}, "apart holds 'ab'"),
        ({"apart": [("income", "income")]}, "cannot be kept apart from itself"),
        ({"forbidden": [0]}, "column '0' is not in the table"),
        ({"monotonic_cst": {"income": np.array([1, 1])}}, "accepted: 1, -1, 0"),
        ({"monotonic_cst": {"housing": 1}}, "'housing', which holds words; only numbers rise and fall"),
        ({"class_weight": {"approved": "much"}}, "class_weight is .*accepted: 'balanced' or a weight by label"),
        ({"costs": {"approved": np.array([2])}}, "costs is .*accepted: what an error costs by label"),
        ({"locked": 5}, "locked is 5; accepted: a program, its text or a list of rules or None"),
        ({"forbidden": [["income"]]}, "forbidden is .*accepted: a list of columns"),
        ({"locked": ["loan(X,'approved') :- purpose(X,'car')."]}, "locked holds .*accepted: a program, its text"),
        ({"class_weight": {"approved": -1, "refused": 1}}, "a weight is negative or not a number"),
        ({"class_weight": {"approved": np.inf, "refused": 1}}, "too large to add up"),
    ],
)
def test_wrong_wishes_are_refused(table, options, problem):
    with pytest.raises((UnlessError, ValueError), match=problem):
        UnlessClassifier(categorical_features=WORDS, **options).fit(*table)


def test_exceptions_beside_each_other_keep_columns_apart_too():
    x = np.random.default_rng(0).random((900, 3)).round(2)
    y = np.where((x[:, 2] > 0.5) & (x[:, 0] < 0.85) & (x[:, 1] < 0.85), "y", "n")
    free, apart = (UnlessClassifier(apart=a, max_literals=1, points=False).fit(x, y) for a in ((), [("x0", "x1")]))
    assert {"x0", "x1"} <= set(free.program_.used_columns)
    assert not {"x0", "x1"} <= set(apart.program_.used_columns)


def test_background_predicates_stand_for_the_columns_they_test():
    x = np.random.default_rng(5).normal(size=(400, 2)).round(2)
    y = np.where(x[:, 0] < 0, "y", "n")
    rows = [{"x": float(a), "z": float(b)} for a, b in x]
    background = "low(X) :- x(X,N), N < 0. lower(X) :- low(X)."

    def used(**options):
        model = UnlessClassifier(background=background, positive="y", points=False, **options).fit(rows, y)
        return {name for clause in model.program_.clauses for name in clause.called}

    assert used() & {"low", "lower"}
    assert not used(forbidden=["x"])
    assert not used(monotonic_cst={"x": 1})
    assert not used(apart=[("x", "z"), ("z", "x")], forbidden=["z", "low", "lower"])


def test_a_factor_on_all_weights_changes_nothing():
    rows = [{"id": f"p{i}", "n": i % 7} for i in range(303)]
    y = np.where(np.arange(303) % 40 == 7, "y", "n")
    programs = {str(UnlessClassifier().fit(rows, y, np.full(303, w)).program_) for w in (1.0, 0.5, 1e20, 1e-320)}
    assert programs == {str(UnlessClassifier().fit(rows, y).program_)}
    for n in (300, 301, 302, 303):  # no word on so few rows is worth a rule, whatever the rows weigh
        assert "id" not in UnlessClassifier(class_weight="balanced").fit(rows[:n], y[:n]).program_.used_columns


@pytest.mark.parametrize(("low", "high"), [(0.3, 0.1 + 0.2), (-1.2e308, 1.2e308), (5e-324, 1e-323)])
def test_neighbouring_and_huge_numbers_are_words(low, high):
    X, y = [[low]] * 30 + [[high]] * 30, ["a"] * 30 + ["b"] * 30
    assert UnlessClassifier().fit(X, y).score(X, y) == 1


def shorter(rules):
    """Yield the rules with one rule, exception or literal less."""
    for i, rule in enumerate(rules):
        yield rules[:i] + rules[i + 1 :]
        others = [replace(rule, exceptions=fewer) for fewer in shorter(rule.exceptions)]
        if len(rule.body) > 1:
            others += [replace(rule, body=rule.body[:k] + rule.body[k + 1 :]) for k in range(len(rule.body))]
        yield from ((*rules[:i], other, *rules[i + 1 :]) for other in others)


@pytest.mark.parametrize("seed", range(6))
def test_every_part_of_a_program_pays(seed):
    # Thresholds inside a bin: what mended the edge of a bin must go once the threshold is exact.
    rng = np.random.default_rng(seed)
    x, u, words = rng.normal(size=400).round(2), rng.normal(size=400).round(2), rng.choice(["m", "f", "k"], 400)
    rows = [{"x": float(a), "u": float(b), "s": str(c)} for a, b, c in zip(x, u, words, strict=True)]
    y = np.where(((x < rng.normal() * 0.5) & (words != "m")) | (u > 1), "y", "n")
    y = np.where(rng.random(400) < rng.choice([0, 0.05]), np.where(y == "y", "n", "y"), y)
    model = UnlessClassifier(points=False).fit(rows, y)

    def errors(rules):
        program = flatten(rules, model.program_.target, model.program_.columns)
        return (np.array(predict(program, rows)) != y).sum()

    now = errors(model.rules_)
    assert all(errors(rules) > now for rules in shorter(model.rules_) if rules)


def test_weights_move_the_program(table):
    X, y = table
    refused = (y == "refused").to_numpy()
    plain = UnlessClassifier(2.0, categorical_features=WORDS, max_rules=1).fit(X, y)
    careful = UnlessClassifier(
        2.0, categorical_features=WORDS, max_rules=1, class_weight={"refused": 20, "approved": 1}
    )
    careful.fit(X, y)
    approved = [(model.predict(X)[refused] == "approved").sum() for model in (plain, careful)]
    assert approved[1] <= approved[0]
    same = UnlessClassifier(2.0, categorical_features=WORDS, max_rules=1).fit(X, y, np.where(refused, 20, 1))
    assert same.rules_ == careful.rules_  # the grades differ: weights of rows count rows, those of labels do not


def test_probabilities_are_those_of_the_grade_and_agree(table, model):
    X, _ = table
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert model.classes_[shares.argmax(axis=1)].tolist() == model.predict(X).tolist()
    index = model.classes_.tolist().index(model.program_.target.labels[0])
    np.testing.assert_array_equal(shares[:, index], probabilities(model.program_, X)[:, 0])
    assert ((model.decision_function(X) > 0) == (model.predict(X) == model.classes_[1])).all()


def test_ctrl_c_keeps_the_best_program_so_far(table):
    def interrupt(step):
        raise KeyboardInterrupt

    with pytest.warns(Note, match="learning was stopped early"):
        model = UnlessClassifier(categorical_features=WORDS).fit(*table, on_progress=interrupt)
    assert model.stopped_
    assert len(model.program_.clauses) >= 1
    with pytest.warns(Note, match="learning was stopped early"):
        assert UnlessClassifier(categorical_features=WORDS, time_limit=0).fit(*table).stopped_


def test_a_search_that_goes_on_after_ctrl_c_says_which_fit_was_cut_short(table):
    """Ctrl-C ended one of many fits, whose score stood among the others without a word."""
    X, y = table
    with pytest.warns(Note, match="learning was stopped early") as warned:
        cross_val_score(UnlessClassifier(categorical_features=WORDS, time_limit=0), X, y, cv=2)
    assert [warning.filename.endswith("_validation.py") for warning in warned if warning.category is Note] == [True] * 2


def test_ctrl_c_at_any_step_gives_no_worse_program_than_the_step_before(table):
    X, y = table
    steps = []
    UnlessClassifier(categorical_features=WORDS, points=False).fit(X, y, on_progress=steps.append)
    assert len(steps) > 1
    for last in range(1, len(steps)):
        calls = iter(range(len(steps)))

        def interrupt(step, calls=calls, last=last):
            if next(calls) == last:
                raise KeyboardInterrupt

        stopped = UnlessClassifier(categorical_features=WORDS, points=False).fit(X, y, on_progress=interrupt)
        assert stopped.stopped_
        if steps[last - 1].action != "try":  # whose errors are of a fold
            assert stopped.score(X, y) >= 1 - steps[last - 1].errors / len(y)


def test_ctrl_c_while_rules_are_graded_keeps_them(table, model, monkeypatch):
    """Rules that were finished were thrown away."""
    grade, calls = grader.grade_program, []

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return grade(*arguments)

    monkeypatch.setattr(grader, "grade_program", interrupted)
    stopped = UnlessClassifier(categorical_features=WORDS).fit(*table)
    assert stopped.stopped_
    assert stopped.program_ == model.program_


def test_a_given_program_is_nested_only_when_asked():
    sets = "".join(f"set{k}(X) :- c{k}(X,'w{i}')." for k in range(8) for i in range(8))
    cases = ", ".join(f"1*set{k}(X)" for k in range(8))
    model = UnlessClassifier.from_program(parse(f"t(X,'y') :- at_least(4, [{cases}]). {sets}"), ["y", "n"])
    assert model.predict([{f"c{k}": "w1" for k in range(8)}, {}]).tolist() == ["y", "n"]
    with pytest.raises(UnlessError, match="nested rules"):
        _ = model.rules_


def test_frontier(table, model):
    before = model.program_
    path = model.frontier(*table)
    assert model.program_ is before
    assert [stop.n_literals for stop in path.points] == sorted({stop.n_literals for stop in path.points})
    assert str(path).count("<- elbow") == 1
    assert path.svg() == path.svg()
    assert path.svg().count("<circle") == len(path.points)
    with pytest.raises(UnlessError, match="no literal pays"):
        UnlessClassifier().frontier(pl.DataFrame({"a": ["x"] * 10}), ["p", "q"] * 5)


def test_the_frontier_says_how_grades_rank_rows_they_have_not_seen():
    rng = np.random.default_rng(5)
    X = pl.DataFrame({name: rng.normal(size=500) for name in "abcdef"})
    risk = 1 / (1 + np.exp(-sum(X[name].to_numpy() for name in "abcd")))
    drawn, by_chance = rng.random(500) < risk, rng.random(500) < 0.4
    model = UnlessClassifier(points=False)
    plain, path = model.frontier(X, drawn), model.frontier(X, drawn, auc=True)
    assert [stop.auc for stop in plain.points] == [None] * len(plain.points)
    assert [replace(stop, auc=None) for stop in path.points] == list(plain.points)
    assert path.points[0].n_literals == 1
    assert 0.78 < path.points[0].auc < 0.9  # one literal alone has two chances, and 0.65
    assert str(path).splitlines()[0].endswith("AUC")
    assert len(str(path).splitlines()[1].removesuffix("  <- elbow")) > len(str(plain).splitlines()[1])
    guessed = model.frontier(X, by_chance, auc=True)
    assert all(0.4 < stop.auc < 0.6 for stop in guessed.points)


@pytest.mark.parametrize("low", [0.0, 0.5, 0.79, 0.905, 0.9949, 0.99999, 1.0])
@pytest.mark.parametrize("n_literals", [1, 7, 300])
def test_any_frontier_is_drawn(model, low, n_literals):
    stops = [
        FrontierPoint(model.program_, 1, n, accuracy, 0.001, 1.0, 1.0)
        for n, accuracy in ((1, low), (n_literals + 1, 1.0))
    ]
    for path in (Frontier(tuple(stops), 1), Frontier(tuple(stops[:1]), 0)):
        assert "nan" not in path.svg()
        assert 'class="grid"' in path.svg()


def test_a_frontier_says_what_one_label_alone_is_right_on():
    """Of noise the elbow was right on 59 % of rows it had not seen, where one label is on 63 %, and nothing said so."""
    random = np.random.default_rng(3)
    X, y = random.random((300, 3)).round(1), np.where(random.random(300) < 0.35, "ill", "well")
    path = UnlessClassifier(points=False, max_rules=3).frontier(X, y)
    share = float((y == "well").mean())
    assert path.commonest == ("well", pytest.approx(share))
    assert path.points[path.elbow].accuracy <= share
    assert str(path).endswith(f"Without any rule, always 'well': {share:.4f}. The elbow is no better.")
    assert path.as_text(lang="de").endswith("Der Knick ist nicht besser.")
    rule = UnlessClassifier(points=False, max_rules=3).frontier(X, np.where(X[:, 0] > 0.6, "ill", "well"))
    assert str(rule).splitlines()[-1].startswith("Without any rule, always 'well': ")
    assert "no better" not in str(rule)


def test_a_frontier_of_weighed_rows_says_so():
    """Its accuracies are shares of weight, and looked like those of `unless score`, which counts rows."""
    table = loans(300)
    rows, labels = table.drop("loan"), table["loan"]
    plain, weighed = (
        UnlessClassifier(points=False, costs=costs).frontier(rows, labels) for costs in (None, {"refused": 5})
    )
    assert "weighed" not in f"{plain} {plain.svg()}"
    first, *_ = str(weighed).splitlines()
    assert "accuracy, weighed" in first
    assert "on training rows, weighed" in first
    assert str(weighed).replace("\n", " ").endswith("these accuracies are shares of their weight, not of the rows.")
    assert "held-out rows, weighed as in learning" in weighed.svg()
    assert "gewichtet" in weighed.as_text(lang="de")
    assert "weighed" not in weighed.as_text(lang="de") + weighed.svg(lang="de")


def test_the_command(tmp_path):
    loans(400).write_csv(tmp_path / "loans.csv")

    def learn(*more):
        start = ["learn", str(tmp_path / "loans.csv"), "--target", "loan"]
        return CliRunner().invoke(make_app(), [*start, *map(str, more)], catch_exceptions=True)

    pick = ["--frontier-svg", tmp_path / "f.svg", "--frontier-auc", "--pick", 1, "-o", tmp_path / "m.lp"]
    said = learn("--algorithm", "unless", *pick)
    assert said.exit_code == 0, said.output
    assert "AUC" in next(line for line in said.output.splitlines() if not line.startswith("unless:"))
    assert load(tmp_path / "m.lp").n_literals == 1
    assert (tmp_path / "f.svg").read_text().startswith("<svg")
    options = ["--forbid", "history", "--apart", "income,housing", "--monotonic", "income=+1", "--no-not-equal"]
    said = learn("--algorithm", "unless", *options, "--max-rules", 3, "--keep", tmp_path / "m.lp", "--balanced")
    assert said.exit_code == 0, said.output
    for wrong, problem in (
        (["--algorithm", "fold-r++", "--max-rules", 3], "--max-rules is an option of --algorithm unless"),
        (["--algorithm", "unless", "--monotonic", "income=up"], "is not understood"),
        (["--algorithm", "unless", "--apart", "income"], "another number of columns than two"),
        (["--algorithm", "unless", "--pick", 99], "the frontier has"),
        (["--algorithm", "unless", "--pick", 0], "the frontier has"),
        (["--algorithm", "unless", "--frontier", "--time-limit", 1], "--time-limit is not for the frontier"),
        (["--algorithm", "unless", "--monotonic", "income=+1,income=-1"], "both directions"),
        (["--algorithm", "unless", "--ratio", 0.2], "--ratio is an option of --algorithm fold-r++"),
        (["--algorithm", "fold-r++", "--no-points"], "--points is an option of --algorithm unless"),
        (["--algorithm", "fold-r++", "--max-depth", 0], "--max-depth is an option of --algorithm unless"),
    ):
        assert problem in str(learn(*wrong).exception)


def test_the_command_reads_standard_input_and_examples(tmp_path):
    text = loans(300).write_csv()
    start = ["--target", "loan", "--algorithm", "unless", "--max-rules", "2"]
    piped = CliRunner().invoke(make_app(), ["learn", "-", *start, "--positive", "approved"], input=text)
    assert piped.exit_code == 0, piped.output
    (tmp_path / "loans.csv").write_text(text)
    assert piped.stdout == CliRunner().invoke(make_app(), ["learn", str(tmp_path / "loans.csv"), *start]).stdout
    (tmp_path / "birds.pl").write_text("".join(f"pos(fly(b{i})). neg(fly(c{i})). " for i in range(9)))
    (tmp_path / "facts.pl").write_text("".join(f"bird(b{i}). cat(c{i}). " for i in range(9)))
    facts = ["--examples", str(tmp_path / "birds.pl"), "--background", str(tmp_path / "facts.pl")]
    said = CliRunner().invoke(make_app(), ["learn", *facts, "--algorithm", "unless"])
    assert said.exit_code == 0, said.output
    assert "fly(X) :- bird(X)." in said.stdout or "fly(X) :- not cat(X)." in said.stdout
    refused = CliRunner().invoke(make_app(), ["learn", "--examples", "x.pl", "--algorithm", "unless", "--pick", "1"])
    assert "is for a table" in str(refused.exception)


def test_what_score_says_of_probabilities(tmp_path, model):
    frame = loans(1200)
    test = frame.tail(400)
    test.write_csv(tmp_path / "test.csv")
    save(model, tmp_path / "m.lp")
    files = [str(tmp_path / name) for name in ("m.lp", "test.csv")]
    found = json.loads(CliRunner().invoke(make_app(), ["score", *files, "--json"]).stdout)["reliability"]
    index = model.classes_.tolist().index(model.program_.target.labels[0])
    chance = model.predict_proba(test.drop("loan"))[:, index]
    seen = (test["loan"] == model.program_.target.labels[0]).to_numpy()
    assert found["brier"] == pytest.approx(brier_score_loss(seen, chance))
    assert found["auc"] == pytest.approx(roc_auc_score(seen, chance))
    assert found["log_loss"] == pytest.approx(log_loss(seen, chance))
    assert sum(one["n_rows"] for one in found["bins"]) == 400
    assert "Brier score 0.0" in CliRunner().invoke(make_app(), ["score", *files]).stdout


def test_saved_and_loaded_the_probabilities_are_the_same(tmp_path, table, model):
    X, _ = table
    save(model, tmp_path / "m.lp")
    again = UnlessClassifier.from_program(load(tmp_path / "m.lp"))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_a_program_without_a_grade_only_says_which_label(table, model):
    bare = UnlessClassifier.from_program(replace(model.program_, grade=None))
    shares = bare.predict_proba(table[0])
    assert shares.max() < 0.51
    assert bare.classes_[shares.argmax(axis=1)].tolist() == model.predict(table[0]).tolist()


def test_a_proof_says_the_risk(table, model):
    X = table[0].head(3)
    index = model.classes_.tolist().index(model.program_.target.labels[0])
    for proof, shares in zip(model.explain(X), model.predict_proba(X), strict=True):
        assert proof.risk.probability == shares[index]
        assert f"Probability of {proof.risk.label}: " in str(proof)
        assert f"from {proof.risk.points} point" in str(proof)
    given = UnlessClassifier.from_program(replace(model.program_, grade=None)).explain(X)
    assert given[0].risk is None
    assert "Probability" not in str(given[0])


def test_the_program_is_the_same_for_any_number_of_jobs():
    table = loans(600)
    words = ["purpose", "housing", "history"]
    programs = [
        str(UnlessClassifier(categorical_features=words, n_jobs=n_jobs).fit(table.drop("loan"), table["loan"]).program_)
        for n_jobs in (None, 2, -1)
    ]
    assert len(set(programs)) == 1


def test_a_program_keeps_what_was_asked_of_it():
    """Directions are of the last label in Python, and of the label of the rules in the program."""
    rows = [{"age": float(i), "noise": float(i * 7 % 11), "town": "ab"[i % 2]} for i in range(200)]
    labels = ["fraud" if row["age"] < 40 else "ok" for row in rows]
    asked = {"forbidden": ["town"], "apart": [("noise", "age")], "monotonic_cst": {"age": 1, "noise": 0}}
    program = UnlessClassifier(**asked).fit(rows, labels).program_
    assert program.target.labels == ("fraud",)
    assert program.constraints == Constraints(("town",), (("age", "noise"),), (("age", -1),))
    same = UnlessClassifier(**asked | {"monotonic_cst": {"age": -1}}, positive="fraud").fit(rows, labels).program_
    assert (same.clauses, same.constraints) == (program.clauses, program.constraints)


def test_a_classifier_from_a_program_fits_under_its_constraints():
    rows = [{"age": float(i), "noise": float(i * 7 % 11), "town": "ab"[i % 2]} for i in range(200)]
    labels = ["fraud" if row["age"] < 40 else "ok" for row in rows]
    asked = {"forbidden": ["town"], "apart": [("noise", "age")], "monotonic_cst": {"age": 1}}
    program = UnlessClassifier(**asked).fit(rows, labels).program_
    again = UnlessClassifier.from_program(parse(str(program)))
    assert again.program_.constraints == program.constraints
    assert again.fit(rows, labels).program_ == program
    assert FoldRPPClassifier.from_program(program).program_.constraints == program.constraints
