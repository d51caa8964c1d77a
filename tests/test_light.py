"""The light distribution: what it depends on, and what works with nothing else installed."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from studio import BIRDS
from unless.errors import LEARNING_PARTS

ROOT = Path(__file__).parent.parent
LIGHT = ROOT / "packaging" / "light"
MEGABYTES = 100


def project(path):
    return tomllib.loads((path / "pyproject.toml").read_text())["project"]


def test_both_distributions_name_the_same_versions():
    """What learning needs stands twice; so do the versions."""
    whole, light = project(ROOT), project(LIGHT)
    extras, others = whole["optional-dependencies"], light["optional-dependencies"]
    assert sorted({*light["dependencies"], *others["learn"]} - set(extras["serve"])) == sorted(whole["dependencies"])
    assert {*others["fast"], *light["dependencies"]} >= set(extras["serve"])
    for key in ("requires-python", "license", "authors", "scripts"):
        assert whole[key] == light[key]


def test_the_container_and_the_unit_name_options_that_there_are():
    from unless.cli.app import make_app

    options = {name for command in make_app(["serve"]).registered_commands for name in _options(command.callback)}
    for file in ("Containerfile", "unless-serve.service"):
        text = (ROOT / "deploy" / file).read_text()
        (line,) = [each for each in text.splitlines() if "exec" in each and " serve " in each]
        assert set(re.findall(r"--[a-z-]+", line)) <= options


def _options(callback):
    return {"--" + name.replace("_", "-") for name in callback.__annotations__}


def test_systemd_takes_the_unit():
    command = shutil.which("systemd-analyze")
    if command is None:
        pytest.skip("systemd-analyze is not installed")
    unit = ROOT / "deploy" / "unless-serve.service"
    said = subprocess.run([command, "verify", str(unit)], capture_output=True, text=True, timeout=60, check=False)
    if "Failed to" in said.stderr:
        pytest.skip(f"systemd-analyze does not run here: {said.stderr.strip()}")
    assert (said.returncode, said.stderr) == (0, "")


def test_hadolint_takes_the_containerfile():
    command = shutil.which("hadolint")
    if command is None:
        pytest.skip("hadolint is not installed")
    subprocess.run([command, str(ROOT / "deploy" / "Containerfile")], timeout=60, check=True)


ALONE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
from importlib import util
real, util.find_spec = util.find_spec, lambda name: None if name in {absent} else real(name)
sys.argv = ["unless", *{command}]
from unless.cli import main
main()
"""
ABSENT = sorted({*LEARNING_PARTS, "pandas", "pyarrow", "fastapi", "pydantic", "starlette"})
WORK = {
    "predict birds.lp birds.csv": "flies\nyes\nno\n",
    "explain birds.lp birds.csv --row 1": "exception 1.1 applies",
    "explain birds.lp birds.csv --row 1 --short": "name",
    "explain birds.lp birds.csv --row 1 --json": '"format": "unless proof"',
    "rules birds.lp --english": "unless name is penguin",
    "rules birds.lp --check": "no findings",
    "rules birds.lp --json": '"clauses"',
    "diff birds.lp birds.lp": "this is proved",
    "learn birds.csv --target bird": "pip install 'unless-light[learn]'",
    "score birds.lp birds.csv": "pip install 'unless-light[learn]'",
    "ask birds.lp birds.csv flies(1,L)": "pip install 'unless-light[learn]'",
    "export birds.lp --to pmml": "<RuleSetModel",
    "export birds.lp --to python --verify --vectors 20 -o flies.py": "decides 20 rows as the program does",
    "studio": "pip install 'unless[studio]'",
}


@pytest.mark.parametrize("command", WORK)
def test_commands_work_or_say_what_to_install_where_nothing_else_is(command, tmp_path):
    (tmp_path / "birds.lp").write_text(BIRDS)
    (tmp_path / "flies.py").write_text("written before")
    (tmp_path / "birds.csv").write_text("bird,name,age\nyes,robin,2\nyes,penguin,3\n")
    code = ALONE.format(absent=ABSENT, command=command.split())
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False
    )
    assert WORK[command] in said.stdout + said.stderr
    assert "Traceback" not in said.stderr
    assert said.returncode == (2 if "pip install" in WORK[command] else 0)


FRESH = "makes an environment, which takes a minute: set UNLESS_FRESH=1"


@pytest.mark.skipif(not os.environ.get("UNLESS_FRESH"), reason=FRESH)
def test_a_fresh_environment_is_small_and_answers(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    wheels, venv = tmp_path / "wheels", tmp_path / "venv"

    def run(*command, code=0):
        said = subprocess.run(
            list(map(str, command)),
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            timeout=300,
            check=False,
        )
        assert said.returncode == code, said.stderr
        return said.stdout if code == 0 else said.stderr

    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", LIGHT, "-w", wheels)
    run(sys.executable, "-m", "venv", venv)
    empty = _size(venv)
    run(venv / "bin" / "pip", "install", "-q", *wheels.iterdir())
    assert _size(venv) - empty < MEGABYTES
    (tmp_path / "birds.lp").write_text(BIRDS)
    (tmp_path / "birds.csv").write_text("bird,name,age\nyes,robin,2\nyes,penguin,3\n")
    unless = venv / "bin" / "unless"
    assert run(unless, "predict", "birds.lp", "birds.csv") == "flies\nyes\nno\n"
    assert "exception 1.1 applies" in run(unless, "explain", "birds.lp", "birds.csv", "--row", "1")
    assert "unless name is penguin" in run(unless, "rules", "birds.lp", "--english")
    assert "this is proved" in run(unless, "diff", "birds.lp", "birds.lp")
    for command in ("learn birds.csv --target bird", "score birds.lp birds.csv"):
        assert "pip install 'unless-light[learn]'" in run(unless, *command.split(), code=2)
    code = (
        "from unless.web.serve_application import serve_app\n"
        "from unless.web.served_models import read_models\n"
        "import unless.web.connections\n"
        "serve_app(read_models(['birds.lp']))\n"
        "from unless import load, prove\n"
        "print(prove(load('birds.lp'), {'bird': 'yes', 'name': 'robin'}).label)"
    )
    assert run(venv / "bin" / "python", "-c", code) == "yes\n"


def _size(folder):
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
