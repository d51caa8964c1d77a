"""One road: wherever the rows are, every learner gives the same program; settings are refused in one sentence."""

from __future__ import annotations

import warnings

import polars as pl
import pytest

from unless import FoldRClassifier, FoldRPPClassifier, UnlessClassifier
from unless.datasets import loans
from unless.errors import DataError, SettingError
from unless.learn.front import files_task, frontier, learn, table_task
from unless.learn.learners import LEARNERS, FoldRPPSettings, FoldRSettings, UnlessSettings
from unless.learn.settings import descriptions
from unless.table import delimited
from unless.table.kind_choice import kinds_by_name
from unless.table.kinds import KindRule
from unless.table.pieces import open_files

WORDS = ["purpose", "housing", "history"]
KINDS = kinds_by_name(WORDS, ["income", "debt_ratio", "years_in_job"])
CLASSIFIERS = {"unless": UnlessClassifier, "fold-r++": FoldRPPClassifier, "fold-r": FoldRClassifier}


@pytest.fixture(scope="module")
def table():
    return loans(600)


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("loans")
    for i in range(3):
        table[200 * i : 200 * (i + 1)].write_csv(folder / f"part-{i}.csv")
    table.write_csv(folder.parent / "loans.csv")
    table.write_parquet(folder.parent / "loans.parquet")
    return folder


def in_memory(table, settings, **options):
    rule = KindRule("dtype", KINDS)
    return learn(table_task(table.drop("loan"), table["loan"], kinds=rule, **options), settings)


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("paths", ["one file", "folder", "glob", "several files", "parquet", "small pieces"])
def test_the_program_does_not_depend_on_where_the_rows_are(name, paths, table, folder, monkeypatch):
    if paths == "small pieces":
        monkeypatch.setattr(delimited, "BYTES", 4000)
    found = {
        "one file": [folder.parent / "loans.csv"],
        "folder": [folder],
        "glob": [str(folder / "part-*.csv")],
        "several files": sorted(folder.glob("*.csv")),
        "parquet": [folder.parent / "loans.parquet"],
        "small pieces": [folder.parent / "loans.csv"],
    }[paths]
    settings = LEARNERS[name]()
    learned = learn(files_task(open_files(found), "loan", kinds=KINDS), settings)
    here = in_memory(table, settings)
    assert str(learned.program) == str(here.program)
    assert learned.rules == here.rules
    assert learned.program == here.program


@pytest.mark.parametrize("name", LEARNERS)
def test_the_classifier_is_a_face_over_the_same_road(name, table):
    model = CLASSIFIERS[name](categorical_features=WORDS).fit(table.drop("loan"), table["loan"])
    learned = in_memory(table, LEARNERS[name]())
    assert model.program_ == learned.program
    assert model.rules_ == learned.rules


def test_the_optimised_classifier_learns_from_files(table, folder):
    settings = {"categorical_features": WORDS, "class_weight": "balanced"}
    from_files = UnlessClassifier(**settings).fit_files(folder, "loan")
    here = UnlessClassifier(**settings).fit(table.drop("loan"), table["loan"])
    assert str(from_files.program_) == str(here.program_)
    assert from_files.program_ == here.program_
    assert from_files.feature_names_in_.tolist() == table.columns[:-1]


def test_background_and_locked_rules_come_from_files_too(table, folder):
    settings = UnlessSettings(locked="loan(X,'approved') :- purpose(X,'car'), income(X,N), N > 90000.0.")
    options = {"background": "settled(X) :- housing(X,'owner'), purpose(X,'home').", "background_columns": ["purpose"]}
    learned = learn(files_task(open_files([folder]), "loan", kinds=KINDS, **options), settings)
    here = in_memory(table, settings, **options)
    assert str(learned.program) == str(here.program)
    assert "purpose(X,'car')" in str(learned.program)
    assert learned.program == here.program


def test_more_than_two_labels_come_from_files_too(tmp_path):
    rows = [{"size": size, "label": ("small", "middle", "large")[size // 20]} for size in range(60)]
    pl.DataFrame(rows).write_csv(tmp_path / "a.csv")
    for settings in (UnlessSettings(), FoldRPPSettings()):
        learned = learn(files_task(open_files([tmp_path / "a.csv"]), "label"), settings)
        assert learned.classes.tolist() == ["large", "middle", "small"]
        assert sum(band.n_rows for band in learned.program.grade.cards[0].bands) == 60
    with pytest.raises(DataError, match="positive='small' is for two labels, not for 3"):
        learn(files_task(open_files([tmp_path / "a.csv"]), "label", positive="small"), UnlessSettings())
    with pytest.raises(DataError, match="Only binary classification is supported"):
        learn(files_task(open_files([tmp_path / "a.csv"]), "label"), FoldRSettings())


def test_the_frontier_is_asked_for_on_the_same_road(table, folder):
    from_files = frontier(files_task(open_files([folder]), "loan", kinds=KINDS), UnlessSettings())
    here = UnlessClassifier(categorical_features=WORDS).frontier(table.drop("loan"), table["loan"])
    assert from_files == here
    assert all(point.program is not None for point in from_files.points)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_is_described(name):
    assert LEARNERS[name].name == name
    for described in descriptions(LEARNERS[name]).values():
        assert described.help.endswith(".")
        assert described.accepts.words


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: FoldRPPSettings(ratio=1.5), "ratio is 1.5; accepted: a number from 0 to 1."),
        (lambda: FoldRPPSettings(ratio=True), "ratio is True; accepted: a number from 0 to 1."),
        (lambda: FoldRPPSettings(heuristic="gini"), "heuristic is 'gini'; accepted: 'gain' or 'mgi'."),
        (lambda: UnlessSettings(size_penalty=0), "size_penalty is 0; accepted: a number above 0."),
        (lambda: UnlessSettings(max_literals=2.5), "max_literals is 2.5; accepted: a whole number from 1 to 200."),
        (lambda: UnlessSettings(points="yes"), "points is 'yes'; accepted: True or False or 'auto'."),
        (lambda: UnlessSettings(forbidden="age"), "forbidden is 'age'; accepted: a list of columns."),
    ],
)
def test_a_setting_out_of_range_is_one_sentence(make, said):
    with pytest.raises(SettingError) as error:
        make()
    assert str(error.value) == said


def test_a_checkpoint_is_refused_where_there_is_none_to_resume_from(table, tmp_path):
    task = table_task(table.drop("loan"), table["loan"])
    with pytest.raises(DataError, match="checkpoint is not for unless"):
        learn(task, UnlessSettings(), checkpoint=tmp_path / "kept")


def test_a_rule_to_keep_that_breaks_a_constraint_is_said():
    rows = [{"x": float(x % 50), "z": float(x % 7)} for x in range(400)]
    labels = ["late" if row["x"] > 30 else "fine" for row in rows]
    asked = {"positive": "late", "monotonic_cst": {"x": 1}}
    with pytest.warns(UserWarning, match="a rule to keep breaks a constraint"):
        UnlessClassifier(locked="y(X,'late') :- x(X,N), N =< 1.0.", **asked).fit(rows, labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        UnlessClassifier(locked="y(X,'late') :- x(X,N), N > 40.0.", **asked).fit(rows, labels)
