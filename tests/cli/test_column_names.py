"""A model from one header is used on a file with another: it works in every command, and is said once."""

import json
import shlex
import unicodedata

import polars as pl
import pytest
from typer.testing import CliRunner

from unless.cli.app import make_app
from unless.datasets import loans
from unless.table import plain_rows

WRITTEN = {
    "blanks": lambda name: f"{name}  ",
    "no-break blank": lambda name: f"\u00a0{name}",
    "byte-order mark": lambda name: f"\ufeff{name}",
    "apart": lambda name: unicodedata.normalize("NFD", name),
    "capitals": str.upper,
}
"""How the columns of next month's file are written."""
COMMANDS = (
    "predict {model} {data} --probabilities",
    "score {model} {data}",
    "score {model} {data} --target loan",
    "explain {model} {data} --row 3",
    "ask {model} {data} 'loan(3,Y)' --brief",
    "rules {model} {data}",
    "compare {model} {model} {data}",
    "diff {model} {model} {data}",
    "audit {model} {data} --by housing",
    "audit {model} {data} --by größe:20000",
    "recourse {model} {data} --row 6 --want approved",
    "recourse {model} {data} --all --want approved --freeze HOUSING",
    "watch {model} {data} {data}",
    "grade {model} {data}",
    "grade {model} {data} --forbid Größe --monotonic 'debt_ratio =-1' --apart housing,HISTORY",
)


def run(*asked, code=0):
    """Run a command as typed, and return what it printed and what it said beside."""
    found = CliRunner().invoke(make_app(), [*asked])
    assert found.exit_code in (code, 1), (found.output, found.exception)
    return found.stdout, found.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Learn a program from a tidy file; beside it lie the same rows under all other headers."""
    folder = tmp_path_factory.mktemp("names")
    table = pl.DataFrame(loans(600)).rename({"income": "größe"})
    table.write_csv(folder / "tidy.csv")
    for how, write in WRITTEN.items():
        table.rename({name: write(name) for name in table.columns}).write_csv(folder / f"{how}.csv")
    learned = ["learn", str(folder / "tidy.csv"), "--target", "loan", "--no-check"]
    run(*learned, "-o", str(folder / "model.lp"))
    return folder


def typed(command, folder, table):
    return shlex.split(command.format(model=folder / "model.lp", data=shlex.quote(str(folder / table))))


@pytest.mark.parametrize("how", WRITTEN)
@pytest.mark.parametrize("command", COMMANDS)
def test_other_headers_give_the_same_answers_and_one_remark(made, command, how):
    """Each of these was refused: a column is absent."""
    wanted, beside = run(*typed(command, made, "tidy.csv"))
    found, said = run(*typed(command, made, f"{how}.csv"))
    assert found == wanted
    assert "called" not in beside
    assert said.count(" of the program ") == 1, said  # only one name has accents to take apart
    one = "unless: column 'größe' of the program is called 'gro\u0308ße' here.\n"
    assert (one if how == "apart" else "unless: columns of the program are called otherwise here: ") in said


def test_one_column_is_said_in_a_sentence_in_the_language_asked_for(made, tmp_path):
    table = pl.read_csv(made / "tidy.csv").rename({"größe": "größe "})
    table.write_csv(tmp_path / "t.csv")
    for name, sentence in (
        ("en", "unless: column 'größe' of the program is called 'größe ' here.\n"),
        ("de", "unless: Spalte ‚größe‘ des Programms heißt hier ‚größe ‘.\n"),
    ):
        _, said = run("score", str(made / "model.lp"), str(tmp_path / "t.csv"), "--language", name)
        assert said.count(sentence) == 1


def test_pages_exports_and_recorded_cases_do_too(made, tmp_path):
    model, data = str(made / "model.lp"), str(made / "blanks.csv")
    run("report", model, data, "-o", str(tmp_path / "r.html"))
    assert "größe" in (tmp_path / "r.html").read_text("utf-8")
    _, said = run("export", model, data, "--to", "sql:sqlite", "--verify", "--vectors", "50")
    assert "decides" in said
    assert said.count("called otherwise") == 1
    cases = tmp_path / "c.json"
    run("test", model, str(cases), "--record", data)
    run("test", model, str(cases))
    spelled = json.loads(cases.read_text("utf-8"))
    for case in spelled["cases"]:
        case["row"] = {name.upper(): cell for name, cell in case["row"].items()}
    spelled["properties"] = ["approved only falls with DEBT_RATIO"]
    cases.write_text(json.dumps(spelled), "utf-8")
    passed, _ = run("test", model, str(cases))
    assert "broken" not in passed


@pytest.mark.parametrize(
    "command", ["predict {model} {data}", "explain {model} {data} --row 3", "score {model} {data}"]
)
def test_two_columns_that_could_be_meant_are_refused(made, tmp_path, command):
    table = pl.read_csv(made / "tidy.csv")
    table.with_columns(pl.col("größe").alias("größe ")).rename({"größe": " größe"}).write_csv(tmp_path / "t.csv")
    text = command.format(model=made / "model.lp", data=tmp_path / "t.csv")
    found = CliRunner().invoke(make_app(), shlex.split(text))
    assert str(found.exception) == (
        "the program tests a column that is absent: column 'größe' is not in the table, and ' größe', 'größe ' differ "
        "from it only in blanks, invisible characters or case. Hint: give all but one of them another name."
    )


def test_rows_of_a_text_without_arrays_are_read_alike(made, monkeypatch):
    """`unless-light` predicts row by row: its names are the same."""
    asked = typed("predict {model} {data} --probabilities", made, "capitals.csv")
    wanted, _ = run(*asked)
    monkeypatch.setattr(plain_rows, "has_arrays", lambda: False)
    found, said = run(*asked)
    assert found == wanted
    assert said.count("called otherwise") == 1


def test_options_of_learn_and_look_name_columns_alike(made, tmp_path):
    """An option in another case than the header was refused."""
    asked = (
        "learn {data} --target {0} --categorical {1} --drop {2} --forbid {3} --apart {4} --monotonic {5} "
        "--keep-column {1} --read {6} --no-check --json"
    )
    exact = "loan purpose history housing purpose,years_in_job debt_ratio=-1 größe=1234.56"
    other = "LOAN 'purpose ' History HOUSING Purpose,Years_in_job Debt_ratio=-1 GRÖSSE=1234.56"
    other = other.replace("GRÖSSE", "GRÖßE")
    programs = []
    for names in (exact, other):
        text = asked.format(*map(shlex.quote, shlex.split(names)), data=made / "tidy.csv")
        programs.append(json.loads(run(*shlex.split(text))[0])["text"])
    assert programs[0] == programs[1]
    assert "%@ forbid housing" in programs[0]
    wanted, _ = run("look", str(made / "tidy.csv"), "--target", "loan", "--categorical", "debt_ratio")
    found, said = run("look", str(made / "tidy.csv"), "--target", "Loan ", "--categorical", "DEBT_RATIO")
    assert found.splitlines()[:-1] == wanted.splitlines()[:-1]
    assert "there is no column 'DEBT_RATIO'; 'debt_ratio' is taken for it." in said
