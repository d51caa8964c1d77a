"""What people type or drop into the studio: filters, bounds, values of a row, tests, projects; taken as it is meant."""

import json
import logging

import pytest

from studio import BIRDS, TABLE, studio
from unless.datasets import loans
from unless.errors import UnlessError
from unless.logic.text.parser import parse
from unless.table.frames import raw_table
from unless.web.open_table import OpenTable, TableOrigin
from unless.web.start_session import start_session
from unless.web.warm_up_thread import unheard

DATED = "when;sex;age;paid\n" + "".join(
    f"{day:02}.03.2024;{'male' if day % 2 else 'female'};{'k.A.' if day == 9 else day};{'yes' if day > 10 else 'no'}\n"
    for day in range(1, 21)
)
RULES = """\
%@ unless 1
%@ target paid: 'yes' else 'no'
%@ categorical sex
%@ numerical when, age
%@ read when: 'dd.mm.yyyy'
paid(X,'yes') :- when(X,N1), N1 > 19792.0.
paid(X,'yes') :- sex(X,'other'), age(X,N2), N2 > 90.0.
"""


@pytest.fixture
def dated(tmp_path):
    client, _ = studio(tmp_path, DATED, RULES)
    return client


def found(client, **asked):
    answer = client.get("/api/studio/rows", params=asked).json()
    return answer["error"]["message"] if "error" in answer else answer["n_rows"]


def test_a_filter_asks_for_the_word_and_not_for_words_that_have_it_in_them(dated) -> None:
    """*sex is male* listed the rows that are female, too."""
    assert found(dated, column="sex", op="is", value="male") == 10
    assert found(dated, column="sex", op="has", value="MALE") == 20
    assert found(dated, column="when", op="has", value="2.03.") == 2
    assert found(dated, column="sex", op="is", value="m") == 0


def test_a_filter_without_a_value_is_asked_for_one(dated) -> None:
    """*sex is* nothing listed all rows that have something there."""
    assert found(dated, column="sex", op="is") == "type what column 'sex' is to be, or choose 'is blank'."


def test_a_year_is_no_day(dated) -> None:
    """2024 beside dates was the day with this number, in 1975: all rows are later than that."""
    said = "'2024' is no number of column 'when'; it is written like dd.mm.yyyy."
    assert found(dated, column="when", op=">=", value="2024") == said
    assert found(dated, column="when", op=">=", value="2024-03-19") == 2
    edit = {"do": "test", "rule": "1", "column": "when", "values": {"low": "2024"}}
    preview = dated.post("/api/studio/preview", json=edit).json()
    assert preview["problem"] == "'2024' is no bound for column 'when'; it must be written like dd.mm.yyyy."


def test_a_bound_without_end_is_none(dated) -> None:
    """It was said that no number is above 1e999 and at most None."""
    edit = {"do": "test", "rule": "2", "column": "age", "values": {"low": "1e999"}}
    preview = dated.post("/api/studio/preview", json=edit).json()
    assert preview["problem"] == "'1e999' is no bound for column 'age'; it must be a number."


def test_what_if_says_which_values_it_cannot_take(dated) -> None:
    """A date that is none, or a misspelt word, was decided on without a word."""

    def warnings(**values):
        row = {"when": "05.03.2024", "sex": "male", "age": "7", **values}
        return dated.post("/api/studio/what-if", json={"row": row}).json()["warnings"]

    assert warnings() == warnings(age="k.A.") == warnings(sex=None) == []
    assert warnings(when="31.02.2024") == [
        "column 'when' is written as dd.mm.yyyy and holds '31.02.2024', which is no number."
    ]
    assert warnings(sex="mal", age="young") == [
        "no row of the table has 'mal' in column 'sex'.",
        "column 'age' is numerical and holds 'young', which is no number.",
    ]


def test_points_that_cannot_be_are_refused_in_words(dated) -> None:
    """It was said that for body.points the input should be greater than or equal to 1."""
    refused = dated.post("/api/studio/edit", json={"do": "needed", "rule": "1", "points": 0}).json()["error"]
    assert refused["message"] == "points is 0; it should be greater than or equal to 1."


def test_no_property_makes_the_studio_read_a_file(tmp_path) -> None:
    """*same as FILE* opened any file of the machine, and showed its first line; so did a project from elsewhere."""
    client, session = studio(tmp_path, TABLE, BIRDS)
    (tmp_path / "secret.lp").write_text("s3cret word")
    sentence = f"same as {tmp_path / 'secret.lp'}"
    refused = client.post("/api/studio/checks", json={"property": sentence})
    assert "no files are read here" in refused.json()["error"]["message"]
    project = client.get("/api/studio/project.json").json()
    project["work"]["checks"]["properties"] = [sentence]
    opened = client.post("/api/studio/project", files={"file": ("project.json", json.dumps(project))})
    assert opened.status_code == 200
    assert session.checks["properties"] == [sentence]
    (outcome,) = client.get("/api/studio/checks").json()["checks"]
    assert (outcome["outcome"], "s3cret" in outcome["reason"]) == ("failed", False)
    assert "same as FILE" not in client.post("/api/studio/checks", json={"property": "x"}).json()["error"]["message"]


def test_the_test_that_was_meant_is_removed(tmp_path) -> None:
    """Tests were removed by their place: after another tab had removed the first, a click removed the second."""
    client, session = studio(tmp_path, TABLE, BIRDS)
    for sentence in ("never depends on age", "never depends on bird"):
        client.post("/api/studio/checks", json={"property": sentence})
    path = "/api/studio/checks/properties/0"
    assert client.delete(path, params={"name": "never depends on age"}).status_code == 200
    late = client.delete(path, params={"name": "never depends on age"})
    assert late.status_code == 409
    assert "was not removed" in late.json()["error"]["message"]
    assert session.checks["properties"] == ["never depends on bird"]


DAMAGED = [
    ("settings", "target", "nothing"),
    ("settings", "kinds", {"bird": [5], "name": "categorical", "age": "numerical", "flies": "categorical"}),
    ("settings", "left_out", ["nothing"]),
    ("timeline", "texts", [5]),
    ("checks", "cases", 5),
    ("versions", 0, {"name": "x"}),
]


@pytest.mark.parametrize(("part", "name", "value"), DAMAGED)
def test_a_damaged_project_is_refused_and_changes_nothing(tmp_path, part, name, value) -> None:
    """It was taken, kept, and from then on every screen ended in an error, after a restart too."""
    client, session = studio(tmp_path, TABLE, BIRDS)
    client.post("/api/studio/versions", json={"name": "first"})
    project, before = client.get("/api/studio/project.json").json(), session.work()
    sound = json.dumps(project)
    project["work"][part][name] = value
    refused = client.post("/api/studio/project", files={"file": ("project.json", json.dumps(project))})
    assert refused.status_code == 422
    assert refused.json()["error"]["message"].startswith("this is no project file of the studio")
    assert session.work() == before
    assert client.post("/api/studio/project", files={"file": ("project.json", sound)}).status_code == 200
    assert session.work()["settings"] == before["settings"]


def test_saving_writes_over_nothing_that_somebody_else_wrote(tmp_path) -> None:
    """A model file that was edited by hand while the studio was open was written over without a word."""
    table, model = tmp_path / "t.csv", tmp_path / "birds.lp"
    table.write_text(TABLE)
    model.write_text(BIRDS)
    session = start_session(str(table), str(model), tmp_path / "state")
    session.save()
    session.save()
    model.write_text(BIRDS + "% mine\n")
    with pytest.raises(UnlessError, match=r"birds\.lp was changed since it was opened here"):
        session.save()
    assert model.read_text().endswith("% mine\n")
    start_session(str(table), str(model), tmp_path / "state").save()
    assert "% mine" not in model.read_text()


def test_a_draft_stays_when_the_program_in_use_was_saved(tmp_path) -> None:
    """At the next start the file that the studio had written itself was opened as another one; the draft was gone."""
    table, model = tmp_path / "t.csv", tmp_path / "birds.lp"
    table.write_text(TABLE)
    model.write_text(BIRDS)
    session = start_session(str(table), str(model), tmp_path / "state")
    session.accept(parse(BIRDS.replace("100.0", "90.0")), "Used the draft.")
    session.keep_draft(BIRDS.replace("100.0", "80.0"))
    session.save()
    again = start_session(str(table), str(model), tmp_path / "state")
    assert again.draft == session.draft is not None


def test_the_studio_says_nothing_of_the_table_that_it_warms_up_with(caplog) -> None:
    """The terminal spoke of a column `years_in_job` whatever table had been opened."""
    with caplog.at_level("WARNING", logger="unless"), unheard():
        OpenTable(TableOrigin("example", "loans"), raw_table(loans(50)), is_text=True).guesses  # noqa: B018
        logging.getLogger("unless").error("what is wrong")
    assert [record.getMessage() for record in caplog.records] == ["what is wrong"]


@pytest.mark.parametrize("path", ["rows", "rows/0", "cutoffs?label=yes"])
def test_a_column_that_the_table_lacks_is_named_on_every_screen(tmp_path, path) -> None:
    """The list of rows named it; a row was decided as if the column were blank, and cut-offs asked for a grade."""
    client, _ = studio(tmp_path, TABLE.replace("bird,", "fowl,"), BIRDS)
    refused = client.get(f"/api/studio/{path}")
    assert refused.status_code == 422
    assert "column 'bird' is not in the table" in refused.json()["error"]["message"]
