"""Pictures of a run as SVG: accuracy against XGBoost, time against rows, size of rule sets, one literal search.

In: cells and timings. Out: SVG text, the same for the same figures: no date, no random ids. Colours go by learner and
differ by shape too.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from unless.bench.contestants import CONTESTANTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unless.bench.measurements import Cell
    from unless.bench.search_times import Timing

BASELINE = "xgboost"
STYLE = {
    "fold-r": ("#b07aa1", "v"), "fold-r++": ("#1f5fa8", "o"), "unless": ("#17a398", "p"), "authors": ("#76b7b2", "P"),
    "ripper": ("#e1812c", "s"), "tree": ("#59a14f", "^"), "xgboost-onehot": ("#9c755f", "X"),
    "xgboost": ("#c03d3e", "D"), "lightgbm": ("#79706e", "h"),
}  # fmt: skip
OTHER_STYLE = ("#000000", "*")


def accuracy_plot(cells: Sequence[Cell]) -> str:
    """Draw each rule learner's accuracy against that of XGBoost, a point a table."""
    figure, axes = _axes("accuracy of XGBoost, native categories", "accuracy of the learner")
    base = {cell.data: cell.mean("accuracy") for cell in cells if cell.learner == BASELINE}
    shown: list[float] = []
    for learner in _learners(cells, without=(BASELINE, "lightgbm")):
        pairs = [(base[c.data], c.mean("accuracy")) for c in cells if c.learner == learner and base.get(c.data)]
        points = [(x, y) for x, y in pairs if x is not None and y is not None]
        shown += [value for point in points for value in point]
        _scatter(axes, learner, points)
    low = min(shown, default=0.5) - 0.02
    axes.plot([low, 1], [low, 1], color="#999999", linewidth=1, zorder=0)
    axes.set_xlim(low, 1.01)
    axes.set_ylim(low, 1.01)
    return _svg(figure, axes)


def time_plot(cells: Sequence[Cell], n_folds: int) -> str:
    """Draw the time to fit against rows, both on log axes."""
    figure, axes = _axes("rows learned from", "seconds to fit (one thread)")
    for learner in _learners(cells):
        points = [(_rows(c, n_folds), c.seconds) for c in cells if c.learner == learner and c.seconds is not None]
        _scatter(axes, learner, points)
    axes.set_xscale("log")
    axes.set_yscale("log")
    return _svg(figure, axes)


def size_plot(cells: Sequence[Cell], n_folds: int) -> str:
    """Draw the literals of what is to be read against rows, both on log axes."""
    figure, axes = _axes("rows learned from", "literals in the rules (tests above the leaves)")
    for learner in _learners(cells):
        points = [(_rows(c, n_folds), c.literals) for c in cells if c.learner == learner and c.literals]
        if points:
            _scatter(axes, learner, points)
    axes.set_xscale("log")
    axes.set_yscale("log")
    return _svg(figure, axes)


def search_plot(timings: Sequence[Timing]) -> str:
    """Draw the time of one literal search against rows, and against values."""
    from unless.bench.search_times import FIXED_ROWS, FIXED_VALUES, ROWS

    figure, (left, right) = _figure(2)
    by_rows = [timing for timing in timings if timing.rows in ROWS][: len(ROWS)]
    by_values = sorted((t for t in timings if t.rows == FIXED_ROWS), key=lambda t: t.values)
    for axes, chosen, key, words in (
        (left, by_rows, "rows", f"rows M (up to {FIXED_VALUES:,} values)"),
        (right, by_values, "values", f"distinct values N ({FIXED_ROWS:,} rows)"),
    ):
        sizes = [getattr(timing, key) for timing in chosen]
        axes.plot(sizes, [t.anew for t in chosen], "v-", color=STYLE["fold-r"][0], label="each value anew, O(M·N)")
        axes.plot(sizes, [t.counted for t in chosen], "o-", color=STYLE["fold-r++"][0], label="counted, O(M)")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(words)
    left.set_ylabel("seconds for one search")
    return _svg(figure, left)


def _learners(cells: Iterable[Cell], without: Sequence[str] = ()) -> list[str]:
    present = {cell.learner for cell in cells if cell.folds}
    return [name for name in CONTESTANTS if name in present and name not in without]


def _rows(cell: Cell, n_folds: int) -> int:
    """Count the rows that a fold learns from: all but those it is tested on."""
    return round(sum(fold.scores.n_rows for fold in cell.folds) / len(cell.folds) * (n_folds - 1))


def _scatter(axes: Any, learner: str, points: Sequence[tuple[Any, Any]]) -> None:
    colour, mark = STYLE.get(learner, OTHER_STYLE)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    axes.scatter(xs, ys, c=colour, marker=mark, s=30, alpha=0.85, linewidths=0, label=CONTESTANTS[learner].title)


def _axes(x: str, y: str) -> tuple[Any, Any]:
    figure, axes = _figure(1)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return figure, axes


def _figure(n: int) -> tuple[Any, Any]:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams.update({"svg.hashsalt": "unless", "svg.fonttype": "none", "font.size": 10})
    figure = Figure(figsize=(7.2 if n == 1 else 9.6, 4.6), layout="constrained")
    axes = figure.subplots(1, n)
    for one in [axes] if n == 1 else axes:
        one.grid(visible=True, color="#e6e6e6", linewidth=0.6)
        one.set_axisbelow(True)
        one.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Any, axes: Any) -> str:
    axes.legend(fontsize=8, frameon=False)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    lines = text.getvalue().splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"
