import io
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from random_programs import WORLD, dense_programs
from unless import FoldRPPClassifier, UnlessClassifier, UnlessError, load, parse, save
from unless.datasets import loans, planted_theory
from unless.logic.holds import decide


def test_a_classifier_from_a_program_works_without_fitting():
    table = loans(300)
    model = FoldRPPClassifier.from_program(planted_theory())
    assert model.classes_.tolist() == ["approved", "refused"]
    assert model.score(table.drop("loan"), table["loan"]) > 0.95
    assert model.score(table, table["loan"]) == model.score(table.drop("loan"), table["loan"])
    probabilities = model.predict_proba(table)
    assert probabilities.sum(axis=1) == pytest.approx(1.0)
    assert (model.classes_[probabilities.argmax(axis=1)] == model.predict(table)).all()


def test_fitting_and_cloning_it_work_as_for_any_other():
    table = loans(300)
    model = FoldRPPClassifier.from_program(planted_theory())
    with pytest.raises(NotFittedError):
        clone(model).predict(table)
    model.fit(table.drop("loan"), table["loan"])
    assert model.program_ != planted_theory()
    with pytest.raises(ValueError, match="feature"):
        model.predict(table)


def test_labels_keep_their_types():
    model = FoldRPPClassifier.from_program(
        parse("%@ unless 1\n%@ target y: 2, 1 else 0\n%@ numerical a\ny(X,'2') :- a(X,N), N > 2.0.")
    )
    assert model.predict([{"a": 3}, {"a": "x"}]).tolist() == [2, 0]
    flags = FoldRPPClassifier.from_program(
        parse("%@ unless 1\n%@ target y: true else false\n%@ numerical a\ny(X,'True') :- a(X,N), N > 2.0.")
    )
    assert flags.predict([{"a": 3}, {"a": None}]).tolist() == [True, False]


def test_the_default_of_a_text_without_header_is_the_other_class():
    program = parse("size(X,'big') :- cm(X,N), N > 100.0.")
    assert FoldRPPClassifier.from_program(program, ["small", "big"]).predict([{"cm": 1}]).tolist() == ["small"]
    assert FoldRPPClassifier.from_program(program).predict([{"cm": 1}]).tolist() == ["not big"]
    with pytest.raises(UnlessError, match="may predict 'not big', which is not among the classes"):
        FoldRPPClassifier.from_program(program, ["small", "medium", "big"])


RARE = """
%@ unless 1
%@ target y: 'b' else 'a'
%@ numerical n

y(X,'b') :- n(X,N1), N1 > 2.0.
%@ grade 'a' curve 1.0 -1.0
%@ grade 'a' points 3 if n =< 2.0
%@ grade 'b' curve 1.0 -1.0
%@ grade 'b' points 3 if n > 2.0
%@ grade 'c' curve 0.0 -4.0
"""


def test_probabilities_of_an_edited_program_come_with_a_warning():
    program = parse(RARE.replace("%@ grade 'a' curve", "%@ grade of 0123456789ab\n%@ grade 'a' curve"))
    model = FoldRPPClassifier.from_program(program)
    with pytest.warns(UserWarning, match="the grade is of the program before it was edited"):
        model.predict_proba([{"n": 1}])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict([{"n": 1}])
        FoldRPPClassifier.from_program(parse(RARE)).predict_proba([{"n": 1}])


def test_a_label_that_only_the_grade_knows_is_a_class():
    """A loaded program wrote the probability of a label without rules into another label's column."""
    program = parse(RARE)
    model = FoldRPPClassifier.from_program(program)
    assert model.classes_.tolist() == ["a", "b", "c"]
    shares = model.predict_proba([{"n": 1}, {"n": 3}])
    assert shares.sum(axis=1).tolist() == pytest.approx([1.0, 1.0])
    assert (shares.argmax(axis=1).tolist(), shares[:, 2].max() < 0.05) == ([0, 1], True)
    with pytest.raises(UnlessError, match="has a probability for 'c', which is not among the classes"):
        FoldRPPClassifier.from_program(program, ["a", "b"])


def test_notebooks_are_shown_the_rules():
    model = FoldRPPClassifier.from_program(planted_theory())
    bundle = model._repr_mimebundle_()
    assert "unless-picture" in bundle["text/html"]
    assert "unless-picture" in model._repr_html_()
    assert "unless-picture" not in FoldRPPClassifier()._repr_html_()


@settings(max_examples=40)
@given(dense_programs)
def test_it_predicts_what_the_program_decides(program):
    model = FoldRPPClassifier.from_program(program)
    assert model.predict(WORLD).tolist() == [decide(program, row) for row in WORLD]


@pytest.mark.parametrize("labels", [[True, False], [1, 0], ["yes", "no"]])
@pytest.mark.parametrize("learner", [FoldRPPClassifier, UnlessClassifier])
def test_a_loaded_program_takes_the_classes_of_the_model_it_was_saved_from(learner, labels, tmp_path):
    """NumPy's True was not taken for True: "may predict False, which is not among the classes: np.False_, np.True_"."""
    rows = [{"n": n} for n in range(40)]
    model = learner().fit(rows, labels * 20)
    save(model, tmp_path / "model.lp")
    again = learner.from_program(load(tmp_path / "model.lp"), model.classes_)
    assert again.classes_.tolist() == model.classes_.tolist()
    assert (again.predict_proba(rows) == model.predict_proba(rows)).all()


def test_a_program_is_needed_not_its_text_or_path():
    """Both ended in an AttributeError."""
    for text in ("model.lp", "size(X,'big') :- cm(X,N), N > 100.0."):
        with pytest.raises(UnlessError, match=r"a str is no program. Hint: unless.load\(path\)"):
            FoldRPPClassifier.from_program(text)
    with pytest.raises(UnlessError, match="named by text or a path, not by a StringIO"):
        save(planted_theory(), io.StringIO())


def test_logarithms_of_probabilities():
    model = FoldRPPClassifier.from_program(planted_theory())
    rows = loans(50).drop("loan")
    assert np.exp(model.predict_log_proba(rows)) == pytest.approx(model.predict_proba(rows))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        zero = FoldRPPClassifier.from_program(parse("size(X,'big') :- cm(X,N), N > 100.0."), ["big", "small"])
        assert (zero.predict_log_proba([{"cm": 120}]) <= 0).all()


LABELS = {
    "objects": lambda y: pd.Series(y, dtype=object),
    "nullable": lambda y: pd.Series(y, dtype="Int64"),
    "categories": lambda y: pd.Series(y, dtype="category"),
    "polars": pl.Series,
    "list": list,
}


@pytest.mark.parametrize("made", LABELS.values(), ids=LABELS)
def test_score_takes_the_labels_that_fit_takes(made):
    """Whole numbers in a column of objects were learned from, and refused as "unknown targets" by `score`."""
    rows, labels = [{"n": n} for n in range(40)], [int(n > 20) for n in range(40)]
    model = FoldRPPClassifier().fit(rows, made(labels))
    assert model.score(rows, made(labels)) == model.score(rows, labels) == 1.0
    with pytest.raises(UnlessError, match="has no label in 1 row"):
        model.score(rows, [None, *labels[1:]])
