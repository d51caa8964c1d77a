"""What the flagship learner can be asked for on the command line, and how its path of programs is shown.

In: the options of `unless learn` that only this learner has, None where they were not given. Out: parameters of
`UnlessClassifier`. An option given to another learner is refused, not ignored.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from unless.cli.arguments import read_data, split_names
from unless.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.estimators.unless_classifier import UnlessClassifier
    from unless.learn.size_path import Frontier
    from unless.logic.program import Program

DIRECTIONS = {"+1": 1, "1": 1, "-1": -1}


def refuse_wishes(wishes: Mapping[str, Any], learner: str) -> None:
    """Refuse options that a learner does not have."""
    for name, value in wishes.items():
        if value is not None:
            msg = f"--{name.replace('_', '-')} is an option of --algorithm unless, and {learner} does not have it."
            raise DataError(msg)


def read_wishes(wishes: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters of the classifier."""
    given = {name: value for name, value in wishes.items() if value is not None}
    readers = {
        "forbid": ("forbidden", split_names),
        "apart": ("apart", _pairs),
        "monotonic": ("monotonic_cst", _directions),
        "keep": ("locked", _text),
    }
    options = {}
    for name, value in given.items():
        to, read = readers.get(name, (name, None))
        options[to] = value if read is None else read(value)
    return options


def _pairs(values: Sequence[str]) -> list[tuple[str, str]]:
    pairs = []
    for value in values:
        names = split_names([value])
        if len(names) != 2:
            msg = f"--apart {value!r} names {len(names)} column(s); it takes two, with a comma between them."
            raise DataError(msg)
        pairs.append((names[0], names[1]))
    return pairs


def _directions(values: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in split_names(values):
        name, _, direction = part.rpartition("=")
        if direction not in DIRECTIONS or not name:
            msg = f"--monotonic {part!r} is not understood; accepted: COLUMN=+1 or COLUMN=-1."
            raise DataError(msg)
        if found.setdefault(name, DIRECTIONS[direction]) != DIRECTIONS[direction]:
            msg = f"--monotonic gives column {name!r} both directions; accepted: one."
            raise DataError(msg)
    return found


def _text(place: str) -> str:
    from unless.logic.text.files import read_text

    return read_text(Path(place))


def refuse_elsewhere(options: Mapping[str, Any]) -> None:
    """Refuse options of learners whose rows may be elsewhere."""
    for name, value in options.items():
        if value is not None:
            msg = f"--{name} is not an option of --algorithm unless, which optimises a whole program in memory."
            raise DataError(msg)


def learn_in_memory(
    model: UnlessClassifier, data: Sequence[str], target: str, drop: Sequence[str],
    kinds: tuple[Sequence[str], Sequence[str]], path: Mapping[str, Any], on_progress: Any,
) -> Program:  # fmt: skip
    """Read one table and learn from it, or choose from its frontier."""
    from unless.table.kinds import kinds_of_file

    if len(data) != 1:
        msg = f"--algorithm unless learns from one table in memory; {len(data)} were given."
        raise DataError(msg)
    table, is_text = read_data(data[0])
    labels = table.column(target)
    table = table.without([target, *drop])
    found = kinds_of_file(table, *kinds, is_text=is_text, missing=model.missing_values)
    model.set_params(categorical_features=[name for name in table.names if found[name] == "categorical"])
    if path:
        if model.time_limit is not None:
            msg = "--time-limit is not for the path of programs: cut short, it would compare unequal chances."
            raise DataError(msg)
        return chosen(model.frontier(table, labels), path.get("frontier_svg"), path.get("pick"))
    return fit_whole(model, table, labels, on_progress)


def fit_whole(model: UnlessClassifier, rows: Any, labels: Any, on_progress: Any) -> Program:
    """Learn a program, and say so if it was cut short."""
    model.fit(rows, labels, on_progress=on_progress)
    if model.stopped_:
        typer.echo("unless: stopped early; this is the best program so far.", err=True)
    return model.program_


def chosen(frontier: Frontier, picture: str | None, pick: int | None) -> Program:
    """Show the path on standard error, draw it where asked, and return the program picked, or the elbow."""
    from unless.logic.text.files import write_text

    if pick is not None and not 1 <= pick <= len(frontier.stops):
        msg = f"--pick {pick}: the path has {len(frontier.stops)} programs, 1 to {len(frontier.stops)}."
        raise DataError(msg)
    typer.echo(str(frontier), err=True)
    if picture is not None:
        write_text(picture, frontier.svg())
    return frontier.stops[frontier.elbow if pick is None else pick - 1].program
