"""The house in order: imports, sizes, names, and documents that run."""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import unless
from unless.datasets import loans

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "unless"
MODULES = sorted(SOURCE.rglob("*.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout


# Imports.


def test_import_contracts():
    command = shutil.which("lint-imports", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if command is None:
        pytest.skip("import-linter is not installed")
    environment = {**os.environ, "PYTHONPATH": str(SOURCE.parent)}
    said = subprocess.run(
        [command, "--no-cache"], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert said.returncode == 0, said.stdout


HEAVY = {"numpy", "polars", "llvmlite", "sklearn", "pandas", "pyarrow", "narwhals", "lark", "typer", "rich"}


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import unless", set()),
        ("from unless import Literal, Rule, UnlessError", set()),
        (
            "from unless import parse, load, save, Program; import unless.logic.holds, unless.logic.forms.flatten",
            {"lark"},
        ),
        ("import unless.cli", {"typer", "rich"}),
        (  # what `unless --help` reads
            "from importlib import import_module as load; from unless.cli.app import COMMANDS\n"
            "for name in COMMANDS: load('unless.cli.' + name.replace('-', '_'))",
            {"typer", "rich"},
        ),
    ],
)
def test_light_imports_stay_light(statement, allowed):
    loaded = python(f"import sys\n{statement}\nprint(' '.join(name.split('.')[0] for name in sys.modules))").split()
    assert set(loaded) & HEAVY <= allowed


def test_public_names_are_those_that_load():
    assert sorted(unless.__all__) == sorted(unless._HOMES)
    for name in unless.__all__:
        assert getattr(unless, name) is getattr(importlib.import_module(unless._HOMES[name]), name)
        assert name in dir(unless)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = unless.nothing


@pytest.fixture
def package(monkeypatch):
    """Return the modules of the package as the map reads them, with the functions that judge them."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    yield importlib.import_module("rooms")
    del sys.modules["rooms"]


def test_no_module_imports_itself_through_others(package):
    """Imports inside functions and for type checkers count: they hide a cycle from Python, not from readers."""
    assert package.cycles(package.read_modules(types=True)) == []


def test_values_show_themselves_through_writers_that_are_there():
    for module, name in unless.showing.WRITERS.values():
        assert callable(getattr(importlib.import_module(module), name)), (module, name)


def test_tests_stay_out_of_the_package():
    for file in MODULES:
        assert not re.search(
            r"^\s*(from|import) (naive|random_programs|strategies|tests)\b",
            file.read_text(encoding="utf-8"),
            re.MULTILINE,
        )


# Real work without scikit-learn. The commands run as in a shell, in one fresh process; what each has loaded is noted.

COMMANDS = {
    "look": "look loans.csv --target loan",
    "learn, FOLD-R++": "learn loans.csv --target loan --positive approved --algorithm fold-r++ -o rules.lp",
    "learn, FOLD-R": "learn loans.csv --target loan --positive approved --algorithm fold-r -o forerunner.lp",
    "learn, unless": "learn loans.csv --target loan --positive approved --algorithm unless -o model.lp",
    "predict": "predict model.lp loans.csv -o labels.csv",
    "predict, probabilities": "predict model.lp loans.csv --probabilities -o probabilities.csv",
    "grade": "grade model.lp loans.csv -o graded.lp",
    "score": "score model.lp loans.csv",
    "explain": "explain model.lp loans.csv --row 6",
    "ask": "ask model.lp loans.csv loan(6,Y)",
    "rules": "rules model.lp loans.csv --check",
    "rules, picture": "rules model.lp loans.csv --svg rules.svg",
    "compare": "compare rules.lp model.lp loans.csv --flips 2 --html changes.html",
    "edit": "edit rules.lp loans.csv",
    "export": "export model.lp --to sql:duckdb -o rules.sql",
    "export, verified": "export model.lp loans.csv --to sql:sqlite -o rules.sql --verify --vectors 50",
    "report": "report model.lp loans.csv -o report.html",
    "diff": "diff model.lp model.lp loans.csv",
    "recourse": "recourse model.lp loans.csv --row 6 --want approved",
    "audit": "audit model.lp loans.csv --by housing",
    "watch": "watch model.lp loans.csv loans.csv",
    "explain, short": "explain model.lp loans.csv --row 6 --short",
}

WORK = """
import json, sys
from unless.cli import main

commands, loaded = json.load(open("commands.json")), {}
for name, command in commands.items():
    before = set(sys.modules)
    sys.argv = ["unless", *command.split()]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code, (name, ended.code)
    heavy = {"sklearn", "scipy", "pandas"}
    loaded[name] = sorted(module for module in set(sys.modules) - before if module.split(".")[0] in heavy)
json.dump(loaded, open("loaded.json", "w"))
"""


def test_real_work_loads_no_scikit_learn(tmp_path):
    """`unless learn` once loaded 879 modules of scikit-learn, SciPy and pandas for a twentieth of a second of work."""
    (tmp_path / "loans.csv").write_text(loans(400).write_csv(), encoding="utf-8")
    (tmp_path / "commands.json").write_text(json.dumps(COMMANDS), encoding="utf-8")
    # The editor puts a remark at the end; nobody is asked, because standard input is no terminal.
    (tmp_path / "editor.py").write_text("import sys\nwith open(sys.argv[-1], 'a') as file: file.write('% edited\\n')\n")
    environment = {**inside(tmp_path), "EDITOR": f"{shlex.quote(sys.executable)} editor.py"}
    said = subprocess.run(
        [sys.executable, "-c", WORK], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert (tmp_path / "rules.lp").read_text(encoding="utf-8").endswith("% edited\n")
    loaded = json.loads((tmp_path / "loaded.json").read_text(encoding="utf-8"))
    assert loaded.keys() == COMMANDS.keys()
    assert not {name: f"{len(heavy)}, {heavy[0]} first" for name, heavy in loaded.items() if heavy}


# Rooms and names.


def test_few_modules_stand_at_the_root():
    assert len(list(SOURCE.glob("*.py"))) <= 6


def twice(pairs):
    """Return what is named more than once, with where."""
    where = {}
    for name, file in pairs:
        where.setdefault(name, []).append(str(file.relative_to(SOURCE)))
    return {name: files for name, files in where.items() if len(files) > 1}


def test_no_class_name_stands_twice():
    classes = (
        (node.name, file)
        for file in MODULES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert not twice(classes)


def test_no_module_name_means_two_things():
    """Commands are named like what they do, and the cluster repeats the names of the stages: nothing else may."""
    free = {"cli", "distributed"}
    stems = ((f.stem, f) for f in MODULES if not f.stem.startswith("__") and f.relative_to(SOURCE).parts[0] not in free)
    assert not twice(stems)


MOODS = {"told", "place", "places", "wishes", "voices", "worths", "lettering", "flagship", "lesson"}
"""Words that meant several things, or nothing that a newcomer could guess."""
IN_PROSE = MOODS - {"place", "places"}


def identifiers(file):
    """Yield the words of which the names in a module are made: told_places gives told and places."""
    for token in tokens(file):
        if token.type == tokenize.NAME:
            yield from re.findall(r"[A-Z]?[a-z]+|[A-Z]+", token.string)


def prose(file):
    """Yield the words of comments and texts; docstrings and messages are texts."""
    for token in tokens(file):
        if token.type in {tokenize.COMMENT, tokenize.STRING}:
            yield from re.findall(r"[A-Za-z]+", token.string)


def tokens(file):
    with file.open("rb") as opened:
        yield from tokenize.tokenize(opened.readline)


def test_names_say_what_they_are():
    found = {str(file.relative_to(SOURCE)): {word.lower() for word in identifiers(file)} & MOODS for file in MODULES}
    assert not {name: words for name, words in found.items() if words}
    assert not {part for file in MODULES for part in re.split(r"[/_.]", str(file.relative_to(SOURCE)))} & MOODS


def test_sentences_use_the_words_of_the_field():
    others = [file for file in sorted(SOURCE.rglob("*")) if file.suffix in {".toml", ".js", ".html", ".css", ".lark"}]
    found = {file: {word.lower() for word in prose(file)} & IN_PROSE for file in MODULES}
    found |= {file: set(re.findall(r"[a-z]+", file.read_text(encoding="utf-8").lower())) & IN_PROSE for file in others}
    assert not {str(file.relative_to(SOURCE)): words for file, words in found.items() if words}


# Words that do not belong into the package.


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_source_is_clean(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"print", "eval", "exec", "breakpoint"}, f"line {node.lineno}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
            assert not {"pickle", "marshal", "shelve", "joblib"} & set(names), f"line {node.lineno}"
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f"line {node.lineno}: bare except"
    assert not re.search(r"type: ignore(?!\[)", file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_modules_say_what_they_are_and_stay_small(file):
    text = file.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert text.count("\n") <= 400


def bodies():
    """Yield the number of lines of each function's body, its docstring aside."""
    for file in MODULES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
                yield f"{file.name}:{node.name}", node.end_lineno - first.lineno + 1


def test_functions_stay_short():
    sizes = dict(bodies())
    assert statistics.quantiles(sizes.values(), n=10)[-1] <= 25
    assert max(sizes.values()) <= 60, max(sizes, key=sizes.get)


def test_no_machine_paths_and_no_registries():
    pattern = re.compile(r"(/home/|/root/|/Users/|pypi\.org|pythonhosted)")
    for file in [*MODULES, *PAGES, ROOT / "pyproject.toml", ROOT / "Makefile", ROOT / ".ci" / "run"]:
        assert not pattern.search(file.read_text(encoding="utf-8")), file


# The README's commands, and every block of every page.


def test_readme_has_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(re.findall(r"^python3 -m venv .* demo$", text, re.MULTILINE)) == 1
    assert (
        len(
            re.findall(
                r"^python3 -m venv .*\[test\].* pytest.*$|^python3 -m venv .*\[test\].*/pytest.*$", text, re.MULTILINE
            )
        )
        == 1
    )


def blocks(language):
    """List the fenced blocks of a language, page by page in order."""
    for page in PAGES:
        found = re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        if found:
            yield pytest.param(page, found, id=str(page.relative_to(ROOT)))


def inside(folder):
    """Return an environment in which `unless` is this package, to run in a folder that has the examples."""
    (folder / "bin").mkdir()
    if (ROOT / "examples").exists():
        (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "bin" / "unless").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m unless "$@"\n')
    (folder / "bin" / "unless").chmod(0o755)
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHONPATH": str(SOURCE.parent), "COLUMNS": "100", "NO_COLOR": "1"}


@pytest.mark.parametrize(("page", "found"), list(blocks("python")))
def test_python_blocks_run(page, found, tmp_path):
    """The blocks of a page run as one script, in order."""
    if page.name == "mlflow.md":
        pytest.importorskip("mlflow", reason="MLflow is not installed")
    said = subprocess.run(
        [sys.executable, "-c", "\n".join(found)],
        cwd=tmp_path, env=inside(tmp_path), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr


@pytest.mark.parametrize(("page", "found"), list(blocks("console")))
def test_console_blocks_run(page, found, tmp_path):
    """The commands of a page run in one folder, in order; where output follows a command, it is what comes out."""
    environment = inside(tmp_path)
    for command, expected in commands("".join(found)):
        said = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        output = said.stdout + said.stderr
        if expected:
            assert same(output, expected), f"$ {command}\n{output}"
        else:
            assert said.returncode == 0, f"$ {command}\n{output}"


def commands(text):
    """Split a console block into (command, expected output); a backslash at the end continues a command."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.split("\n")
        n = next(i for i, line in enumerate(lines) if not line.endswith("\\")) + 1
        yield "\n".join(lines[:n]), "\n".join(lines[n:]).strip()


def same(output, expected):
    """Compare line by line; `...` alone on a line stands for any lines."""
    wanted = [re.escape(line.rstrip()) if line.strip() != "..." else None for line in expected.splitlines()]
    pattern = "".join("(?:.*\n)*?" if line is None else line + "\n" for line in wanted)
    found = "\n".join(line.rstrip() for line in output.strip().splitlines()) + "\n"
    return re.fullmatch(pattern, found) is not None


def test_console_runner_understands_blocks():
    assert list(commands("$ a \\\n  b\nout\n$ c\n")) == [("a \\\n  b", "out"), ("c", "")]
    assert same("a\nb\nc\n", "a\n...\nc")
    assert same("a\n", "a")
    assert not same("a\nb\n", "a")
