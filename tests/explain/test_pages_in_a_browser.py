"""The pages that commands write, in a real browser: readable by everybody, on a phone, whatever the words are."""

from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

from browser import chromium, chromium_browser, new_page, unfair  # noqa: E402
from unless.cli.app import make_app  # noqa: E402
from unless.datasets import loans  # noqa: E402

pytestmark = [
    pytest.mark.skipif(chromium() is None, reason="no Chromium is installed"),
    pytest.mark.flaky(reruns=2, only_rerun=["Timeout"]),
]
LONG = ("Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz" * 2)[:80]


def run(*arguments: str) -> None:
    done = CliRunner().invoke(make_app(), arguments)
    assert done.exit_code == (1 if arguments[0] == "diff" else 0), done.output  # diff tells by it that they differ


@pytest.fixture(scope="module", params=["short", "long"])
def pages(request, tmp_path_factory) -> dict[str, Path]:
    """Write every kind of page of the example, as it is or with names and labels of 80 characters."""
    folder = tmp_path_factory.mktemp(request.param)
    table, by = loans(400), "housing"
    if request.param == "long":
        table = table.with_columns(pl.col("loan", "housing") + LONG).rename({by: f"{by}{LONG}"})
        by = f"{by}{LONG}"
    data, old, new = (str(folder / name) for name in ("loans.csv", "old.lp", "new.lp"))
    table.write_csv(data)
    run("learn", data, "--target", "loan", "-o", old)
    run("learn", data, "--target", "loan", "--algorithm", "fold-r++", "-o", new)
    commands = {
        "explain": ["explain", old, data, "--row", "6", "--html"],
        "rules": ["rules", old, data, "--html"],
        "report": ["report", old, data, "--rows", "0-3", "-o"],
        "compare": ["compare", old, new, data, "--html"],
        "audit": ["audit", old, data, "--by", by, "--html"],
        "diff": ["diff", old, new, data, "--html"],
    }
    found = {name: folder / f"{name}.html" for name in commands}
    for name, command in commands.items():
        run(*command, str(found[name]))
    return found


@pytest.fixture(scope="module")
def browser():
    with chromium_browser() as opened:
        yield opened


@pytest.mark.parametrize("name", ["explain", "rules", "report", "compare", "audit", "diff"])
def test_a_page_is_accessible_and_fits_a_phone(pages, browser, name: str) -> None:
    """Parts without a landmark, tables that only a mouse could scroll, and wider than the window of a phone."""
    for look in ("light", "dark"):
        with new_page(browser, viewport={"width": 390, "height": 800}, color_scheme=look) as page:
            page.goto(pages[name].as_uri())
            for details in page.locator("details").all()[:20]:
                details.evaluate("(one) => { one.open = true; }")
            assert unfair(page) == []
            widths = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            assert widths[0] <= widths[1]
