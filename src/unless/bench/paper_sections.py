"""The sections of the page that stand beside the paper: agreement, its tables, its figures in doubt, its baseline.

In: measured cells and published rows. Out: lines of Markdown. Each published table is shown whole, under its number and
caption; a figure stands beside every row of the paper that it is compared with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.bench.bench_tables import OTHER_READINGS
from unless.bench.contestants import CONTESTANTS
from unless.bench.measurements import FIGURES, positives
from unless.bench.paper_agreement import BOTH, CLOSE
from unless.bench.published import CAPTIONS, accuracy_range, as_printed, printed, printed_for, repeated_rows
from unless.bench.results_page import mark, number, table, with_spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unless.bench.measurements import Cell, Figure, RunSettings
    from unless.bench.paper_agreement import Agreement
    from unless.bench.published import Printed
    from unless.bench.search_times import Timing

PAIRS = {
    4: ("fold-r", "fold-r-information", "fold-r++"),
    5: ("ripper", "fold-r++"),
    6: ("xgboost-onehot", "fold-r++"),
}
HEADS = ("Acc.", "Prec.", "Rec.", "F1", "ms", "rules")
LARGE = ("adult", "credit-card")
READINGS = ("fold-r", "fold-r-information")


def agreement(found: Sequence[Agreement]) -> Iterator[str]:
    """Write whether FOLD-R++ agrees with the paper, and why not where it does not."""
    yield "## Agreement of FOLD-R++"
    yield ""
    yield from _verdict(found)
    yield "The paper prints FOLD-R++ in its Tables 4, 5 and 6; where they differ both figures are shown."
    yield ""
    rows = []
    for one in found:
        figures = [f"{with_spread(one.cell, figure)} / {_all_printed(one.rows, figure)}" for figure in BOTH]
        rules = f"{number(one.cell.rules, 1)} / {_all_printed(one.rows, 'rules')}"
        rows.append([one.cell.data, *figures, rules, f"Table {one.nearest.table}", "yes" if one.agrees else "no"])
    heads = [f"{figure} here / paper" for figure in ("accuracy", "F1", "rules")]
    yield from table(["table", *heads, "nearest", "agrees"], rows)
    for data, other in OTHER_READINGS.items():
        if any(one.cell.data == other for one in found):
            yield ""
            yield f"{other} is {data} with the other label as positive and its words read as numbers."
    for one in found:
        if not one.agrees and one.reasons:
            yield ""
            yield f"**{one.cell.data}**: {'; '.join(one.reasons)}."


def _verdict(found: Sequence[Agreement]) -> Iterator[str]:
    as_given = [one for one in found if not one.cell.data.endswith("*")]
    agreeing = [one.cell.data for one in found if one.agrees]
    by_reading = sorted({data.removesuffix("*") for data in agreeing} - set(agreeing))
    n = sum(one.agrees for one in as_given)
    also = f", and {', '.join(by_reading)} by its other reading" if by_reading else ""
    yield f"Accuracy and F1 are within {CLOSE} of a published row on {n} of {len(as_given)} tables as given{also}."


def beside_paper(cells: Sequence[Cell], settings: RunSettings) -> Iterator[str]:
    """Write the paper's result tables, each cell as here, then as printed."""
    yield "## Beside the paper"
    yield ""
    yield "Each cell: here / in the paper. The times are of different machines, the paper's an Intel i5-10400. XGBoost"
    yield "has one-hot columns, as in the paper. FOLD-R is shown twice: choosing by FOIL's gain, and (information) by"
    yield "Algorithm 3's gain among positive literals with ratio 0; both beside the one row that the paper prints."
    for learners in PAIRS.items():
        yield from _paper_table(*learners, cells, settings)


def foldr_readings(cells: Sequence[Cell], settings: RunSettings) -> Iterator[str]:
    """Write which reading of FOLD-R gives the paper's rule counts, on the large tables and on all others."""
    full = {(cell.data, cell.learner): cell for cell in cells if cell.is_full and printed_for(cell.data, "fold-r")}
    names = [data for data, learner in full if learner == READINGS[0] and (data, READINGS[1]) in full]
    pairs = [[full[data, learner] for learner in READINGS] for data in names]
    if not pairs:
        return
    yield "## Two readings of FOLD-R"
    yield ""
    yield 'The paper computed its FOLD-R rows of adult and credit card another way than the others, "with improvements'
    yield 'in heuristic calculation". Rules, accuracy and F1 by both readings, and what it prints:'
    yield ""
    rows = [[both[0].data, *(_reading(cell, settings) for cell in both), _row_text(both[0])] for both in pairs]
    yield from table(["table", "FOIL's gain", "Algorithm 3's gain, ratio 0", "paper"], rows)
    yield ""
    for words, is_large in (("smaller", False), ("large", True)):
        chosen = [both for both in pairs if (both[0].data in LARGE) == is_large and both[0].data[-1] != "*"]
        misses = [(round(_miss(foil), 1), round(_miss(information), 1)) for foil, information in chosen]
        by_foil, by_information = sum(a < b for a, b in misses), sum(b < a for a, b in misses)
        if chosen:
            yield f"Of {len(chosen)} {words} tables the printed number of rules is nearer by FOIL's gain on {by_foil},"
            yield f"by Algorithm 3's on {by_information}, and equally near on {len(chosen) - by_foil - by_information}."


def _reading(cell: Cell, settings: RunSettings) -> str:
    figures = ", ".join(number(cell.mean(figure), 3) for figure in BOTH)
    return f"{number(cell.rules, 1)}; {figures}{mark(cell, settings)}"


def _row_text(cell: Cell) -> str:
    row = printed_for(cell.data, "fold-r")[0]
    return f"{row.value('rules')}; {row.value('accuracy')}, {row.value('f1')}"


def _miss(cell: Cell) -> float:
    """Return how far the number of rules is from the printed one."""
    rules = printed_for(cell.data, cell.learner)[0].value("rules")
    return abs((cell.rules or 0.0) - (rules or 0.0))


def doubts(cells: Sequence[Cell]) -> Iterator[str]:
    """Write which published figures cannot be right, and how one can tell."""
    yield "## Published figures in doubt"
    yield ""
    yield "Precision and recall, with the share of positive rows, give the accuracy. A row is listed when the printed"
    yield "accuracy is outside what they allow, rounding and averaging over folds considered, for the label that is"
    yield "positive here."
    yield ""
    shares = {cell.data: positives(cell) for cell in cells if cell.folds}
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
    yield from table(["where", "table", "learner", "printed accuracy", "allowed", ""], rows)
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
    by_name = {(cell.data, cell.learner): cell for cell in cells if cell.is_full}
    rows: list[tuple[str, float | None, float, float]] = []
    for data in dict.fromkeys(cell.data for cell in cells if not cell.data.endswith("*")):
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
    yield from table(
        ["table", "paper", "one-hot here", "native here"],
        [[data, number(value, 2) or "–", number(hot, 3), number(native, 3)] for data, value, hot, native in rows],
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
    yield from table(["rows M", "values N", "each value anew, ms", "counted, ms", "times faster"], rows)
    yield from ("", f"![Time of one literal search]({folder}/search.svg)")


def _paper_table(n: int, learners: Sequence[str], cells: Sequence[Cell], settings: RunSettings) -> Iterator[str]:
    """Write one table of the paper, learner by learner."""
    rows = []
    for learner in learners:
        for cell in cells:
            found = [row for row in printed_for(cell.data, as_printed(learner)) if row.table == n]
            if cell.learner == learner and cell.is_full and found:
                title = CONTESTANTS[learner].title
                rows.append([title, cell.data + mark(cell, settings), *_beside(found[0], cell)])
    if rows:
        yield from ("", f"### Table {n}: {CAPTIONS[n]}", "")
        yield from table(["learner", "table", *HEADS], rows)


def _beside(row: Printed, cell: Cell) -> list[str]:
    figures = [f"{number(cell.mean(figure), 2)} / {_shown(row, figure)}" for figure in FIGURES]
    milliseconds = (cell.seconds or 0.0) * 1000
    time = f"{number(milliseconds, 1 if milliseconds < 100 else 0)} / {_shown(row, 'milliseconds')}"
    return [*figures, time, f"{number(cell.rules, 1) or '–'} / {_shown(row, 'rules')}"]


def _all_printed(rows: Sequence[Printed], figure: Figure | str) -> str:
    """Write what the paper prints, once if its tables agree; a table without the figure is left out."""
    found = {row.table: _shown(row, figure) for row in rows if row.figures.get(figure) is not None}
    return " or ".join(dict.fromkeys(found.values())) or "–"


def _shown(row: Printed, figure: str) -> str:
    value = row.figures.get(figure)
    if value is None:
        return "–"
    return str(value) if isinstance(value, str) else f"{value:,}"
