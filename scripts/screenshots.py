"""Take pictures of every screen of the studio with headless Chromium; two of them are those in the docs.

    python scripts/screenshots.py [--out FOLDER] [--readme]

Walks through the example from opening it to editing, in light and dark, in a narrow window and as printed. `--readme`
also writes docs/images/studio-*.png. Needs Playwright from PyPI and a Chromium, and Pillow for `--readme`; nothing
leaves this machine.
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
    from collections.abc import Callable

    from playwright.sync_api import Page

README = {"form": "studio-rules", "row": "studio-why"}
SCREENS = ("columns", "learn", "rules", "picture", "rows", "affected", "versions", "tests", "text")
PRINTED = ("columns", "rules", "affected")


def walk(page: Page, address: str, out: Path) -> None:
    """Go through all screens, forms and dialogs, and take a picture of each."""

    def picture(name: str) -> None:
        page.wait_for_timeout(150)
        page.screenshot(path=out / f"{name}.png")

    def show(screen: str) -> None:
        page.goto(f"{address}#{screen}", wait_until="networkidle")
        page.locator(f"body[data-screen={screen.partition('?')[0]}]").wait_for()
        page.get_by_text("Looking at the table").wait_for(state="detached")
        page.wait_for_timeout(300)

    page.goto(address)
    page.get_by_role("heading", name="From a table to rules").wait_for()
    picture("data")
    page.get_by_role("button", name="Open the example").click()
    page.get_by_role("link", name="Go on to learning").click()
    page.get_by_role("button", name="Learn the rules").click()
    page.get_by_role("heading", name="Rules for").wait_for(timeout=120_000)
    page.locator("#status:empty").wait_for(state="attached")
    for screen in SCREENS:
        show(screen)
        picture(screen)
    for screen in PRINTED:
        show(screen)
        page.emulate_media(media="print")
        picture(f"{screen}-printed")
        page.emulate_media(media="screen")
    show("rules")
    edit(page, picture)
    show("rows?row=6")
    page.get_by_text("What would change it").click()
    page.get_by_role("button", name="Look", exact=True).click()
    page.locator(".ways li").first.wait_for()
    picture("row")


def edit(page: Page, picture: Callable[[str], None]) -> None:
    """Change a rule by its form, look at menus, proposals and dialogs, and drop the change."""
    page.get_by_role("button", name="income above 30,000", exact=True).click()
    page.get_by_label("Above, value").fill("31000")
    page.locator(".preview .flips").wait_for()
    page.locator(".program").evaluate("(rules) => scrollTo(0, rules.offsetTop - 200)")
    picture("form")
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("button", name="income above 31,000", exact=True).wait_for()
    page.locator("#use:enabled").wait_for()
    page.get_by_label("Change rule 1").click()
    picture("menu")
    page.get_by_role("button", name="Propose an exception").click()
    page.get_by_role("group", name="Proposals").get_by_role("button", name="Cancel").wait_for()
    picture("proposals")
    page.get_by_text("What the draft changes, and for whom").click()
    page.locator(".effect-of .measures").first.wait_for()
    picture("draft")
    for name in ("Download the predictions", "Export to SQL"):
        page.get_by_text("Save", exact=True).click()
        page.get_by_role("button", name=name).click()
        page.get_by_role("dialog").wait_for()
        picture(name.split()[0].lower() + "-dialog")
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Drop it").click()
    page.locator("body:not(.with-draft)").wait_for()
    page.locator("#status:empty").wait_for(state="attached")


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "screenshots")
    parser.add_argument("--readme", action="store_true")
    options = parser.parse_args()
    looks = {
        "light": ({"width": 1280, "height": 860}, "light"),
        "dark": ({"width": 1280, "height": 860}, "dark"),
        "narrow": ({"width": 360, "height": 860}, "light"),
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
            shot = Image.open(options.out / "light" / f"{name}.png").convert("RGB")
            shot.quantize(256).save(ROOT / "docs" / "images" / f"{image}.png", optimize=True)


if __name__ == "__main__":
    main()
