"""`unless diff`: whether two programs decide all possible rows alike, and where they do not."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer

from unless.cli.arguments import (
    AsJson,
    LabelColumn,
    LanguageName,
    OptionalData,
    Page,
    answer,
    language_named,
    read_data,
    screen_width,
)
from unless.cli.compare import NewModel, OldModel
from unless.cli.read_rows import labelled_rows

EXIT_CODES = {"no": 0, "yes": 1, "not decided": 2}
"""Equal, different, not decided."""
Seconds = Annotated[float, typer.Option(min=0.1, metavar="S", help="Seconds after which a question is not decided.")]


def diff(
    old: OldModel,
    new: NewModel,
    data: OptionalData = None,
    target: LabelColumn = None,
    regions: Annotated[int, typer.Option(min=1, metavar="N", help="Show at most so many regions.")] = 10,
    seconds: Seconds = 8.0,
    language: LanguageName = None,
    html: Page = None,
    as_json: AsJson = False,
) -> None:
    """Prove two programs equal on all possible rows (exit 0), or show where they differ (1); 2 is not decided."""
    from unless.explain.faces.difference_report import DifferenceReport
    from unless.logic.reason.difference import difference
    from unless.logic.renamed_columns import called_like
    from unless.logic.text.files import load

    lang = language_named(language)
    start = perf_counter()
    after = load(new)
    before = called_like(load(old), after)
    seconds = max(seconds - (perf_counter() - start), seconds / 10)  # reading a very long program counts
    n_rows = None
    if data is None:
        found = difference(before, after, most=regions, seconds=seconds)
    else:
        from unless.evaluate.difference_counts import difference_on

        table = labelled_rows(before, read_data(data)[0], target)
        found = difference_on(before, after, table, target, most=regions, seconds=seconds)
        n_rows = table.n_rows
    report = DifferenceReport(before, after, found, n_rows)
    answer(
        html,
        page=lambda: report.html(lang=lang),
        data=lambda: report.data(lang=lang),
        text=lambda: report.text(lang=lang, width=screen_width()),
        as_json=as_json,
    )
    raise typer.Exit(EXIT_CODES[found.verdict])
