"""`unless bench`: learners measured side by side, on the paper's tables or on one of the user's."""

from __future__ import annotations

import os
import shlex
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.arguments import AsJson, NameLists, print_json, split_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAPER = "paper"


def bench(
    data: Annotated[
        str, typer.Argument(metavar="paper|DATA", help="The paper's 15 tables, or a table: CSV, Parquet, Arrow.")
    ],
    target: Annotated[
        str | None, typer.Option(help="The column to predict, for a table of your own.", show_default=False)
    ] = None,
    positive: Annotated[str | None, typer.Option(metavar="V", help="The label that counts as positive.")] = None,
    categorical: Annotated[NameLists, typer.Option(metavar="A,B", help="Columns of words only.")] = None,
    numerical: Annotated[NameLists, typer.Option(metavar="A,B", help="Columns of numbers.")] = None,
    folder: Annotated[
        str | None, typer.Option("--data", metavar="DIR", help="The paper's tables; UNLESS_DATA if not given.")
    ] = None,
    datasets: Annotated[NameLists, typer.Option(metavar="A,B", help="Only these of the paper's tables.")] = None,
    learners: Annotated[NameLists, typer.Option(metavar="A,B", help="Only these learners.")] = None,
    folds: Annotated[int, typer.Option(min=2, help="Folds of the cross-validation.")] = 10,
    shuffles: Annotated[int, typer.Option(min=1, help="Times that the rows are shuffled and folded anew.")] = 3,
    limit: Annotated[float, typer.Option(min=1.0, help="Processor seconds for one learner on one table.")] = 600.0,
    seed: Annotated[int, typer.Option(min=0, help="Of the first shuffle.")] = 0,
    again: Annotated[
        NameLists, typer.Option(metavar="A,B", help="Forget what the log has of these learners here.")
    ] = None,
    from_log: Annotated[
        bool, typer.Option("--from-log", help="Measure nothing: write the page from the log as it stands.")
    ] = False,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="STEM", help="Write STEM.md, STEM.json, STEM.jsonl, STEM/*.svg.")
    ] = "bench",
    as_json: AsJson = False,
) -> None:
    """Measure learners by cross-validation and write a page; an interrupted run goes on where it stopped."""
    from unless.bench.experiment import Order, measure
    from unless.bench.measurements import RunSettings

    sources = _sources(data, target, positive, categorical, numerical, folder, datasets)
    settings = RunSettings(folds, shuffles, seed, limit)
    chosen = split_names(learners)
    command = _command(data, target, sources, chosen, settings)
    order = Order(
        data == PAPER, sources, chosen, settings, output, command, again=split_names(again), from_log=from_log
    )
    try:
        with _progress() as report_cell:
            result = measure(order, report_cell)
    except KeyboardInterrupt:
        typer.echo(f"unless: interrupted; {output}.jsonl keeps what is done, and the same command goes on.", err=True)
        raise typer.Exit(130) from None
    if as_json:
        print_json(result)
    else:
        typer.echo(f"{output}.md: {len(result['cells'])} cells.", err=True)


def _command(data: str, target: str | None, sources: Any, learners: list[str], settings: Any) -> str:
    """Write the command that gives this page, without paths."""
    from pathlib import Path

    from unless.bench.published import PAPER_TABLES

    words = ["unless", "bench", Path(data).name]
    names = [source.name for source in sources if not source.name.endswith("*")]
    if target is not None:
        words += ["--target", target]
    elif names != list(PAPER_TABLES):
        words += ["--datasets", ",".join(names)]
    if learners:
        words += ["--learners", ",".join(learners)]
    words += ["--folds", str(settings.folds), "--shuffles", str(settings.shuffles)]
    words += ["--limit", f"{settings.limit:g}", "--seed", str(settings.seed)]
    return shlex.join(words)


def _sources(
    data: str, target: str | None, positive: str | None, categorical: NameLists, numerical: NameLists,
    folder: str | None, datasets: NameLists,
) -> Any:  # fmt: skip
    from unless.bench.bench_tables import file_source, paper_sources
    from unless.bench.published import PAPER_TABLES
    from unless.errors import DataError

    if data == PAPER:
        return paper_sources(folder or os.environ.get("UNLESS_DATA"), split_names(datasets), PAPER_TABLES)
    if target is None:
        msg = f"--target is needed to say which column of {data} is predicted; or give 'paper' for the paper's tables."
        raise DataError(msg)
    return [file_source(data, target, positive, split_names(categorical), split_names(numerical))]


@contextmanager
def _progress() -> Iterator[Callable[[str, str, Any], None]]:
    """Show the cell at work on a terminal, or a line per cell elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    done: list[str] = []

    def report_cell(name: str, learner: str, cell: Any) -> None:
        if cell is None:
            status.update(f"{len(done)} cells done; now {name}: {learner}")
        else:
            done.append(name)
            accuracy = cell.mean("accuracy")
            found = "" if accuracy is None else f"accuracy {accuracy:.3f}, {cell.seconds:.3f} s a fold"
            note = "" if cell.status == "done" else f" ({cell.status}: {cell.note})"
            console.print(f"{name:12} {learner:15} {found}{note}", highlight=False, markup=False)

    with console.status("") as status:
        yield report_cell
