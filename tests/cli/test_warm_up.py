"""`unless warm-up` leaves nothing to compile; and learning works where nothing can be kept."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import unless

PACKAGE = Path(unless.__file__).parent

FIT_ALL = """
import numpy as np
import polars as pl
from sklearn.datasets import load_iris

from unless import FoldRClassifier, FoldRPPClassifier, UnlessClassifier
from unless.datasets import loans
from unless.learn.compiled import n_compiled

def fit(learner, rows, labels):
    learner.fit(rows, labels)
    assert n_compiled() == 0, (learner, len(rows))

other, iris = loans(5000, seed=3), load_iris()
chance = np.random.default_rng(0)
numbers = chance.permutation(90_000) * 0.5
n = len(numbers)
long = pl.DataFrame({"a": numbers, "b": chance.integers(0, 300, n), "c": chance.integers(0, 9, n)})
for learner in (FoldRClassifier(), FoldRPPClassifier(), FoldRPPClassifier(heuristic="mgi"), UnlessClassifier()):
    fit(learner, other.drop("loan"), other["loan"])
for learner in (FoldRPPClassifier(), UnlessClassifier(points=True)):
    fit(learner, iris.data, iris.target)
for learner in (FoldRPPClassifier(), FoldRClassifier(), UnlessClassifier()):
    fit(learner, long, numbers > 1000 + 40 * chance.integers(0, 9, n))
"""

FIT_ONE = """
from unless import FoldRPPClassifier
from unless.datasets import loans

table = loans()
learner = FoldRPPClassifier(positive="refused", categorical_features=["purpose", "housing", "history"])
print(learner.fit(table.drop("loan"), table["loan"]).program_, end="")
"""


def run(*arguments, **environment):
    """Run Python in a process of its own."""
    # A test without compiled functions, for its coverage, has nothing to say about compiling.
    known = {name: value for name, value in os.environ.items() if name != "UNLESS_DISABLE_JIT"}
    settings = {**known, "PYTHONPATH": str(PACKAGE.parent), **environment}
    done = subprocess.run([sys.executable, *arguments], env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def files_in(folder):
    return sorted(file for file in folder.rglob("*") if file.is_file())


def test_after_warming_up_no_learner_compiles(tmp_path):
    said = run("-m", "unless", "warm-up", UNLESS_CACHE_DIR=str(tmp_path)).stdout
    assert re.search(rf"^[1-9]\d* compiled in [\d.]+ s; kept in {re.escape(str(tmp_path))}\.$", said, re.MULTILINE)
    for learner in ("FoldRPPClassifier", "FoldRClassifier", "UnlessClassifier"):
        assert f"{learner} on few rows: " in said
    kept = files_in(tmp_path)
    assert kept
    run("-c", FIT_ALL, UNLESS_CACHE_DIR=str(tmp_path))
    assert files_in(tmp_path) == kept


def test_learning_works_where_nothing_can_be_kept(tmp_path):
    """Files stand where the folders would be: that stops root too, who may write on what is read-only."""
    blocked = tmp_path / "file"
    blocked.touch()
    package = tmp_path / "src" / "unless"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [package, *(file for file in package.rglob("*") if file.is_dir())]:
        (folder / "__pycache__").touch()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    inside = str(blocked / "inside")
    done = run(
        "-c", FIT_ONE, PYTHONPATH=str(package.parent), PYTHONDONTWRITEBYTECODE="1", HOME=inside, TMPDIR=str(temporary),
        XDG_CACHE_HOME=inside, LOCALAPPDATA=inside, UNLESS_CACHE_DIR=inside,
    )  # fmt: skip
    expected = Path(__file__).parents[1] / "golden" / "fold-r++" / "loans.default.lp"
    assert done.stdout.startswith(expected.read_text(encoding="utf-8") + "%@ grade of ")
    assert done.stderr.count("compiled functions cannot be kept on this machine") == 1
    assert not files_in(temporary)


def test_learning_works_without_any_folder_at_all(monkeypatch, caplog):
    from unless.learn import compiled

    def fail(*args, **kwargs):
        raise OSError

    monkeypatch.setattr(compiled, "_can_be_written", lambda folder: False)
    monkeypatch.setattr(compiled.tempfile, "mkdtemp", fail)
    monkeypatch.setattr(compiled, "KERNELS", [])
    compiled.passing_folder.cache_clear()
    try:
        assert compiled.kernel(twice)(3) == 6
        assert compiled.kept_in() is None
        assert "cannot be kept" in caplog.text
    finally:
        compiled.passing_folder.cache_clear()


def twice(x):
    return FACTOR * x


FACTOR = 2


@pytest.mark.skipif(bool(os.environ.get("UNLESS_DISABLE_JIT")), reason="without compiling nothing is kept")
def test_what_a_kernel_was_made_of_decides_whether_it_is_compiled_anew(tmp_path, monkeypatch):
    from unless.learn import compiled

    def is_compiled(x):
        kernel = compiled.Kernel(twice)
        assert kernel(x) == FACTOR * x
        return kernel.n_compiled

    monkeypatch.setenv("UNLESS_CACHE_DIR", str(tmp_path))
    assert [is_compiled(3), is_compiled(4), is_compiled(0.5), is_compiled(1.5)] == [1, 0, 1, 0]
    monkeypatch.setattr(f"{__name__}.FACTOR", 3)
    assert [is_compiled(3), is_compiled(4)] == [1, 0]


def test_kernels_that_cannot_be_read_are_compiled_anew(tmp_path):
    learn = "from unless import FoldRPPClassifier as C; print(C().fit([{'a': 1}, {'a': 2}], ['x', 'y']).program_)"
    first = run("-c", learn, UNLESS_CACHE_DIR=str(tmp_path)).stdout
    kept = sorted(tmp_path.rglob("*.kernel"))
    assert kept
    for file in kept:
        file.write_bytes(b"damaged")
    assert run("-c", learn, UNLESS_CACHE_DIR=str(tmp_path)).stdout == first
    assert all(file.read_bytes() != b"damaged" for file in kept)
