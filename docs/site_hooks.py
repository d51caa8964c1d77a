"""What the site needs beyond Markdown that GitHub renders: links out of docs/ become links to the repository.

A page may link to `../benchmarks/README.md` or `../src/unless/errors.py`: GitHub follows that, a site of docs/ alone
could not. Pages that the site takes in from elsewhere (`PAGES`) are linked as pages, everything else as a file of the
repository if its address is known (UNLESS_REPOSITORY), else their text stands alone. A target that is not there stops
the build, as any broken link does with `--strict`.
"""

from __future__ import annotations

import logging
import os
import posixpath
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PAGES = {
    "README.md": "index.md",
    "benchmarks/README.md": "benchmarks.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
LINK = re.compile(r"\[([^\]\[]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
log = logging.getLogger("mkdocs.plugins.unless")


def on_config(config: Any) -> Any:
    """Show the switcher of versions where mike builds the site, which says so: it looks for a list of versions."""
    if "MIKE_DOCS_VERSION" in os.environ:
        config.extra["version"] = {"provider": "mike"}
    return config


def on_files(files: Any, *, config: Any) -> Any:
    """Add the pages that stand outside of docs/."""
    from mkdocs.structure.files import File

    for source, target in PAGES.items():
        path = ROOT / source
        if path.exists():
            files.append(File.generated(config, target, content=path.read_text(encoding="utf-8")))
    return files


def on_post_build(*, config: Any) -> None:
    """Pack what the page "Try it" runs; Pyodide itself only if UNLESS_PYODIDE names a folder that has it."""
    folder = Path(config.site_dir) / "try"
    shutil.copy(Path(config.docs_dir) / "try" / "answers.py", folder / "answers.txt")
    pack(folder / "unless.zip")
    core = os.environ.get("UNLESS_PYODIDE")
    if core:
        (folder / "pyodide").mkdir(exist_ok=True)
        for name in CORE:
            shutil.copy(Path(core) / name, folder / "pyodide" / name)


def pack(path: Path) -> None:
    """Write the logic half of the package, and lark, into an archive."""
    import lark

    source, parser = ROOT / "src", Path(lark.__file__).parent
    ours = [file for file in sorted((source / "unless").rglob("*")) if _is_packed(file.relative_to(source))]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in ours:
            archive.write(file, file.relative_to(source))
        for file in sorted(parser.rglob("*.py")):
            archive.write(file, file.relative_to(parser.parent))


def _is_packed(name: Path) -> bool:
    rooms = {"logic", "explain", "evaluate"}
    return bool(name.suffix in {".py", ".lark", ".toml", ".json"}) and (len(name.parts) == 2 or name.parts[1] in rooms)


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Turn links that leave docs/ into links to pages of the site or to the repository."""
    here = next(
        (source for source, target in PAGES.items() if target == page.file.src_uri), f"docs/{page.file.src_uri}"
    )
    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else _linked(part, here, page, config) for part in parts)


def _linked(text: str, here: str, page: Any, config: Any) -> str:
    def link(found: re.Match[str]) -> str:
        said, target, anchor = found[1], found[2], found[3] or ""
        if re.match(r"[a-z]+:", target):
            return found[0]
        there = address(target, here, page.file.src_uri, config.repo_url or "")
        return f"[{said}]({there}{anchor})" if there else said

    return LINK.sub(link, text)


def address(target: str, here: str, page: str, repository: str) -> str:
    """Return where a link of a file of the repository leads, on the site.

    >>> address("../src/unless/errors.py", "docs/tables.md", "tables.md", "https://example.org/unless")
    'https://example.org/unless/blob/main/src/unless/errors.py'
    >>> address("../docs/tables.md", "benchmarks/README.md", "benchmarks.md", "")
    'tables.md'
    >>> address("../../benchmarks/README.md", "docs/decisions/0001.md", "decisions/0001.md", "")
    '../benchmarks.md'
    """
    path = posixpath.normpath(posixpath.join(posixpath.dirname(here), target))
    inside = PAGES.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else None)
    if inside is not None:
        return posixpath.relpath(inside, posixpath.dirname(page) or ".")
    if not (ROOT / path).exists():
        log.warning("%s links to %s, which is not there", here, target)
    return f"{repository.rstrip('/')}/blob/main/{path}" if repository else ""
