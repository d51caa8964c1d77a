"""The options of `unless learn` that belong to a learner: made from the settings of all learners, and read back.

In: the fields of `unless.learn.learners`. Out: parameters for the command, and the settings that were typed. An option
given to a learner that does not have it is refused, not ignored. Nothing here names a learner or a setting.
"""

from __future__ import annotations

import inspect
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unless.cli.arguments import split_names
from unless.errors import DataError, MisfitError, SettingError
from unless.learn.learners import LEARNERS
from unless.learn.settings import descriptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from unless.learn.settings import Described, LearnerSettings

DIRECTIONS = {"+1": 1, "1": 1, "-1": -1}


@dataclass(frozen=True)
class OptionKind:
    """How a kind of setting is typed, and how what was typed is read."""

    type: Any
    read: Callable[[Any], Any] = lambda value: value
    default: Any = None


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for every setting of every learner; they reach it as keywords."""
    signature = inspect.signature(command, eval_str=True)
    own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    command.__signature__ = signature.replace(parameters=[*own, *_parameters()])  # type: ignore[attr-defined]
    return command


def read_settings(learner: str, typed: Mapping[str, Any]) -> LearnerSettings:
    """Return the settings of a learner from the options that were typed."""
    known = {option_name(name, each): (name, each) for name, each in descriptions(LEARNERS[learner]).items()}
    every = {option: each for settings in LEARNERS.values() for option, each in _options(settings).items()}
    values = {}
    for option, value in typed.items():
        if value == KINDS[every[option].kind].default:
            continue
        if option not in known:
            owners = " or ".join(name for name, settings in LEARNERS.items() if option in _options(settings))
            msg = f"--{_dashed(option)} is an option of --algorithm {owners}, and {learner} does not have it."
            raise DataError(msg)
        name, described = known[option]
        values[name] = KINDS[described.kind].read(value)
    try:
        return LEARNERS[learner](**values)
    except SettingError as error:
        option = next(option for option, (name, _) in known.items() if name == error.name)
        msg = f"--{_dashed(option)} is {error.value}; accepted: {error.accepted.removesuffix(' or None')}."
        raise DataError(msg) from None


@contextmanager
def naming_options() -> Iterator[None]:
    """Let errors about settings name the options that were typed, not what they are called in Python."""
    try:
        yield
    except MisfitError as error:
        known = {name: each for settings in LEARNERS.values() for name, each in descriptions(settings).items()}
        option = option_name(error.name, known[error.name]) if error.name in known else error.name
        value = f" {error.value!r}" if isinstance(error.value, str | int | float) else ""
        msg = f"--{_dashed(option)}{value} {error.problem}"
        raise DataError(msg) from None


def option_name(name: str, described: Described) -> str:
    """Return the option of a setting, with underscores."""
    return described.option or name


def _options(settings: type[LearnerSettings]) -> dict[str, Described]:
    return {option_name(name, described): described for name, described in descriptions(settings).items()}


def _parameters() -> Iterator[inspect.Parameter]:
    met: set[str] = set()
    for learner, settings in LEARNERS.items():
        for option, described in _options(settings).items():
            if option in met:
                continue
            met.add(option)
            is_shared = all(option in _options(each) for each in LEARNERS.values())
            kind = KINDS[described.kind]
            names = [f"--{_dashed(option)}"]
            if described.kind == "switch":
                names = [f"--{_dashed(option)}/--no-{_dashed(option)}"]
            shown = typer.Option(
                *names,
                metavar=described.metavar,
                help=described.help,
                show_default=False,
                rich_help_panel="With any --algorithm" if is_shared else f"With --algorithm {learner}",
            )
            yield inspect.Parameter(
                option, inspect.Parameter.KEYWORD_ONLY, default=kind.default, annotation=Annotated[kind.type, shown]
            )


def _dashed(option: str) -> str:
    return option.replace("_", "-")


def read_pairs(values: Sequence[str]) -> list[tuple[str, str]]:
    """Read pairs of columns, as `--apart` takes them."""
    pairs = []
    for value in values:
        names = split_names([value])
        if len(names) != 2:
            msg = f"--apart {value!r} names another number of columns than two, with a comma between them."
            raise DataError(msg)
        pairs.append((names[0], names[1]))
    return pairs


def read_directions(values: Sequence[str]) -> dict[str, int]:
    """Read directions by column, as `--monotonic` takes them."""
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


def _costs(values: Sequence[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for value in values:
        label, _, cost = value.rpartition("=")
        try:
            found[label] = float(cost)
        except ValueError:
            found[label] = -1.0
        if not label or not found[label] >= 0:
            msg = f"--cost-of {value!r} is not understood; accepted: LABEL=COST, such as late=5, of at least 0."
            raise DataError(msg)
    return found


def _rules(path: str) -> str:
    from unless.logic.text.files import read_text

    return read_text(Path(path))


KINDS = {
    "number": OptionKind(float | None),
    "whole": OptionKind(int | None),
    "switch": OptionKind(bool | None),
    "mark": OptionKind(bool, lambda value: "balanced", default=False),
    "word": OptionKind(str | None),
    "names": OptionKind(list[str] | None, split_names),
    "pairs": OptionKind(list[str] | None, read_pairs),
    "directions": OptionKind(list[str] | None, read_directions),
    "costs": OptionKind(list[str] | None, _costs),
    "rules": OptionKind(str | None, _rules),
}
