"""`unless learn`: a table in, a program out."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.arguments import (
    AsJson,
    DataFiles,
    KeptColumns,
    LanguageName,
    NameLists,
    Reads,
    language_named,
    print_json,
    split_names,
    split_pairs,
)
from unless.cli.learn_options import naming_options, read_settings, with_settings
from unless.cli.progress import gathering_notes, saying_what_is_kept, showing_folds, showing_progress
from unless.cli.read_rows import RelatedFiles
from unless.errors import DataError
from unless.learn.learners import LEARNERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.cli.checking import Checking
    from unless.cli.learned import Summary
    from unless.learn.settings import LearnerSettings
    from unless.learn.size_path import Frontier
    from unless.learn.task import Task
    from unless.logic.program import Program
    from unless.table.pieces import Files

Algorithm = StrEnum("Algorithm", {name: name for name in LEARNERS})  # type: ignore[misc]
FIRST = Algorithm("unless")
"""The learner that is taken when nobody says."""

PATH: dict[str, Any] = {"show_default": False, "rich_help_panel": "With --algorithm unless"}


@with_settings
def learn(
    data: DataFiles = None,
    target: Annotated[str | None, typer.Option(help="The column to predict.", show_default=False)] = None,
    positive: Annotated[
        str | None,
        typer.Option(
            metavar="V",
            help="The label that the rules conclude; if not given, the rarer one.",
        ),
    ] = None,
    categorical: Annotated[
        NameLists,
        typer.Option(metavar="A,B", help="Columns of words only, even where they look like numbers."),
    ] = None,
    numerical: Annotated[
        NameLists, typer.Option(metavar="A,B", help="Columns of numbers, perhaps with words among them.")
    ] = None,
    read: Reads = None,
    parts: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=PART,PART",
            help="Parts of dates as columns: year, quarter, month, day, weekday, hour, age@yyyy-mm-dd; repeatable.",
            show_default=False,
        ),
    ] = None,
    drop: Annotated[NameLists, typer.Option(metavar="A,B", help="Columns to leave out.")] = None,
    keep_column: KeptColumns = None,
    missing: Annotated[NameLists, typer.Option(metavar="W,V", help="Words that mean missing, such as ?,NA.")] = None,
    algorithm: Annotated[Algorithm, typer.Option(help="How rules are learned.")] = FIRST,
    background: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Background knowledge: clauses and facts.", show_default=False),
    ] = None,
    examples: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Instead of a table: facts pos(...) and neg(...).", show_default=False),
    ] = None,
    bias: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="With --examples: which predicates and types to combine.", show_default=False
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="MODEL.lp", help="Write the program here.", show_default=False),
    ] = None,
    related: RelatedFiles = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Keep finished rules here, and resume from them.", show_default=False),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Learn on the cluster of this Dask scheduler.", show_default=False),
    ] = None,
    frontier: Annotated[
        bool, typer.Option("--frontier", help="Show programs of all sizes with their accuracy; take the elbow.", **PATH)
    ] = False,
    frontier_svg: Annotated[
        str | None, typer.Option(metavar="FILE.svg", help="Draw the frontier here.", **PATH)
    ] = None,
    frontier_auc: Annotated[
        bool, typer.Option("--frontier-auc", help="Show the frontier, and how well each program ranks.", **PATH)
    ] = False,
    pick: Annotated[int | None, typer.Option(metavar="N", help="Take program N of the frontier.", **PATH)] = None,
    check: Annotated[
        bool, typer.Option("--check/--no-check", help="Say how good it is on rows that it has not seen.")
    ] = True,
    language: LanguageName = None,
    as_json: AsJson = False,
    **of_learner: Any,
) -> None:
    """Learn a program from a table, or from examples and background knowledge."""
    lang = language_named(language)
    settings = read_settings(algorithm.value, of_learner)
    wants_frontier = frontier or frontier_auc or frontier_svg is not None or pick is not None
    if wants_frontier:
        _refuse_frontier(settings, examples)
    if examples is None:
        opened = _table_task(
            data, target, positive, split_names(categorical), split_names(numerical), split_names(drop),
            missing=tuple(split_names(missing)), background=_path(background), scheduler=scheduler,
            readings=split_pairs("read", read), parts=split_pairs("parts", parts), kept=tuple(split_names(keep_column)),
            beside=related,
        )  # fmt: skip
    else:
        opened = _examples_task(examples, background, bias, data, target)
    if wants_frontier:
        with gathering_notes(lang) as notes, naming_options(), opened as task:
            path = _frontier(task, settings, notes, frontier_svg, auc=frontier_auc, lang=lang)
            _write(_chosen(path, pick), output, as_json=as_json)
        return
    with gathering_notes("en" if as_json else lang) as notes, naming_options(), opened as task:
        is_checked = check and examples is None
        summary, checking = _learned(
            task, settings, checkpoint, tuple(data or ()), output, is_checked=is_checked, lang=lang
        )
        if output is not None:
            _write(summary.learned.program, output)  # now: checking may be cut short
        if checking is not None:
            summary = _checked(summary, checking)
        if not as_json or (output is not None and summary.unseen is not None):
            _write(summary.learned.program, output)
    directions = getattr(settings, "monotonic_cst", None) or {}
    said = replace(summary, notes=tuple(notes), beside=tuple(related or ()), directions=directions, lang=lang)
    _say(said, as_json=as_json)


def _learned(
    task: Task, settings: LearnerSettings, checkpoint: str | None, data: tuple[str, ...], output: str | None,
    *, is_checked: bool, lang: str,
) -> tuple[Summary, Checking | None]:  # fmt: skip
    """Learn a program, and say so if it was cut short; return also the check on rows that it has not seen."""
    from unless.cli.checking import Checking
    from unless.cli.learned import Summary
    from unless.explain.words.language import language
    from unless.learn.front import learn_data, read_data
    from unless.learn.task import Watch
    from unless.learn.unseen import why_unchecked
    from unless.table.databases import hide_password

    start, checking = perf_counter(), None
    with showing_progress() as on_progress, saying_what_is_kept(checkpoint, lang):
        watch = Watch(on_progress, checkpoint)
        rows = read_data(task, settings, watch)
        reason = why_unchecked(task, rows) if is_checked else None
        if is_checked and reason is None:
            checking = Checking(rows, settings)
        learned = learn_data(rows, settings, watch)
    if learned.stopped:
        typer.echo(f"unless: {language(lang).say('learned', 'stopped')}", err=True)
    shown = tuple(map(hide_password, data))
    return Summary(learned, perf_counter() - start, data=shown, model=output, unchecked=reason), checking


def _checked(summary: Summary, checking: Checking) -> Summary:
    """Count rows right that were held out, or say why not; an interrupt ends the counting, not the command."""
    if summary.learned.stopped:
        return replace(summary, unchecked="learning was stopped early")
    try:
        with showing_folds() as on_fold:
            unseen = checking.result(on_fold)
    except KeyboardInterrupt:
        return replace(summary, unchecked="the check was stopped")
    if unseen is None:
        return replace(summary, unchecked="learning without them was stopped early")
    program = summary.learned.program
    program = replace(program, unseen=replace(unseen, mark=program.mark))
    return replace(summary, learned=replace(summary.learned, program=program), unseen=unseen)


def _write(program: Program, output: str | None, *, as_json: bool = False) -> None:
    """Write the program to its file, or to standard output."""
    if output is not None:
        from unless.logic.text.files import save

        save(program, output)
    if as_json:
        from unless.explain.faces.json_data import program_data

        print_json(program_data(program))
    elif output is None:
        typer.echo(str(program), nl=False)


def _say(summary: Summary, *, as_json: bool) -> None:
    """Say what was learned: beside the program, if that is on standard output."""
    if as_json:
        from unless.explain.faces.json_data import program_data

        print_json({**program_data(summary.learned.program), **summary.as_dict()})
        return
    for line in summary.lines():
        typer.echo(line, err=summary.model is None)


@contextmanager
def _table_task(
    data: list[str] | None, target: str | None, positive: str | None, categorical: list[str], numerical: list[str],
    drop: list[str], *, missing: tuple[str, ...], background: Path | None, scheduler: str | None,
    readings: dict[str, str], parts: dict[str, str], kept: tuple[str, ...], beside: list[str] | None,
) -> Iterator[Task]:  # fmt: skip
    """Open files as a task, read here or by a cluster."""
    from unless.learn.front import files_task
    from unless.learn.screening import Screening
    from unless.table.kind_choice import kinds_by_name
    from unless.table.pieces import open_files

    if not data or target is None:
        msg = "learning needs a table and --target, the column to predict; or --examples, facts pos(...) and neg(...)."
        raise DataError(msg)
    files = open_files(data)
    target = files.name_of(target)
    kinds = kinds_by_name(categorical, numerical)
    asked: dict[str, Any] = {
        "drop": drop, "kinds": kinds, "missing": missing, "background": background,
        "positive": _typed(files, target, positive), "readings": readings,
        "date_parts": {name: asked.split(",") for name, asked in parts.items()},
        "screening": Screening((*kept, *kinds, *readings), leaves_out=True), "directs_rules": True,
    }  # fmt: skip
    if beside:
        from unless.table.related_tables import RelatedTables

        asked["related"] = RelatedTables.open(beside, missing)
    if scheduler is None:
        yield files_task(files, target, n_threads=os.cpu_count() or 1, **asked)
        return
    from unless.distributed import cluster_task, connected

    with connected(scheduler) as client:
        yield cluster_task(client, files, target, **asked)


@contextmanager
def _examples_task(
    examples: str, background: str | None, bias: str | None, data: list[str] | None, target: str | None
) -> Iterator[Task]:
    """Read facts as a task."""
    from unless.learn.examples import read_examples

    if data or target is not None:
        msg = "--examples stands in place of a table and its --target; give one or the other."
        raise DataError(msg)
    yield read_examples(Path(examples), _path(background) or "", _path(bias) or "").task()


def _typed(files: Files, target: str, positive: str | None) -> Any:
    """Give the label from the command line the type it has in the table."""
    if positive is None or not files.is_number(target):
        return positive
    from unless.logic.values import read_number

    number = read_number(positive)
    return positive if number is None else number


def _path(name: str | None) -> Path | None:
    return None if name is None else Path(name)


def _refuse_frontier(settings: LearnerSettings, examples: str | None) -> None:
    """Refuse a frontier where there is none."""
    if not settings.has_frontier:
        msg = (
            "--frontier, --frontier-svg, --frontier-auc and --pick are options of --algorithm unless, and "
            f"{settings.name} has no frontier."
        )
        raise DataError(msg)
    if examples is not None:
        msg = "the frontier (--frontier, --pick) is for a table, not for --examples."
        raise DataError(msg)
    if getattr(settings, "time_limit", None) is not None:
        msg = "--time-limit is not for the frontier: cut short, it would compare unequal chances."
        raise DataError(msg)


def _frontier(task: Task, settings: Any, notes: list[str], picture: str | None, *, auc: bool, lang: str) -> Frontier:
    """Show the frontier on standard error, below what is to be said of the table, and draw it where asked."""
    from unless.learn.front import frontier as grow_frontier
    from unless.logic.text.files import write_text

    path: Frontier = grow_frontier(task, settings, auc=auc)
    while notes:  # each is said once, also where an error follows
        typer.echo(f"unless: {notes.pop(0)}", err=True)
    typer.echo(path.as_text(lang=lang), err=True)
    _say_directions(path, settings, lang)
    if picture is not None:
        write_text(picture, path.svg(lang=lang))
    return path


def _chosen(path: Frontier, pick: int | None) -> Program:
    """Return the program picked, or the elbow."""
    if pick is not None and not 1 <= pick <= len(path.points):
        msg = f"--pick {pick}: the frontier has {len(path.points)} programs, 1 to {len(path.points)}."
        raise DataError(msg)
    program = path.points[path.elbow if pick is None else pick - 1].program
    assert program is not None
    return program


def _say_directions(path: Frontier, settings: Any, lang: str) -> None:
    from unless.cli.learned import directions_said

    first = path.points[0].program
    assert first is not None
    for line in directions_said(first.target.labels[0], settings.monotonic_cst or {}, lang):
        typer.echo(line, err=True)
