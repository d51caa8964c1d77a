"""The figures of a program on some rows, rule by rule, as a table of short texts and as a fragment of HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.explain.faces.markup import Markup, element

if TYPE_CHECKING:
    from unless.evaluate.figures import Coverage, Figures


def coverage_cells(coverage: Coverage) -> list[tuple[str, ...]]:
    """Return the table as short texts, for people; the first tuple is the head."""
    names = ("", "rule", "rows", "right", "wrong", "precision", "lift", "share", "alone", "example rows")
    return [names, *(_cells(line) for line in coverage.lines)]


def coverage_html(coverage: Coverage) -> Markup:
    """Write the table as a fragment of HTML."""
    head, *lines = coverage_cells(coverage)
    body = [
        element("tr", *(element("td", cell, style=_align(i)) for i, cell in enumerate(cells)), class_=line.kind)
        for cells, line in zip(lines, coverage.lines, strict=True)
    ]
    return element(
        "table",
        element("caption", f"{coverage.target} on {coverage.n_rows:,} rows"),
        element("thead", element("tr", *(element("th", name, style=_align(i)) for i, name in enumerate(head)))),
        element("tbody", *body),
        class_="unless-coverage",
    )


def _cells(line: Figures) -> tuple[str, ...]:
    return (
        line.number,
        "\u2003" * line.depth + line.rule,
        f"{line.covered:,}",
        "" if line.right is None else f"{line.right:,}",
        "" if line.wrong is None else f"{line.wrong:,}",
        percent(line.precision),
        "" if line.lift is None else f"{line.lift:.2f}",
        percent(line.share),
        f"{line.alone:,}",
        ", ".join(map(str, line.examples)),
    )


def percent(share: float | None) -> str:
    """Write a share as a percentage, without claiming 100 % or 0 % that is not quite so.

    >>> percent(1.0), percent(0.9999), percent(0.1234)
    ('100 %', '99.9 %', '12.3 %')
    """
    if share is None:
        return ""
    if share in (0.0, 1.0):
        return f"{share:.0%}".replace("%", " %")
    return f"{min(99.9, max(0.1, round(share * 100, 1)))} %"


def _align(i: int) -> str:
    return f"text-align:{'right' if 2 <= i <= 8 else 'left'};vertical-align:top"
