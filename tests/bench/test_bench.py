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

from unless.bench import paper_sections, results_page, search_times
from unless.bench.bench_tables import BenchTable, file_source, paper_sources
from unless.bench.cell_worker import run
from unless.bench.contestants import CONTESTANTS, ContestantEntry
from unless.bench.measurements import Cell, FoldResult, RunSettings
from unless.bench.paired_tests import corrected_t, paired_tests
from unless.bench.paper_agreement import agreements
from unless.bench.published import PAPER_TABLES, accuracy_range, implied_accuracy, printed, printed_for, repeated_rows
from unless.bench.run_cells import logged_cells, run_cells
from unless.bench.run_log import RunLog
from unless.cli.app import make_app
from unless.datasets import loans
from unless.errors import DataError

SETTINGS = RunSettings(folds=2, shuffles=1, seed=0, limit=100.0)
DATA = os.environ.get("UNLESS_DATA")
needs_data = pytest.mark.skipif(DATA is None, reason="UNLESS_DATA names no folder of tables")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("bench") / "loans.csv"
    loans(160).write_csv(path)
    return str(path)


def source_of(table):
    return file_source(table, "loan", "approved", [], [])


def fold(right=8):
    return FoldResult(right, 1, 9 - right, 2, 0.5, 3, 4)


def cell(data="loans", learner="fold-r++", right=8, shuffles=1):
    return Cell(data, learner, "done", ((fold(right),) * 2,) * shuffles)


def quietly(*_):
    pass


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
    order = {"source": asdict(source_of(table)), "learner": learner, "folds": 2, "shuffles": 1, "seed": 0, "done": []}
    folds = [FoldResult(**record["result"]) for record in run(order)]
    assert len(folds) == 2
    assert sum(fold.scores.n_rows for fold in folds) == 160
    majority = source_of(table).read().y.mean()
    # One column per number leaves next to nothing to learn from 80 rows.
    assert learner == "xgboost-onehot" or np.mean([fold.scores["accuracy"] for fold in folds]) > majority


# Cells and the log.


def only_cell(source, learner, settings, path):
    [found] = run_cells([source], [learner], RunLog(path, settings), quietly)
    return found


def test_absent_package_is_said(table, monkeypatch, tmp_path):
    monkeypatch.setitem(CONTESTANTS, "ghost", ContestantEntry("Ghost", "no_such_package", lambda: None))
    done = only_cell(source_of(table), "ghost", SETTINGS, tmp_path / "log.jsonl")
    assert (done.status, done.note) == ("absent", "no_such_package is not installed")


def test_cell_is_stopped_at_its_limit(table, tmp_path):
    done = only_cell(source_of(table), "fold-r++", replace(SETTINGS, limit=0.1), tmp_path / "log.jsonl")
    assert (done.status, done.folds, done.note) == ("part", (), "over 0.1 s a fold")


def test_failure_is_said(table, tmp_path):
    broken = replace(source_of(table), target="income (EUR)")
    done = only_cell(broken, "fold-r++", SETTINGS, tmp_path / "log.jsonl")
    assert done.status == "failed"
    assert "'income (EUR)' is not in the table" in done.note


def test_killed_run_goes_on_with_the_next_fold(table, tmp_path, monkeypatch):
    path, source, settings = tmp_path / "log.jsonl", source_of(table), replace(SETTINGS, shuffles=2, limit=500.0)
    whole = only_cell(source, "fold-r++", settings, path)
    assert (whole.status, len(whole.shuffles)) == ("done", 2)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:4]) + lines[4][:20])  # killed while it wrote the last of four folds
    [left] = logged_cells([source], ["fold-r++"], RunLog(path, settings))
    assert (left.status, len(left.shuffles)) == ("fewer", 1)
    again = only_cell(source, "fold-r++", settings, path)
    assert [f.scores for f in again.folds] == [f.scores for f in whole.folds]
    assert len(path.read_text().splitlines()) == len(lines)
    monkeypatch.setattr(subprocess, "Popen", None)
    assert only_cell(source, "fold-r++", settings, path) == again


def test_slow_cell_begins_no_further_shuffle(table, tmp_path):
    path, settings = tmp_path / "log.jsonl", replace(SETTINGS, shuffles=3, limit=2000.0)
    log = RunLog(path, settings)
    for k in range(2):
        log.add("loans", "fold-r++", {"shuffle": 0, "fold": k, "used": 150.0, "result": asdict(fold())})
    done = only_cell(source_of(table), "fold-r++", settings, path)
    assert (done.status, len(done.shuffles), done.note) == ("fewer", 1, "slow")


def test_table_without_words_is_no_trouble_for_one_hot_columns():
    frame = pl.DataFrame({"a": [float(i) for i in range(40)]})
    numbers = BenchTable("numbers", frame, np.arange(40) > 19, ())
    made = CONTESTANTS["tree"].make()
    made.fit(numbers)
    assert made.predict(numbers).tolist() == numbers.y.tolist()


def test_forgotten_learner_is_measured_again(tmp_path):
    path = tmp_path / "log.jsonl"
    log = RunLog(path, SETTINGS)
    cells = [("loans", "unless"), ("loans", "fold-r++"), ("other", "unless")]
    for data, learner in cells:
        log.add(data, learner, {"shuffle": 0, "fold": 0, "used": 1.0, "result": asdict(fold())})
    log.forget(["loans"], ["unless"])
    assert [len(read.of(*names).folds) for read in (log, RunLog(path, SETTINGS)) for names in cells] == [0, 1, 1] * 2


def test_cell_says_whether_it_was_run_and_where_it_stopped(tmp_path):
    """A cell that stopped in a round of a lower limit stopped there, whatever the page's limit is."""
    log = RunLog(tmp_path / "log.jsonl", replace(SETTINGS, limit=600.0))
    assert log.cell("loans", "ripper").note == "not run"
    log.add("loans", "ripper", {"shuffle": 0, "fold": 0, "used": 70.0, "result": asdict(fold())})
    assert log.cell("loans", "ripper").note == "not yet"
    log.add("loans", "ripper", {"stopped_at": 75.0})
    assert log.cell("loans", "ripper").note == "over 75 s"
    log.add("loans", "authors", {"stopped_at": 600.0})
    assert log.cell("loans", "authors").note == "over 600 s a fold"


def test_log_with_other_folds_is_not_mixed(tmp_path):
    path = tmp_path / "log.jsonl"
    RunLog(path, SETTINGS)
    RunLog(path, replace(SETTINGS, shuffles=5, limit=1.0))
    with pytest.raises(DataError, match="name another output"):
        RunLog(path, replace(SETTINGS, folds=3))
    path.write_text("{}\n")
    with pytest.raises(DataError, match="not the log of a run"):
        RunLog(path, SETTINGS)


def test_means_over_folds_and_spread_between_shuffles():
    one = cell(right=8)
    assert (one.mean("recall"), one.seconds, one.rules, one.literals) == (8 / 9, 0.5, 3, 4)
    assert one.spread("recall") is None
    two = replace(one, shuffles=((fold(8),) * 2, (fold(6),) * 2))
    assert (two.mean("recall"), two.means("recall")) == (pytest.approx(7 / 9), [8 / 9, 6 / 9])
    assert two.spread("recall") == pytest.approx(2 / 9 / 2**0.5)
    assert Cell("a", "b", "part").mean("accuracy") is None


# Paired tests.


def test_corrected_t_is_that_of_its_authors():
    differences = [0.02, 0.01, 0.03, -0.01, 0.02, 0.0, 0.01, 0.02, 0.03, -0.02]
    # By hand: mean 0.011, variance 0.0002767, so t = 0.011 / sqrt((1/10 + 1/9) * 0.0002767) = 1.439 of 9 degrees.
    assert corrected_t(differences, 10) == pytest.approx(0.1839, abs=1e-3)
    assert (corrected_t([0.0] * 10, 10), corrected_t([0.1] * 10, 10)) == (1.0, 0.0)


def test_paired_tests_count_tables_that_both_finished():
    tables = [f"t{i}" for i in range(6)]
    ours = [cell(name, "unless", right=8) for name in tables]
    theirs = [cell(name, "tree", right=6) for name in tables[:5]] + [Cell("t5", "tree", "part", (), (fold(),))]
    [found] = paired_tests([*ours, *theirs, cell("t0*", "tree")])
    assert (found.ours, found.other, found.n_tables, found.better) == ("unless", "tree", 5, tuple(tables[:5]))
    assert found.difference == pytest.approx(2 / 12)
    assert found.p == found.holm == pytest.approx(0.0625)
    text = "\n".join(results_page.tested([found]))
    assert "| unless | decision tree | 5 | 5 / 0 / 0 | +0.167 | 0.062 | 0.062 |" in text


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


def test_disagreement_has_reasons():
    ours = replace(cell("breast-w", right=5), shuffles=((fold(5),) * 2, (fold(6),) * 2))
    cells = [ours, cell("breast-w", "authors", right=5), cell("breast-w*", right=8)]
    found, other = agreements(cells)
    assert (found.agrees, other.cell.data) == (False, "breast-w*")
    said = "; ".join(found.reasons)
    assert "over 2 shuffles accuracy is 0.583 to 0.667; none comes within 0.02" in said
    assert "the authors' package on the same folds has accuracy 0.583" in said
    assert "its words as numbers (breast-w*), FOLD-R++ has accuracy 0.833" in said
    text = "\n".join(paper_sections.agreement([found, other]))
    assert "**breast-w**" in text
    assert "0.95 or 0.96" in text  # what Tables 4 and 5 print, and what Table 6 does


def test_both_readings_of_foldr_stand_beside_the_paper():
    cells = [cell("adult", "fold-r"), cell("adult", "fold-r-information")]
    text = "\n".join(paper_sections.foldr_readings(cells, SETTINGS))
    assert "| adult | 3.0; 0.833, 0.889 | 3.0; 0.833, 0.889 | 595.5; 0.77, 0.83 |" in text
    table_4 = "\n".join(paper_sections.beside_paper(cells, SETTINGS))
    assert "### Table 4: Comparison of FOLD-R and FOLD-R++ on various Datasets" in table_4
    assert "| FOLD-R, information | adult | 0.83 / 0.77 |" in table_4


def test_page_sets_apart_what_did_not_finish():
    late = Cell("loans", "ripper", "part", (), (fold(),), "over 100 s")
    never = Cell("loans", "authors", "part", (), (), "over 600 s a fold")
    fewer = Cell("loans", "tree", "fewer", cell().shuffles, (), "slow")
    settings = replace(SETTINGS, shuffles=3)
    text = "\n".join(results_page.overview([cell(shuffles=3), never, late, fewer], settings))
    assert "| loans | 0.833 ± 0.000 | over 600 s a fold | part | 0.833 (1 of 3) |" in text
    apart = "\n".join(results_page.incomplete([late, fewer], settings))
    assert "| loans | RIPPER | 1 of 2 | over 100 s | 0.833 |" in apart
    assert "Fewer than 3 shuffles: decision tree on loans (1)." in apart


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
    arguments += ["--shuffles", "1"]
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
    arguments = ["bench", "paper", "--datasets", "acute", "--learners", "fold-r,fold-r++", "--folds", "2"]
    arguments += ["--shuffles", "1"]
    done = CliRunner().invoke(make_app(), [*arguments, "-o", str(stem)])
    assert done.exit_code == 0, done.output
    text = stem.with_suffix(".md").read_text()
    assert "1 of 1 tables" in text
    assert str(DATA) not in text
    assert "### Table 4: Comparison of FOLD-R" in text
    before = stem.with_suffix(".jsonl").read_text()
    again = CliRunner().invoke(make_app(), [*arguments, "-o", str(stem), "--from-log", "--again", "fold-r"])
    assert again.exit_code == 0, again.output
    assert stem.with_suffix(".jsonl").read_text().count("\n") < before.count("\n")
    assert "| acute | FOLD-R | 0 of 2 | not run |" in stem.with_suffix(".md").read_text()


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
