"""What the studio calls unseen was not learned from: whatever table is there now, wherever the program comes from."""

from pathlib import Path

import pytest

from studio import studio
from unless.datasets import loans
from unless.web.start_session import start_session
from unless.web.studio.rule_lines import rules
from unless.web.studio_answers import state


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "loans.csv"
    loans(400).write_csv(path)
    return path


def opened(table: Path, model: Path | None = None):
    return start_session(str(table), None if model is None else str(model), table.parent / "state")


def learn(session, **settings) -> None:
    session.change(settings)
    session.learn().wait(300)
    assert session.learning.stage == "done", session.learning.error


def splits(session) -> list[str]:
    return [part["split"] for part in rules(session, "all")["splits"]]


def test_of_a_table_that_was_replaced_no_row_is_called_unseen(table: Path) -> None:
    """The split was drawn again among the rows of the new table, most of which the rules were learned from."""
    session = opened(table)
    learn(session)
    kept = table.read_text()
    assert splits(opened(table)) == ["held_out", "training", "all"]

    table.write_text("".join(kept.splitlines(keepends=True)[:300]))
    session = opened(table)
    assert session.program is not None
    assert splits(session) == ["all"]
    assert state(session)["is_other_table"]

    # One cell is enough: nobody knows what else was done to the rows.
    table.write_text(kept.replace("tenant", "owner", 1))
    assert splits(opened(table)) == ["all"]
    table.write_text(kept)
    session = opened(table)
    assert splits(session) == ["held_out", "training", "all"]
    assert not state(session)["is_other_table"]
    learn(session)
    assert splits(session) == ["held_out", "training", "all"]


def test_a_version_brings_its_own_unseen_rows(table: Path) -> None:
    """After learning again with more rows kept apart, a version from before had rows unseen that it had seen."""
    session = opened(table)
    learn(session, held_out=0.1)
    session.keep_version("little kept apart", "")
    few = session.rows("held_out").copy()
    learn(session, held_out=0.5)
    assert session.rows("held_out").sum() == 200
    session.use_version("little kept apart")
    assert (session.rows("held_out") == few).all()
    session.undo()
    assert session.rows("held_out").sum() == 200
    again = opened(table)
    again.use_version("little kept apart")
    assert (again.rows("held_out") == few).all()


def test_a_program_of_some_size_has_the_unseen_rows_of_when_it_was_learned(tmp_path: Path) -> None:
    """Whoever changed the share between learning programs of all sizes and choosing one was told of other rows."""
    client, session = studio(tmp_path)
    client.post("/api/studio/example")
    session.change({"held_out": 0.1})
    session.learn_sizes().wait(300)
    assert session.learning.stage == "done", session.learning.error
    session.change({"held_out": 0.5})
    session.choose_size(0)
    assert session.rows("held_out").sum() == 200


def test_of_a_model_file_nobody_knows_what_it_was_learned_from(table: Path, tmp_path: Path) -> None:
    """A model file learned from all rows took the unseen rows of the program that was there before."""
    model = tmp_path / "m.lp"
    session = opened(table, model)
    learn(session)
    text = str(session.program)
    model.write_text(text, encoding="utf-8")
    assert splits(opened(table, model)) == ["held_out", "training", "all"]  # saved here, and opened again
    model.write_text(text.replace("30000.0", "31000.0"), encoding="utf-8")
    session = opened(table, model)
    assert splits(session) == ["all"]
    assert not state(session)["is_other_table"]
    session.undo()
    assert splits(session) == ["held_out", "training", "all"]
