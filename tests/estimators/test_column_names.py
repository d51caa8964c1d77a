"""Names of columns in the estimators: a frame is compared as scikit-learn does, all else as in the commands."""

import warnings

import pandas as pd
import pytest

from unless import FoldRPPClassifier, UnlessClassifier, parse
from unless.errors import DataError

ROWS = pd.DataFrame({"age ": [10, 20, 30, 40] * 5, "town": ["a", "b", "a", "b"] * 5})
LABELS = ["no", "no", "yes", "yes"] * 5


def test_a_frame_must_have_the_names_of_fit_and_the_refusal_says_how():
    """scikit-learn compares names letter by letter; a pipeline that tidies them must do so before fit too."""
    model = FoldRPPClassifier().fit(ROWS, LABELS)
    with pytest.raises(ValueError, match="The feature names should match those that were passed during fit") as refused:
        model.predict(ROWS.rename(columns=str.strip))
    assert "Feature names seen at fit time, yet now missing:\n- age \n" in str(refused.value)
    assert "Hint: rename columns of X that are written otherwise than in fit: {'age': 'age '}.\n" in str(refused.value)
    assert model.predict(ROWS.rename(columns=str.strip).rename(columns={"age": "age "})).tolist() == LABELS


def test_records_are_matched_as_in_the_commands_with_a_warning():
    model = FoldRPPClassifier().fit(ROWS, LABELS)
    records = ROWS.rename(columns=str.strip).to_dict("records")
    with pytest.warns(UserWarning, match="column 'age ' of the program is called 'age' here") as said:
        assert model.predict(records).tolist() == LABELS
    assert [warning.filename for warning in said] == [__file__]


def test_a_given_program_finds_its_columns_as_in_the_commands():
    """It said that a column is absent."""
    program = FoldRPPClassifier().fit(ROWS, LABELS).program_
    model = FoldRPPClassifier.from_program(parse(str(program)))
    with pytest.warns(UserWarning, match="column 'age ' of the program is called 'AGE' here") as said:
        assert model.predict(ROWS.rename(columns={"age ": "AGE"})).tolist() == LABELS
    assert [warning.filename for warning in said] == [__file__]


def test_parameters_name_columns_as_options_do():
    """What they ask for is asked of the column that is meant, and stands so in the program."""
    with pytest.warns(UserWarning, match="there is no column 'Town'; 'town' is taken for it"):
        model = UnlessClassifier(forbidden=["Town"], monotonic_cst={"age": 1}, positive="yes").fit(ROWS, LABELS)
    assert model.program_.constraints.forbidden == ("town",)
    assert dict(model.program_.constraints.directions) == {"age ": 1}
    with pytest.raises(DataError, match="column 'villages' is not in the table"):
        UnlessClassifier(forbidden=["villages"]).fit(ROWS, LABELS)
    model = FoldRPPClassifier(categorical_features=["TOWN"], readings={"age": "1234.56"}).fit(ROWS, LABELS)
    assert {column.name: column.kind for column in model.program_.columns} == {
        "age ": "numerical",
        "town": "categorical",
    }


def test_a_dict_of_columns_has_names():
    """Its columns were matched by position without a word: in another order, `town` was read as `age `."""
    columns = {"age ": ROWS["age "].tolist(), "town": ROWS["town"].tolist()}
    model = FoldRPPClassifier().fit(columns, LABELS)
    assert model.feature_names_in_.tolist() == ["age ", "town"]
    with pytest.raises(DataError, match="must be in the same order"):
        model.predict(dict(reversed(columns.items())))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.predict(columns).tolist() == model.predict(ROWS).tolist() == LABELS
        assert model.predict(ROWS.to_dict("records")).tolist() == LABELS
