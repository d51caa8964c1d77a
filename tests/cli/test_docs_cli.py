"""The page of commands is what the commands say."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
import typer

from unless.cli.app import COMMANDS, make_app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def test_page_of_commands_is_up_to_date():
    page = runpy.run_path(str(DOCS / "write_cli.py"))["page"]()
    assert (DOCS / "cli.md").read_text(encoding="utf-8") == page, "run: python docs/write_cli.py"


def test_every_command_says_what_it_does():
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    assert "\n\n\n|" not in page
    assert page.count("## `unless ") >= 5


PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
COMMAND = re.compile(rf"\bunless ({'|'.join(COMMANDS)})\b((?:\\\n|[^`\n|>;&#])*)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_options_that_a_page_names_are_there(page):
    """A page said --out where the option is --output; its command needs a database, so nothing runs it."""
    commands = typer.main.get_command(make_app()).commands
    for code in CODE.findall(page.read_text(encoding="utf-8")):
        for name, rest in COMMAND.findall(code):
            known = {option for each in commands[name].params for option in (*each.opts, *each.secondary_opts)}
            named = re.findall(r"(?<=\s)--?[a-z][a-z-]*", rest)
            assert set(named) <= known | {"-h", "--help"}, f"unless {name}{rest}"
