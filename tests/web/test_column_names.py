"""Rows of requests and tables of the studio whose columns are written otherwise than the program writes them."""

import logging

import pandas as pd
import pytest

from studio import BIRDS, LABELS, ROWS, TABLE, server, studio
from unless.logic.text.parser import parse
from unless.web.mlflow_model import ProgramModel

SPELLED = [{"Bird": row["bird"], " name": row["name"], "age\u00a0": row["age"]} for row in ROWS]
SAID = "Columns of the program are called otherwise here: 'bird' = 'Bird', 'name' = ' name', 'age' = 'age\\xa0'."


def labels(answer):
    return [each["label"] for each in answer.json()["answers"]]


@pytest.mark.parametrize("path", ["predict", "explain"])
def test_rows_with_other_spellings_are_answered_and_it_is_said_once(path):
    """They were refused: no row has the column."""
    answer = server().post(f"/api/{path}", json={"rows": SPELLED})
    assert labels(answer) == LABELS
    assert answer.json()["warnings"] == [SAID]
    assert all("warnings" not in each for each in answer.json()["answers"])


def test_rows_may_be_spelled_in_several_ways_at_once():
    answer = server().post("/api/predict", json={"rows": [ROWS[0], SPELLED[1], {"name": "penguin", "AGE": 101.5}]})
    assert labels(answer) == ["yes", "no", "no"]
    assert "'age' = 'AGE'" in answer.json()["warnings"][0]


def test_a_strict_server_refuses_other_spellings():
    answer = server(strict=True).post("/api/predict", json={"rows": SPELLED})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith(f"{SAID} This server is strict")


def test_two_keys_that_could_be_meant_are_refused():
    rows = [{"bird ": "yes", " bird": "no", "name": "robin", "age": 2}]
    answer = server().post("/api/predict", json={"rows": rows})
    assert answer.status_code == 422
    assert "column 'bird' is not in the rows, and 'bird ', ' bird' differ from it only in blanks" in answer.text


def test_two_programs_are_compared_on_such_rows():
    answer = server().post("/api/compare", json={"rows": SPELLED, "program": BIRDS.replace("penguin", "robin")})
    assert answer.json()["n_flips"] == 2


def test_mlflow_answers_them_and_logs_it(tmp_path, caplog):
    (tmp_path / "birds.lp").write_text(BIRDS)
    with caplog.at_level(logging.WARNING, "unless"):
        found = ProgramModel("birds", tmp_path / "birds.lp").predict(pd.DataFrame(SPELLED))
    assert found["label"].tolist() == LABELS
    assert caplog.messages == [SAID]


def test_the_studio_calls_columns_as_the_model_file_does(tmp_path):
    """The file's own names were shown, and every answer about the program was refused."""
    header, _, rows = TABLE.partition("\n")
    table = f"{header.replace('bird', 'Bird ').replace('flies', 'FLIES')}\n{rows}"
    client, session = studio(tmp_path, table, BIRDS)
    assert session.opened.table.names == ("bird", "name", "age", "flies")
    assert session.settings.target == "flies"
    assert session.opened.note == (
        "columns of the program are called otherwise here: 'bird' = 'Bird ', 'flies' = 'FLIES'."
    )
    assert session.on_table(parse(BIRDS)).view.accuracy() == 1.0
    shown = client.get("/api/studio/columns").json()
    assert [each["name"] for each in shown["columns"]] == ["bird", "name", "age", "flies"]
    # Taken up again, without the model file, and without the rows that have no label.
    again = studio(tmp_path, table)[1]
    assert again.opened.table.names == session.opened.table.names
    assert again.settings.kinds == session.settings.kinds
    again.leave_out_unlabelled()
    assert again.opened.table.names == session.opened.table.names


def test_the_page_names_columns_as_they_are(tmp_path):
    """It has the names from the table: another one is refused, and not kept where nothing would find it."""
    client, session = studio(tmp_path, TABLE, BIRDS)
    for change in ({"target": "Flies"}, {"left_out": ["age "]}, {"kinds": {"age": "numerical"}, "forbidden": ["AGE"]}):
        answer = client.put("/api/studio/settings", json=change)
        assert answer.status_code == 422, answer.text
        assert "is not in the table" in answer.text
    assert session.settings.target == "flies"


def test_a_draft_may_come_from_another_header(tmp_path):
    _, session = studio(tmp_path, TABLE, BIRDS)
    other = BIRDS.replace("%@ numerical age", "%@ numerical age = 'Age '").replace("flies:", "flies = 'FLIES':")
    view = session.on_table(parse(other)).view
    assert view.predicted_texts().tolist() == LABELS
    assert view.accuracy() == 1.0
