"""A studio on a free port and a headless Chromium to look at it: shared by the screenshots and the browser tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """Return the path of a Chromium, if there is one."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def running_studio(folder: Path, *arguments: str, port: int = 0, end: int = signal.SIGTERM) -> Iterator[str]:
    """Run `unless studio` in a process of its own and give its address; end it afterwards."""
    command = [sys.executable, "-m", "unless", "studio", *arguments, "--no-open", "--no-token", "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--state", str(folder)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    try:
        yield _address(process)
    finally:
        process.send_signal(end)
        process.wait(10)


def _address(process: subprocess.Popen[str]) -> str:
    """Read the address that the server tells, and wait until it answers."""
    assert process.stderr is not None
    for line in process.stderr:
        if "listening on" in line:
            address = line.split("listening on ")[1].split()[0]
            break
    else:
        msg = "the studio ended before it listened"
        raise RuntimeError(msg)
    for _ in range(200):
        try:
            with urllib.request.urlopen(f"{address}health", timeout=5):
                return address
        except OSError:
            time.sleep(0.05)
    msg = f"{address} does not answer"
    raise RuntimeError(msg)


@contextmanager
def chromium_browser() -> Iterator[Browser]:
    """Start a fresh headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def new_page(browser: Browser, **context: Any) -> Iterator[Page]:
    """Open a page that shares nothing with others."""
    fresh = browser.new_context(**context)
    page = fresh.new_page()
    page.set_default_timeout(20_000)
    yield page
    fresh.close()


def unfair(page: Page, *rules: str) -> list[str]:
    """Return what axe, the checker of accessibility, finds on a page: by all of its rules, or by those named.

    One rule is left out: it takes our addresses, which are all behind #, for skip links that lead nowhere.
    """
    from importlib.resources import files

    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    options = {"runOnly": list(rules)} if rules else {"rules": {"skip-link": {"enabled": False}}}
    found = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
