"""The command line: every command, in this process and as real processes."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from unittest import mock

import pytest
from typer.testing import CliRunner

from unless import load, parse
from unless.cli import arguments
from unless.cli import rules as rules_command
from unless.cli.app import COMMANDS, main, make_app
from unless.datasets import PLANTED, loans, planted_theory
from unless.errors import UnlessError
from unless.evaluate.coverage import coverage
from unless.evaluate.predict import predict


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a table and a model learned from it."""
    place = tmp_path_factory.mktemp("cli")
    loans(400).write_csv(place / "loans.csv")
    said = invoke("learn", place / "loans.csv", "--target", "loan", "--positive", "approved", "-o", place / "loans.lp")
    assert said.exit_code == 0, said.output
    return place


HEAD_OF_LOANS = "\n".join(line for line in PLANTED.splitlines() if line.startswith("%@")) + "\n"


def invoke(*arguments):
    return CliRunner().invoke(make_app(), [str(argument) for argument in arguments])


def run(*arguments, **options):
    """Run `unless` as a process of its own."""
    command = [sys.executable, "-m", "unless", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **options)


def test_every_command_has_help():
    assert {"demo", "learn", "rules", "predict", "score"} <= set(COMMANDS)
    for name in COMMANDS:
        said = invoke(name, "--help")
        assert said.exit_code == 0
        assert "Usage" in said.output
        assert "--help" in said.output


def test_version():
    from unless import __version__

    assert invoke("--version").output.strip() == __version__


def test_learn_prints_the_program(folder):
    said = invoke("learn", folder / "loans.csv", "--target", "loan", "--positive", "approved")
    assert said.exit_code == 0
    assert said.stdout == (folder / "loans.lp").read_text()


def test_learn_as_json(folder):
    options = ("--algorithm", "fold-r++", "--ratio", "0.1")
    data = json.loads(invoke("learn", folder / "loans.csv", "--target", "loan", "--json", *options).stdout)
    assert data["target"]["column"] == "loan"
    assert data["text"].startswith("%@ unless 1\n")
    assert {column["kind"] for column in data["columns"]} == {"numerical", "categorical"}


def test_learn_says_how_good_it_is_on_rows_it_has_not_seen(folder, tmp_path):
    command = ("learn", folder / "loans.csv", "--target", "loan")
    lines = invoke(*command, "-o", tmp_path / "m.lp").stdout.splitlines()
    said = " ".join(" ".join(lines).split())
    assert "loans.csv: 400 rows, 6 columns, predicting loan (approved 181, refused 219)." in said
    assert re.search(r"Learned \d rules for 'approved', .*\d conditions in \d\.\d s\.", said)
    assert re.search(
        r"had not seen \(5 folds\): 9\d\.\d % right, .*; always 'refused' is right 54\.8 %\. AUC 0\.9\d+", said
    )
    assert f"unless explain {tmp_path / 'm.lp'}" in said
    assert all(len(line) <= 80 for line in lines if str(tmp_path) not in line and str(folder) not in line)
    data = json.loads(invoke(*command, "--json").stdout)
    unseen = data["unseen"]
    assert 0.9 < unseen["auc"] < 1
    assert data["why_no_unseen"] is None
    assert unseen["accuracy_low"] < unseen["accuracy"] < unseen["accuracy_high"]
    assert (unseen["rows"], unseen["folds"], unseen["accuracy_of_commonest_label"]) == (400, 5, 0.5475)
    assert data["table"] == {"rows": 400, "labels": {"approved": 181, "refused": 219}}


def test_learn_without_the_check(folder, tmp_path):
    said = invoke("learn", folder / "loans.csv", "--target", "loan", "--no-check", "-o", tmp_path / "m.lp")
    assert "not seen" not in said.output
    assert (
        json.loads(invoke("learn", folder / "loans.csv", "--target", "loan", "--json", "--no-check").stdout)["unseen"]
        is None
    )


def test_learn_says_why_there_is_no_such_figure(tmp_path):
    (tmp_path / "t.csv").write_text("a,label\n" + "".join(f"{i},{'yes' if i > 3 else 'no'}\n" for i in range(8)))
    command = ("learn", tmp_path / "t.csv", "--target", "label")
    said = invoke(*command, "-o", tmp_path / "t.lp").stdout
    assert "Not checked on rows it had not seen: there are fewer than 10 rows." in said
    data = json.loads(invoke(*command, "--json").stdout)
    assert (data["unseen"], data["why_no_unseen"]) == (None, "there are fewer than 10 rows")


def test_notes_about_columns_are_said_once_and_with_the_result(tmp_path):
    rows = "".join(f"{i},{i % 7},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(100))
    (tmp_path / "t.csv").write_text("id,a,label\n" + rows)
    command = ("learn", tmp_path / "t.csv", "--target", "label")
    said = run(*command, "-o", tmp_path / "t.lp")
    assert said.stdout.count("note: left out: id (it counts the rows, from 0 to 99).") == 1
    assert "left out" not in said.stderr
    (note,) = [note for note in json.loads(invoke(*command, "--json").stdout)["warnings"] if "left out" in note]
    assert note.startswith("left out: id (")


def test_a_program_can_be_piped(folder):
    said = run("learn", folder / "loans.csv", "--target", "loan")
    assert len(parse(said.stdout).clauses) > 1
    assert "On rows it had not seen" in said.stderr


def test_a_column_that_decides_alone_is_named(tmp_path):
    rows = "".join(f"{i % 7},{i % 2},{'yes' if i % 2 else 'no'}\n" for i in range(200))
    (tmp_path / "t.csv").write_text("a,paid_back,label\n" + rows)
    said = invoke("learn", tmp_path / "t.csv", "--target", "label", "-o", tmp_path / "t.lp").stdout
    said = " ".join(said.split())
    assert "note: column 'paid_back': it alone tells 100 % of the labels; perhaps it is known only after them." in said
    assert said.count(" alone ") == 1
    assert re.search(r"Learned 1 rule for '\w+', 1 condition in", said)


def test_learn_with_all_options(folder):
    said = invoke(
        "learn", folder / "loans.csv", "--target", "loan", "--positive", "refused",
        "--categorical", "purpose,years_in_job", "--numerical", "income", "--drop", "history",
        "--missing", "student,?", "--algorithm", "fold-r++", "--ratio", "0.3",
    )  # fmt: skip
    assert said.exit_code == 0, said.output
    assert "%@ missing 'student', '?'" in said.stdout
    assert "years_in_job" in said.stdout.split("%@ numerical")[0]
    assert "history" not in said.stdout


def test_rules(folder):
    said = invoke("rules", folder / "loans.lp")
    assert parse(HEAD_OF_LOANS + said.stdout).clauses == load(folder / "loans.lp").clauses
    assert said.stdout.startswith("% 1. approved, ")
    assert max(map(len, said.stdout.splitlines())) <= 110
    assert json.loads(invoke("rules", folder / "loans.lp", "--json").stdout)["clauses"]


@pytest.mark.parametrize(("columns", "shown"), [("80", "precision"), ("120", "alone"), ("160", "example rows")])
def test_the_figures_of_rules_are_legible_on_any_screen(folder, columns, shown):
    """At 80 columns a rule was squeezed to five letters a line."""
    from rich.console import Console

    width = int(columns)
    program, table = load(folder / "loans.lp"), loans(400)
    found = io.StringIO()
    console = Console(file=found, width=width, force_terminal=True)
    with mock.patch("rich.console.Console", return_value=console):
        rules_command.print_figures(coverage(program, table), "en")
    lines = [line for line in re.sub(r"\x1b\[[0-9;]*m", "", found.getvalue()).splitlines() if line.strip()]
    assert any(shown in line for line in lines)
    assert max(map(len, lines)) <= width
    assert len(lines) < 6 * len(program.clauses)


def test_a_long_program_is_paged_on_a_terminal_only(monkeypatch):
    paged = []
    monkeypatch.setattr("pydoc.pager", paged.append)
    long = "\n".join("line" for _ in range(100))
    arguments.echo_long(long)
    assert paged == []
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    arguments.echo_long("short")
    arguments.echo_long(long)
    assert paged == [long]


def test_labels_that_are_equal_to_python_are_written_each_as_it_is(tmp_path):
    (tmp_path / "m.lp").write_text("%@ target t: 1 else true\n%@ numerical a\nt(X,'1') :- a(X,N), N > 2.0.\n")
    (tmp_path / "d.csv").write_text("a\n1\n3\n")
    assert invoke("predict", tmp_path / "m.lp", tmp_path / "d.csv").stdout == "t\nTrue\n1\n"


def test_predict(folder):
    table = loans(400)
    expected = predict(load(folder / "loans.lp"), table)
    said = invoke("predict", folder / "loans.lp", folder / "loans.csv")
    assert said.stdout.splitlines() == ["loan", *expected]
    assert json.loads(invoke("predict", folder / "loans.lp", folder / "loans.csv", "--json").stdout) == expected
    assert invoke("predict", folder / "loans.lp", folder / "loans.csv", "-o", folder / "told.csv").exit_code == 0
    assert (folder / "told.csv").read_text().splitlines() == ["loan", *expected]


def test_labels_that_a_spreadsheet_would_run_are_escaped(tmp_path):
    """A label such as =HYPERLINK(...) went into CSV as it was; numbers and the labels + and - stay what they are."""
    labels = ['=HYPERLINK("x")', "@a", "-5", "+", "plain", "-5 %"]
    head = f"%@ target t = '=t': {', '.join(map(repr, labels))} else 'none'\n%@ numerical n\n"
    rules = [f"t(X,{label!r}) :- n(X,N), N =< {n}." for n, label in enumerate(labels)]
    model, data, out = tmp_path / "m.lp", tmp_path / "rows.csv", tmp_path / "out.csv"
    model.write_text(head + "\n".join(rules), encoding="utf-8")
    data.write_text("n\n" + "".join(f"{n}\n" for n in range(len(labels))), encoding="utf-8")
    said = invoke("predict", model, data, "-o", out)
    with out.open(encoding="utf-8", newline="") as file:
        assert [line[0] for line in csv.reader(file)] == ["'=t", '\'=HYPERLINK("x")', "'@a", *labels[2:5], "'-5 %"]
    assert said.stderr.strip() == (
        "unless: '=t' would be run as a formula by a spreadsheet, so an apostrophe stands before it, and before 3 "
        "more; --raw leaves them out."
    )
    raw = invoke("predict", model, data, "--raw")
    assert [line[0] for line in csv.reader(raw.stdout.splitlines())] == ["=t", *labels]
    assert raw.stderr == ""


def test_score(folder):
    said = json.loads(invoke("score", folder / "loans.lp", folder / "loans.csv", "--json").stdout)
    assert said["n_rows"] == 400
    assert said["accuracy"] == (said["tp"] + said["tn"]) / 400 > 0.9
    assert said["confusion"]["approved"] == {"approved": said["tp"], "refused": said["fn"]}
    lines = invoke("score", folder / "loans.lp", folder / "loans.csv").stdout.splitlines()
    assert f"accuracy {said['accuracy']:.4f}" in lines[0]
    assert [line.split() for line in lines[2:6]] == [
        ["predicted"],
        ["actual", "approved", "refused"],
        ["approved", str(said["tp"]), str(said["fn"])],
        ["refused", str(said["fp"]), str(said["tn"])],
    ]


def test_weighed_learning_says_the_figures_that_were_asked_for(folder, tmp_path):
    """Plain accuracy beside that of the commonest label was all, and read as worse than nothing."""
    learn = ("learn", folder / "loans.csv", "--target", "loan", "-o", tmp_path / "m.lp")
    said = " ".join(invoke(*learn, "--balanced").stdout.split())
    assert re.search(r"Balanced accuracy, every label counting alike: [0-9.]+ %; always the same label has 50", said)
    assert "Errors cost" not in said
    said = " ".join(invoke(*learn, "--cost-of", "approved=4", "--language", "de").stdout.split())
    assert re.search(r"Fehler kosten [0-9,]+ je Zeile; immer ‚approved‘, am billigsten, kostet [0-9,]+\.", said)
    figures = json.loads(invoke(*learn, "--cost-of", "approved=4", "--json").stdout)["unseen"]
    assert figures["mean_cost"] < figures["mean_cost_of_cheapest_label"]
    assert figures["cheapest_label"] == "approved"
    assert load(tmp_path / "m.lp").unseen.by_label is None
    assert "Balanced" not in invoke(*learn).stdout


def test_where_no_rule_pays_the_next_step_is_the_points_that_rank(tmp_path):
    rare = ["n,late"] + [f"{n},{'yes' if n > 340 and n % 4 == 0 else 'no'}" for n in range(400)]
    (tmp_path / "t.csv").write_text("\n".join(rare))
    said = invoke("learn", tmp_path / "t.csv", "--target", "late", "-o", tmp_path / "m.lp").stdout
    assert "no rule pays" in said
    assert f"Next: unless rules {tmp_path / 'm.lp'} --grade\n" in said
    assert "--grade\n" not in invoke("learn", tmp_path / "t.csv", "--target", "late", "--balanced").stdout
    (tmp_path / "alike.csv").write_text("n,late\n" + "1,no\n1,no\n1,yes\n" * 10)
    said = invoke("learn", tmp_path / "alike.csv", "--target", "late", "-o", tmp_path / "alike.lp").stdout
    assert "no rule pays" in said
    assert "--grade\n" not in said  # there are no points


def test_a_label_of_several_that_is_never_predicted_is_named(tmp_path):
    rows = [f"{n},{'rare' if n in (7, 33) else 'low' if n < 30 else 'high'}" for n in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["n,t", *rows]))
    learn = ("learn", tmp_path / "t.csv", "--target", "t", "-o", tmp_path / "t.lp")
    assert "No rule concludes rare (2 rows): never predicted.\n" in invoke(*learn).stdout
    assert "Keine Regel schließt auf rare (2 Zeilen): nie vorhergesagt.\n" in invoke(*learn, "--language", "de").stdout
    (tmp_path / "t.csv").write_text("\n".join(["n,t", *(row for row in rows if "rare" not in row)]))
    assert "never predicted" not in invoke(*learn).stdout


def test_score_of_three_labels(tmp_path):
    """The accuracy was that of the first label against the rest, and the other figures did not say of which label."""
    program = "%@ unless 1\n%@ target t: 'a', 'b' else 'c'\n%@ numerical h\nt(X,'a') :- h(X,N), N > 4.0.\n"
    (tmp_path / "t.lp").write_text(program + "t(X,'b') :- h(X,N), N =< 1.0.\n")
    (tmp_path / "t.csv").write_text("h,t\n" + "".join(f"{h},{label}\n" for h, label in enumerate("bbbcccaa")))
    said = json.loads(invoke("score", tmp_path / "t.lp", tmp_path / "t.csv", "--json").stdout)
    assert said["accuracy"] == sum(said["confusion"][label][label] for label in "abc") / 8 == 0.75
    assert {label: line["recall"] for label, line in said["by_label"].items()} == {"a": 1.0, "b": 2 / 3, "c": 2 / 3}
    lines = invoke("score", tmp_path / "t.lp", tmp_path / "t.csv").stdout.splitlines()
    assert lines[0] == "rows 8   accuracy 0.7500"
    assert [line.split()[0] for line in lines[1:6]] == ["label", "a", "b", "c", "mean"]


@pytest.mark.parametrize("labels", [("1", "0"), ("1.0", "0.0"), ("True", "False"), ("yes", "no"), ("08", "09")])
def test_labels_of_any_look_are_scored(tmp_path, labels):
    """Learn and score read the same label column, whatever its labels look like."""
    rows = "".join(f"{i},{labels[i > 5]}\n" for i in range(12))
    (tmp_path / "t.csv").write_text("a,label\n" + rows)
    said = invoke("learn", tmp_path / "t.csv", "--target", "label", "--positive", labels[0], "-o", tmp_path / "t.lp")
    assert said.exit_code == 0, said.output
    said = json.loads(invoke("score", tmp_path / "t.lp", tmp_path / "t.csv", "--json").stdout)
    assert said["accuracy"] == 1.0


def test_demo_fits_one_screen(tmp_path):
    said = invoke("demo", "--save", tmp_path / "loans.csv")
    assert said.exit_code == 0, said.output
    lines = said.stdout.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    planted, learned = said.stdout.split("Learned from")
    assert "1. approved, if income above 30000, unless (debt ratio above 0.45" in planted
    assert learned.index("unless: 9") < learned.index("FOLD-R++: 9")
    assert (tmp_path / "loans.csv").read_text() == loans().write_csv()


def test_demo_as_json():
    data = json.loads(invoke("demo", "--json").stdout)
    best, other = data["learners"]
    assert best["learner"] == "unless"
    assert best["held_out_accuracy"] > other["held_out_accuracy"] > 0.9
    assert best["size"]["conditions"] < other["size"]["conditions"]
    assert parse(data["planted"]) == planted_theory()


BAD = {
    "absent file": (("learn", "absent.csv", "--target", "loan"), "cannot read absent.csv: No such file or directory."),
    "absent target": (("learn", "loans.csv", "--target", "laon"), "column 'laon' is not in the table"),
    "absent column": (("learn", "loans.csv", "--target", "loan", "--drop", "x"), "column 'x' is not in the table"),
    "unknown positive": (
        ("learn", "loans.csv", "--target", "loan", "--positive", "x"),
        "--positive 'x' is not a label",
    ),
    "absent model": (("predict", "absent.lp", "loans.csv"), "cannot read absent.lp: No such file or directory."),
    "table as model": (("rules", "loans.csv"), "loans.csv, line 1, column "),
    "one model of two": (("compare", "loans.lp", "loans.csv", "loans.csv"), "loans.csv, line 1, column "),
    "a model of nothing": (("diff", "loans.lp", "empty.lp"), "empty.lp: the program concludes nothing"),
    "no JSON": (("rules", "broken.lp"), "broken.lp: line 1, column 2: this is no JSON"),
    "absent folder": (("learn", "loans.csv", "--target", "loan", "-o", "no/m.lp"), "there is no folder no"),
    "wrong label column": (("score", "loans.lp", "loans.csv", "--target", "x"), "column 'x' is not in the table"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_an_error_of_ours(folder, case, monkeypatch):
    arguments, message = BAD[case]
    monkeypatch.chdir(folder)
    (folder / "empty.lp").write_text("")
    (folder / "broken.lp").write_text("{")
    said = invoke(*arguments)
    assert isinstance(said.exception, UnlessError)
    assert message in str(said.exception)


def test_bad_input_is_one_line_and_exit_code_2(folder):
    said = run("learn", "absent.csv", "--target", "loan", cwd=folder)
    assert said.returncode == 2
    assert said.stdout == ""
    assert said.stderr == "unless: cannot read absent.csv: No such file or directory.\n"


def test_wrong_options_are_exit_code_2(folder):
    assert invoke("learn", folder / "loans.csv", "--target", "loan", "--ratio", "many").exit_code == 2
    assert run("learn", folder / "loans.csv").returncode == 2
    assert invoke("lern").exit_code == 2


def test_standard_input(folder):
    text = (folder / "loans.csv").read_text()
    said = run("learn", "-", "--target", "loan", "--positive", "approved", input=text)
    assert said.returncode == 0, said.stderr
    assert said.stdout == (folder / "loans.lp").read_text()


def test_a_reader_that_leaves_early_is_no_error(folder):
    command = f"{sys.executable} -m unless predict {folder}/loans.lp {folder}/loans.csv | head -n 1"
    said = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert (said.stdout, said.stderr) == ("loan\n", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no disk that is always full")
def test_a_full_disk_behind_standard_output_is_said(folder):
    """It was a traceback."""
    command = f"{sys.executable} -m unless rules {folder}/loans.lp > /dev/full"
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (2, "unless: cannot write what it says: No space left on device.\n")


SLOW_LEARN = """
import sys, time
import unless.learn.fold.foldrpp as fold
rule = fold.FoldRPP.rule
def slow(*arguments):
    print("learning", flush=True)
    time.sleep(30)
    return rule(*arguments)
fold.FoldRPP.rule = slow
from unless.cli import main
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_interrupting_learn_leaves_no_half_file(folder, tmp_path):
    command = [sys.executable, "-c", SLOW_LEARN, "learn", str(folder / "loans.csv"), "--target", "loan"]
    process = subprocess.Popen(
        [*command, "--algorithm", "fold-r++", "-o", str(tmp_path / "m.lp")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline().startswith("learning")  # perhaps twice: the check learns beside it
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.endswith("unless: interrupted; nothing was written.\n")
    assert "Traceback" not in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--algorithm", "unless", "--max-rules", "0"], "--max-rules is 0; accepted: a whole number of at least 1."),
        (
            ["--algorithm", "unless", "--max-literals", "0"],
            "--max-literals is 0; accepted: a whole number from 1 to 200.",
        ),
        (["--algorithm", "unless", "--max-depth", "-1"], "--max-depth is -1; accepted: a whole number of at least 0."),
        (["--algorithm", "unless", "--size-penalty", "0"], "--size-penalty is 0.0; accepted: a number above 0."),
        (["--algorithm", "unless", "--time-limit", "-1"], "--time-limit is -1.0; accepted: a number of at least 0."),
        (["--algorithm", "fold-r++", "--ratio", "7"], "--ratio is 7.0; accepted: a number from 0 to 1."),
        (["--ratio", "0.3"], "--ratio is an option of --algorithm fold-r++, and unless does not have it."),
        (["--algorithm", "fold-r++", "--tail", "2"], "--tail is 2.0; accepted: a number from 0 to below 1."),
    ],
)
def test_an_option_out_of_range_is_one_sentence(folder, options, said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["unless", "learn", str(folder / "loans.csv"), "--target", "loan", *options])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert f"unless: {said}" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["predict", "score", "audit --by town", "rules"])
def test_every_remark_begins_alike(command, tmp_path):
    """`predict` and `export` said what they read without the name of the command before it."""
    model, data = tmp_path / "m.lp", tmp_path / "t.csv"
    model.write_text("%@ target t: 'yes' else 'no'\n%@ categorical town\nt(X,'yes') :- town(X,'Köln').\n", "utf-8")
    data.write_bytes("town,t\nKöln,yes\nUlm,no\n".encode("latin-1"))
    name, *options = command.split()
    said = invoke(name, model, data, *options).stderr
    assert said == f"unless: {data} is not in UTF-8: it is read as Windows-1252.\n"


INTERRUPTED_LOADING = """
import sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == sys.argv[2]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from unless.cli import run
run()
"""


@pytest.mark.parametrize("module", ["unless.cli.app", "unless.cli.learn"])
def test_an_interrupt_while_the_command_is_loaded_is_no_traceback(module):
    """Loading takes most of the time of a short command; Ctrl-C in it ended in a traceback of imports."""
    command = [sys.executable, "-c", INTERRUPTED_LOADING, "learn", module]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (130, "unless: interrupted.\n")
