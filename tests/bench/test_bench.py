"""The benchmark: tables, cells, the log, the published figures, and the page, on small runs of the real thing."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import asdict, replace

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from unless.bench import results_page, search_times
from unless.bench.bench_tables import file_source, paper_sources
from unless.bench.cell_worker import run
from unless.bench.contestants import CONTESTANTS, ContestantEntry
from unless.bench.measurements import Cell, FoldResult, RunLog, RunSettings
from unless.bench.paper_agreement import agreements
from unless.bench.published import PAPER_TABLES, accuracy_range, implied_accuracy, printed, printed_for, repeated_rows
from unless.bench.run_cells import run_cell, run_cells
from unless.cli.app import make_app
from unless.datasets import loans
from unless.errors import DataError

SETTINGS = RunSettings(folds=2, seed=0, limit=100.0)
DATA = os.environ.get("UNLESS_DATA")
needs_data = pytest.mark.skipif(DATA is None, reason="UNLESS_DATA names no folder of tables")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("bench") / "loans.csv"
    loans(160).write_csv(path)
    return str(path)


def source_of(table):
    return file_source(table, "loan", "approved", [], [])


def cell(data="loans", learner="fold-r++", right=8, status="done"):
    return Cell(data, learner, status, (FoldResult(right, 1, 9 - right, 2, 0.5, 3, 4),) * 2)


# Tables.


def test_folds_are_apart_and_cover_everything(table):
    read = source_of(table).read()
    assert read.numerical == ("income", "debt_ratio", "years_in_job")
    tests = [test for _, test in read.folds(4, seed=1)]
    assert sum(len(test.y) for test in tests) == 160
    assert len({round(float(test.y.mean()), 1) for test in tests}) <= 2
    again = [test.frame for _, test in read.folds(4, seed=1)]
    assert all(a.equals(b.frame) for a, b in zip(again, tests, strict=True))


def test_other_question_swaps_the_labels(table):
    source = source_of(table)
    assert (source.read().y == ~replace(source, is_other=True).read().y).all()


@pytest.mark.parametrize(
    ("target", "positive", "words"),
    [("lone", None, "Did you mean 'loan'"), ("loan", "approve", "is not a label of 'loan'")],
)
def test_wrong_table_options_are_refused(table, target, positive, words):
    with pytest.raises(DataError, match=words):
        file_source(table, target, positive, [], [])


def test_labels_are_words_and_every_row_has_one(tmp_path):
    pl.DataFrame({"a": [1, 2, 3], "y": [1, 0, 1]}).write_parquet(tmp_path / "numbers.parquet")
    assert file_source(str(tmp_path / "numbers.parquet"), "y", "1", [], []).read().y.tolist() == [True, False, True]
    (tmp_path / "gap.csv").write_text("a,y\n1,yes\n2,\n3,no\n")
    with pytest.raises(DataError, match=r"label.*the first is row 1"):
        file_source(str(tmp_path / "gap.csv"), "y", None, [], [])


def test_paper_needs_its_folder(tmp_path):
    with pytest.raises(DataError, match="UNLESS_DATA"):
        paper_sources(None, [], PAPER_TABLES)
    with pytest.raises(DataError, match="cannot read"):
        paper_sources(str(tmp_path), [], PAPER_TABLES)
    (tmp_path / "datasets.toml").write_text("[wrong")
    with pytest.raises(DataError, match="not TOML"):
        paper_sources(str(tmp_path), [], PAPER_TABLES)


@needs_data
def test_paper_tables_have_the_published_shape():
    assert len(PAPER_TABLES) == 15
    for source in paper_sources(DATA, ["acute", "heart", "voting"], PAPER_TABLES):
        row = printed_for(source.name, "fold-r++")[0]
        read = source.read()
        assert (read.frame.height, read.frame.width + 1) == (row.rows, row.columns)


# Learners, by the worker's own function.


@pytest.mark.parametrize("learner", [name for name, entry in CONTESTANTS.items() if entry.is_there])
def test_learner_beats_the_majority(table, learner):
    order = {"source": asdict(source_of(table)), "learner": learner, "folds": 2, "seed": 0}
    folds = [FoldResult(**record) for record in run(order)]
    assert len(folds) == 2
    assert sum(fold.scores.n_rows for fold in folds) == 160
    majority = source_of(table).read().y.mean()
    # One column per number leaves next to nothing to learn from 80 rows.
    assert learner == "xgboost-onehot" or np.mean([fold.scores["accuracy"] for fold in folds]) > majority


# Cells and the log.


def test_absent_package_is_said(table, monkeypatch):
    monkeypatch.setitem(CONTESTANTS, "ghost", ContestantEntry("Ghost", "no_such_package", lambda: None))
    done = run_cell(source_of(table), "ghost", SETTINGS)
    assert (done.status, done.note) == ("absent", "no_such_package is not installed")


def test_cell_is_stopped_at_its_limit(table):
    done = run_cell(source_of(table), "fold-r++", replace(SETTINGS, limit=0.1))
    assert (done.status, done.folds, done.note) == ("limit", (), "over 0.1 s")


def test_failure_is_said(table):
    broken = replace(source_of(table), target="income (EUR)")
    done = run_cell(broken, "fold-r++", SETTINGS)
    assert done.status == "failed"
    assert "'income (EUR)' is not in the table" in done.note


def test_run_goes_on_where_it_stopped(table, tmp_path, monkeypatch):
    path = tmp_path / "log.jsonl"
    source, heard = source_of(table), []
    first = run_cells([source], ["fold-r++"], RunLog(path, SETTINGS), lambda *cell: heard.append(cell))
    assert [cell[2] for cell in heard] == [None, first[0]]
    monkeypatch.setattr(subprocess, "run", None)
    assert run_cells([source], ["fold-r++"], RunLog(path, SETTINGS), lambda *_: None) == first


def test_log_with_other_settings_is_not_mixed(tmp_path):
    path = tmp_path / "log.jsonl"
    RunLog(path, SETTINGS).add(cell())
    with pytest.raises(DataError, match="name another output"):
        RunLog(path, replace(SETTINGS, folds=3))
    path.write_text("{}")
    with pytest.raises(DataError, match="not the log of a run"):
        RunLog(path, SETTINGS)


def test_means_over_folds():
    one = cell(right=8)
    assert (one.mean("recall"), one.seconds, one.rules, one.literals) == (8 / 9, 0.5, 3, 4)
    assert Cell("a", "b", "limit").mean("accuracy") is None


# What was published.


def test_published_tables_are_whole():
    assert len(printed()) == 14 * 2 + 15 * 2 + 15 * 2
    for row in printed():
        if row.table == 4 and row.learner == "fold-r++":
            assert row.figures == next(r for r in printed_for(row.data, "fold-r++") if r.table == 5).figures
    adult = next(row for row in printed_for("adult", "fold-r") if row.table == 4)
    assert (adult.value("accuracy"), adult.value("milliseconds"), adult.figures["milliseconds"]) == (
        0.77,
        None,
        "4+ days",
    )


def test_accuracy_follows_from_precision_and_recall():
    tp, fp, fn, tn = 30, 10, 20, 40
    assert implied_accuracy(tp / (tp + fp), tp / (tp + fn), 0.5) == pytest.approx((tp + tn) / 100)
    breast = printed_for("breast-w", "fold-r++")[0]
    low, high = accuracy_range(breast, 0.655)
    assert low <= breast.value("accuracy") <= high
    assert accuracy_range(breast, 0.345)[0] > breast.value("accuracy")


def test_copied_rows_are_found():
    assert [(a.data, a.learner, b.learner) for a, b in repeated_rows()] == [("kidney", "fold-r", "ripper")]


# Agreement and the page.


def test_disagreement_has_reasons(tmp_path, monkeypatch):
    log = RunLog(tmp_path / "log.jsonl", SETTINGS)
    log.add(cell("heart", right=5))
    log.add(cell("heart", "authors", right=5))
    source = paper_like("heart")
    monkeypatch.setattr("unless.bench.paper_agreement.run_cell", lambda *_: cell("heart", right=6))
    [found] = agreements([source], log, lambda *_: None)
    assert not found.agrees
    said = "; ".join(found.reasons)
    assert "over 5 shuffles accuracy is 0.583 to 0.667" in said
    assert "the authors' package on the same folds has accuracy 0.583" in said
    assert "**heart**" in "\n".join(results_page.agreement([found]))


def paper_like(name):
    from unless.bench.bench_tables import TableSource

    return TableSource(name, f"{name}.csv", "label", "yes", (), ())


def test_page_marks_what_did_not_finish():
    late = Cell("loans", "ripper", "limit", cell().folds, "over 100 s")
    never = Cell("loans", "tree", "limit", (), "over 100 s")
    text = "\n".join(results_page.overview([cell(), late, never], SETTINGS))
    assert "(2 of 2)" in text
    assert "over 100 s" in text
    assert "| loans | RIPPER | limit | 2 of 2 | over 100 s |" in "\n".join(results_page.unfinished([late], SETTINGS))


def test_both_searches_find_the_same_literal(monkeypatch):
    monkeypatch.setattr(search_times, "ROWS", (50, 400))
    monkeypatch.setattr(search_times, "VALUES", (5, 60))
    monkeypatch.setattr(search_times, "FIXED_ROWS", 300)
    monkeypatch.setattr(search_times, "FIXED_VALUES", 20)
    timings = search_times.time_searches()
    assert [t.rows for t in timings] == [50, 400, 300, 300]


def small_search(monkeypatch):
    monkeypatch.setattr(search_times, "ROWS", (50, 400))
    monkeypatch.setattr(search_times, "VALUES", (5,))


# The commands.


def test_bench_of_a_table(table, tmp_path):
    stem = tmp_path / "mine"
    arguments = ["bench", table, "--target", "loan", "--learners", "fold-r++,tree", "--folds", "2", "-o", str(stem)]
    done = CliRunner().invoke(make_app(), [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    assert "unless bench loans.csv --target loan --learners fold-r++,tree" in stem.with_suffix(".md").read_text()
    cells = json.loads(stem.with_suffix(".json").read_text())["cells"]
    assert [c["learner"] for c in cells] == ["fold-r++", "tree"]
    assert all(c["status"] == "done" and c["n_folds"] == 2 for c in cells)


@needs_data
def test_short_form_of_the_paper(tmp_path, monkeypatch):
    small_search(monkeypatch)
    stem = tmp_path / "paper"
    arguments = ["bench", "paper", "--datasets", "acute,voting", "--learners", "fold-r,fold-r++", "--folds", "2"]
    done = CliRunner().invoke(make_app(), [*arguments, "-o", str(stem)])
    assert done.exit_code == 0, done.output
    text = stem.with_suffix(".md").read_text()
    assert "2 of 2 tables" in text
    assert str(DATA) not in text
    assert "### Table 4: FOLD-R" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["bench", "loans.csv"], "--target is needed"),
        (["bench", "absent.csv", "--target", "loan"], "cannot read absent.csv"),
    ],
)
def test_wrong_commands(arguments, words):
    assert words in str(CliRunner().invoke(make_app(), arguments).exception)


def test_unknown_learner_is_refused(table):
    done = CliRunner().invoke(make_app(), ["bench", table, "--target", "loan", "--learners", "foldr"])
    assert "there is no learner 'foldr'" in str(done.exception)
    assert "Did you mean 'fold-r'?" in str(done.exception)
