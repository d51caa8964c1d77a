"""`unless learn`: a table in, a program out."""

from __future__ import annotations

from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.common import (
    AsJson,
    DataFiles,
    NameLists,
    listen,
    print_json,
    split_names,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unless.learn.fold import Progress
    from unless.table.pieces import Files

    Task = Callable[[Any, dict[str, Any], Any, str | None], Any]
    """Learns by a classifier with options; tells of rules, keeps a checkpoint; returns the program."""


class Algorithm(StrEnum):
    """How rules are learned."""

    FOLD_RPP = "fold-r++"
    FOLD_R = "fold-r"

    @property
    def classifier(self) -> Any:
        """Return the classifier that learns so."""
        import unless

        return unless.FoldRPPClassifier if self is Algorithm.FOLD_RPP else unless.FoldRClassifier


def learn(
    data: DataFiles = None,
    target: Annotated[str | None, typer.Option(help="The column to predict.", show_default=False)] = None,
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
    algorithm: Annotated[Algorithm, typer.Option(help="How rules are learned.")] = Algorithm.FOLD_RPP,
    background: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Background knowledge: clauses and facts.", show_default=False),
    ] = None,
    examples: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Instead of a table: facts pos(...) and neg(...).", show_default=False),
    ] = None,
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
    """Learn a program from a table, or from examples and background knowledge."""
    listen()
    options: dict[str, Any] = {"background": None if background is None else Path(background)}
    if algorithm is Algorithm.FOLD_RPP:
        options["ratio"] = ratio
    if examples is None:
        task = _table(data, target, positive, split_names(categorical), split_names(numerical),
                      split_names(drop), split_names(missing), scheduler)  # fmt: skip
    else:
        task = _examples(examples, background, data, target)
    with _progress() as on_rule, _saying_what_is_kept(checkpoint):
        program = task(algorithm.classifier, options, on_rule, checkpoint)
    if output is not None:
        from unless.files import save

        save(program, output)
    if as_json:
        from unless.explain.as_json import program_data

        print_json(program_data(program))
    elif output is None:
        typer.echo(str(program), nl=False)
    else:
        typer.echo(f"{output}: {len(program.clauses)} clauses, {program.n_literals} literals.", err=True)


def _table(
    data: list[str] | None, target: str | None, positive: str | None, categorical: list[str], numerical: list[str],
    drop: list[str], missing: list[str], scheduler: str | None,
) -> Task:  # fmt: skip
    """Return how to learn from files."""
    from unless.errors import DataError
    from unless.table.kinds import kinds_by_name
    from unless.table.pieces import open_files

    if not data or target is None:
        msg = "learning needs a table and --target, the column to predict; or --examples, facts pos(...) and neg(...)."
        raise DataError(msg)
    files = open_files(data)
    kinds = kinds_by_name(categorical, numerical)
    own = {"positive": _typed(files, target, positive), "missing_values": missing}

    def task(classifier: Any, options: dict[str, Any], on_rule: Any, checkpoint: str | None) -> Any:
        model = classifier(**options, **own)
        return model.fit_files(
            files, target, drop=drop, kinds=kinds, scheduler=scheduler, on_rule=on_rule, checkpoint=checkpoint
        ).program_

    return task


def _examples(examples: str, background: str | None, data: list[str] | None, target: str | None) -> Task:
    """Return how to learn from facts."""
    from unless.errors import DataError
    from unless.examples import read_examples

    if data or target is not None:
        msg = "--examples stands in place of a table and its --target; give one or the other."
        raise DataError(msg)
    read = read_examples(Path(examples), "" if background is None else Path(background))
    own = {"positive": True, "background": read.background, "background_columns": [read.name_column]}

    def task(classifier: Any, options: dict[str, Any], on_rule: Any, checkpoint: str | None) -> Any:
        model = classifier(**{**options, **own})
        return model.fit(read.rows, read.labels, on_rule=on_rule, checkpoint=checkpoint).program_

    return task


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
