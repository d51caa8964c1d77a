"""`unless learn`: a table in, a program out."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.common import (
    AsJson,
    DataFiles,
    NameLists,
    listen,
    print_json,
    program_data,
    split_names,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unless.learn.fold import Progress
    from unless.table.pieces import Files


def learn(
    data: DataFiles,
    target: Annotated[str, typer.Option(help="The column to predict.", show_default=False)],
    positive: Annotated[
        str | None,
        typer.Option(metavar="V", help="The label that the rules conclude; the most frequent one if not given."),
    ] = None,
    categorical: Annotated[
        NameLists,
        typer.Option(metavar="A,B", help="Columns of words only, even where they look like numbers."),
    ] = None,
    numerical: Annotated[
        NameLists, typer.Option(metavar="A,B", help="Columns of numbers, perhaps with words among them.")
    ] = None,
    drop: Annotated[NameLists, typer.Option(metavar="A,B", help="Columns to leave out.")] = None,
    missing: Annotated[NameLists, typer.Option(metavar="W,V", help="Words that mean missing, such as ?,NA.")] = None,
    ratio: Annotated[
        float,
        typer.Option(min=0.0, max=1.0, help="Negatives that a rule leaves to exceptions, per positive."),
    ] = 0.5,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="MODEL.lp", help="Write the program here.", show_default=False),
    ] = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Keep finished rules here, and resume from them.", show_default=False),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Learn on the cluster of this Dask scheduler.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Learn a program from a table by FOLD-R++; files larger than memory are read piece by piece."""
    from unless.estimator import FoldRPPClassifier
    from unless.table.kinds import kinds_by_name
    from unless.table.pieces import open_files

    listen()
    files = open_files(data)
    model = FoldRPPClassifier(ratio, positive=_typed(files, target, positive), missing_values=split_names(missing))
    with _progress() as on_rule, _saying_what_is_kept(checkpoint):
        model.fit_files(
            files,
            target,
            drop=split_names(drop),
            kinds=kinds_by_name(split_names(categorical), split_names(numerical)),
            scheduler=scheduler,
            on_rule=on_rule,
            checkpoint=checkpoint,
        )
    program = model.program_
    if output is not None:
        from unless.files import save

        save(program, output)
    if as_json:
        print_json(program_data(program))
    elif output is None:
        typer.echo(str(program), nl=False)
    else:
        typer.echo(f"{output}: {len(program.clauses)} clauses, {program.n_literals} literals.", err=True)


def _typed(files: Files, target: str, positive: str | None) -> Any:
    """Give the label from the command line the type it has in the table."""
    if positive is None or not files.is_number(target):
        return positive
    from unless.values import read_number

    number = read_number(positive)
    return positive if number is None else number


@contextmanager
def _saying_what_is_kept(checkpoint: str | None) -> Iterator[None]:
    """Say, when learning is interrupted, that it can be resumed."""
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint is not None:
            typer.echo(f"unless: finished rules are kept in {checkpoint}; the same command resumes.", err=True)
        raise


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None] | None]:
    """Show the rule being learned, on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with Progress(
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task("learning rule 1", total=1.0)

        def on_rule(progress: Any) -> None:
            done = 1.0 - progress.n_left / max(1, progress.n_all)
            bar.update(
                task,
                completed=done,
                description=f"learning rule {progress.n_rules + 1}, {progress.n_left:,} rows left",
            )

        yield on_rule
