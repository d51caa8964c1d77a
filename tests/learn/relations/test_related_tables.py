"""Tables beside the table: payments of customers become measures and conditions, in the file and at prediction."""

from __future__ import annotations

import random

import polars as pl
import pytest
from sklearn.model_selection import cross_val_score
from typer.testing import CliRunner

from unless import FoldRPPClassifier, RelatedRows, UnlessError, load, parse
from unless.cli.app import make_app
from unless.learn.examples import read_examples
from unless.table.formats import read_file
from unless.table.related_tables import RelatedTables


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write customers of whom those with a late payment and more than three are a risk."""
    rng = random.Random(3)
    customers, payments = ["id,age,risk"], ["customer,amount,status,channel"]
    for i in range(150):
        n = rng.randint(0, 6)
        states = [rng.choice(["ok", "ok", "ok", "late"]) for _ in range(n)]
        payments += [f"c{i},{rng.randint(10, 900)},{state},{rng.choice(['web', 'shop'])}" for state in states]
        customers.append(f"c{i},{rng.randint(18, 80)},{'high' if 'late' in states and n > 3 else 'low'}")
    (tmp_path / "customers.csv").write_text("\n".join(customers) + "\n")
    (tmp_path / "payments.csv").write_text("\n".join(payments) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(make_app(), arguments)


@pytest.mark.parametrize("algorithm", ["unless", "fold-r++", "fold-r"])
def test_rules_speak_of_related_rows_and_predict_alike(files, algorithm):
    beside = ("--related", "payments.csv:customer=id")
    done = run(
        "learn", "customers.csv", "--target", "risk", *beside, "--algorithm", algorithm, "--no-check", "-o", "m.lp"
    )
    assert done.exit_code == 0, done.output
    program = load("m.lp")
    assert parse(str(program)) == program
    text = str(program)
    assert "%@ related payments: 'customer' = 'id'\n" in text
    assert "payments_status_late(X) :- payments(X,Payment), payments_status(Payment,'late').\n" in text
    assert "number_of_payments(X,N" in text
    predicted = run("predict", "m.lp", "customers.csv", *beside).stdout.split()[1:]
    rows = (files / "customers.csv").read_text().split()[1:]
    assert predicted == [row.rpartition(",")[2] for row in rows]
    high = predicted.index("high")
    said = run("explain", "m.lp", "customers.csv", *beside, "--row", str(high)).stdout
    assert "some payment has status late (payment" in " ".join(said.split())


def test_a_program_with_related_tables_asks_for_them(files):
    beside = ("--related", "payments.csv:customer=id")
    run("learn", "customers.csv", "--target", "risk", *beside, "--no-check", "-o", "m.lp")
    commands = {
        "predict": (), "score": (), "rules": (), "grade": (), "report": ("-o", "r.html"), "explain": ("--row", "0"),
        "compare": ("m.lp",), "ask": (),
    }  # fmt: skip
    for command, more in commands.items():
        arguments = [command, "m.lp", *more[: command == "compare"], "customers.csv"]
        arguments += [*(["risk(0,Y)"] if command == "ask" else []), *(more if command != "compare" else ())]
        said = str(run(*arguments).exception)
        assert "learned with a table 'payments' beside the table: give --related FILE:customer=id" in said, command
        done = run(*arguments, *beside)
        assert done.exit_code == 0, (command, done.output)
    assert "of facts, not a table" in str(run("look", "exs.pl").exception)


def customers_with(files):
    """Read the files as a person in a notebook would."""
    frames = [pl.read_csv(files / name) for name in ("customers.csv", "payments.csv")]
    return RelatedRows(frames[0].drop("risk"), {"payments": (frames[1], "customer", "id")}), frames[0]["risk"]


def test_estimators_take_tables_beside_the_rows(files):
    rows, labels = customers_with(files)
    model = FoldRPPClassifier(positive="high").fit(rows, labels)
    assert model.score(rows, labels) == 1.0
    assert min(cross_val_score(FoldRPPClassifier(), rows, labels, cv=3)) > 0.9
    first = labels.to_list().index("high")
    proof = model.explain(rows[[first]])[0]
    assert [list(things) for things in proof.witnesses.values() if things] == [["payment"]]
    with pytest.raises(UnlessError, match=r"give RelatedRows\(rows, \{'payments': \(table, 'customer', 'id'\)\}\)"):
        model.predict(rows.main)


def test_rows_with_tables_beside_them_are_matched_by_name(files):
    """Columns in another order than in fit were matched by position: each row got the label of one without payments."""
    rows, labels = customers_with(files)
    model = FoldRPPClassifier().fit(rows, labels)
    assert model.feature_names_in_.tolist() == ["id", "age"]
    frames = [pl.read_csv(files / name) for name in ("customers.csv", "payments.csv")]
    with pytest.raises(UnlessError, match="must be in the same order"):
        model.predict(RelatedRows(frames[0].select("age", "id"), {"payments": (frames[1], "customer", "id")}))


ONE = [{"id": 1, "k": "u", "n": 2}]


@pytest.mark.parametrize(
    ("beside", "problem"),
    [
        ([ONE], "RelatedRows takes tables by name, each with its key"),
        ({"pay": ONE}, "each with its key"),
        ({"pay": (ONE, {"id": "id"})}, "each with its key"),
        ({"pay": (ONE, "id"), "Pay": (ONE, "id")}, "table 'pay' and table 'pay' would both be called 'pay' in rules"),
        ({"pay": (ONE, "id"), "pay_k": (ONE, "id")}, "column 'k' of table 'pay' and table 'pay_k' would both"),
        ({"pay": ([{"id": 1, "k": "u", "K": "v"}], "id")}, "column 'k' of table 'pay' and column 'K' of table 'pay'"),
    ],
)
def test_tables_beside_rows_that_cannot_be_are_refused(beside, problem):
    """Wrong shapes ended in a traceback; of two tables of one name each row was the row of that number in both."""
    with pytest.raises(UnlessError, match=problem):
        RelatedRows([{"id": 1}, {"id": 2}], beside)


def test_a_column_called_as_a_measure_is_refused():
    """It was replaced by the measure without a word."""
    rows = RelatedRows([{"id": 1, "number of pay": 5}, {"id": 2, "number of pay": 6}], {"pay": (ONE, "id")})
    with pytest.raises(UnlessError, match="column 'number of pay' is called as what the table beside it gives"):
        FoldRPPClassifier().fit(rows, ["a", "b"])


def test_estimators_take_examples_with_facts():
    facts = "owns(a,dog). owns(b,cat). owns(b,dog). owns(c,cat). owns(d,fish). loud(cat). loud(dog)."
    read = read_examples("pos(noisy(a)). pos(noisy(b)). pos(noisy(c)). neg(noisy(d)).", facts)
    model = FoldRPPClassifier(positive=True).fit(read, read.labels)
    assert model.predict(read).tolist() == [True, True, True, False]
    assert model.explain(read)[0].witnesses == {"owns(X,Owns), loud(Owns)": {"owns": "dog"}}


def test_measures_and_what_is_none(tmp_path):
    (tmp_path / "a.csv").write_text("id\n1\n2\n3\n")
    (tmp_path / "visits.csv").write_text("id,cost\n1,5\n1,7.5\n2,x\n2,1\n2,2\n,99\n")
    main, _ = read_file(str(tmp_path / "a.csv"))
    table = RelatedTables.open([f"{tmp_path / 'visits.csv'}:id"]).extended(main, ())
    read = {name: table.column(name).numbers.to_list() for name in table.names[1:]}
    assert read == {
        "number of visits": [2.0, 3.0, 0.0],
        "largest cost of visits": [7.5, 2.0, None],
        "smallest cost of visits": [5.0, 1.0, None],
    }


@pytest.mark.parametrize(
    ("asked", "problem"),
    [("payments.csv", "write FILE:KEY"), ("payments.csv:nobody", "nobody"), (":id", "write FILE:KEY")],
)
def test_what_cannot_be_opened_is_said(files, asked, problem):
    with pytest.raises(UnlessError, match=problem):
        RelatedTables.open([asked])
