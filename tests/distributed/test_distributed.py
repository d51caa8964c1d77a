"""A Dask cluster: the rules of one machine, whatever the partitions, also when a worker dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("distributed", reason="dask is not installed: pip install 'unless[dask]'")

import dask.dataframe as dd
from dask.distributed import Client, LocalCluster

from unless import FoldRClassifier, FoldRPPClassifier, UnlessClassifier, UnlessError
from unless.datasets import loans
from unless.distributed import connected, lazy_coverage, source
from unless.distributed.cluster import asking
from unless.errors import ClusterError, DataError
from unless.evaluate.coverage import coverage
from unless.learn import checkpoint
from unless.learn.rows.codes import empty_columns
from unless.logic.grade import Decided

WORDS = ["purpose", "housing", "history"]


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def table(n=400):
    frame = loans(n).to_pandas()
    frame["id"] = np.random.default_rng(0).permutation(n) * 0.5
    return frame


def in_parts(frame, kind):
    """Return a Dask frame of equal partitions, of skewed and empty ones, or one whose values differ by partition."""
    if kind == "equal":
        return dd.from_pandas(frame, npartitions=3)
    if kind == "sorted":
        frame = frame.sort_values("housing", kind="stable")
    cuts = [0, 0, 5, 5, len(frame) - 1, len(frame)]
    parts = [frame.iloc[low:high] for low, high in pairwise(cuts)]
    return dd.from_map(lambda part: part, parts, meta=frame.iloc[:0])


def halves(frame):
    return frame.drop(columns="loan"), frame["loan"]


@pytest.mark.parametrize("kind", ["equal", "skewed", "sorted"])
def test_rules_are_those_of_one_machine(client, kind):
    frame = table()
    local = FoldRPPClassifier(categorical_features=WORDS).fit(*halves(frame))
    X, y = halves(in_parts(frame, kind))
    model = FoldRPPClassifier(categorical_features=WORDS).fit(X, y)
    assert model.rules_ == local.rules_
    assert replace(model.program_, grade=None) == replace(local.program_, grade=None)
    # Rows on a cluster are graded by the decision alone.
    assert [award.condition for award in model.program_.grade.cards[0].awards] == [Decided()]
    assert sum(band.n_rows for band in model.program_.grade.cards[0].bands) == len(frame)
    told = model.predict(X)
    assert isinstance(told, dd.Series)
    told = told.compute()
    assert told.sort_index().tolist() == local.predict(halves(frame.sort_index())[0]).tolist()
    assert model.score(X, y) == local.score(*halves(frame))
    counted = lazy_coverage(model.program_, in_parts(frame, kind), "loan").compute()
    expected = coverage(model.program_, in_parts(frame, kind).compute(), "loan")
    assert counted == expected
    shares = model.predict_proba(X).compute()
    assert list(shares.columns) == local.classes_.tolist()
    assert np.allclose(shares.sum(axis=1), 1.0)


@pytest.mark.parametrize("kind", ["equal", "skewed", "sorted"])
@pytest.mark.parametrize("settings", [{}, {"class_weight": "balanced", "points": False}], ids=["plain", "balanced"])
def test_whole_programs_are_those_of_one_machine(client, kind, settings):
    """Codes travel to one machine, which learns and grades as if the table had been there."""
    frame = table()
    if kind == "sorted":
        frame = frame.sort_values("housing", kind="stable")
    local = UnlessClassifier(categorical_features=WORDS, **settings).fit(*halves(frame))
    X, y = halves(in_parts(frame, kind))
    model = UnlessClassifier(categorical_features=WORDS, **settings).fit(X, y)
    assert str(model.program_) == str(local.program_)
    assert model.predict(X).compute().tolist() == local.predict(halves(frame)[0]).tolist()


@pytest.mark.parametrize("learner", [UnlessClassifier, FoldRPPClassifier])
def test_several_labels_are_learned_on_a_cluster(client, learner):
    frame = table()
    frame["loan"] = np.where(frame["income"] > 60_000, "gold", frame["loan"])
    local = learner(categorical_features=WORDS).fit(*halves(frame))
    X, y = halves(in_parts(frame, "skewed"))
    assert str(learner(categorical_features=WORDS).fit(X, y).program_) == str(local.program_)


def test_columns_of_the_background_travel_as_codes_too(client):
    frame = table()
    known = {"background": "rich(X) :- income(X,N), N > 50000.", "background_columns": ["income"]}
    local = UnlessClassifier(categorical_features=WORDS, **known).fit(*halves(frame))
    X, y = halves(in_parts(frame, "equal"))
    assert str(UnlessClassifier(categorical_features=WORDS, **known).fit(X, y).program_) == str(local.program_)


def test_wide_columns_and_checkpoints_cross_machines(client, tmp_path):
    n = 70_000
    order = np.random.default_rng(3).permutation(n)
    frame = pd.DataFrame({"id": order * 1.0, "kind": np.where(order % 1000 == 0, "odd", "even")})
    frame["loan"] = (order < 40_000) & (order % 1000 != 0)
    local = FoldRPPClassifier(positive=True).fit(*halves(frame), checkpoint=tmp_path / "c.json")
    X, y = halves(dd.from_pandas(frame, npartitions=4))
    assert FoldRPPClassifier(positive=True).fit(X, y).rules_ == local.rules_
    assert FoldRPPClassifier(positive=True).fit(X, y, checkpoint=tmp_path / "c.json").rules_ == local.rules_


@pytest.mark.parametrize("learner", [FoldRPPClassifier, FoldRClassifier, UnlessClassifier])
def test_workers_read_files(client, tmp_path, learner):
    frame = loans(300)
    for i in range(3):
        frame.slice(100 * i, 100).write_csv(tmp_path / f"{i}.csv")
    local = learner().fit_files(tmp_path, "loan")
    model = learner().fit_files(tmp_path, "loan", scheduler=client.scheduler.address)
    assert model.rules_ == local.rules_


def test_bad_data_on_a_worker_is_the_same_sentence(client):
    frame = table(50)
    frame.loc[7, "income"] = np.inf
    with pytest.raises(UnlessError, match="column 'income' holds an infinite number"):
        FoldRPPClassifier(categorical_features=WORDS).fit(*halves(in_parts(frame, "equal")))
    X, y = halves(in_parts(table(50), "equal"))
    with pytest.raises(UnlessError, match="give a column of the same frame"):
        FoldRPPClassifier().fit(X, y.compute())
    with pytest.raises(UnlessError, match="3 partitions and the labels have 1"):
        FoldRPPClassifier().fit(X, y.repartition(npartitions=1))


def test_a_scheduler_that_is_not_there_is_one_sentence():
    with pytest.raises(ClusterError, match="cannot reach a Dask scheduler at nonsense"), connected("nonsense://x"):
        pass


def test_a_lost_scheduler_is_one_sentence():
    with pytest.raises(ClusterError, match=r"connection to the Dask scheduler was lost.*checkpoint"), asking():
        raise OSError


def test_a_worker_killed_while_learning_changes_nothing(client):
    frame = table()
    local = FoldRPPClassifier(0.2, categorical_features=WORDS).fit(*halves(frame))
    killed = []

    def kill(progress):
        if not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    X, y = halves(in_parts(frame, "equal"))
    model = FoldRPPClassifier(0.2, categorical_features=WORDS).fit(X, y, on_progress=kill)
    assert killed
    assert model.rules_ == local.rules_


def test_a_worker_killed_while_codes_travel_changes_nothing(client, monkeypatch):
    frame = table()
    local = UnlessClassifier(categorical_features=WORDS).fit(*halves(frame))
    killed = []

    def kill_and_make(books, n_rows):
        if not killed:  # the workers have been asked for codes, and none has arrived
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)
        return empty_columns(books, n_rows)

    monkeypatch.setattr(source, "empty_columns", kill_and_make)
    X, y = halves(in_parts(frame, "equal"))
    model = UnlessClassifier(categorical_features=WORDS).fit(X, y)
    assert killed
    assert str(model.program_) == str(local.program_)


SLOW_LEARN = """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts tests in the background ignores it
import unless.learn.fold.foldrpp as fold
rule = fold.FoldRPP.rule
def slow(learner, rows, *others):
    rows.tally()  # the cluster is in the middle of it
    print("learning", flush=True)
    time.sleep(60)
    return rule(learner, rows, *others)
fold.FoldRPP.rule = slow
from unless.cli import main
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_interrupting_a_cluster_run_is_one_sentence_and_leaves_no_half_file(client, tmp_path):
    (tmp_path / "data").mkdir()
    table().to_csv(tmp_path / "data" / "loans.csv", index=False)
    words = ["learn", str(tmp_path / "data"), "--target", "loan", "--scheduler", client.scheduler.address]
    words += ["--algorithm", "fold-r++"]
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_LEARN, *words, "-o", str(tmp_path / "m.lp")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "learning\n"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.endswith("unless: interrupted; nothing was written.\n")
    assert "Traceback" not in said
    assert [place.name for place in tmp_path.iterdir()] == ["data"]
    # The cluster goes on for others.
    assert client.submit(sum, (1, 2)).result(timeout=30) == 3


def test_a_full_disk_during_a_cluster_run_keeps_the_checkpoint_whole(client, tmp_path, monkeypatch):
    X, y = halves(in_parts(table(), "equal"))
    place = tmp_path / "rules.json"
    write, calls = checkpoint.write_text, []

    def until_full(*arguments, **options):
        calls.append(arguments)
        if len(calls) > 2:
            msg = "cannot write rules.json: No space left on device"
            raise DataError(msg)
        return write(*arguments, **options)

    monkeypatch.setattr(checkpoint, "write_text", until_full)
    model = FoldRPPClassifier(positive="approved", categorical_features=WORDS)
    with pytest.raises(UnlessError, match="No space left on device"):
        model.fit(X, y, checkpoint=place)
    monkeypatch.undo()
    assert model.fit(X, y, checkpoint=place).program_ == model.fit(X, y).program_
