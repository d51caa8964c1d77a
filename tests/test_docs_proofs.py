"""The pages on proofs and on s(CASP) do what they show: Python blocks run, commands print what stands below them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from unless.cli.app import app

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str):
    """List the fenced blocks of a kind, with the page they stand on."""
    for page in ("proofs.md", "scasp.md"):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        for i, (found, body) in enumerate(BLOCK.findall(text)):
            if found == kind:
                yield pytest.param(body, id=f"{page}-{i}")


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("block", list(blocks("python")))
def test_python(block):
    exec(compile(block, "docs", "exec"), {})


@pytest.mark.parametrize("block", list(blocks("console")))
def test_console(block):
    for part in re.split(r"^\$ unless ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        result = CliRunner().invoke(app, shlex.split(command))
        assert result.exit_code == 0
        assert result.output == shown
