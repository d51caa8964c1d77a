"""`unless learn`: a table in, a program out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.arguments import (
    AsJson,
    DataFiles,
    NameLists,
    listen,
    print_json,
    split_names,
)
from unless.cli.learn_options import fit_whole, learn_in_memory, read_wishes, refuse_elsewhere, refuse_wishes
from unless.cli.progress import saying_what_is_kept, saying_which_option, showing_rules, showing_steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.table.pieces import Files

    Task = Callable[[Any, dict[str, Any], Any, str | None], Any]
    """Learns by a classifier with options; tells of rules, keeps a checkpoint; returns the program."""


WISH: dict[str, Any] = {"show_default": False, "rich_help_panel": "With --algorithm unless"}


class Algorithm(StrEnum):
    """How rules are learned."""

    FOLD_RPP = "fold-r++"
    FOLD_R = "fold-r"
    UNLESS = "unless"

    @property
    def classifier(self) -> Any:
        """Return the classifier that learns so."""
        import unless

        return {
            Algorithm.FOLD_RPP: unless.FoldRPPClassifier,
            Algorithm.FOLD_R: unless.FoldRClassifier,
            Algorithm.UNLESS: unless.UnlessClassifier,
        }[self]


class Heuristic(StrEnum):
    """How FOLD-R++ chooses literals."""

    GAIN = "gain"
    MGI = "mgi"


def learn(
    data: DataFiles = None,
    target: Annotated[str | None, typer.Option(help="The column to predict.", show_default=False)] = None,
    positive: Annotated[
        str | None,
        typer.Option(
            metavar="V",
            help="The label that the rules conclude; if not given the most frequent (unless: the rarer) one.",
        ),
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
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            show_default=False,
            help="Negatives that a rule leaves to exceptions, per positive; 0.5 if not given. With fold-r++.",
        ),
    ] = None,
    heuristic: Annotated[
        Heuristic | None,
        typer.Option(help="How literals are chosen; mgi is FOLD-SE's. With fold-r++.", show_default=False),
    ] = None,
    tail: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Rows that a rule covers at least, of all rows. With fold-r++."),
    ] = None,
    algorithm: Annotated[Algorithm, typer.Option(help="How rules are learned.")] = Algorithm.FOLD_RPP,
    background: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Background knowledge: clauses and facts.", show_default=False),
    ] = None,
    examples: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Instead of a table: facts pos(...) and neg(...).", show_default=False),
    ] = None,
    size_penalty: Annotated[
        float | None, typer.Option(metavar="P", help="Larger gives a shorter program; 1 is usual.", **WISH)
    ] = None,
    max_rules: Annotated[int | None, typer.Option(metavar="N", help="Rules and exceptions at most.", **WISH)] = None,
    max_literals: Annotated[int | None, typer.Option(metavar="N", help="Conditions of a rule at most.", **WISH)] = None,
    max_depth: Annotated[int | None, typer.Option(metavar="N", help="Exceptions above one another.", **WISH)] = None,
    points: Annotated[
        bool | None,
        typer.Option(
            "--points/--no-points", help="Whether rules may be scorecards; inner folds decide if not given.", **WISH
        ),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Then keep the best program so far.", **WISH)
    ] = None,
    forbid: Annotated[NameLists, typer.Option(metavar="A,B", help="Columns that no rule may test.", **WISH)] = None,
    apart: Annotated[
        NameLists, typer.Option(metavar="A,B", help="Two columns that no rule may combine; repeatable.", **WISH)
    ] = None,
    not_equal: Annotated[
        bool | None,
        typer.Option("--not-equal/--no-not-equal", help="Whether rules may say that a word is not there.", **WISH),
    ] = None,
    monotonic: Annotated[
        NameLists,
        typer.Option(metavar="A=+1,B=-1", help="More only speaks for (against) --positive, or the last label.", **WISH),
    ] = None,
    keep: Annotated[str | None, typer.Option(metavar="FILE.lp", help="Rules to keep as they are.", **WISH)] = None,
    balanced: Annotated[bool, typer.Option("--balanced", help="Both labels weigh the same.", **WISH)] = False,
    frontier: Annotated[
        bool, typer.Option("--frontier", help="Show programs of all sizes with their accuracy; take the elbow.", **WISH)
    ] = False,
    frontier_svg: Annotated[
        str | None, typer.Option(metavar="FILE.svg", help="Draw the frontier here.", **WISH)
    ] = None,
    pick: Annotated[int | None, typer.Option(metavar="N", help="Take program N of the frontier.", **WISH)] = None,
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
    wishes = {
        "size_penalty": size_penalty, "max_rules": max_rules, "max_literals": max_literals, "max_depth": max_depth,
        "points": points, "time_limit": time_limit, "forbid": forbid, "apart": apart, "allow_not_equal": not_equal,
        "monotonic": monotonic, "keep": keep, "class_weight": "balanced" if balanced else None,
    }  # fmt: skip
    asked = {"frontier": frontier or None, "frontier_svg": frontier_svg, "pick": pick}
    path = {name: value for name, value in asked.items() if value is not None}
    if algorithm is Algorithm.UNLESS:
        options |= read_wishes(wishes)
        refuse_elsewhere({"checkpoint": checkpoint, "scheduler": scheduler})
    else:
        refuse_wishes({**wishes, **path}, algorithm.value)
    if algorithm is Algorithm.FOLD_RPP:
        options |= {
            "ratio": 0.5 if ratio is None else ratio,
            "heuristic": heuristic or Heuristic.GAIN,
            "tail": tail or 0.0,
        }
    elif ratio is not None or heuristic is not None or tail is not None:
        from unless.errors import DataError

        msg = f"--ratio, --heuristic and --tail are for --algorithm {Algorithm.FOLD_RPP}, not {algorithm}."
        raise DataError(msg)
    if examples is None:
        task = _table(data, target, positive, split_names(categorical), split_names(numerical),
                      split_names(drop), split_names(missing), scheduler, path, algorithm)  # fmt: skip
    else:
        task = _examples(examples, background, data, target, path, algorithm)
    show = showing_steps if algorithm is Algorithm.UNLESS else showing_rules
    with show() as on_rule, saying_what_is_kept(checkpoint), saying_which_option():
        program = task(algorithm.classifier, options, on_rule, checkpoint)
    if output is not None:
        from unless.logic.text.files import save

        save(program, output)
    if as_json:
        from unless.explain.faces.json_data import program_data

        print_json(program_data(program))
    elif output is None:
        typer.echo(str(program), nl=False)
    else:
        typer.echo(f"{output}: {len(program.clauses)} clauses, {program.n_literals} literals.", err=True)


def _table(
    data: list[str] | None, target: str | None, positive: str | None, categorical: list[str], numerical: list[str],
    drop: list[str], missing: list[str], scheduler: str | None, path: dict[str, Any], algorithm: Algorithm,
) -> Task:  # fmt: skip
    """Return how to learn from files."""
    from unless.errors import DataError
    from unless.table.kinds import kinds_by_name
    from unless.table.pieces import open_files

    if not data or target is None:
        msg = "learning needs a table and --target, the column to predict; or --examples, facts pos(...) and neg(...)."
        raise DataError(msg)
    # What stands in standard input can be read only once, and there a label is text anyway.
    is_read_later = algorithm is Algorithm.UNLESS and "-" in data
    files = None if is_read_later else open_files(data)
    kinds = kinds_by_name(categorical, numerical)
    typed = positive if files is None else _typed(files, target, positive)
    own = {"positive": typed, "missing_values": missing}

    def task(classifier: Any, options: dict[str, Any], on_rule: Any, checkpoint: str | None) -> Any:
        if algorithm is Algorithm.UNLESS:
            model = classifier(**options, **own)
            return learn_in_memory(model, data, target, drop, (categorical, numerical), path, on_rule)
        model = classifier(**options, **own)
        return model.fit_files(
            files, target, drop=drop, kinds=kinds, scheduler=scheduler, on_rule=on_rule, checkpoint=checkpoint
        ).program_

    return task


def _examples(
    examples: str, background: str | None, data: list[str] | None, target: str | None, path: dict[str, Any],
    algorithm: Algorithm,
) -> Task:  # fmt: skip
    """Return how to learn from facts."""
    from unless.errors import DataError
    from unless.learn.examples import read_examples

    if data or target is not None:
        msg = "--examples stands in place of a table and its --target; give one or the other."
        raise DataError(msg)
    if path:
        msg = "the path of programs (--frontier, --pick) is for a table, not for --examples."
        raise DataError(msg)
    read = read_examples(Path(examples), "" if background is None else Path(background))
    own = {"positive": True, "background": read.background, "background_columns": [read.name_column]}

    def task(classifier: Any, options: dict[str, Any], on_rule: Any, checkpoint: str | None) -> Any:
        model = classifier(**{**options, **own})
        if algorithm is Algorithm.UNLESS:
            return fit_whole(model, read.rows, read.labels, on_rule)
        return model.fit(read.rows, read.labels, on_rule=on_rule, checkpoint=checkpoint).program_

    return task


def _typed(files: Files, target: str, positive: str | None) -> Any:
    """Give the label from the command line the type it has in the table."""
    if positive is None or not files.is_number(target):
        return positive
    from unless.logic.values import read_number

    number = read_number(positive)
    return positive if number is None else number
