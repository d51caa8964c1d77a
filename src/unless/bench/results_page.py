"""The page of a run in Markdown, from measured cells and published rows alone: no figure on it is typed by hand.

Each function yields the lines of one section; `experiment` says which there are. A cell that did not finish is marked
wherever it is shown, so that no mean over fewer folds passes for a full one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.bench.contestants import CONTESTANTS
from unless.bench.paper_agreement import CLOSE
from unless.bench.published import accuracy_range, printed, printed_for, repeated_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from unless.bench.measurements import Cell, RunSettings
    from unless.bench.paper_agreement import Agreement
    from unless.bench.published import Printed
    from unless.bench.search_times import Timing

PAIRS = {4: ("fold-r",), 5: ("ripper", "fold-r++"), 6: ("xgboost-onehot", "fold-r++")}
"""Which learners of which published table are shown; Table 4 has FOLD-R++ with the same figures as Table 5."""

FIGURE_NAMES = {"accuracy": "Acc.", "precision": "Prec.", "recall": "Rec.", "f1": "F1"}
METHOD = """\
Each cell is one learner on one table: {folds}-fold cross-validation, stratified, shuffled with seed {seed}; figures are
means over the folds, of the positive label. All learners see the same folds and run on one thread, with their defaults
(FOLD-R++: ratio 0.5). Time is that of `fit`, from a table of numbers and words in memory; encoding counts, predicting
does not. A cell has {limit:g} seconds for everything; one that needs more is marked with the folds it finished (k of
{folds}), and its figures are means over those. Rules are clauses, exceptions included, as the paper counts them."""


def page(
    command: str, settings: RunSettings, about: Mapping[str, Mapping[str, str]], parts: Iterable[Iterator[str]]
) -> str:
    """Write a page: what was run where, then the parts."""
    lines = ["# Results", "", "This page is written by a command; nothing in it is typed by hand.", ""]
    lines += ["```", command, "```", ""]
    for title, entries in about.items():
        lines.append(f"- {title}: " + ", ".join(f"{name} {value}" for name, value in entries.items()))
    lines += ["", METHOD.format(folds=settings.folds, seed=settings.seed, limit=settings.limit), ""]
    for part in parts:
        lines += [*part, ""]
    return "\n".join(lines).rstrip() + "\n"


def pictures(folder: str, names: Mapping[str, str]) -> Iterator[str]:
    """Show the plots."""
    yield "## Pictures"
    for name, words in names.items():
        yield from ("", f"![{words}]({folder}/{name}.svg)", "", f"*{words}*")


def overview(cells: Sequence[Cell], settings: RunSettings) -> Iterator[str]:
    """Write a table per figure: tables down, learners across."""
    yield "## All learners"
    views: dict[str, Callable[[Cell], str]] = {
        "Accuracy": lambda cell: _number(cell.mean("accuracy"), 3),
        "F1": lambda cell: _number(cell.mean("f1"), 3),
        "Seconds to fit": lambda cell: _seconds(cell.seconds),
        "Rules (leaves of the tree)": lambda cell: _number(cell.rules, 1),
        "Literals (tests above the leaves)": lambda cell: _number(cell.literals, 1),
    }
    learners = [name for name in CONTESTANTS if any(cell.learner == name for cell in cells)]
    finished = {cell.learner for cell in cells if cell.folds}
    by_name = {(cell.data, cell.learner): cell for cell in cells}
    for title, show in views.items():
        # Hide a learner whose cells have nothing to show here, but not one that never finished.
        shown = [n for n in learners if any(show(c) for c in cells if c.learner == n) or n not in finished]
        yield from ("", f"### {title}", "")
        yield from _table(
            ["table", *(CONTESTANTS[name].title for name in shown)],
            [
                [data, *(_marked(by_name.get((data, name)), show, settings) for name in shown)]
                for data in dict.fromkeys(cell.data for cell in cells)
            ],
        )


def beside_paper(cells: Sequence[Cell], settings: RunSettings) -> Iterator[str]:
    """Write the paper's result tables, each cell as here, then as printed."""
    yield "## Beside the paper"
    yield ""
    yield "Each cell: here / in the paper. The times are of different machines, the paper's an Intel i5-10400."
    yield "Table 4 prints for FOLD-R++ what Table 5 prints, so it is shown once."
    by_name = {(cell.data, cell.learner): cell for cell in cells}
    for number, learners in PAIRS.items():
        for learner in learners:
            rows = [row for row in printed() if row.table == number and row.learner == learner]
            shown = [row for row in rows if (row.data, learner) in by_name]
            if shown:
                yield from ("", f"### Table {number}: {CONTESTANTS[learner].title}", "")
                yield from _table(
                    ["table", *FIGURE_NAMES.values(), "ms", "rules"],
                    [_beside(row, by_name[row.data, learner], settings) for row in shown],
                )


def agreement(found: Sequence[Agreement]) -> Iterator[str]:
    """Write whether FOLD-R++ agrees with the paper, and why not where it does not."""
    yield "## Agreement of FOLD-R++"
    n = sum(one.agrees for one in found)
    yield ""
    yield f"Accuracy and F1 within {CLOSE} of a published row: {n} of {len(found)} tables."
    yield ""
    rows = []
    for one in found:
        figures = [
            f"{one.cell.mean(figure):.3f} ± {one.cell.spread(figure):.3f} / {one.nearest.value(figure):.2f}"
            for figure in ("accuracy", "f1")
        ]
        folds = "" if one.cell.status == "done" else f" ({len(one.cell.folds)} folds)"
        rows.append([one.cell.data, *figures, f"Table {one.nearest.table}", "yes" if one.agrees else f"no{folds}"])
    yield from _table(["table", "accuracy here ± sd / paper", "F1 here ± sd / paper", "nearest", "agrees"], rows)
    for one in found:
        if not one.agrees:
            yield ""
            yield f"**{one.cell.data}**: {'; '.join(one.reasons)}."


def doubts(shares: Mapping[str, float]) -> Iterator[str]:
    """Write which published figures cannot be right, and how one can tell."""
    yield "## Published figures in doubt"
    yield ""
    yield "Precision and recall, with the share of positive rows, give the accuracy. A row is listed when the printed"
    yield "accuracy is outside what they allow, rounding and averaging over folds considered, for the label that is"
    yield "positive here."
    yield ""
    rows = []
    for row in printed():
        share, accuracy = shares.get(row.data), row.value("accuracy")
        allowed = None if share is None else accuracy_range(row, share)
        if share is not None and allowed and accuracy is not None and not allowed[0] <= accuracy <= allowed[1]:
            other = accuracy_range(row, 1 - share)
            fits = other is not None and other[0] <= accuracy <= other[1]
            said = "fits the other label as positive" if fits else "fits neither label"
            rows.append([f"Table {row.table}", row.data, CONTESTANTS[row.learner].title, f"{accuracy:.2f}",
                         f"{allowed[0]:.3f} to {allowed[1]:.3f}", said])  # fmt: skip
    yield from _table(["where", "table", "learner", "printed accuracy", "allowed", ""], rows)
    for a, b in repeated_rows():
        yield ""
        yield (
            f"The row of {a.data} is the same in every figure, time included, for {CONTESTANTS[a.learner].title} "
            f"(Table {a.table}) and {CONTESTANTS[b.learner].title} (Table {b.table}): one must have been copied."
        )


def one_hot(cells: Sequence[Cell]) -> Iterator[str]:
    """Write how the published XGBoost baseline compares with both encodings."""
    yield "## The one-hot baseline"
    yield ""
    by_name = {(cell.data, cell.learner): cell for cell in cells}
    rows: list[tuple[str, float | None, float, float]] = []
    for data in dict.fromkeys(cell.data for cell in cells):
        paper = printed_for(data, "xgboost-onehot")
        both = [by_name.get((data, learner)) for learner in ("xgboost-onehot", "xgboost")]
        found = [mean for cell in both if cell is not None and (mean := cell.mean("accuracy")) is not None]
        if len(found) == 2:
            rows.append((data, paper[0].value("accuracy") if paper else None, found[0], found[1]))
    known = [(value, hot, native) for _, value, hot, native in rows if value is not None]
    n_hot = sum(abs(hot - value) <= CLOSE for value, hot, _ in known)
    n_native = sum(abs(native - value) <= CLOSE for value, _, native in known)
    yield "The paper gave XGBoost one-hot columns. With every value of every column one-hot encoded, numbers too, the"
    yield f"accuracy here is within {CLOSE} of the printed one on {n_hot} of {len(known)} tables; with plain numbers"
    yield f"and native categories on {n_native}."
    yield ""
    yield from _table(
        ["table", "paper", "one-hot here", "native here"],
        [[data, _number(value, 2) or "–", _number(hot, 3), _number(native, 3)] for data, value, hot, native in rows],
    )


def search(timings: Sequence[Timing], folder: str) -> Iterator[str]:
    """Write the measured cost of one literal search."""
    yield "## One literal search"
    yield ""
    yield "FOLD-R as published tests every row anew for each value; with counts and prefix sums a search looks at each"
    yield "row once. Both are compiled, find the same literal, and start from the same column, coded once for a table."
    yield ""
    rows = []
    for timing in timings:
        both = [f"{seconds * 1e3:,.2f}" for seconds in (timing.anew, timing.counted)]
        rows.append([f"{timing.rows:,}", f"{timing.values:,}", *both, f"{timing.anew / timing.counted:,.0f}"])
    yield from _table(["rows M", "values N", "each value anew, ms", "counted, ms", "times faster"], rows)
    yield from ("", f"![Time of one literal search]({folder}/search.svg)")


def unfinished(cells: Sequence[Cell], settings: RunSettings) -> Iterator[str]:
    """List the cells that did not finish, and why."""
    yield "## Cells that did not finish"
    yield ""
    rows = [
        [c.data, CONTESTANTS[c.learner].title, c.status, f"{len(c.folds)} of {settings.folds}", c.note]
        for c in cells
        if c.status != "done"
    ]
    if rows:
        yield from _table(["table", "learner", "status", "folds", "note"], rows)
    else:
        yield "None."


def _beside(row: Printed, cell: Cell, settings: RunSettings) -> list[str]:
    figures = [f"{_number(cell.mean(f), 2) or '–'} / {_shown(row, f)}" for f in FIGURE_NAMES]  # type: ignore[arg-type]
    milliseconds = None if cell.seconds is None else cell.seconds * 1000
    time = f"{_number(milliseconds, 1 if (milliseconds or 0) < 100 else 0) or '–'} / {_shown(row, 'milliseconds')}"
    rules = f"{_number(cell.rules, 1) or '–'} / {_shown(row, 'rules')}"
    return [row.data + _mark(cell, settings), *figures, time, rules]


def _shown(row: Printed, figure: str) -> str:
    value = row.figures.get(figure)
    if value is None:
        return "–"
    return str(value) if isinstance(value, str) else f"{value:,}"


def _marked(cell: Cell | None, show: Callable[[Cell], str], settings: RunSettings) -> str:
    if cell is None:
        return ""
    shown = show(cell)
    if cell.status == "done":
        return shown or "–"
    if not cell.folds:
        return {"limit": f"over {settings.limit:g} s", "absent": "not installed"}.get(cell.status, cell.status)
    return (shown or "–") + _mark(cell, settings)


def _mark(cell: Cell, settings: RunSettings) -> str:
    return "" if cell.status == "done" else f" ({len(cell.folds)} of {settings.folds})"


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:,.{digits}f}"


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:,.3f}" if value < 10 else f"{value:,.0f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
