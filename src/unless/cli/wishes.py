"""What the flagship learner can be asked for on the command line, and how its path of programs is shown.

In: the options of `unless learn` that only this learner has, None where they were not given. Out: parameters of
`UnlessClassifier`. An option given to another learner is refused, not ignored.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from unless.cli.common import split_names
from unless.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.explain.frontier import Frontier
    from unless.logic.program import Program

DIRECTIONS = {"+1": 1, "1": 1, "-1": -1}


def refuse_wishes(wishes: Mapping[str, Any], learner: str) -> None:
    """Refuse options that a learner does not have."""
    for name, value in wishes.items():
        if value:
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
    found = {}
    for part in split_names(values):
        name, _, direction = part.rpartition("=")
        if direction not in DIRECTIONS or not name:
            msg = f"--monotonic {part!r} is not understood; accepted: COLUMN=+1 or COLUMN=-1."
            raise DataError(msg)
        found[name] = DIRECTIONS[direction]
    return found


def _text(place: str) -> str:
    from unless.files import read_text

    return read_text(Path(place))


def chosen(frontier: Frontier, picture: str | None, pick: int | None) -> Program:
    """Show the path on standard error, draw it where asked, and return the program picked, or the elbow."""
    from unless.files import write_text

    if pick is not None and not 1 <= pick <= len(frontier.stops):
        msg = f"--pick {pick}: the path has {len(frontier.stops)} programs, 1 to {len(frontier.stops)}."
        raise DataError(msg)
    typer.echo(str(frontier), err=True)
    if picture is not None:
        write_text(picture, frontier.svg())
    return frontier.stops[frontier.elbow if pick is None else pick - 1].program
