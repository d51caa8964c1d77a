"""A whole run: cells measured, the log kept, and page, figures and plots written from it.

The page of the paper's tables sets each cell beside the published one and says where they differ; that of any other
table has the measured part only. Plots need matplotlib; without it the page has none.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless.bench import paper_sections, results_page
from unless.bench.bench_tables import refuse_unknown
from unless.bench.contestants import CONTESTANTS
from unless.bench.machine import machine, versions
from unless.bench.paired_tests import paired_tests
from unless.bench.paper_agreement import agreements
from unless.bench.run_cells import logged_cells, run_cells
from unless.bench.run_log import RunLog
from unless.bench.search_times import time_searches
from unless.logic.text.files import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.bench.bench_tables import TableSource
    from unless.bench.measurements import Cell, RunSettings
    from unless.bench.paired_tests import PairedTest
    from unless.bench.paper_agreement import Agreement
    from unless.bench.run_cells import OnCell
    from unless.bench.search_times import Timing

PICTURES = {
    "accuracy": "Accuracy against XGBoost, a point a table; above the line is better than XGBoost",
    "time": "Seconds to fit against rows",
    "size": "Literals to read against rows",
}


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked: tables, learners (all if none is named), settings, where to write, and how it was asked.

    `again` names learners whose logged cells of these tables are dropped first; with `from_log` nothing is measured.
    """

    is_paper: bool
    sources: Sequence[TableSource]
    learners: Sequence[str]
    settings: RunSettings
    output: str
    command: str
    again: Sequence[str] = ()
    from_log: bool = False


@dataclass(frozen=True, slots=True)
class RunFigures:
    """What a run found."""

    cells: Sequence[Cell]
    agreed: Sequence[Agreement]
    tests: Sequence[PairedTest]
    timings: Sequence[Timing]


def measure(order: Order, on_cell: OnCell) -> dict[str, Any]:
    """Run the cells, write log, page, figures and plots; return the figures."""
    refuse_unknown("learner", (*order.learners, *order.again), list(CONTESTANTS))
    learners = list(order.learners) or list(CONTESTANTS)
    log = RunLog(Path(f"{order.output}.jsonl"), order.settings)
    if order.again:
        log.forget([source.name for source in order.sources], order.again)
    cells = (logged_cells if order.from_log else partial(run_cells, on_cell=on_cell))(order.sources, learners, log)
    found = RunFigures(cells, agreements(cells), paired_tests(cells), time_searches() if order.is_paper else [])
    result = _figures(order, found)
    write_text(f"{order.output}.json", json.dumps(result, indent=1) + "\n")
    has_plots = find_spec("matplotlib") is not None
    if has_plots:
        _write_plots(Path(order.output), found, order.settings.folds)
    write_text(f"{order.output}.md", _page(order, found, has_plots=has_plots))
    return result


def _figures(order: Order, found: RunFigures) -> dict[str, Any]:
    agreed = [{"data": a.cell.data, "agrees": a.agrees, "reasons": list(a.reasons)} for a in found.agreed]
    return {
        "command": order.command,
        "settings": asdict(order.settings),
        "machine": machine(),
        "versions": versions(),
        "cells": [cell.summary() for cell in found.cells],
        "agreement": agreed if order.is_paper else [],
        "tests": [asdict(test) for test in found.tests],
        "search": [asdict(timing) for timing in found.timings],
    }


def _page(order: Order, found: RunFigures, *, has_plots: bool) -> str:
    folder, settings, cells = Path(order.output).name, order.settings, found.cells
    parts = [results_page.overview(cells, settings)]
    if found.tests:
        parts.append(results_page.tested(found.tests))
    if has_plots:
        parts.append(results_page.pictures(folder, PICTURES))
    if order.is_paper:
        parts = [
            paper_sections.agreement(found.agreed),
            paper_sections.beside_paper(cells, settings),
            paper_sections.foldr_readings(cells, settings),
            *parts,
            paper_sections.doubts(cells),
            paper_sections.one_hot(cells),
            paper_sections.search(found.timings, folder),
        ]
    parts.append(results_page.incomplete(cells, settings))
    return results_page.page(order.command, settings, {"machine": machine(), "versions": versions()}, parts)


def _write_plots(folder: Path, found: RunFigures, n_folds: int) -> None:
    from unless.bench import plots

    cells = [cell for cell in found.cells if cell.is_full]

    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "accuracy.svg", plots.accuracy_plot(cells))
    write_text(folder / "time.svg", plots.time_plot(cells, n_folds))
    write_text(folder / "size.svg", plots.size_plot(cells, n_folds))
    if found.timings:
        write_text(folder / "search.svg", plots.search_plot(found.timings))
