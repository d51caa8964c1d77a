"""`unless edit`, `compare` and `rules` as users run them, with real editors that are small scripts."""

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import unless
from unless.cli import main
from unless.cli.app import make_app
from unless.datasets import loans

MODEL = """\
%@ unless 1
%@ target loan: 'approved' else 'refused'
%@ categorical purpose, housing, history
%@ numerical income, debt_ratio, years_in_job
% A comment that an edit must not lose.
loan(X,'approved') :- income(X,N), N > 30000.0, not ab1(X).
ab1(X) :- history(X,'defaulted').
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "model.lp").write_text(MODEL, encoding="utf-8")
    (tmp_path / "loans.csv").write_text(loans(200).write_csv(), encoding="utf-8")
    return tmp_path


def editor(folder, *steps):
    """Make an editor: the first time it is opened it makes the first change (old, new), then the second, ..."""
    script = folder / "editor.py"
    script.write_text(
        "import json, pathlib, sys\n"
        f"steps, count = {json.dumps(steps)}, pathlib.Path({str(folder / 'count')!r})\n"
        "n = int(count.read_text()) if count.exists() else 0\n"
        "count.write_text(str(n + 1))\n"
        "old, new = steps[min(n, len(steps) - 1)]\n"
        "place = pathlib.Path(sys.argv[-1])\n"
        "text = place.read_text(encoding='utf-8')\n"
        "assert old in text, text\n"
        "place.write_text(text.replace(old, new), encoding='utf-8')\n"
    )
    return f"{sys.executable} {script}"


@pytest.fixture
def run(folder, monkeypatch, capfd):
    """Run the command line in this process: the same `main`, without starting Python anew each time."""

    def runner(*words, editor="true", stdin=""):
        monkeypatch.chdir(folder)
        monkeypatch.setenv("EDITOR", editor)
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setattr(sys, "argv", ["unless", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        return SimpleNamespace(returncode=ended.value.code or 0, stdout=out, stderr=err)

    return runner


def test_what_an_edit_leaves_untrue_is_said(run, folder):
    """The comment above a rule said the bound before the edit, and its points were of the program before."""
    assert run("grade", "model.lp", "loans.csv", "-o", "graded.lp").returncode == 0
    lines = (folder / "graded.lp").read_text().splitlines()
    number = lines.index("% 1. approved, if income above 30000, unless history is defaulted.") + 1
    done = run("edit", "graded.lp", "loans.csv", editor=editor(folder, ("> 30000.0", "> 40000")))
    assert f"graded.lp, line {number}: the comment says the rule as it was before the edit." in done.stderr
    assert "graded.lp: the grade is of the program before it was edited. Hint: unless grade" in done.stderr


def test_an_edit_is_checked_compared_and_written_as_typed(run, folder):
    command = editor(folder, ("30000.0", "40000"))
    done = run("edit", "model.lp", "loans.csv", editor=command)
    assert done.returncode == 0, done.stderr
    assert (folder / "model.lp").read_text() == MODEL.replace("30000.0", "40000")
    assert "+ loan(X,'approved') :- income(X,N3), N3 > 40000.0, not ab1(X)." in done.stdout
    assert "rows flip" in done.stdout
    assert "model.lp written." in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["count", "editor.py", "loans.csv", "model.lp"]


def test_a_slip_goes_back_into_the_editor_with_the_text_kept(run, folder):
    command = editor(folder, ("N > 30000.0", "N > much"), ("much", "35000.0"))
    done = run("edit", "model.lp", editor=command, stdin="y\n")
    assert done.returncode == 0, done.stderr
    assert "model.lp, line 6, column 40: unexpected 'much'" in done.stderr
    assert "^" in done.stderr
    assert "N > 35000.0" in (folder / "model.lp").read_text()


def test_an_edit_is_spoken_of_in_german(run, folder):
    """It was in English, whatever the language of the model's readers."""
    command = editor(folder, ("N > 30000.0", "N > much"), ("much", "35000.0, housing(X,'tent')"))
    done = run("edit", "model.lp", "loans.csv", "--language", "de", editor=command, stdin="j\n")
    assert done.returncode == 0, done.stderr
    assert "Zurück in den Editor? [j]a/[n]ein: " in done.stderr
    assert "Warnung: Textzeile 6: das Wort ‚tent‘ kommt in Spalte ‚housing‘ nicht vor." in done.stderr
    assert "model.lp geschrieben." in done.stderr
    assert "kippen" in done.stdout
    again = run("edit", "model.lp", "--language", "de", editor="true")
    assert "nichts geändert." in again.stderr


def test_rows_without_a_label_are_left_out_and_that_is_said(run, folder, caplog):
    """They were refused after the edit, and the editor was offered again, where nothing could be mended."""
    lines = (folder / "loans.csv").read_text(encoding="utf-8").splitlines()
    lines[1] = lines[1].rpartition(",")[0] + ","
    (folder / "loans.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = run("edit", "model.lp", "loans.csv", editor=editor(folder, ("30000.0", "40000")))
    assert done.returncode == 0, done.stderr
    assert "1 row has no label in column 'loan', and is left out." in caplog.text
    assert "model.lp written." in done.stderr


@pytest.mark.parametrize("answer", ["n\n", ""])
def test_giving_up_keeps_what_was_typed(run, folder, answer):
    (folder / "model.lp.edited").write_text("an older draft")
    command = editor(folder, ("N > 30000.0", "N > much"))
    done = run("edit", "model.lp", editor=command, stdin=answer)
    assert done.returncode == 2
    assert (folder / "model.lp").read_text() == MODEL
    assert (folder / "model.lp.edited").read_text() == "an older draft"
    assert (folder / "model.lp.edited2").read_text() == MODEL.replace("N > 30000.0", "N > much")
    assert "what you typed is in model.lp.edited2" in done.stderr


def test_a_column_that_the_data_lacks_is_an_error_to_go_back_for(run, folder):
    command = editor(folder, ("numerical income", "numerical salary, income"), ("income(X,N)", "salary(X,N)"))
    done = run("edit", "model.lp", "loans.csv", editor=command)
    assert done.returncode == 0
    done = run("edit", "model.lp", "loans.csv", editor=command)
    assert done.returncode == 2
    assert "column 'salary' is not in the table" in done.stderr
    assert (folder / "model.lp.edited").exists()


def test_warnings_are_shown(run, folder):
    command = editor(folder, ("'defaulted'", "'fraud'"))
    done = run("edit", "model.lp", "loans.csv", editor=command)
    assert "warning: line 7: the word 'fraud' does not occur in column 'history'." in done.stderr


def test_nothing_changed_and_nothing_written(run, folder):
    before = (folder / "model.lp").stat().st_mtime_ns
    done = run("edit", "model.lp")
    assert (done.returncode, done.stderr) == (0, "nothing changed.\n")
    assert (folder / "model.lp").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("false", "the editor 'false' ended with code 1"),
        ("no-such-editor", "cannot start the editor 'no-such-editor'"),
        ("rm", "the editor 'rm' removed the text"),
        ("", "there is no terminal to edit in"),  # vi waited for ever
    ],
)
def test_an_editor_that_fails(run, folder, command, said, monkeypatch):
    monkeypatch.delenv("VISUAL", raising=False)
    done = run("edit", "model.lp", editor=command)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert (folder / "model.lp").read_text() == MODEL


def test_an_editor_that_changes_and_then_fails_loses_nothing(run, folder):
    script = folder / "fail.sh"
    script.write_text('sed -i s/30000/31000/ "$1"; exit 3\n')
    done = run("edit", "model.lp", editor=f"sh {script}")
    assert done.returncode == 2
    assert "N > 31000.0" in (folder / "model.lp.edited").read_text()


def test_a_file_changed_meanwhile_is_left_alone(run, folder):
    script = folder / "meanwhile.sh"
    script.write_text(f'sed -i s/30000/31000/ "$1"; echo "% new" >> {folder / "model.lp"}\n')
    done = run("edit", "model.lp", editor=f"sh {script}")
    assert done.returncode == 2
    assert "was changed by someone else meanwhile" in done.stderr
    assert (folder / "model.lp").read_text() == MODEL + "% new\n"
    assert "N > 31000.0" in (folder / "model.lp.edited").read_text()


def test_a_text_that_cannot_be_kept_beside_the_model_stays_where_it_was_typed(run, folder):
    (folder / "gone").mkdir()
    (folder / "model.lp").rename(folder / "gone" / "model.lp")
    script = folder / "remove.sh"
    script.write_text(f'sed -i s/30000/31000/ "$1"; rm -r {folder / "gone"}\n')
    done = run("edit", "gone/model.lp", editor=f"sh {script}")
    assert done.returncode == 2
    kept = Path(done.stderr.split("what you typed is in ")[1].split("\n")[0].rstrip("."))
    assert "N > 31000.0" in kept.read_text()
    kept.unlink()
    kept.parent.rmdir()


def test_a_broken_model_file_can_be_mended(run, folder):
    (folder / "model.lp").write_text(MODEL.replace("N > 30000.0", "N > much"))
    done = run("edit", "model.lp", "loans.csv", editor=editor(folder, ("much", "30000.0")))
    assert done.returncode == 0
    assert (folder / "model.lp").read_text() == MODEL


@pytest.mark.parametrize(("answer", "written"), [("\n", True), ("e\nw\n", True), ("q\n", False), ("huh\nw\n", True)])
def test_at_a_terminal_the_user_has_the_last_word(folder, answer, written):
    command = editor(folder, ("30000.0", "40000.0"), ("40000.0", "40000.0"))
    main, side = pty.openpty()
    env = {**os.environ, "EDITOR": command, "PYTHONPATH": str(Path(unless.__file__).parents[1])}
    words = [sys.executable, "-m", "unless", "edit", "model.lp", "loans.csv"]
    with subprocess.Popen(
        words, cwd=folder, env=env, stdin=side, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        os.close(side)
        os.write(main, answer.encode())
        _, stderr = process.communicate(timeout=60)
        os.close(main)
    assert "What now? [w]rite/[e]dit/[q]uit" in stderr.decode()
    assert process.returncode == (0 if written else 1)
    assert ("40000" in (folder / "model.lp").read_text()) is written
    assert (folder / "model.lp.edited").exists() is not written


def test_compare_in_three_faces(run, folder):
    (folder / "new.lp").write_text(MODEL.replace("30000.0", "40000.0"))
    text = run("compare", "model.lp", "new.lp", "loans.csv", "--flips", "2")
    assert text.returncode == 0, text.stderr
    assert "accuracy" in text.stdout
    assert text.stdout.count("\nrow ") == 2
    assert text.stdout.count("  before:\n") == text.stdout.count("  after:\n") == 2
    assert "income is" in text.stdout
    data = json.loads(run("compare", "model.lp", "new.lp", "loans.csv", "--json").stdout)
    assert data["n_flips"] >= len(data["flips"]) > 2
    page = run("compare", "model.lp", "new.lp", "loans.csv", "--html", "c.html")
    assert "rows flip" in page.stderr
    assert Path(folder / "c.html").read_text().startswith("<!DOCTYPE html>")


def test_rules_with_figures_picture_and_checks(run, folder):
    shown = run("rules", "model.lp", "loans.csv", "--check", "--svg", "r.svg")
    assert shown.returncode == 0, shown.stderr
    assert "unless history is defaulted" in shown.stdout
    assert "no findings." in shown.stdout
    assert (folder / "r.svg").read_text().startswith("<svg")
    data = json.loads(run("rules", "model.lp", "loans.csv", "--check", "--json").stdout)
    assert data["findings"] == []
    assert data["coverage"]["lines"][0]["kind"] == "rule"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["edit", "none.lp"], "cannot read none.lp"),
        (["edit", "model.lp", "none.csv"], "none.csv"),
        (["compare", "model.lp", "none.lp", "loans.csv"], "cannot read none.lp"),
        (["compare", "model.lp", "model.lp", "loans.csv", "--target", "lona"], "Did you mean 'loan'"),
        (
            ["compare", "model.lp", "model.lp", "loans.csv", "--html", "no/such/folder.html"],
            "there is no folder no/such",
        ),
        (["rules", "model.lp", "loans.csv", "--target", "lona"], "Did you mean 'loan'"),
    ],
)
def test_bad_input_is_one_line_and_code_2(run, words, said):
    done = run(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_breaks_a_constraint_of_the_file_is_said(tmp_path, monkeypatch):
    """Somebody edited what was learned: by the command, its JSON and the report."""
    monkeypatch.chdir(tmp_path)
    runner, app = CliRunner(), make_app()
    runner.invoke(app, ["demo", "--save", "loans.csv"])
    learn = (
        "learn loans.csv --target loan --positive approved --forbid purpose --monotonic income=+1 -o m.lp --no-check"
    )
    runner.invoke(app, learn.split())
    found = json.loads(runner.invoke(app, ["rules", "m.lp", "--check", "--json"]).stdout)["findings"]
    assert not [each for each in found if each["kind"] in ("forbidden", "combined", "contrary")]
    text = (tmp_path / "m.lp").read_text(encoding="utf-8")
    rule = "loan(X,'approved') :- purpose(X,'car'), income(X,N), N =< 7000.0, housing(X,'owner').\n"
    points = "%@ grade 'approved' points -2 if income > 31000.0\n"
    at = text.index("%@ grade")
    (tmp_path / "edited.lp").write_text(text[:at] + rule + text[at:] + points, encoding="utf-8")
    lines = (tmp_path / "edited.lp").read_text(encoding="utf-8").split("\n")
    number, last = lines.index(rule.strip()) + 1, len(lines) - 1
    rule_number = len([line for line in lines if line.startswith("loan(X,'approved')")])
    english = runner.invoke(app, ["rules", "edited.lp", "--check"]).stdout
    assert f"line {number}: rule {rule_number} tests 'purpose', which no rule may test.\n" in english
    assert f"line {number}: through income ≤ 7,000 in rule {rule_number}, more of 'income' speaks against" in english
    points = f"line {last}: by the points that depend on income > 31,000, more of 'income' speaks against 'approved'"
    assert points in english
    german = runner.invoke(app, ["rules", "edited.lp", "--check", "--language", "de"]).stdout
    assert f"Textzeile {number}: Regel {rule_number} fragt nach ‚purpose‘, wonach keine Regel fragen darf.\n" in german
    found = json.loads(runner.invoke(app, ["rules", "edited.lp", "--check", "--json"]).stdout)["findings"]
    kinds = [(each["kind"], each["line"], each["index"] is None) for each in found]
    for expected in (("forbidden", number, False), ("contrary", number, False), ("contrary", last, True)):
        assert expected in kinds
    runner.invoke(app, ["report", "edited.lp", "loans.csv", "-o", "report.html"])
    assert "which no rule may test." in (tmp_path / "report.html").read_text(encoding="utf-8")
