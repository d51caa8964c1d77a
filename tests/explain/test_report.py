"""The report: one file with everything, searchable, safe."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from studio import BIRDS, ROWS, TABLE
from unless.cli.app import make_app
from unless.errors import DataError
from unless.evaluate.view import View
from unless.explain.faces.report import rows_from, view_report
from unless.logic.text.parser import parse
from unless.table.frames import raw_table
from visible_words import Visible


def report(tmp_path: Path, *options: str) -> str:
    (tmp_path / "birds.lp").write_text(BIRDS)
    (tmp_path / "birds.csv").write_text(TABLE)
    out = tmp_path / "report.html"
    arguments = ["report", str(tmp_path / "birds.lp"), str(tmp_path / "birds.csv"), "-o", str(out), *options]
    result = CliRunner().invoke(make_app(), arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return out.read_text()


def test_the_report_has_every_part_and_nothing_from_elsewhere(tmp_path: Path) -> None:
    page = report(tmp_path)
    for title in ("Scores", "Rules", "Picture", "Figures", "Program", "Proofs of 4 rows"):
        assert f"<h2>{title}</h2>" in page
    assert "<svg" in page
    assert not re.search(r"(src|href)\s*=", page)
    assert page.count("<details>") == 4


def test_only_the_rows_asked_for_are_proved(tmp_path: Path) -> None:
    assert report(tmp_path, "--rows", "0,2-3").count("<details>") == 3
    assert "No rows were asked for" in report(tmp_path, "--wrong")


def test_rows_without_labels_have_no_scores() -> None:
    page = view_report(View(parse(BIRDS), raw_table(ROWS)), "rows", [0])
    assert "without labels" in page


def test_every_label_has_a_line_whose_counts_give_its_figures() -> None:
    """Wrong was what was wrongly predicted and what was missed together, and the default had no line."""
    program = "%@ unless 1\n%@ target t: 'a', 'b' else 'c'\n%@ numerical h\nt(X,'a') :- h(X,N), N > 4.0.\n"
    program += "t(X,'b') :- h(X,N), N =< 1.0.\n"
    rows = [{"h": h, "t": label} for h, label in enumerate("bbbcccaa")]
    said = Visible(view_report(View(parse(program), raw_table(rows)), "rows", [])).said
    start = said.index("predicted, right") - 4
    table = [said[start + i : start + i + 7] for i in range(0, 28, 7)]
    assert table == [
        ["label", "precision", "recall", "F1", "predicted, right", "predicted, wrong", "missed"],
        ["a", "66.7 %", "100 %", "80.0 %", "2", "1", "0"],
        ["b", "100 %", "66.7 %", "80.0 %", "2", "0", "1"],
        ["c", "66.7 %", "66.7 %", "66.7 %", "2", "1", "1"],
    ]


CASES = [("0-2,7", [0, 1, 2, 7]), ("3", [3]), ("1,1, 1-2", [1, 2]), ("5-4", [])]


@pytest.mark.parametrize(("text", "rows"), CASES)
def test_rows_are_read(text: str, rows: list[int]) -> None:
    assert rows_from(text, 10) == rows


@pytest.mark.parametrize("text", ["", "a", "1-", "-1", "10", "0-10", "1;2", "1" * 30])
def test_rows_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(DataError):
        rows_from(text, 10)


def test_too_many_proofs_are_refused() -> None:
    with pytest.raises(DataError, match="at most"):
        rows_from("0-9999", 10_000)
