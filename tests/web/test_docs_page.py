"""The page /docs and the token, in a real browser: headless Chromium driven by Playwright."""

import json
import os
import signal
import subprocess
import sys

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

from browser import chromium, chromium_browser, new_page  # noqa: E402
from studio import BIRDS  # noqa: E402

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium is installed")
expect = playwright.expect


@pytest.fixture
def started(tmp_path):
    """Start commands that serve, and end them."""
    processes = []

    def start(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "unless", *arguments, "--port", "0"], stderr=subprocess.PIPE, text=True,
            cwd=tmp_path, env=os.environ,
        )  # fmt: skip
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stderr.close()


def test_a_row_can_be_tried_on_the_page_which_needs_nothing_from_elsewhere(started, tmp_path):
    (tmp_path / "my birds.lp").write_text(BIRDS)
    process = started("serve", "my birds.lp")
    address = next(line for line in process.stderr if "listening on" in line).split("listening on ")[1].split()[0]
    complaints = []
    with chromium_browser() as browser, new_page(browser, viewport={"width": 360, "height": 740}) as page:
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(address) else complaints.append(request.url))
        page.goto(address)
        page.get_by_label("bird").fill("yes")
        page.get_by_label("name").fill("penguin")
        page.get_by_label("age").fill("3")
        page.get_by_role("button", name="Predict").click()
        output = page.locator("output")
        expect(output).to_contain_text('"rule": "1.1"')
        assert json.loads(output.inner_text())["label"] == "no"
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.screenshot(path=str(tmp_path / "docs.png"), full_page=True)
    assert complaints == []


def test_the_studio_opens_by_the_address_with_its_token_and_by_no_other(started):
    process = started("studio", "--no-open", "--state", ".")
    address = next(line for line in process.stderr if ": open " in line).split(": open ")[1].strip()
    plain = address.partition("?")[0]
    with chromium_browser() as browser:
        with new_page(browser) as page:
            assert page.goto(plain).status == 401
            assert page.goto(f"{plain}?token=guess").status == 401
        with new_page(browser) as page:
            page.goto(address)
            assert page.url.partition("#")[0] == plain  # the token does not stay in the address
            expect(page.get_by_role("button", name="Open the example")).to_be_visible()
