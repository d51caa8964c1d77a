"""Whether FOLD-R++ here agrees with the paper, table by table, and what is known where it does not.

A table agrees when accuracy and F1 are within `CLOSE` of a published row (the paper prints FOLD-R++ more than once, and
not always with the same figures). Where they are not, three things are measured: the other label as the positive one,
other shuffles before the folds, and the authors' own package on the same folds. What is said is built from these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from unless.bench.published import accuracy_range, printed_for
from unless.bench.run_cells import logged, run_cell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from unless.bench.bench_tables import TableSource
    from unless.bench.measurements import Cell, Figure, RunLog
    from unless.bench.published import Printed
    from unless.bench.run_cells import OnCell

CLOSE = 0.02
OURS = "fold-r++"
OTHER = "fold-r++ other label"
SHUFFLES = 4
BOTH: tuple[Figure, ...] = ("accuracy", "f1")


@dataclass(frozen=True, slots=True)
class Agreement:
    """One table: our cell, the paper's nearest row, whether they agree, and what else is known."""

    cell: Cell
    nearest: Printed
    agrees: bool
    reasons: tuple[str, ...]


def agreements(sources: Sequence[TableSource], log: RunLog, on_cell: OnCell) -> list[Agreement]:
    """Compare every table that has figures here and in the paper."""
    found = []
    for source in sources:
        cell, rows = log.cells.get((source.name, OURS)), printed_for(source.name, OURS)
        if cell is not None and cell.folds and rows:
            nearest = min(rows, key=lambda row: _distance(cell, row))
            agrees = _distance(cell, nearest) <= CLOSE
            reasons = () if agrees else tuple(_reasons(source, cell, nearest, log, on_cell))
            found.append(Agreement(cell, nearest, agrees, reasons))
    return found


def positives(cell: Cell) -> float:
    """Return the share of positive rows."""
    n = sum(fold.scores.n_rows for fold in cell.folds)
    return sum(fold.tp + fold.fn for fold in cell.folds) / n


def _distance(cell: Cell, row: Printed) -> float:
    """Return the larger of the differences in accuracy and F1, to the printed precision."""
    return max(abs(round(cell.mean(figure) or 0.0, 3) - (row.value(figure) or 0.0)) for figure in BOTH) - 1e-9


def _reasons(source: TableSource, cell: Cell, row: Printed, log: RunLog, on_cell: OnCell) -> Iterator[str]:
    flipped = replace(source, is_other=not source.is_other)
    other = logged(log, OTHER, on_cell, partial(run_cell, flipped, OURS, log.settings), source.name)
    shuffled = [
        logged(log, f"{OURS} shuffle {k}", on_cell,
               partial(run_cell, source, OURS, replace(log.settings, seed=log.settings.seed + k)), source.name)
        for k in range(1, SHUFFLES + 1)
    ]  # fmt: skip
    yield from _about_label(cell, other, row)
    for figure in BOTH:
        yield from _about_shuffles([cell, *shuffled], row, figure)
    yield from _about_authors(cell, log.cells, row)


def _about_label(cell: Cell, other: Cell, row: Printed) -> Iterator[str]:
    share = positives(cell)
    ranges = {"ours": accuracy_range(row, share), "other": accuracy_range(row, 1 - share)}
    printed = row.value("accuracy")
    if printed is not None and ranges["ours"] and not ranges["ours"][0] <= printed <= ranges["ours"][1]:
        low, high = ranges["ours"]
        yield (
            f"the paper's precision and recall would give an accuracy of {low:.3f} to {high:.3f} if the "
            f"{share:.0%} of rows that are positive here were its positives, and it prints {printed:.2f}"
        )
        if ranges["other"] and ranges["other"][0] <= printed <= ranges["other"][1]:
            yield "with the other label as positive they fit"
    if _distance(other, row) <= CLOSE:
        yield (
            f"with the other label as positive FOLD-R++ has accuracy {other.mean('accuracy'):.3f} and "
            f"F1 {other.mean('f1'):.3f} here, which agrees: the paper's positive label is the other one"
        )


def _about_shuffles(cells: Sequence[Cell], row: Printed, figure: Figure) -> Iterator[str]:
    means = [mean for cell in cells if (mean := cell.mean(figure)) is not None]
    printed = row.value(figure)
    if printed is None or abs(means[0] - printed) <= CLOSE:
        return
    word = {"accuracy": "accuracy", "f1": "F1"}.get(figure, figure)
    near = min(abs(mean - printed) for mean in means) <= CLOSE
    verdict = "some agree: the shuffle decides" if near else f"none comes within {CLOSE}"
    yield f"over {len(means)} shuffles {word} is {min(means):.3f} to {max(means):.3f}; {verdict}"


def _about_authors(cell: Cell, cells: Mapping[tuple[str, str], Cell], row: Printed) -> Iterator[str]:
    authors = cells.get((cell.data, "authors"))
    if authors is None or not authors.folds:
        return
    accuracy, f1 = authors.mean("accuracy"), authors.mean("f1")
    where = "does not reach the printed figures either" if _distance(authors, row) > CLOSE else "reaches them"
    partly = "" if authors.status == "done" else f" ({len(authors.folds)} folds)"
    yield f"the authors' package on the same folds{partly} has accuracy {accuracy:.3f} and F1 {f1:.3f}: it {where}"
