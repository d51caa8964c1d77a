"""What an analyst with a table of an office meets in the studio: labels that are absent, amounts, exports, versions."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest

from studio import BIRDS, TABLE, learned, studio
from unless.export.targets import TARGETS
from unless.logic.text.parser import parse
from unless.web import studio_routes
from unless.web.access_token import AccessToken
from unless.web.applications import studio_app
from unless.web.open_table import OpenTable, named_file
from unless.web.studio.exported_program import export_choices
from unless.web.studio.timeline import Moment, Timeline

AMOUNTS = """\
%@ unless 1
%@ target late: 'yes' else 'no'
%@ categorical branch
%@ numerical amount, day
%@ read amount: '1.234,56 €'
%@ read day: 'dd.mm.yyyy'
late(X,'yes') :- amount(X,N2), N2 > 5000.0.
"""


def office_table() -> str:
    """Write 200 rows as an office does: the dearer half is late, most of the time."""
    rows = []
    for i in range(200):
        euros = f"{(i + 1) * 50:,}".replace(",", ".") + ",00 €"
        late = "yes" if (i >= 100) != (i % 20 == 0) else "no"
        rows.append(f"{euros};{i % 28 + 1:02d}.{i // 28 + 1:02d}.2024;{'Köln' if i % 3 else 'Bonn'};{late}")
    return "amount;day;branch;late\n" + "\n".join(rows) + "\n"


@pytest.fixture
def office(tmp_path):
    client, session = studio(tmp_path, office_table())
    assert client.post("/api/studio/accept", json={"text": AMOUNTS}).status_code == 200
    return client, session


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    return learned(tmp_path_factory.mktemp("example"))


@pytest.mark.parametrize(
    ("column", "typed", "number", "below"), [("amount", "7.500", 7500.0, 150), ("day", "28.01.2024", None, 28)]
)
def test_a_typed_bound_is_read_as_the_column_is_written(office, column, typed, number, below) -> None:
    """The page took 7.500 for seven and a half, compared dates as texts, and set its slider there."""
    client, _ = office
    asked = {"do": "test", "rule": "1", "column": column, "values": {"low": typed}}
    bound = client.post("/api/studio/preview", json=asked).json()["bounds"]["low"]
    assert bound["below"] == below
    assert bound["said"].startswith(typed)
    cuts = client.get("/api/studio/values", params={"column": column}).json()["cuts"]
    assert next(cut["below"] for cut in cuts if cut["value"] == bound["value"]) == below
    assert number is None or bound["value"] == number
    assert client.post("/api/studio/preview", json={**asked, "values": {"low": "much"}}).json()["bounds"] == {}


def test_forms_show_how_often_a_label_goes_with_values_in_the_rows_learned_from(example) -> None:
    client, session = example
    seen = session.rows("training")
    table = session.need_table().table
    asked = {"label": "approved"}
    words = client.get("/api/studio/values", params={"column": "housing", **asked}).json()["words"]
    is_approved = session.need_table().has_word("loan", "approved")
    for each in words:
        has = session.need_table().has_word("housing", each["word"])
        assert each["n"] == has.sum()
        assert each["share"] == pytest.approx((has & is_approved & seen).sum() / (has & seen).sum())
    parts = client.get("/api/studio/values", params={"column": "income", **asked}).json()["parts"]
    assert sum(part["n"] for part in parts) == (seen & ~table.column("income").numbers.is_null().to_numpy()).sum()
    assert all(a["high"] < b["low"] for a, b in itertools.pairwise(parts))
    assert parts[0]["share"] < parts[-1]["share"]
    assert client.get("/api/studio/values", params={"column": "income"}).json()["parts"] == []


def test_rows_at_hand_become_a_rule_or_an_exception(office) -> None:
    """What is proposed is for the wrong rows that are listed; the rule is the one that decides most of them."""
    client, _ = office
    wrong = client.get("/api/studio/rows", params={"wrong": True}).json()
    assert wrong["n_wrong"] == wrong["n_rows"] == 10
    missed = client.get("/api/studio/proposals", params={"column": "amount", "op": "=<", "value": "5.000,00 €"}).json()
    assert (missed["rule"], missed["n_wrong"]) == ("else", 5)
    late = client.get("/api/studio/proposals", params={"wrong": True, "column": "branch", "value": "Bonn"}).json()
    n_bonn = client.get("/api/studio/rows", params={"rule": "1", "wrong": True, "column": "branch", "value": "Bonn"})
    assert (late["rule"], late["n_wrong"]) in [("1", n_bonn.json()["n_rows"]), ("else", late["n_wrong"])]
    every = client.get("/api/studio/proposals", params={"rule": "1"}).json()
    assert (every["rule"], every["n_wrong"]) == ("1", 5)


def test_rows_without_a_label_are_left_out_by_a_click(tmp_path: Path) -> None:
    """Such a table could not be learned from at all, or a label NA was learned."""
    lines = office_table().splitlines()
    lines[5], lines[9], lines[10] = (lines[i].rpartition(";")[0] + ";" for i in (5, 9, 10))
    lines[20] = lines[20].rpartition(";")[0] + ";NA"
    client, session = studio(tmp_path, "\n".join(lines) + "\n")
    target = client.get("/api/studio/columns").json()["columns"][-1]
    assert (target["n_unlabelled"], target["perhaps_missing"]) == (3, ["NA"])
    client.put("/api/studio/settings", json={"missing": ["NA"], "positive": "yes", "held_out": 0.2})
    assert client.get("/api/studio/columns").json()["columns"][-1]["n_unlabelled"] == 4
    state = client.post("/api/studio/labelled").json()
    assert (state["n_rows"], state["settings"]["positive"]) == (196, "yes")
    client.post("/api/studio/learning")
    session.learning.wait(200)
    assert client.get("/api/studio/learning").json()["stage"] == "done"
    assert client.get("/api/studio/rules").json()["labels"] == ["yes", "no"]
    project = client.get("/api/studio/project.json").content
    assert json.loads(project)["table"]["labelled_in"] == "late"
    again, _ = studio(tmp_path)
    assert again.get("/api/studio/state").json()["n_rows"] == 196
    assert again.get("/api/studio/rules").status_code == 200


def test_what_is_found_about_a_file_is_said_by_the_name_that_people_gave_it(tmp_path: Path) -> None:
    client, _ = studio(tmp_path)
    sent = {"file": ("Anträge.csv", office_table().encode("cp1252"))}
    note = client.post("/api/studio/upload", files=sent).json()["origin"]["note"]
    assert note == "Anträge.csv is not in UTF-8: it is read as Windows-1252."


def test_every_target_that_is_not_refused_is_offered_and_replayed(example) -> None:
    client, _ = example
    offered = {each["to"] for each in client.get("/api/studio/exports").json()["exports"]}
    assert offered == {name for name, target in TARGETS.items() if not target.says.startswith("refused")}
    assert all(each["title"] for each in export_choices())
    module = client.get("/api/studio/export", params={"to": "python", "replay": True})
    assert 'filename="program.py"' in module.headers["content-disposition"]
    known: dict = {}
    exec(module.text, known)  # the module is ours: it was just written
    assert known["predict"]({"income": "100"}) == "refused"
    view = client.get("/api/studio/export", params={"to": "sql:sqlite", "table": "loans", "form": "view"}).text
    assert view.startswith("CREATE VIEW")
    for to in ("dmn", "nothing"):
        refused = client.get("/api/studio/export", params={"to": to})
        assert (refused.status_code, refused.json()["error"]["kind"]) == (422, "DataError")


def test_versions_say_who_decided_and_what_is_different_from_the_one_before(office) -> None:
    client, _ = office
    keep = {"name": "as learned", "comment": "first", "by": "A. Weber"}
    client.post("/api/studio/versions", json=keep)
    client.post("/api/studio/edit", json={"do": "test", "rule": "1", "column": "amount", "values": {"low": "6.000"}})
    state = client.post("/api/studio/versions", json={"name": "stricter"}).json()
    assert [(each["by"], each["changes"]) for each in state["versions"]] == [
        ("A. Weber", []),
        ("", ["Rule 1: amount above 5.000 € becomes amount above 6.000 €."]),
    ]
    refused = client.post("/api/studio/versions", json={"name": "draft"})
    assert refused.status_code == 422
    assert "another name" in refused.json()["error"]["message"]


def test_a_draft_is_dropped_with_what_was_switched_off_in_it_and_not_by_a_tab_that_did_not_see_it(example) -> None:
    """The rule stayed in the list of what is switched off, and could be switched on a second time."""
    client, _ = example
    before = client.get("/api/studio/state").json()["revision"]
    client.post("/api/studio/edit", json={"do": "off", "rule": "2"})
    assert len(client.get("/api/studio/rules").json()["off"]) == 1
    assert client.delete("/api/studio/draft", params={"revision": before}).status_code == 409
    assert client.delete("/api/studio/draft").status_code == 200
    assert client.get("/api/studio/rules").json()["off"] == []
    client.post("/api/studio/undo")
    client.post("/api/studio/undo")


def test_a_locked_rule_that_is_gone_is_not_counted(example) -> None:
    client, _ = example
    client.post("/api/studio/edit", json={"do": "lock", "rule": "2"})
    assert client.get("/api/studio/state").json()["n_locked"] == 1
    client.put("/api/studio/draft", json={"text": "%@ unless 1\n%@ target loan: 'approved' else 'refused'\n"})
    assert client.get("/api/studio/state").json()["n_locked"] == 0
    for _ in range(2):
        client.post("/api/studio/undo")


def test_a_browser_without_the_token_gets_a_page_and_a_program_gets_data(tmp_path: Path) -> None:
    _, session = studio(tmp_path)
    from starlette.testclient import TestClient

    client = TestClient(studio_app(session, token=AccessToken("secret")), base_url="http://localhost")
    page = client.get("/", headers={"accept": "text/html,*/*"})
    assert (page.status_code, page.headers["content-type"]) == (401, "text/html; charset=utf-8")
    assert "?token=" in page.text
    assert "secret" not in page.text
    assert client.get("/api/studio/state").json()["error"]["kind"] == "refused"


def test_an_answer_that_was_overtaken_says_so_and_a_fault_stays_a_fault(office, monkeypatch) -> None:
    """Rows of one table met a program of another: HTTP 500, where people used two tabs at once."""
    client, session = office

    def overtaken(_) -> None:
        session.change({"held_out": 0.5})
        raise IndexError

    def broken(_) -> None:
        raise IndexError

    monkeypatch.setattr(studio_routes, "column_list", overtaken)
    answer = client.get("/api/studio/columns")
    assert (answer.status_code, answer.json()["error"]["kind"]) == (409, "OvertakenError")
    monkeypatch.setattr(studio_routes, "column_list", broken)
    with pytest.raises(IndexError):
        client.get("/api/studio/columns")


def test_the_program_is_read_from_one_moment_whatever_others_do(office) -> None:
    """The draft was asked for twice: of a draft that was dropped in between, the second answer was none."""
    _, session = office
    with_draft = replace(session.timeline.now, draft=AMOUNTS.replace("5000", "6000"))

    class Restless(Timeline):
        n_read = 0

        @property
        def now(self):
            self.n_read += 1
            return Moment() if self.n_read % 2 == 0 else with_draft

        @now.setter
        def now(self, moment) -> None:
            pass

    session.timeline = Restless()
    assert {str(session.current) for _ in range(4)} == {str(parse(with_draft.draft)), "None"}
    session.timeline = Restless()
    session.keep_version("whole", "")
    assert session.versions.find("whole").program == str(parse(with_draft.draft))


def test_a_table_is_never_seen_with_the_settings_of_another(office, tmp_path: Path, monkeypatch) -> None:
    """While the columns of a new table were guessed, the settings were still those of the one before."""
    _, session = office
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,x\n2,y\n")
    seen = []
    guess = OpenTable._guess

    def watched(opened, name):
        seen.append(set(session.settings.kinds) == set(session.need_table().table.names))
        return guess(opened, name)

    monkeypatch.setattr(OpenTable, "_guess", watched)
    session.open(named_file(path))
    assert seen == [True, True]
    assert set(session.settings.kinds) == {"a", "b"}


def test_prices_of_the_two_mistakes_are_handed_on_to_the_learner_where_there_are_two_labels(example) -> None:
    client, _ = example
    cut = client.get("/api/studio/cutoffs", params={"label": "approved"}).json()
    assert (cut["can_learn"], cut["label"], cut["other"]) == (True, "approved", "refused")
    client.put("/api/studio/settings", json={"target": "housing"})
    assert client.get("/api/studio/cutoffs", params={"label": "approved"}).json()["can_learn"] is False
    client.put("/api/studio/settings", json={"target": "loan", "positive": "approved"})


def test_a_letter_and_ways_out_say_dates_and_amounts_as_the_table_does_and_call_a_row_by_its_name(
    tmp_path: Path,
) -> None:
    """A date was said as the number of its day, and 8,815.22 stood beside 12.970."""
    lines = office_table().splitlines()
    rows = [f"K-{i};{i % 12};{line}" for i, line in enumerate(lines[1:])]
    client, _ = studio(tmp_path, f"number;months;{lines[0]}\n" + "\n".join(rows) + "\n")
    days = "late(X,'yes') :- day(X,N3), N3 > 19800.0, amount(X,N2), N2 > 5000.0."
    client.post(
        "/api/studio/accept", json={"text": AMOUNTS.replace("late(X,'yes') :- amount(X,N2), N2 > 5000.0.", days)}
    )
    letter = client.get("/api/studio/rows/150/letter.txt").text
    assert letter.startswith("About row K-150")
    assert "- Amount is 7.550 €" in letter
    assert "(now 7.550 €)" in letter
    ways = client.post("/api/studio/rows/3/recourse", json={"want": "yes"}).json()["ways"]
    assert {change["column"]: change["before_text"] for way in ways for change in way["changes"]}["day"] == "04.01.2024"
    written = client.get("/api/studio/predictions", params={"columns": True}).text.splitlines()
    assert written[2].split(",")[2] == "1"  # and not 1.0


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """A studio with a program of three labels."""
    folder = tmp_path_factory.mktemp("three")
    rows = [f"{i // 3},{i * 7 % 50},{'low' if i < 150 else 'high' if i < 240 else 'top'}" for i in range(300)]
    client, session = studio(folder, "a,b,y\n" + "\n".join(rows) + "\n")
    session.learn().wait(300)
    assert session.learning.stage == "done", session.learning.error
    return client, session


def test_of_several_labels_the_probability_shown_is_that_of_the_predicted_one(three) -> None:
    """It was that of the rarest label, beside each row whatever was predicted."""
    client, session = three
    page = client.get("/api/studio/rows", params={"limit": 200, "sort": "-probability"}).json()
    assert page["probable"] == {"label": None}
    chances = session.on_table(session.program).view.probabilities
    shown = [row["probability"] for row in page["rows"]]
    assert shown == [chances[row["predicted"]][row["row"]] for row in page["rows"]]
    assert shown == sorted(shown, reverse=True)
    assert len({row["predicted"] for row in page["rows"]}) > 1
    row = client.get(f"/api/studio/rows/{page['rows'][0]['row']}").json()
    sure = row["predicted"]["sure"]
    assert (sure["label"], sure["probability"]) == (page["rows"][0]["predicted"], shown[0])
    assert sure["sentences"][0].startswith(f"Probability of {sure['label']}: ")


@pytest.mark.parametrize("label", ["low", "high", "top"])
def test_of_several_labels_a_cut_off_is_of_the_label_asked_for_against_all_others(three, label: str) -> None:
    """It was of the first label whatever was asked for, and all other rows were called by one of the other labels."""
    client, session = three
    found = client.get("/api/studio/cutoffs", params={"label": label, "split": "all"}).json()
    assert (found["label"], found["other"], found["can_learn"]) == (label, None, False)
    assert found["n_label"] == {"low": 150, "high": 90, "top": 60}[label]
    assert found["n_label"] + found["n_other"] == 300
    view = session.on_table(session.program).view
    predicted = view.predicted_texts() == label
    assert found["rules"]["hits"] + found["rules"]["false"] == predicted.sum()
    refused = client.get("/api/studio/cutoffs", params={"label": "nobody"})
    assert (refused.status_code, "is no label of" in refused.text) == (422, True)


def test_what_if_has_the_probability_of_the_values_that_are_asked_about(example) -> None:
    """Where another value did not change the label, the probability of the row as it is stayed on the page."""
    client, session = example
    row = client.get("/api/studio/rows/6").json()
    asked = {**row["values"], "income": 8000.0}
    answer = client.post("/api/studio/what-if", json={"row": asked}).json()
    assert answer["label"] == row["predicted"]["label"] == "refused"
    assert answer["sure"]["probability"] < row["predicted"]["sure"]["probability"]
    view = session.on_table(session.program).view
    assert row["predicted"]["sure"]["probability"] == view.probabilities["approved"][6]
    assert set(row["graded"]).isdisjoint(row["used"])


def test_where_nothing_is_predicted_there_is_no_precision(tmp_path: Path) -> None:
    """It read 0 % on one screen and was left out on another."""
    client, _ = studio(tmp_path, TABLE, BIRDS.replace("bird(X,'yes')", "bird(X,'never')"))
    metrics = client.get("/api/studio/rules").json()["splits"][0]["metrics"]
    found = {metric["name"]: metric["value"] for metric in metrics}
    assert (found["precision"], found["recall"], found["f1"]) == (None, 0.0, 0.0)


def test_a_table_of_labels_alone_is_refused_in_plain_words(tmp_path: Path) -> None:
    """It was said with the words of a library: an array with samples and 0 features."""
    _, session = studio(tmp_path, "y\n" + "a\nb\n" * 20)
    session.learn().wait(60)
    assert session.learning.stage == "failed"
    assert session.learning.error.startswith("no column is left to learn from")
