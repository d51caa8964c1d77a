"""`unless learn`: a table in, a program out."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.common import (
    AsJson,
    DataFile,
    NameLists,
    listen,
    print_json,
    program_data,
    read_data,
    split_names,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unless.learn.fold import Progress


def learn(
    data: DataFile,
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
    as_json: AsJson = False,
) -> None:
    """Learn a program from a table by FOLD-R++."""
    listen()
    program = _learn(data, target, positive, split_names(categorical), split_names(numerical),
                     split_names(drop), split_names(missing), ratio)  # fmt: skip
    if output is not None:
        from unless.files import save

        save(program, output)
    if as_json:
        print_json(program_data(program))
    elif output is None:
        typer.echo(str(program), nl=False)
    else:
        typer.echo(f"{output}: {len(program.clauses)} clauses, {program.n_literals} literals.", err=True)


def _learn(
    data: str, target: str, positive: str | None, categorical: list[str], numerical: list[str],
    drop: list[str], missing: list[str], ratio: float,
) -> Any:  # fmt: skip
    from unless.estimator import FoldRPPClassifier
    from unless.table.kinds import kinds_of_file

    table, is_text = read_data(data)
    labels = table.column(target)
    table = table.without([target, *drop])
    kinds = kinds_of_file(table, categorical, numerical, is_text=is_text)
    words = [name for name in table.names if kinds[name] == "categorical"]
    model = FoldRPPClassifier(
        ratio, positive=_typed(labels, positive), categorical_features=words, missing_values=missing
    )
    with _progress() as on_rule:
        return model.fit(table, labels, on_rule=on_rule).program_


def _typed(labels: Any, positive: str | None) -> Any:
    """Give the label from the command line the type it has in the table."""
    if positive is None or labels.numbers is None:
        return positive
    from unless.values import read_number

    number = read_number(positive)
    return positive if number is None else number


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
