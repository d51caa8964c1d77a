"""The site: it builds without a warning, from pages that stand in its navigation; links out of docs lead somewhere."""

from __future__ import annotations

import doctest
import html
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
TRY = (DOCS / "try.md").read_text(encoding="utf-8")


def texts():
    """Return what stands in the fields of the page to try, by their names."""
    found = re.findall(r'<textarea [^>]*name="(\w+)"[^>]*>(.*?)</textarea>', TRY, re.DOTALL)
    return {name: html.unescape(text) for name, text in found}


ASK = """
import json, sys
sys.path.insert(0, sys.argv[1])
import answers
asked = json.load(sys.stdin)
heavy = {"numpy", "polars", "sklearn", "llvmlite", "narwhals"} & set(sys.modules)
print(json.dumps([[answers.answer(*each) for each in asked], sorted(heavy)]))
"""


@pytest.fixture(scope="module")
def asked():
    """Ask all that the tests below want to know, in one process."""
    fields = texts()
    program, row, question = fields["program"], fields["row"], fields["question"]
    edited = program.replace("30000", "32000")
    calls = {
        "decide": ["decide", program, row, question, program],
        "rules": ["rules", program, row, question, program],
        "ask": ["ask", program, '{"income": 50000}', question, program],
        "ask refused": ["ask", program, row, question, program],
        "same": ["diff", program, row, question, program],
        "edited": ["diff", edited, row, question, program],
        "no program": ["decide", "loan(X", row, question, program],
        "no row": ["decide", program, "{income: 3}", question, program],
        "a list": ["decide", program, "[3]", question, program],
    }
    ran = subprocess.run(
        [sys.executable, "-c", ASK, str(DOCS / "try")], input=json.dumps(list(calls.values())), capture_output=True,
        text=True, check=True, timeout=60, env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    said, heavy = json.loads(ran.stdout)
    assert not heavy, "the page to try runs where these cannot"
    return dict(zip(calls, said, strict=True))


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("decide", "refused, although income is 34,000 (above 30,000): exception 1.1 applies"),
        ("decide", "The whole proof"),
        ("rules", "1.1.1  unless housing is owner"),
        ("ask", "Y = 'approved'"),
        ("ask refused", "exception 1.1 applies"),
        ("same", "decide every possible row alike; this is proved"),
        ("edited", "+ 1  approved if income above 32,000"),
        ("no program", "the text ends in the middle of a clause"),
        ("no row", "The row is not JSON"),
        ("a list", "a row is an object"),
    ],
)
def test_the_page_to_try_answers(asked, what, words):
    assert words in asked[what]


def test_links_out_of_the_pages():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        hooks = importlib.import_module("site_hooks")
    try:
        assert not doctest.testmod(hooks).failed
        assert hooks.address("../Makefile", "docs/bench.md", "bench.md", "") == ""
    finally:
        sys.modules.pop("site_hooks")


def test_every_page_stands_in_the_navigation():
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:")[1]
    for page in sorted(DOCS.rglob("*.md")):
        name = page.relative_to(DOCS).as_posix()
        assert name in nav, name


def test_nothing_is_loaded_from_elsewhere():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "font: false" in text
    assert not re.search(r"https?://", text)
    for script in (DOCS / "try" / "try.js", DOCS / "site.css"):
        assert not re.search(r"https?://", script.read_text(encoding="utf-8"))


def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("material", reason="MkDocs Material is not installed: pip install 'unless[docs]'")
    said = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path / "site")],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert said.returncode == 0, said.stdout + said.stderr
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|href)=["']https?://(?!pyodide)[^"']*\.(?:js|css|woff2?)""", page)
    assert (tmp_path / "site" / "try" / "unless.zip").stat().st_size < 1 << 20
