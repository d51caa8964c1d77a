"""Ask every address outside of the docs whether it is there: `python docs/check_links.py`. Needs a network.

Links among the pages are checked by the tests and by `make site`; this is the other half, and no test runs it.
"""

from __future__ import annotations

import re
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "benchmarks" / "README.md"]
LINK = re.compile(r"\]\((https?://[^)\s]+)\)")


def addresses() -> dict[str, Path]:
    """Return each address with a page that has it."""
    return {found: page for page in PAGES for found in LINK.findall(page.read_text(encoding="utf-8"))}


def problem(address: str) -> str | None:
    """Return what is wrong with an address, or nothing."""
    request = urllib.request.Request(address, headers={"User-Agent": "unless-docs"})
    try:
        with urllib.request.urlopen(request, timeout=20):
            return None
    except OSError as error:
        return str(error)


if __name__ == "__main__":
    wrong = {address: said for address in sorted(addresses()) if (said := problem(address))}
    sys.stdout.writelines(f"{address} ({addresses()[address].name}): {said}\n" for address, said in wrong.items())
    sys.exit(bool(wrong))
