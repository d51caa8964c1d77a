"""The recipes: every page is of the script beside it as it stands; those that say so are run again, all if asked."""

from __future__ import annotations

import importlib
import os
import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
NAMES = sorted(path.stem for path in (DOCS / "recipes").glob("*.sh"))
TIMES = re.compile(r' in [\d.]+ s\.|\([\d.]+ s(ec)?\)|[\d.]+ s of the processor, \d+ KB|(?<="since": )[\d.]+')


@pytest.fixture(scope="module")
def writer():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        yield importlib.import_module("write_recipes")
    sys.modules.pop("write_recipes", None)


def test_there_are_twelve():
    assert len(NAMES) == 12


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_of_this_script(name, writer):
    recipe = writer.read(DOCS / "recipes" / f"{name}.sh")
    page = (DOCS / "recipes" / f"{name}.md").read_text(encoding="utf-8")
    assert recipe.digest in page.splitlines()[-1], f"run: python docs/write_recipes.py {name}"
    assert recipe.title in (DOCS / "recipes" / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_what_the_script_prints(name, writer):
    recipe = writer.read(DOCS / "recipes" / f"{name}.sh")
    if not recipe.is_run and "UNLESS_RECIPES" not in os.environ:
        pytest.skip(f"recipe {name}: run when UNLESS_RECIPES is set, it takes its time")
    lacks = writer.missing(recipe)
    if lacks:
        pytest.skip(f"recipe {name}: there is no {' and no '.join(lacks)}")
    page = (DOCS / "recipes" / f"{name}.md").read_text(encoding="utf-8")
    assert TIMES.sub("", writer.page(recipe, writer.run(recipe))) == TIMES.sub("", page)


def test_scripts_are_taken_apart_at_empty_lines_outside_of_documents(writer):
    body = "#: # A\n#: text\n\n#= exit 1\nfalse\n\npython - <<'PY'\na = 1\n\nprint(a)\nPY\n\n#: end\n"
    steps = writer._steps(body)
    assert [bool(step.commands) for step in steps] == [False, True, True, False]
    assert steps[1].exit_code == 1
    assert "```py\na = 1\n\nprint(a)\n```\n\n```text\n1\n```" in writer._part(steps[2], "1\n")
    assert writer._shown("a\nb\nc\n", "first 1") == ["a", "..."]


def test_a_command_that_fails_is_no_page(writer):
    recipe = writer.Recipe("x", "", (), (), True, (writer.Step(commands="exit_code() { return 3; }; exit_code"),))
    with pytest.raises(RuntimeError, match="exit code 3, 0 was expected"):
        writer.run(recipe)
