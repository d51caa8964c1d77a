"""Make the pictures of the gallery: `python docs/draw_gallery.py` writes pictures/gallery/ by the commands of the page.

Every picture is what a command of `unless` wrote: drawings as they are, pages as headless Chromium shows them. Needs
Playwright and a Chromium for the latter; without them only the drawings are made.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE / "pictures" / "gallery"
sys.path.insert(0, str(HERE.parent / "tests"))

DRAWN = ("rules.svg", "frontier.svg", "reliability.svg")
SHOWN = {"why": 620, "changes": 900, "groups": 900, "report": 900}
COMMANDS = """\
demo --save loans.csv
learn loans.csv --target loan --positive approved --no-points --frontier-svg frontier.svg -o sizes.lp
learn loans.csv --target loan --positive approved --no-points -o loans.lp
rules loans.lp loans.csv --svg rules.svg
score loans.lp loans.csv --svg reliability.svg
explain loans.lp loans.csv --row 6 --html why.html
diff loans.lp new.lp loans.csv --html changes.html
audit loans.lp loans.csv --by housing --html groups.html
report loans.lp loans.csv -o report.html
"""


def main() -> None:
    """Run the commands, keep the drawings, and take pictures of the pages."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for line in COMMANDS.splitlines():
            if line.startswith("diff"):
                text = (folder / "loans.lp").read_text(encoding="utf-8")
                (folder / "new.lp").write_text(re.sub(r"> 3\d{4}\.0", "> 32000.0", text), encoding="utf-8")
            ran = subprocess.run(
                [sys.executable, "-m", "unless", *line.split()], cwd=folder, capture_output=True, check=False
            )
            if ran.returncode and not line.startswith("diff"):
                raise RuntimeError(ran.stderr.decode())
        for drawing in DRAWN:
            shutil.copy(folder / drawing, OUT / drawing)
        _show(folder)


def _show(folder: Path) -> None:
    from browser import chromium_browser

    with chromium_browser() as browser:
        for stem, height in SHOWN.items():
            page = browser.new_page(viewport={"width": 960, "height": height})
            page.goto((folder / f"{stem}.html").as_uri())
            page.screenshot(path=OUT / f"{stem}.png")


if __name__ == "__main__":
    main()
