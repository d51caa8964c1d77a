"""The studio's routes: the whole way from a table to saved rules, and what must not go wrong on it."""

import gzip
import io
import json
import logging
import re
import runpy
import time
from pathlib import Path
from threading import Event, Thread

import polars as pl
import pytest
from starlette.testclient import TestClient

from studio import BIRDS, TABLE, learned, studio
from unless.datasets import loans
from unless.evaluate.scores import LABEL_METRICS
from unless.learn.fold.foldrpp import Progress
from unless.logic.rules import Literal, Rule
from unless.logic.text.parser import parse
from unless.table.frames import raw_table
from unless.web import open_table, uploads, warm_up_thread
from unless.web.applications import studio_app
from unless.web.learning_settings import learn_program
from unless.web.learning_thread import Learning
from unless.web.open_table import named_file
from unless.web.session import Session
from unless.web.session_store import SessionStore
from unless.web.warm_up_thread import WARMED, WarmUp


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    return learned(tmp_path_factory.mktemp("example"))


def test_the_columns_are_described(tmp_path: Path) -> None:
    client, _ = studio(tmp_path)
    client.post("/api/studio/example")
    columns = {column["name"]: column for column in client.get("/api/studio/columns").json()["columns"]}
    job, history = columns["years_in_job"], columns["history"]
    assert job["kind"] == "numerical"
    assert job["n_numbers"] == sum(job["numbers"])
    assert {word["word"] for word in job["words"]} == {"retired", "student"}
    assert history["kind"] == "categorical"
    assert history["n_missing"] + sum(word["n"] for word in history["words"]) == 2000
    assert columns["loan"]["n_labels"] == 2


def test_what_is_odd_about_columns_is_said_and_identifiers_are_left_out(tmp_path: Path) -> None:
    rows = [
        f"A-{i},{10000 + i % 7},{'?' if i % 5 == 0 else 'x'},1.{i % 9}5,{'yes' if i % 3 else 'no'}" for i in range(60)
    ]
    client, _ = studio(tmp_path, "id,zip,w,amount,y\n" + "\n".join(rows) + "\n")
    columns = {column["name"]: column for column in client.get("/api/studio/columns").json()["columns"]}
    odd = {name: [found["what"] for found in column["odd"]] for name, column in columns.items()}
    assert odd == {"id": ["identifier"], "zip": ["code"], "w": ["missing words"], "amount": [], "y": []}
    assert columns["id"]["left_out"]
    assert columns["zip"]["odd"][0]["fix"] == "--categorical zip"
    assert columns["w"]["perhaps_missing"] == ["?"]
    state = client.put("/api/studio/settings", json={"left_out": []}).json()
    assert state["settings"]["left_out"] == []


def test_a_note_beside_a_column_does_not_repeat_its_name(tmp_path: Path) -> None:
    """Of columns that are nearly numbers it said "column 'bp': values such as ..." beside the name."""
    rows = [f"{100 + i}/{60 + i},{'yes' if i % 3 else 'no'}" for i in range(60)]
    client, _ = studio(tmp_path, "bp,y\n" + "\n".join(rows) + "\n")
    notes = {each["name"]: each["note"] for each in client.get("/api/studio/columns").json()["columns"]}
    assert notes["bp"].startswith("values such as '100/60', '101/61' are neither numbers nor dates")


def test_the_kind_of_a_column_can_be_changed(tmp_path: Path) -> None:
    client, _ = studio(tmp_path, TABLE)
    state = client.put("/api/studio/settings", json={"kinds": {"age": "categorical"}, "left_out": ["name"]}).json()
    assert state["settings"]["kinds"]["age"] == "categorical"
    columns = {column["name"]: column for column in client.get("/api/studio/columns").json()["columns"]}
    assert columns["age"]["n_numbers"] == 0
    assert columns["name"]["left_out"]


def test_scores_and_figures_belong_to_the_rows_asked_for(example) -> None:
    client, _ = example
    rules = client.get("/api/studio/rules?split=held_out").json()
    sizes = {part["split"]: part["n_rows"] for part in rules["splits"]}
    assert sizes == {"training": 1500, "held_out": 500, "all": 2000}
    for part in rules["splits"]:
        assert sum(map(sum, part["matrix"])) == part["n_rows"]
        named = [(metric["name"], metric["label"]) for metric in part["metrics"]]
        assert named == [("accuracy", None), ("auc", None), *((name, "approved") for name in LABEL_METRICS)]
    assert rules["covered_rows"] == 500
    assert sum(line["figures"]["covered"] for line in rules["lines"] if line["kind"] == "default") <= 500


def test_every_rule_and_cell_leads_to_as_many_rows_as_it_says(example) -> None:
    client, _ = example
    for split in ("all", "training", "held_out"):
        rules = client.get(f"/api/studio/rules?split={split}").json()
        for line in rules["lines"]:
            if line["figures"]:
                found = client.get(f"/api/studio/rows?split={split}&rule={line['number']}&limit=1").json()
                assert found["n_rows"] == line["figures"]["covered"], line["english"]
        for part in rules["splits"]:
            for i, counts in enumerate(part["matrix"]):
                for j, n in enumerate(counts):
                    query = f"split={part['split']}&actual={i}&predicted={j}&limit=1"
                    assert client.get(f"/api/studio/rows?{query}").json()["n_rows"] == n


def test_rows_come_in_pages(example) -> None:
    client, _ = example
    first = client.get("/api/studio/rows?limit=3").json()
    second = client.get("/api/studio/rows?limit=3&offset=3").json()
    assert [row["row"] for row in first["rows"] + second["rows"]] == list(range(6))
    assert client.get("/api/studio/rows?limit=3&offset=999999").json()["rows"] == []
    assert client.get("/api/studio/rows?limit=100000").status_code == 422


def test_a_row_is_explained_and_what_if_changes_it(example) -> None:
    client, _ = example
    row = client.get("/api/studio/rows/3").json()
    again = client.post("/api/explain", json={"rows": [row["values"]]}).json()["answers"][0]
    assert again.items() <= row["predicted"].items()
    assert row["predicted"]["short"][0].startswith("Row 3: approved, by rule 1")
    typed = client.post("/api/studio/what-if", json={"row": row["texts"]}).json()
    assert typed["proof"] == again["proof"]
    poor = {**row["values"], "income": "100", "years_in_job": "3"}
    assert client.post("/api/explain", json={"rows": [poor]}).json()["answers"][0]["label"] == "refused"
    assert client.get("/api/studio/rows/2000").status_code == 422


def test_a_draft_is_judged_kept_and_accepted(tmp_path: Path) -> None:
    client, session = studio(tmp_path, TABLE, BIRDS)
    text = str(session.need_program())
    assert client.put("/api/studio/draft", json={"text": text}).json()["comparison"]["n_flips"] == 0
    assert session.draft is None
    worse = text.replace("'penguin'", "'robin'")
    effect = client.put("/api/studio/draft", json={"text": worse}).json()
    assert effect["comparison"]["n_flips"] == 2
    assert client.get("/api/studio/rows?flips=true").json()["n_rows"] == 2
    accepted = client.post("/api/studio/accept", json={"text": worse}).json()
    assert (accepted["program"], accepted["draft"]) == (str(parse(worse)), None)
    undone = client.post("/api/studio/undo").json()
    assert (undone["program"], undone["draft"]) == (text, worse)
    assert client.post("/api/studio/undo").json()["draft"] is None
    assert client.post("/api/studio/redo").json()["draft"] == worse


def test_an_unreadable_draft_is_kept_with_its_error(tmp_path: Path) -> None:
    client, session = studio(tmp_path, TABLE, BIRDS)
    effect = client.put("/api/studio/draft", json={"text": BIRDS + "flies(X,'yes') :- age(X,N), N <= 3.\n"}).json()
    assert effect["problem"]["line"] == 8
    assert session.draft is not None
    assert client.post("/api/studio/accept", json={"text": session.draft}).status_code == 422


def test_no_edit_is_lost_when_the_server_restarts(tmp_path: Path) -> None:
    client, _ = studio(tmp_path, TABLE, BIRDS)
    client.put("/api/studio/settings", json={"kinds": {"age": "categorical"}, "ratio": 0.2})
    client.put("/api/studio/draft", json={"text": BIRDS + "% half a tho"})
    state = client.get("/api/studio/state").json()
    again, _ = studio(tmp_path, TABLE, BIRDS)
    assert again.get("/api/studio/state").json() == state


def test_a_model_file_waits_for_its_table(tmp_path: Path) -> None:
    """It was forgotten, without a word, when a table was opened after it."""
    program = (
        "%@ target loan: 'approved' else 'refused'\n%@ numerical income\n%@ categorical housing\n%@ forbid housing\n"
    )
    _, session = studio(tmp_path, None, program + "loan(X,'approved') :- income(X,N), N > 30000.0.\n")
    waiting = session.program
    table = tmp_path / "loans.csv"
    loans().write_csv(table)
    session.open(named_file(table))
    assert session.program == waiting
    assert session.settings.forbidden == ("housing",)
    other = tmp_path / "other.csv"
    loans(seed=3).write_csv(other)
    session.open(named_file(other))
    assert session.program is None  # what was done to one table does not cross to another
    session.open(named_file(table))
    assert session.program == waiting


def test_a_model_file_that_changed_meanwhile_goes_first_and_the_edit_stays_in_reach(tmp_path: Path) -> None:
    client, _ = studio(tmp_path, TABLE, BIRDS)
    edited = str(parse(BIRDS.replace("100.0", "99.0")))
    client.post("/api/studio/accept", json={"text": edited})
    again, _ = studio(tmp_path, TABLE, BIRDS.replace("100.0", "50.0"))
    assert "50.0" in again.get("/api/studio/state").json()["program"]
    assert again.post("/api/studio/undo").json()["program"] == edited


def test_a_state_that_cannot_be_read_is_put_aside(tmp_path: Path) -> None:
    _, session = studio(tmp_path, TABLE, BIRDS)
    session.store.path.write_text("{half")
    again, _ = studio(tmp_path, TABLE, BIRDS)
    assert again.get("/api/studio/state").json()["program"]
    assert session.store.path.with_suffix(".unread.json").read_text() == "{half"


def test_an_upload_is_found_again_after_a_restart(tmp_path: Path) -> None:
    client, _ = studio(tmp_path)
    state = client.post("/api/studio/upload", files={"file": ("../../etc/birds.csv", TABLE)}).json()
    assert state["n_rows"] == 4
    again, _ = studio(tmp_path)
    assert again.get("/api/studio/state").json()["origin"] == state["origin"]
    assert list((tmp_path / "state").glob("upload-*"))
    assert not (tmp_path / "etc").exists()


def test_an_upload_that_is_gone_loses_no_program(tmp_path: Path) -> None:
    client, _ = studio(tmp_path)
    client.post("/api/studio/upload", files={"file": ("birds.csv", TABLE)})
    client.post("/api/studio/accept", json={"text": BIRDS})
    for upload in (tmp_path / "state").glob("upload-*"):
        upload.unlink()
    again, _ = studio(tmp_path)
    state = again.get("/api/studio/state").json()
    assert (state["origin"], state["program"]) == (None, str(parse(BIRDS)))
    assert again.get("/api/studio/rules").json()["lines"]


BAD_FILES = [
    (b"", "empty"),
    (b"a,b\n1\n", "cells"),
    (b"a,b\n", "0 rows"),
    (b"\xff\xfe\x00", "x.csv begins like UTF-16"),
    (b"PAR1 but not", "cannot read"),
    (b"\x1f\x8b broken", "cannot unpack"),
]


@pytest.mark.parametrize(("data", "said"), BAD_FILES)
def test_files_that_are_no_tables_are_refused(tmp_path: Path, data: bytes, said: str) -> None:
    client, _ = studio(tmp_path)
    answer = client.post("/api/studio/upload", files={"file": ("x.csv", data)})
    assert answer.status_code == 422
    assert said in answer.json()["error"]["message"]
    assert client.get("/api/studio/state").json()["origin"] is None


def test_small_files_that_unpack_to_huge_tables_are_refused(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(uploads, "MAX_UNPACKED", 1000)
    monkeypatch.setattr(uploads, "MAX_CELLS", 1000)
    client, _ = studio(tmp_path)
    packed = gzip.compress(b"a\n" + b"1\n" * 10_000)
    assert "unpacks to more" in client.post("/api/studio/upload", files={"file": ("x.gz", packed)}).text
    parquet = io.BytesIO()
    pl.DataFrame({"a": [1] * 2000}).write_parquet(parquet)
    assert "cells are accepted" in client.post("/api/studio/upload", files={"file": ("x", parquet.getvalue())}).text


def test_a_column_of_dates_is_read_as_dates(tmp_path: Path) -> None:
    client, session = studio(tmp_path, "day,a,b\n2024-01-01,1,x\n2024-01-02,2,y\n2024-01-03,3,x\n2024-01-04,4,y\n")
    day = client.get("/api/studio/columns").json()["columns"][0]
    assert (day["usable"], day["kind"]) == (True, "numerical")
    assert day["note"] == "read as dates: yyyy-mm-dd."
    session.learn().wait(300)
    assert client.get("/api/studio/learning").json()["stage"] == "done"
    assert "%@ read day: 'yyyy-mm-dd'" in str(session.program)
    assert session.opened.read(session.opened.table.columns["day"], "numerical").value(0) == 19723.0


def test_a_column_has_only_its_own_notes(monkeypatch) -> None:
    """A warning of another thread, which looks at another table, is no note of this column."""

    def guess(table):
        other = Thread(target=logging.getLogger("unless").warning, args=("of another table",))
        other.start()
        other.join()
        logging.getLogger("unless").warning("of this column")
        return dict.fromkeys(table.names, "categorical")

    monkeypatch.setattr(open_table, "kinds_from_content", guess)
    opened = open_table.OpenTable(open_table.TableOrigin("example", "x"), raw_table({"a": ["b"]}), is_text=True)
    assert opened.guesses["a"].note == "of this column"


def test_one_of_many_labels_is_learned_against_the_rest(tmp_path: Path) -> None:
    lines = [f"{i % 3},{'abc'[i % 3]}" for i in range(60)]
    client, session = studio(tmp_path, "x,label\n" + "\n".join(lines) + "\n")
    session.learn().wait(300)
    every = client.get("/api/studio/rules").json()
    assert set(every["labels"]) == {"a", "b", "c"}
    assert [part["metrics"][0]["value"] for part in every["splits"]] == [1.0, 1.0, 1.0]
    client.put("/api/studio/settings", json={"positive": "b"})
    session.learn().wait(300)
    rules = client.get("/api/studio/rules").json()
    assert rules["labels"] == ["b", "not b"]
    assert [part["metrics"][0]["value"] for part in rules["splits"]] == [1.0, 1.0, 1.0]


def test_learning_stops_on_request() -> None:
    asked, taken = Event(), []

    def learn(watch):
        assert asked.wait(60)
        watch(Progress(1, 2, 3, Rule("yes", (Literal("age", ">", 3.0),))))
        return parse(BIRDS)

    learning = Learning(learn, taken.append)
    learning.stop()
    asked.set()
    learning.wait(60)
    assert learning.data()["stage"] == "stopped"
    assert taken == []


def test_a_learner_that_does_not_stop_is_given_up_when_asked_twice() -> None:
    """Its program, when it comes at last, changes nothing."""
    asked, taken = Event(), []

    def learn(watch):
        assert asked.wait(60)
        return parse(BIRDS)

    learning = Learning(learn, taken.append)
    learning.stop()
    assert learning.data()["stopping"]
    learning.stop()
    assert learning.data()["stage"] == "stopped"
    asked.set()
    learning.wait(60)
    assert (learning.data()["stage"], taken) == ("stopped", [])


def test_learning_waits_until_the_learner_is_compiled_and_says_so(tmp_path: Path) -> None:
    """The page is answered meanwhile; each learner waits for its own compiling, and learning time begins after it."""
    begin, warmed = {"fold-r++": Event(), "unless": Event()}, []

    def warm(learner):
        assert begin[learner].wait(60)
        warmed.append(learner)

    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    warm_up = WarmUp(warm)
    session = Session(SessionStore(tmp_path / "state", "test"), named_file(path), warm_up=warm_up)
    warm_up.start()
    client = TestClient(studio_app(session), base_url="http://localhost")
    assert client.get("/api/studio/state").json()["learning"] == {"stage": "idle", "waiting_for": None}
    said = client.post("/api/studio/learning").json()
    assert (said["stage"], said["waiting_for"]) == ("running", "compiling")
    assert client.get("/api/studio/state").json()["learning"]["waiting_for"] == "compiling"
    assert client.get("/api/studio/columns").status_code == 200
    begin["unless"].set()
    session.learning.wait(300)
    said = client.get("/api/studio/learning").json()
    assert (said["stage"], said["waiting_for"], warmed) == ("done", None, ["unless"])
    client.put("/api/studio/settings", json={"learner": "fold-r++"})
    assert client.post("/api/studio/learning").json()["waiting_for"] == "compiling"
    assert client.delete("/api/studio/learning").json()["stage"] in {"running", "stopped"}
    session.learning.wait(300)
    assert client.get("/api/studio/learning").json()["stage"] == "stopped"
    begin["fold-r++"].set()


def test_a_learner_that_cannot_be_compiled_ahead_stops_nobody() -> None:
    def warm(learner):
        msg = f"no room on the disk for {learner}"
        raise OSError(msg)

    warm_up = WarmUp(warm)
    warm_up.start()
    assert all(warm_up.compiled(learner).wait(60) for learner in WARMED)


@pytest.mark.parametrize("learner", WARMED)
def test_learners_are_warmed_by_learning_as_the_studio_does(learner, monkeypatch) -> None:
    settings, learned = [], []

    def learn(order, watch):
        settings.append(order.settings)
        learned.append(learn_program(order, watch))

    monkeypatch.setattr(warm_up_thread, "learn_program", learn)
    warm_up_thread.warm_learner(learner)
    assert [(chosen.learner, chosen.target) for chosen in settings] == [(learner, "loan")]
    assert learned[0].clauses


def test_everything_from_data_is_escaped(tmp_path: Path) -> None:
    """A column, a word and a file called like a script come back as text, never as markup."""
    evil = "<script>alert(1)</script>"
    lines = [f"{evil if i % 2 else 'ok'},{i},{'a&b' if i % 2 else '<b>'}\n" for i in range(40)]
    table = f"{evil},other,<img src=x>\n" + "".join(lines)
    client, session = studio(tmp_path)
    client.post("/api/studio/upload", files={"file": (f"{evil}.csv", table)})
    session.learn().wait(300)
    report = client.get("/api/studio/report.html").text
    picture = client.get("/api/studio/picture.svg").text
    for page in (report, picture):
        assert evil not in page
        assert "<img src=x>" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    for path in ("state", "columns", "rules", "rows", "rows/1"):
        answer = client.get(f"/api/studio/{path}")
        assert answer.headers["content-type"] == "application/json"
    for path in ("program.lp", "predictions", "report.html"):
        assert client.get(f"/api/studio/{path}").headers["content-disposition"].startswith("attachment")


def test_downloads_are_what_the_library_writes(example) -> None:
    client, session = example
    assert parse(client.get("/api/studio/program.lp").text) == session.need_program()
    header, *lines = client.get("/api/studio/predictions").text.splitlines()
    assert header == "row,loan predicted,probability of approved,probability of refused,rule"
    assert len(lines) == 2000
    assert client.get("/api/studio/report.html?rows=3").text.count("<details>") == 3


def test_what_needs_a_table_or_a_program_says_so(tmp_path: Path) -> None:
    client, _ = studio(tmp_path)
    for path in ("studio/columns", "studio/rules", "studio/rows", "studio/rows/0", "studio/picture.svg", "program"):
        answer = client.get(f"/api/{path}")
        assert answer.status_code == 409, path
        assert answer.json()["error"]["message"]
    assert client.post("/api/studio/save").status_code == 409


def test_a_program_can_be_read_without_a_table(tmp_path: Path) -> None:
    client, _ = studio(tmp_path, None, BIRDS)
    rules = client.get("/api/studio/rules").json()
    assert rules["splits"] == []
    assert rules["lines"][1]["clause"].startswith("flies(X,'yes') :- ")
    assert client.get("/api/studio/picture.svg").text.startswith("<svg")
    assert client.put("/api/studio/draft", json={"text": BIRDS}).json()["problem"] is None


def test_a_program_whose_columns_the_table_lacks_is_shown_with_the_reason(tmp_path: Path) -> None:
    client, _ = studio(tmp_path, "a,b\n1,2\n", BIRDS)
    rules = client.get("/api/studio/rules").json()
    assert "absent" in rules["problem"]
    assert rules["lines"]


def test_the_page_and_its_parts_are_served(tmp_path: Path) -> None:
    client, _ = studio(tmp_path)
    page = client.get("/")
    assert "unless studio" in page.text
    assert "http" not in page.text.replace("http-equiv", "")
    for name in ("app.js", "studio.css", "icon.svg"):
        assert client.get(f"/static/{name}").status_code == 200
    assert client.get("/static/../session.py").status_code == 404


def test_the_store_writes_whole_files(tmp_path: Path) -> None:
    store = SessionStore(tmp_path, "a", "b")
    store.write({"draft": "x" * 10_000})
    assert json.loads(store.path.read_text())["draft"] == "x" * 10_000
    assert [path.name for path in tmp_path.iterdir()] == [store.path.name]
    assert SessionStore(tmp_path, "a", "b").read() is not None
    assert SessionStore(tmp_path, "ab", "").read() is None


def test_the_learner_of_whole_programs_can_be_chosen(tmp_path: Path) -> None:
    client, session = studio(tmp_path)
    client.post("/api/studio/example")
    client.put("/api/studio/settings", json={"learner": "unless", "size_penalty": 2.0})
    session.learn().wait(300)
    learning = client.get("/api/studio/learning").json()
    assert learning["stage"] == "done"
    assert learning["n_errors"] is not None
    assert not learning["is_trying"]  # the last step is of the program itself, on all rows
    assert client.put("/api/studio/settings", json={"learner": "oracle"}).status_code == 422
    # It is kept like all settings.
    again = Session(SessionStore(tmp_path / "state", "test"))
    assert (again.settings.learner, again.settings.size_penalty) == ("unless", 2.0)


def test_stopping_the_learner_of_whole_programs_keeps_the_best_so_far(tmp_path: Path) -> None:
    client, session = studio(tmp_path)
    client.post("/api/studio/example")
    client.put("/api/studio/settings", json={"learner": "unless"})
    learning = session.learn()
    while learning.progress is None and learning.stage == "running":
        time.sleep(0.001)
    learning.stop()
    learning.wait(300)
    assert learning.stage == "done"
    assert session.program is not None
    assert session.timeline.past[-1][1].startswith("Learned the rules")


def test_learning_that_nobody_looks_at_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is closed says so, and one that vanished does not look any more."""
    monkeypatch.setattr("unless.web.learning_thread.LEFT", -1.0)
    client, session = studio(tmp_path)
    client.post("/api/studio/example")
    session.warm_up = WarmUp(lambda _: None)  # its learners are never ready
    learning = session.learn()
    assert client.get("/api/studio/learning").json()["waiting_for"] == "compiling"
    client.post("/api/studio/leaving")
    learning.wait(60)
    assert (learning.stage, learning.is_cut_short, session.program) == ("stopped", False, None)
    assert client.get("/api/studio/learning").json()["stage"] == "stopped"


def test_programs_of_all_sizes_say_how_far_they_are_and_can_be_stopped(tmp_path: Path) -> None:
    client, session = studio(tmp_path)
    client.post("/api/studio/example")
    learning = session.learn_sizes()
    while learning.progress is None and learning.stage == "running":
        time.sleep(0.001)
    seen = client.get("/api/studio/learning").json()
    learning.stop()
    learning.wait(300)
    assert seen["what"] == "sizes"
    assert 0 <= seen["n_done"] <= seen["n_parts"]
    assert session.sizes is None
    assert learning.stage == "stopped"


def test_a_row_says_what_the_draft_predicts_for_it(tmp_path: Path) -> None:
    client, session = studio(tmp_path, TABLE, BIRDS)
    assert client.get("/api/studio/rows/0").json()["predicted_by_draft"] is None
    text = str(session.need_program())
    client.put("/api/studio/draft", json={"text": text.replace("'penguin'", "'robin'")})
    flipped = client.get("/api/studio/rows?flips=true").json()["rows"][0]["row"]
    row = client.get(f"/api/studio/rows/{flipped}").json()
    assert row["predicted_by_draft"]["label"] != row["predicted"]["label"]
    assert row["predicted_by_draft"]["reasons"]
    client.put("/api/studio/draft", json={"text": "no program"})
    assert client.get(f"/api/studio/rows/{flipped}").json()["predicted_by_draft"] is None


def test_the_help_page_is_the_docs(tmp_path: Path) -> None:
    """What is served is made from docs/studio.md, has a part for each screen, and names the keys of the help."""
    docs = Path(__file__).parents[2] / "docs"
    page = runpy.run_path(str(docs / "write_studio_help.py"))["page"]()
    client, _ = studio(tmp_path)
    assert client.get("/static/help.html").text == page, "run: python docs/write_studio_help.py"
    script = client.get("/static/app.js").text
    screens = [name for name in re.findall(r'\{ name: "(\w+)"', script) if name != "picture"]
    assert [name for name in screens if f'<h3 id="{name}">' not in page] == []
    keys = re.findall(
        r'\["([^"]+)", "[^"]+"\]', client.get("/static/help.js").text.split("const KEYS")[1].split(";")[0]
    )
    plain = re.sub("</?code>", "", page)
    assert [key for key in keys if f">{key}</th>" not in plain] == []
