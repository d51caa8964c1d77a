"""The page of a run in Markdown, from measured cells alone: no figure on it is typed by hand.

Each function yields the lines of one section; `experiment` says which there are, and `paper_sections` has those that
stand beside published figures. Means are of full shuffles; a cell without one is set apart in a table of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.bench.contestants import CONTESTANTS
from unless.bench.paired_tests import LEVEL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from unless.bench.measurements import Cell, Figure, RunSettings
    from unless.bench.paired_tests import PairedTest

METHOD = """\
Each cell is one learner on one table: {folds}-fold cross-validation, stratified, {shuffles}
(seeds {seeds}); figures are means over the folds, of the positive label, ± the standard deviation between the means of
the shuffles. All learners see the same folds and run on one thread, with their defaults (FOLD-R++: ratio 0.5). Time is
the processor's, for `fit`, from a table of numbers and words in memory; encoding counts, predicting does not. Rules are
clauses, exceptions included, as the paper counts them.

A cell has {limit:g} seconds. One that has used a tenth of them begins no further shuffle, and is marked with the
shuffles it has, (k of {n}). A cell that did not finish its first shuffle has no figure in the tables ("part", or where
not one fold ended "over so many s a fold"), enters no test, and is listed under [Incomplete
cells](#incomplete-cells)."""


def page(
    command: str, settings: RunSettings, about: Mapping[str, Mapping[str, str]], parts: Iterable[Iterator[str]]
) -> str:
    """Write a page: what was run where, then the parts."""
    lines = ["# Results", "", "This page is written by a command; nothing in it is typed by hand.", ""]
    lines += ["```", command, "```", ""]
    for title, entries in about.items():
        lines.append(f"- {title}: " + ", ".join(f"{name} {value}" for name, value in entries.items()))
    lines += ["", _method(settings), ""]
    for part in parts:
        lines += [*part, ""]
    return "\n".join(lines).rstrip() + "\n"


def _method(settings: RunSettings) -> str:
    n, first = settings.shuffles, settings.seed
    words = "shuffled once" if n == 1 else f"{n} times shuffled anew"
    seeds = f"{first}" if n == 1 else f"{first} to {first + n - 1}"
    return METHOD.format(folds=settings.folds, shuffles=words, seeds=seeds, limit=settings.limit, n=n)


def pictures(folder: str, names: Mapping[str, str]) -> Iterator[str]:
    """Show the plots."""
    yield "## Pictures"
    for name, words in names.items():
        yield from ("", f"![{words}]({folder}/{name}.svg)", "", f"*{words}*")


def overview(cells: Sequence[Cell], settings: RunSettings) -> Iterator[str]:
    """Write a table per figure: tables down, learners across."""
    yield "## All learners"
    views: dict[str, Callable[[Cell], str]] = {
        "Accuracy": lambda cell: with_spread(cell, "accuracy"),
        "F1": lambda cell: with_spread(cell, "f1"),
        "Seconds to fit": lambda cell: _seconds(cell.seconds),
        "Rules (leaves of the tree)": lambda cell: number(cell.rules, 1),
        "Literals (tests above the leaves)": lambda cell: number(cell.literals, 1),
    }
    learners = [name for name in CONTESTANTS if any(cell.learner == name for cell in cells)]
    finished = {cell.learner for cell in cells if cell.is_full}
    by_name = {(cell.data, cell.learner): cell for cell in cells}
    for title, show in views.items():
        # Hide a learner whose cells have nothing to show here, but not one that never finished.
        shown = [n for n in learners if any(show(c) for c in cells if c.learner == n) or n not in finished]
        yield from ("", f"### {title}", "")
        yield from table(
            ["table", *(CONTESTANTS[name].title for name in shown)],
            [
                [data, *(_shown(by_name.get((data, name)), show, settings) for name in shown)]
                for data in dict.fromkeys(cell.data for cell in cells)
            ],
        )


def tested(tests: Sequence[PairedTest]) -> Iterator[str]:
    """Write which differences in accuracy are more than chance."""
    yield "## Paired tests"
    yield ""
    yield "Better, same, worse: on how many tables the first learner's accuracy differs from the second's by the"
    yield f"corrected resampled t-test over the folds of all shuffles that both have (p < {LEVEL:g} on that table)."
    yield "Over tables: the mean difference in accuracy, Wilcoxon's signed-rank test of the differences, and its"
    yield "p-value corrected by Holm for all rows of this section. Only tables that both learners finished count."
    yield ""
    rows = []
    for one in tests:
        names = [CONTESTANTS[name].title for name in (one.ours, one.other)]
        counts = f"{len(one.better)} / {len(one.same)} / {len(one.worse)}"
        ps = [_probability(p) for p in (one.p, one.holm)]
        rows.append([*names, f"{one.n_tables}", counts, f"{one.difference:+.3f}", *ps])
    yield from table(["learner", "against", "tables", "better / same / worse", "difference", "p", "p, Holm"], rows)


def incomplete(cells: Sequence[Cell], settings: RunSettings) -> Iterator[str]:
    """List the cells without a full shuffle, with what they have, and those with fewer shuffles."""
    yield "## Incomplete cells"
    yield ""
    rows = [
        [c.data, CONTESTANTS[c.learner].title, f"{len(c.rest)} of {settings.folds}", c.note,
         number(c.mean("accuracy"), 3), number(c.mean("f1"), 3), _seconds(c.seconds), number(c.rules, 1)]
        for c in cells
        if not c.is_full
    ]  # fmt: skip
    if rows:
        yield "Means over the folds there are; they are not comparable with full ones."
        yield ""
        yield from table(["table", "learner", "folds", "why", "accuracy", "F1", "seconds", "rules"], rows)
    else:
        yield "None: every cell has at least one full shuffle."
    fewer = [f"{CONTESTANTS[c.learner].title} on {c.data} ({len(c.shuffles)})" for c in cells if c.status == "fewer"]
    if fewer:
        yield ""
        yield f"Fewer than {settings.shuffles} shuffles: {', '.join(fewer)}."


def mark(cell: Cell, settings: RunSettings) -> str:
    """Say how many shuffles a cell has, if not all."""
    return "" if cell.status == "done" else f" ({len(cell.shuffles)} of {settings.shuffles})"


def with_spread(cell: Cell, figure: Figure) -> str:
    """Write a mean, and how far shuffles are apart."""
    spread = cell.spread(figure)
    return number(cell.mean(figure), 3) + ("" if spread is None else f" ± {spread:.3f}")


def number(value: float | None, digits: int) -> str:
    """Write a number, or nothing."""
    return "" if value is None else f"{value:,.{digits}f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Write a table."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def _shown(cell: Cell | None, show: Callable[[Cell], str], settings: RunSettings) -> str:
    if cell is None:
        return ""
    if cell.is_full:
        return (show(cell) or "–") + mark(cell, settings)
    words = {"absent": "not installed", "failed": "failed", "part": "part" if cell.rest else cell.note}
    return words[cell.status]


def _probability(p: float | None) -> str:
    return "–" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:,.3f}" if value < 10 else f"{value:,.0f}"
