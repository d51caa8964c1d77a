"""Write the studio's help page: `python docs/write_studio_help.py` makes src/unless/web/static/help.html of studio.md.

The page is served by the studio itself, so that help is there without a network. Links to other pages of the docs,
which are not served, become plain text, and pictures are left out. Only the few forms of Markdown that studio.md uses
are read.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from unless.logic.text.files import write_text

HERE = Path(__file__).parent
OUT = HERE.parent / "src" / "unless" / "web" / "static" / "help.html"
HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Help · unless studio</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/studio.css">
</head>
<body class="help-page">
<main>
<p><a href="/">Back to the studio</a></p>
"""


def page() -> str:
    """Return the help page."""
    text = (HERE / "studio.md").read_text(encoding="utf-8")
    parts, title = [], ""
    for block in _blocks(text):
        title = block.strip("# \n") if block.startswith("#") else title
        parts.append(_block(block, title))
    return HEAD + "".join(parts) + "</main>\n</body>\n</html>\n"


def _blocks(text: str) -> list[str]:
    """Split a text at blank lines, but not inside of code."""
    return re.findall(r"(?:```.*?^```|(?:(?!```)[^\n]+\n?)+)", text, re.DOTALL | re.MULTILINE)


def _block(block: str, section: str) -> str:
    """Write a block of Markdown as HTML; tables are called after the section that they stand in."""
    lines = block.strip("\n").split("\n")
    first = lines[0]
    if first.startswith("```"):
        return f'<pre tabindex="0">{escape(chr(10).join(lines[1:-1]))}</pre>\n'
    if first.startswith("!["):
        return ""
    if title := re.match(r"(#+) (.*)", first):
        level, name = len(title[1]), title[2]
        anchor = name.lower().replace(" ", "-")
        return f'<h{level} id="{anchor}">{_inline(name)}</h{level}>\n'
    if first.startswith("|"):
        return _table(lines, section)
    if re.match(r"- |\d+\. ", first):
        tag = "ul" if first.startswith("- ") else "ol"
        items = re.split(r"^(?:- |\d+\. )", block, flags=re.MULTILINE)[1:]
        return f"<{tag}>\n" + "".join(f"<li>{_inline(item)}</li>\n" for item in items) + f"</{tag}>\n"
    return f"<p>{_inline(block)}</p>\n"


def _table(lines: list[str], name: str) -> str:
    kept = [line.strip("|").split("|") for line in lines if not line.startswith("|---")]
    head, *body = [[_inline(cell.strip()) for cell in line] for line in kept]
    shown = "<tr>" + "".join(f'<th scope="col">{cell}</th>' if cell else "<td></td>" for cell in head) + "</tr>"
    cells = "".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>\n' for row in body
    )
    named = f"<thead>{shown}</thead>" if any(head) else ""
    table = f"<table>{named}<tbody>\n{cells}</tbody></table>"
    return f'<div class="scroll" role="region" aria-label="{name}" tabindex="0">{table}</div>\n'


def _inline(text: str) -> str:
    text = escape(" ".join(text.split()), quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)
    # A section of this page is led to; other pages and sites are only named.
    text = re.sub(r"\[([^\]]+)\]\((#[^)]+)\)", r'<a href="\2">\1</a>', text)
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)


if __name__ == "__main__":
    write_text(str(OUT), page())
