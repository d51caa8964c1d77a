"""The page of commands is what the commands say."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_page_of_commands_is_up_to_date():
    page = runpy.run_path(str(DOCS / "write_cli.py"))["page"]()
    assert (DOCS / "cli.md").read_text(encoding="utf-8") == page, "run: python docs/write_cli.py"


def test_every_command_says_what_it_does():
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    assert "\n\n\n|" not in page
    assert page.count("## `unless ") >= 5
