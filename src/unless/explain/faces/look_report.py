"""A first look at a table as text for a terminal, 80 characters wide, and as a fragment of HTML for a notebook."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from unless.explain.faces.markup import Markup, element
from unless.explain.words.language import language
from unless.logic.readings import read_text, say_number, shortened
from unless.logic.rules import Column
from unless.table.identifiers import option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.explain.words.language import Language
    from unless.table.identifiers import ColumnFinding
    from unless.table.look import ColumnLook, TableLook

WIDTH = 80
BLOCKS = "▁▂▃▄▅▆▇█"
NAME, SHOWN, LABELS = 24, 34, 8
PERCENT = "%"
SMALL = 0.1
"""Where all shares are below this, they are said with a digit more: of a rare label all would be 1 %."""
BAR, HEIGHT = 7, 24
PERHAPS_MISSING = "perhaps_missing"
"""What is found in many columns of one table, and said once below them."""


def look_text(look: TableLook, *, lang: str = "en") -> str:
    """Write a look at a table as text."""
    words = language(lang)
    lines = [*_head(look, words), ""]
    for column in look.columns:
        lines += _column(look, column, words)
    lines += _perhaps_missing(look, words)
    odd = sum(bool(column.findings) for column in look.columns) + bool(look.label_findings)
    columns = words.count("columns", odd)
    fine = "odd_rows" if look.n_repeated else "fine"
    verdict = "odd" if odd else fine if look.n_rows else "no_rows"
    lines += ["", *textwrap.wrap(words.say("look", verdict, columns=columns), WIDTH)]
    return "\n".join(line.rstrip() for line in lines)


def _head(look: TableLook, words: Language) -> Iterator[str]:
    size = {"rows": words.count("rows", look.n_rows), "columns": words.count("columns", len(look.columns))}
    yield words.say("look", "columns_beside" if look.target else "columns", target=look.target, **size)
    if look.n_repeated:
        yield from _marked(words.say("look", "repeated", rows=words.count("rows", look.n_repeated)), "")
    if look.target is None:
        yield from textwrap.wrap(words.say("look", "bars_of_rows"), WIDTH)
        return
    labels = ", ".join(
        words.say("look", "label", label=words.quoted(label), n=words.whole(n)) for label, n in look.labels[:LABELS]
    )
    if len(look.labels) > LABELS:
        labels = words.say(
            "look", "more_labels", labels=labels, more=words.count("more_labels", len(look.labels) - LABELS)
        )
    yield from textwrap.wrap(words.say("look", "labels", target=look.target, labels=labels), WIDTH)
    for finding in look.label_findings:
        yield from _finding(finding, words)
    if look.label is not None:
        yield from textwrap.wrap(words.say("look", "bars", label=words.quoted(look.label)), WIDTH)


def _column(look: TableLook, column: ColumnLook, words: Language) -> Iterator[str]:
    content = words.say("look.content", column.content)
    if column.reading:
        content = words.say("look", "written", content=content, reading=column.reading)
    counts = words.say("look", "distinct", n=words.whole(column.n_distinct))
    if column.n_missing:
        counts = words.say("look", "missing", distinct=counts, n=words.whole(column.n_missing))
    n_perhaps = sum(n for found in _of_missing(column) for n in found.gaps["words"].values())
    if n_perhaps:
        counts = words.say("look", "perhaps_missing", distinct=counts, n=words.whole(n_perhaps))
    yield from _joined(f"{_cut(column.name, NAME):{NAME}} {content}", counts)
    if column.bars:
        picture = f"  {blocks(column.bars):14} {_range(look, column, words):12} "
        yield picture + _cut(_values(column, words), WIDTH - len(picture))
    for finding in column.findings:
        if finding.phrase != PERHAPS_MISSING:
            yield from _finding(finding, words)


def _of_missing(column: ColumnLook) -> list[ColumnFinding]:
    return [finding for finding in column.findings if finding.phrase == PERHAPS_MISSING]


def _perhaps_missing(look: TableLook, words: Language) -> Iterator[str]:
    """Say once for all columns which words perhaps mean missing, and what to type."""
    cells: Counter[str] = Counter()
    for column in look.columns:
        for finding in _of_missing(column):
            cells.update(finding.gaps["words"])
    if cells:
        said = [
            words.say("look", "word_in_cells", word=words.quoted(word), cells=words.count("cells", n))
            for word, n in cells.most_common()
        ]
        fix = option("missing", ",".join(sorted(cells)), lists=True)
        yield ""
        yield from (
            line[2:] for line in _marked(words.say("look.finding", PERHAPS_MISSING, words=", ".join(said)), fix)
        )


def _joined(first: str, second: str) -> Iterator[str]:
    """Write two texts on one line, the second at its end, or on two where they are too long."""
    if len(first) + len(second) + 2 <= WIDTH:
        yield first + second.rjust(WIDTH - len(first))
    else:
        yield first if len(first) <= WIDTH else first[: WIDTH - 1] + "…"
        yield second.rjust(WIDTH)


def blocks(bars: tuple[float, ...]) -> str:
    """Draw bars as block characters, the highest as high as a line.

    >>> blocks((0.0, 0.25, 0.5))
    '▁▅█'
    """
    top = max(bars, default=0.0) or 1.0
    return "".join(BLOCKS[min(int(bar / top * len(BLOCKS)), len(BLOCKS) - 1)] for bar in bars)


def _range(look: TableLook, column: ColumnLook, words: Language) -> str:
    """Say how far the shares of the label reach."""
    if look.target is None:
        return ""
    digits = 0 if max(column.bars) >= SMALL else 1
    low, high = (words.decimal(100 * bar, digits) + PERCENT for bar in (min(column.bars), max(column.bars)))
    return words.say("look", "range", low=low, high=high)


def _values(column: ColumnLook, words: Language) -> str:
    if column.content in ("words", "nothing"):
        return ", ".join(column.values)
    described = Column(column.name, "numerical", reading=column.reading)
    ends = [number for text in column.values if (number := read_text(column.reading, text)) is not None]
    said = [say_number(described, shortened(described, number, ends)) for number in ends]
    return words.say("look", "range", low=said[0], high=said[1]) if len(said) == 2 else ", ".join(said)


def finding_text(finding: ColumnFinding, words: Language) -> str:
    """Say what is odd about a column."""
    gaps = dict(finding.gaps)
    match finding.phrase:
        case "alone" | "alone_by_value" | "alone_rare" | "alone_by_value_rare" | "same_value":
            gaps = {name: words.percent(share) for name, share in gaps.items()}
        case "nearly_numbers" | "nearly_dates" | "nearly_times" | "nearly_without":
            gaps["n"], gaps["cells"] = words.whole(gaps["n"]), words.count("cells", gaps["cells"])
            gaps.update({name: words.quoted(gaps[name]) for name in ("word", "unit") if name in gaps})
        case "without_unit":
            gaps = {"cells": words.count("cells", gaps["cells"]), "unit": words.quoted(gaps["unit"])}
        case "blanks":
            gaps["cells"] = words.count("cells", gaps["cells"])
        case "also":
            gaps["formats"] = words.listed(gaps["formats"], "list_or")
        case phrase if phrase == PERHAPS_MISSING:
            gaps["words"] = ", ".join(
                words.say("look.finding", "word_in_rows", word=words.quoted(word), rows=words.count("rows", n))
                for word, n in gaps["words"].items()
            )
        case "near_numbers" | "near_dates" | "units" | "grades" | "nearly_digits":
            shown = ", ".join(map(words.quoted, gaps["words"]))
            gaps = {"words": shown, "rows": words.count("rows", gaps["rows"])}
        case "own_name" | "no_label" | "mostly_blank":
            gaps["rows"] = words.count("rows", gaps["rows"])
        case "look_alike" | "same_answer":
            gaps["groups"] = "; ".join(words.listed([*map(words.quoted, group)]) for group in gaps["groups"])
    is_cut = finding.phrase == "look_alike" and gaps["more"]
    return words.say("look.finding", "look_alike_more" if is_cut else finding.phrase, **gaps)


def _finding(finding: ColumnFinding, words: Language) -> Iterator[str]:
    yield from _marked(finding_text(finding, words), finding.fix)


def _marked(said: str, fix: str) -> Iterator[str]:
    """Write what is odd after a mark, and what to type."""
    fix = f" {fix}" if fix else ""
    lines = textwrap.wrap(said + ("." if not fix else ":"), WIDTH - 4, break_on_hyphens=False)
    if fix and len(lines[-1]) + len(fix) <= WIDTH - 4:
        lines[-1] += fix
    elif fix:
        lines.append(fix.strip())
    yield f"  ! {lines[0]}"
    yield from (f"    {line}" for line in lines[1:])


def _cut(text: str, width: int) -> str:
    """Write a text on one line, which ends where there is no more room."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def look_html(look: TableLook, *, lang: str = "en") -> Markup:
    """Write a look at a table as a fragment of HTML."""
    words = language(lang)
    names = ("column", "holds", "as", "n_distinct", "n_missing", "rows", "values", "is_odd")
    head = [look.label if name == "rows" and look.label else words.say("look", name) for name in names]
    rows = [element("tr", *(element("td", cell) for cell in _html_cells(column, words))) for column in look.columns]
    return element(
        "table",
        element("caption", "; ".join(_head(look, words))),
        element("thead", element("tr", *(element("th", name) for name in head))),
        element("tbody", *rows),
        class_="unless-look",
    )


def _html_cells(column: ColumnLook, words: Language) -> tuple[object, ...]:
    odd = [element("div", finding_text(found, words), " ", element("code", found.fix)) for found in column.findings]
    return (
        column.name,
        words.say("look.content", column.content),
        column.reading,
        words.whole(column.n_distinct),
        words.whole(column.n_missing),
        bars_svg(column.bars, words.say("look", "picture")),
        _cut(_values(column, words), SHOWN),
        element("div", *odd),
    )


def bars_svg(bars: tuple[float, ...], name: str) -> Markup:
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
    return element("svg", *drawn, width=max(len(bars), 1) * BAR, height=HEIGHT, role="img", aria_label=name)
