"""Make the page of the package index from README.md, which is written for the repository.

On that page links into the repository lead nowhere. Where UNLESS_REPOSITORY names its address, as the release workflow
does, they are made whole and the address becomes the project's; otherwise pictures are left out and links become their
words.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:)([^)\s]+)\)")


def page(text: str, repository: str, version: str) -> str:
    """Return the text with links that lead somewhere, or none."""

    def whole(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if repository:
            return f"{picture}[{words}]({repository}/{'raw' if picture else 'blob'}/v{version}/{path})"
        return "" if picture else words

    return LINK.sub(whole, text)


class PackagePage(MetadataHookInterface):
    """Fills in the readme and, where it is known, the address."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Change the metadata in place, as hatchling asks."""
        repository = os.environ.get("UNLESS_REPOSITORY", "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": page(text, repository, str(metadata["version"])),
        }
        if repository:
            metadata["urls"] = {
                "Repository": repository,
                "Changelog": f"{repository}/blob/main/CHANGELOG.md",
                "Issues": f"{repository}/issues",
            }
