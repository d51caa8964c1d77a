"""Programs as models of MLflow: what is saved is text, what is loaded answers as the server does."""

import json

import pytest

from studio import BIRDS, LABELS, ROWS
from unless.errors import DataError
from unless.logic.text.parser import parse
from unless.web import mlflow_model

GRADE = "%@ grade of 0000\n%@ grade 'yes' curve 1.0 -1.0\n%@ grade 'yes' points 3 if decided\n"


def test_without_mlflow_it_is_said(monkeypatch):
    monkeypatch.setattr(mlflow_model, "find_spec", lambda name: None)
    with pytest.raises(DataError, match=r"pip install 'unless\[mlflow\]'"):
        mlflow_model.save_program(parse(BIRDS), "birds")


def test_the_module_answers_tables_without_mlflow(tmp_path):
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    (tmp_path / "birds.lp").write_text(BIRDS + GRADE)
    model = mlflow_model._load_pyfunc(str(tmp_path))
    answers = model.predict(pd.DataFrame(ROWS))
    assert list(answers["label"]) == LABELS
    assert list(answers.columns) == ["label", "probability", "rule", "reason"]
    assert list(answers["rule"][:2]) == ["1", "1.1"]
    with pytest.raises(DataError, match="no row has"):
        model.predict([{"brid": "yes"}])


def test_mlflow_saves_logs_and_loads_a_program(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow", reason="MLflow is not installed")
    monkeypatch.chdir(tmp_path)
    program = parse(BIRDS)
    mlflow_model.save_program(program, "birds")
    files = [path.name for path in (tmp_path / "birds").rglob("*") if path.is_file()]
    assert "program.lp" in files
    assert not [name for name in files if name.endswith((".pkl", ".pickle", ".joblib"))]
    assert parse((tmp_path / "birds" / "data" / "program.lp").read_text()) == program
    assert [each["label"] for each in mlflow.pyfunc.load_model("birds").predict(ROWS)] == LABELS
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    with mlflow.start_run():
        logged = mlflow_model.log_program(program, "birds")
    assert [each["label"] for each in mlflow.pyfunc.load_model(logged.model_uri).predict(ROWS)] == LABELS


def test_mlflow_serves_a_program(tmp_path, monkeypatch):
    pytest.importorskip("mlflow", reason="MLflow is not installed")
    server = pytest.importorskip("mlflow.pyfunc.scoring_server", reason="MLflow's server is not installed")
    from mlflow import pyfunc
    from starlette.testclient import TestClient

    monkeypatch.chdir(tmp_path)
    mlflow_model.save_program(parse(BIRDS), "birds")
    client = TestClient(server.init(pyfunc.load_model("birds")))
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    for body in ({"dataframe_records": ROWS}, {"inputs": ROWS}, {"inputs": columns}):
        answer = client.post("/invocations", content=json.dumps(body), headers={"content-type": "application/json"})
        assert answer.status_code == 200, answer.text
        assert "NaN" not in answer.text, "where no rule decides, the rule was NaN, which is no JSON"
        assert [each["label"] for each in answer.json()["predictions"]] == LABELS
