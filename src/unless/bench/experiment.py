"""A whole run: cells measured, the log kept, and page, figures and plots written from it.

The page of the paper's tables sets each cell beside the published one and says where they differ; that of any other
table has the measured part only. Plots need matplotlib; without it the page has none.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless.bench import results_page
from unless.bench.bench_tables import refuse_unknown
from unless.bench.contestants import CONTESTANTS
from unless.bench.machine import machine, versions
from unless.bench.measurements import RunLog
from unless.bench.paper_agreement import Agreement, agreements, positives
from unless.bench.run_cells import run_cells
from unless.bench.search_times import time_searches
from unless.logic.text.files import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.bench.bench_tables import TableSource
    from unless.bench.measurements import Cell, RunSettings
    from unless.bench.run_cells import OnCell
    from unless.bench.search_times import Timing

PICTURES = {
    "accuracy": "Accuracy against XGBoost, a point a table; above the line is better than XGBoost",
    "time": "Seconds to fit against rows",
    "size": "Literals to read against rows",
}


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked: tables, learners (all if none is named), settings, where to write, and how it was asked."""

    is_paper: bool
    sources: Sequence[TableSource]
    learners: Sequence[str]
    settings: RunSettings
    output: str
    command: str


def measure(order: Order, on_cell: OnCell) -> dict[str, Any]:
    """Run the cells, write log, page, figures and plots; return the figures."""
    refuse_unknown("learner", order.learners, list(CONTESTANTS))
    learners = list(order.learners) or list(CONTESTANTS)
    log = RunLog(Path(f"{order.output}.jsonl"), order.settings)
    cells = run_cells(order.sources, learners, log, on_cell)
    agreed = agreements(order.sources, log, on_cell) if order.is_paper else []
    timings = time_searches() if order.is_paper else []
    result = _figures(order, cells, agreed, timings)
    write_text(f"{order.output}.json", json.dumps(result, indent=1) + "\n")
    has_plots = find_spec("matplotlib") is not None
    if has_plots:
        _write_plots(Path(order.output), cells, timings, order.settings.folds)
    write_text(f"{order.output}.md", _page(order, cells, agreed, timings, has_plots=has_plots))
    return result


def _figures(
    order: Order, cells: Sequence[Cell], agreed: Sequence[Agreement], timings: Sequence[Timing]
) -> dict[str, Any]:
    return {
        "command": order.command,
        "settings": asdict(order.settings),
        "machine": machine(),
        "versions": versions(),
        "cells": [cell.summary() for cell in cells],
        "agreement": [{"data": a.cell.data, "agrees": a.agrees, "reasons": list(a.reasons)} for a in agreed],
        "search": [asdict(timing) for timing in timings],
    }


def _page(
    order: Order, cells: Sequence[Cell], agreed: Sequence[Agreement], timings: Sequence[Timing], *, has_plots: bool
) -> str:
    folder, settings = Path(order.output).name, order.settings
    parts = [results_page.overview(cells, settings)]
    if has_plots:
        parts.append(results_page.pictures(folder, PICTURES))
    if order.is_paper:
        shares = {cell.data: positives(cell) for cell in cells if cell.folds}
        parts = [
            results_page.agreement(agreed),
            results_page.beside_paper(cells, settings),
            *parts,
            results_page.doubts(shares),
            results_page.one_hot(cells),
            results_page.search(timings, folder),
        ]
    parts.append(results_page.unfinished(cells, settings))
    return results_page.page(order.command, settings, {"machine": machine(), "versions": versions()}, parts)


def _write_plots(folder: Path, cells: Sequence[Cell], timings: Sequence[Timing], n_folds: int) -> None:
    from unless.bench import plots

    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "accuracy.svg", plots.accuracy_plot(cells))
    write_text(folder / "time.svg", plots.time_plot(cells, n_folds))
    write_text(folder / "size.svg", plots.size_plot(cells, n_folds))
    if timings:
        write_text(folder / "search.svg", plots.search_plot(timings))
