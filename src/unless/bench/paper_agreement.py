"""Whether FOLD-R++ here agrees with the paper, table by table, and what is known where it does not.

A table agrees when accuracy and F1 are within `CLOSE` of a published row (the paper prints FOLD-R++ three times, and
not always with the same figures). Where they are not, it is said what the published figures imply, how far the shuffles
spread, what the authors' own package does on the same folds, and what the other reading of the table gives. In: cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unless.bench.bench_tables import OTHER_READINGS
from unless.bench.measurements import positives
from unless.bench.published import accuracy_range, printed_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from unless.bench.measurements import Cell, Figure
    from unless.bench.published import Printed

CLOSE = 0.02
OURS = "fold-r++"
BOTH: tuple[Figure, ...] = ("accuracy", "f1")


@dataclass(frozen=True, slots=True)
class Agreement:
    """One table: our cell, what the paper prints, the nearest of that, whether they agree, what else is known."""

    cell: Cell
    rows: tuple[Printed, ...]
    nearest: Printed
    agrees: bool
    reasons: tuple[str, ...]


def agreements(cells: Sequence[Cell]) -> list[Agreement]:
    """Compare every table that has figures here and in the paper."""
    by_name = {(cell.data, cell.learner): cell for cell in cells if cell.is_full}
    found = []
    for cell in by_name.values():
        rows = printed_for(cell.data, OURS)
        if cell.learner == OURS and rows:
            nearest = min(rows, key=lambda row: distance(cell, row))
            agrees = distance(cell, nearest) <= CLOSE
            reasons = () if agrees else tuple(_reasons(cell, nearest, by_name))
            found.append(Agreement(cell, rows, nearest, agrees, reasons))
    return found


def distance(cell: Cell, row: Printed) -> float:
    """Return the larger of the differences in accuracy and F1, to the printed precision."""
    return max(abs(round(cell.mean(figure) or 0.0, 3) - (row.value(figure) or 0.0)) for figure in BOTH) - 1e-9


def _reasons(cell: Cell, row: Printed, cells: Mapping[tuple[str, str], Cell]) -> Iterator[str]:
    yield from _about_label(cell, row)
    for figure in BOTH:
        yield from _about_shuffles(cell, row, figure)
    yield from _about_authors(cells.get((cell.data, "authors")), row)
    yield from _about_reading(cells.get((OTHER_READINGS.get(cell.data, ""), OURS)))


def _about_label(cell: Cell, row: Printed) -> Iterator[str]:
    share = positives(cell)
    ours, other = accuracy_range(row, share), accuracy_range(row, 1 - share)
    accuracy = row.value("accuracy")
    if accuracy is not None and ours and not ours[0] <= accuracy <= ours[1]:
        yield (
            f"the paper's precision and recall would give an accuracy of {ours[0]:.3f} to {ours[1]:.3f} if the "
            f"{share:.0%} of rows that are positive here were its positives, and it prints {accuracy:.2f}"
        )
        if other and other[0] <= accuracy <= other[1]:
            yield "with the other label as positive they fit"


def _about_shuffles(cell: Cell, row: Printed, figure: Figure) -> Iterator[str]:
    means, value = cell.means(figure), row.value(figure)
    if value is None or len(means) < 2 or abs((cell.mean(figure) or 0.0) - value) <= CLOSE:
        return
    word = {"accuracy": "accuracy", "f1": "F1"}[figure]
    near = min(abs(mean - value) for mean in means) <= CLOSE
    verdict = "some agree: the shuffle decides" if near else f"none comes within {CLOSE}"
    yield f"over {len(means)} shuffles {word} is {min(means):.3f} to {max(means):.3f}; {verdict}"


def _about_authors(authors: Cell | None, row: Printed) -> Iterator[str]:
    if authors is None:
        return
    accuracy, f1 = authors.mean("accuracy"), authors.mean("f1")
    where = "does not reach the printed figures either" if distance(authors, row) > CLOSE else "reaches them"
    yield f"the authors' package on the same folds has accuracy {accuracy:.3f} and F1 {f1:.3f}: it {where}"


def _about_reading(other: Cell | None) -> Iterator[str]:
    if other is None:
        return
    nearest = min(distance(other, row) for row in printed_for(other.data, OURS))
    verdict = "agrees" if nearest <= CLOSE else "does not agree either"
    yield (
        f"read with the other label as positive and its words as numbers ({other.data}), FOLD-R++ has accuracy "
        f"{other.mean('accuracy'):.3f} and F1 {other.mean('f1'):.3f}, which {verdict}"
    )
