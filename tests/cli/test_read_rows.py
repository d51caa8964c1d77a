"""A program and its rows, loaded side by side: what is wrong is said in the order in which it was asked for."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from unless.cli.read_rows import load_with_rows
from unless.datasets import loans, planted_theory
from unless.errors import DataError
from unless.evaluate.predict import predict
from unless.logic.text.files import save


@pytest.fixture
def files(tmp_path):
    save(planted_theory(), tmp_path / "loans.lp")
    loans(50).write_csv(tmp_path / "loans.csv")
    return tmp_path


def test_both_are_loaded(files):
    rows = load_with_rows(str(files / "loans.lp"), str(files / "loans.csv"), None, None)
    assert rows.programs == (planted_theory(),)
    assert predict(rows.programs[0], rows.table) == loans(50)["loan"].to_list()


@pytest.mark.parametrize(
    ("model", "data", "said"),
    [
        ("absent.lp", "loans.csv", "absent.lp: No such file"),
        ("loans.lp", "absent.csv", "absent.csv"),
        ("absent.lp", "absent.csv", "absent.lp: No such file"),
    ],
    ids=["the program", "the table", "both"],
)
def test_what_is_wrong_is_said_the_program_first(files, model, data, said):
    with pytest.raises(DataError, match=said):
        load_with_rows(str(files / model), str(files / data), None, None)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("command", ["predict", "score"])
def test_nobody_waits_for_the_table_of_a_program_that_is_not_there(files, command):
    os.mkfifo(files / "pipe.csv")  # nobody will ever write into it
    said = subprocess.run(
        [sys.executable, "-m", "unless", command, "absent.lp", "pipe.csv"],
        cwd=files, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert said.returncode == 2
    assert said.stderr == "unless: cannot read absent.lp: No such file or directory.\n"
