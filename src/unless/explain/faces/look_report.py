"""A first look at a table as text for a terminal, 80 characters wide, and as a fragment of HTML for a notebook."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from unless.explain.faces.markup import Markup, element

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.table.identifiers import ColumnFinding
    from unless.table.look import ColumnLook, TableLook

WIDTH = 80
BLOCKS = "▁▂▃▄▅▆▇█"
NAME, CONTENT, SHOWN = 24, 18, 34
BAR, HEIGHT = 7, 24


def look_text(look: TableLook) -> str:
    """Write a look at a table as text."""
    lines = [*_head(look), ""]
    for column in look.columns:
        lines += _column(look, column)
    odd = sum(bool(column.findings) for column in look.columns)
    lines += ["", _verdict(odd)]
    return "\n".join(line.rstrip() for line in lines)


def _head(look: TableLook) -> Iterator[str]:
    yield f"{look.n_rows:,} rows, {len(look.columns)} columns" + (f" beside {look.target}" if look.target else "")
    if look.target is not None:
        counts = ", ".join(f"{label!r} {n:,}" for label, n in look.labels[:8])
        more = f" and {len(look.labels) - 8} more labels" if len(look.labels) > 8 else ""
        yield from textwrap.wrap(f"{look.target}: {counts}{more}", WIDTH)
        yield from textwrap.wrap(f"Bars: the share of {look.label!r}, from low to high, or from common to rare.", WIDTH)
    else:
        yield "Bars: rows, from low to high, or from common to rare. With --target: labels."


def _column(look: TableLook, column: ColumnLook) -> Iterator[str]:
    written = f", as {column.reading}" if column.reading else ""
    missing = f", {column.n_missing:,} missing" if column.n_missing else ""
    first = f"{_cut(column.name, NAME):{NAME}} {column.content}{written}"
    yield from _joined(first, f"{column.n_distinct:,} distinct{missing}")
    if column.bars:
        picture = f"  {blocks(column.bars):14} {_range(look, column):12} "
        yield picture + _cut(_values(column), WIDTH - len(picture))
    for finding in column.findings:
        yield from _finding(finding)


def _joined(first: str, second: str) -> Iterator[str]:
    """Write two texts on one line, the second at its end, or on two where they are too long."""
    if len(first) + len(second) + 2 <= WIDTH:
        yield first + second.rjust(WIDTH - len(first))
    else:
        yield _cut(first, WIDTH)
        yield second.rjust(WIDTH)


def blocks(bars: tuple[float, ...]) -> str:
    """Draw bars as block characters, the highest as high as a line.

    >>> blocks((0.0, 0.25, 0.5))
    '▁▅█'
    """
    top = max(bars, default=0.0) or 1.0
    return "".join(BLOCKS[min(int(bar / top * len(BLOCKS)), len(BLOCKS) - 1)] for bar in bars)


def _range(look: TableLook, column: ColumnLook) -> str:
    """Say how far the shares of the label reach."""
    return f"{min(column.bars):.0%} to {max(column.bars):.0%}" if look.target is not None else ""


def _values(column: ColumnLook) -> str:
    if column.content in ("words", "nothing"):
        return ", ".join(column.values)
    return " to ".join(column.values)


def _finding(finding: ColumnFinding) -> Iterator[str]:
    fix = f" {finding.fix}" if finding.fix else ""
    lines = textwrap.wrap(finding.evidence + ("." if not fix else ":"), WIDTH - 4, break_on_hyphens=False)
    if fix and len(lines[-1]) + len(fix) <= WIDTH - 4:
        lines[-1] += fix
    elif fix:
        lines.append(fix.strip())
    yield f"  ! {lines[0]}"
    yield from (f"    {line}" for line in lines[1:])


def _verdict(odd: int) -> str:
    if not odd:
        return "Nothing is odd."
    return f"! marks what is odd in {odd} column{'s' * (odd != 1)}, with what to type where something helps."


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def look_html(look: TableLook) -> Markup:
    """Write a look at a table as a fragment of HTML."""
    head = ("column", "holds", "written", "distinct", "missing", look.label or "rows", "values", "odd")
    rows = [element("tr", *(element("td", cell) for cell in _html_cells(look, column))) for column in look.columns]
    return element(
        "table",
        element("caption", "; ".join(_head(look))),
        element("thead", element("tr", *(element("th", name) for name in head))),
        element("tbody", *rows),
        class_="unless-look",
    )


def _html_cells(look: TableLook, column: ColumnLook) -> tuple[object, ...]:
    odd = [element("div", finding.evidence, " ", element("code", finding.fix)) for finding in column.findings]
    return (
        column.name, column.content, column.reading, f"{column.n_distinct:,}", f"{column.n_missing:,}",
        bars_svg(column.bars), _cut(_values(column), SHOWN), element("div", *odd),
    )  # fmt: skip


def bars_svg(bars: tuple[float, ...]) -> Markup:
    """Draw bars as a small picture, the highest as high as the picture."""
    top = max(bars, default=0.0) or 1.0
    drawn = [
        element(
            "rect",
            element("title", f"{bar:.0%}"),
            x=i * BAR,
            y=round(HEIGHT - 1 - (HEIGHT - 1) * bar / top, 1),
            width=BAR - 1,
            height=round(1 + (HEIGHT - 1) * bar / top, 1),
            fill="currentColor",
        )
        for i, bar in enumerate(bars)
    ]
    return element("svg", *drawn, width=max(len(bars), 1) * BAR, height=HEIGHT, role="img", aria_label="picture")
