"""Take pictures of every screen of the studio with headless Chromium; two of them are those in the README.

    python scripts/screenshots.py [--out FOLDER] [--readme]

Walks through the example from opening it to editing, in light and dark and in a narrow window. `--readme` also writes
docs/images/studio-*.png. Needs Playwright from PyPI and a Chromium, and Pillow for `--readme`; nothing leaves this
machine.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser import chromium_browser, new_page, running_studio  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Page

README = {"rules": "studio-rules", "what-if": "studio-why"}


def walk(page: Page, address: str, out: Path) -> None:
    """Go through all screens and take a picture of each."""

    def picture(name: str) -> None:
        page.wait_for_timeout(150)
        page.screenshot(path=out / f"{name}.png")

    page.goto(address)
    page.get_by_role("heading", name="From a table to rules").wait_for()
    picture("open")
    page.get_by_role("button", name="Open the example").click()
    page.get_by_role("heading", name="Columns", exact=True).wait_for()
    picture("columns")
    page.get_by_role("link", name="Go on to learning").click()
    page.get_by_role("heading", name="Learn", exact=True).wait_for()
    picture("learn")
    page.get_by_role("button", name="Learn the rules").click()
    page.get_by_role("heading", name="Rules for").wait_for(timeout=120_000)
    page.locator("#status:empty").wait_for(state="attached")
    picture("rules")
    page.locator(".matrix td.wrong a").first.click()
    page.get_by_role("heading", name="Rows", exact=True).wait_for()
    picture("rows")
    page.go_back()
    page.locator(".line.against a").first.click()
    page.get_by_text("exception 1.1 holds").wait_for()
    page.locator("table.rows tbody a").first.click()
    page.get_by_role("heading", name="Why").wait_for()
    picture("row")
    page.get_by_label("housing").fill("owner")
    page.locator(".verdict .changed").wait_for()
    picture("what-if")
    page.get_by_role("link", name="Picture").click()
    page.locator("img.picture").wait_for()
    picture("picture")
    page.get_by_role("link", name="Edit").click()
    area = page.get_by_label("The program", exact=True)
    area.wait_for()
    text = area.input_value()
    area.fill(text.replace("30000.0", "25000.0", 1))
    page.locator(".measures").wait_for()
    picture("edit")
    area.fill(text.replace(" =< ", " <= ", 1) if " =< " in text else text.replace(" > ", " >> ", 1))
    page.locator("#error pre").wait_for()
    picture("edit-error")
    page.get_by_role("button", name="Drop the changes").click()


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "screenshots")
    parser.add_argument("--readme", action="store_true")
    options = parser.parse_args()
    looks = {
        "light": ({"width": 1280, "height": 860}, "light"),
        "dark": ({"width": 1280, "height": 860}, "dark"),
        "narrow": ({"width": 420, "height": 860}, "light"),
    }
    for look, (size, scheme) in looks.items():
        out = options.out / look
        out.mkdir(parents=True, exist_ok=True)
        with (
            tempfile.TemporaryDirectory() as folder,
            running_studio(Path(folder)) as address,
            chromium_browser() as browser,
            new_page(browser, viewport=size, color_scheme=scheme) as page,
        ):
            walk(page, address, out)
    if options.readme:
        from PIL import Image

        for name, image in README.items():
            shot = Image.open(options.out / "light" / f"{name}.png").convert("RGB").crop((0, 0, 1280, 720))
            shot.quantize(96).save(ROOT / "docs" / "images" / f"{image}.png", optimize=True)


if __name__ == "__main__":
    main()
