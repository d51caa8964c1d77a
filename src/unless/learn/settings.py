"""What a setting of a learner accepts, said once: the check, the sentence of refusal, and the option are made from it.

In: a frozen dataclass whose fields are made by `setting`. Out: `SettingError` for a value that is out of its range. The
command, the page, the estimators and the bench read the fields; none of them has a range of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

from unless.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Accepts:
    """What is accepted: in words, and as a test."""

    words: str
    test: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Described:
    """What people should know of a setting: what it accepts, a sentence of help, and how it is typed.

    `kind` is how the command reads it: a number, whole or not; a switch that may be left alone; a mark; a word; names
    with commas; pairs; directions; costs; or a file of rules. `option` is its name there, if it is another one.
    """

    accepts: Accepts
    help: str
    kind: str
    metavar: str | None = None
    option: str | None = None


def setting(default: Any, accepts: Accepts, kind: str, help: str, **typed: str) -> Any:  # noqa: A002
    """Make a field that carries its description."""
    return field(default=default, metadata={"described": Described(accepts, help, kind, **typed)})


def number(low: float, high: float | None = None, *, whole: bool = False, excluding: str = "") -> Accepts:
    """Accept numbers in a range; `excluding` names ends that are left out: 'low', 'high'."""

    def test(value: Any) -> bool:
        is_number = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
        if not is_number:
            return False
        above = value > low if "low" in excluding else value >= low
        return bool(above and (high is None or (value < high if "high" in excluding else value <= high)))

    kind = "a whole number" if whole else "a number"
    least = f"above {low:g}" if "low" in excluding else f"of at least {low:g}"
    if high is None:
        return Accepts(f"{kind} {least}", test)
    ends = f"from {low:g} to below {high:g}" if "high" in excluding else f"from {low:g} to {high:g}"
    return Accepts(f"{kind} {ends}", test)


def words(*known: str) -> Accepts:
    """Accept some words."""
    return Accepts(" or ".join(repr(word) for word in known), lambda value: isinstance(value, str) and value in known)


def flag() -> Accepts:
    """Accept true and false."""
    return Accepts("True or False", lambda value: isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"))


def of_type(said: str, *types: type) -> Accepts:
    """Accept values of some types."""
    return Accepts(said, lambda value: isinstance(value, types))


def listed(said: str, each: Accepts | None = None) -> Accepts:
    """Accept what holds values, one by one, and is no text; `each` says what a value may be."""

    def test(value: Any) -> bool:
        is_list = isinstance(value, Collection) and not isinstance(value, str | bytes)
        return is_list and (each is None or all(map(each.test, value)))

    return Accepts(said, test)


def columns() -> Accepts:
    """Accept names of columns, one by one: text, or what a frame calls a column, such as a number."""
    return listed("a list of columns", of_type("a name", Hashable))


def mapping(said: str, each: Accepts | None = None) -> Accepts:
    """Accept what maps names to values; `each` says what a value may be."""

    def test(value: Any) -> bool:
        return isinstance(value, Mapping) and (each is None or all(map(each.test, value.values())))

    return Accepts(said, test)


def either(*ways: Accepts | None) -> Accepts:
    """Accept what any of the ways accepts; None accepts None."""
    said = " or ".join("None" if way is None else way.words for way in ways)
    return Accepts(said, lambda value: any(value is None if way is None else way.test(value) for way in ways))


@dataclass(frozen=True)
class LearnerSettings:
    """The settings of one learner, checked when they are made."""

    name: ClassVar[str]
    """What the learner is called in the command, the page and the bench."""
    title: ClassVar[str]
    home: ClassVar[tuple[str, str]]
    """The module and the function that learn so: loaded when they are first needed."""
    takes_many_labels: ClassVar[bool] = True
    needs_rows_here: ClassVar[bool] = False
    """Whether the codes of all rows must fit into the memory of this machine."""
    keeps_checkpoints: ClassVar[bool] = True
    """Whether an interrupted run can go on from its finished rules."""
    has_frontier: ClassVar[bool] = False
    """Whether it gives programs of all sizes to choose from."""
    for_two_labels: ClassVar[tuple[str, ...]] = ()
    """The settings that mean something for two labels only."""

    def __post_init__(self) -> None:
        for name, described in descriptions(type(self)).items():
            value = getattr(self, name)
            if not described.accepts.test(value):
                raise SettingError(name, value, described.accepts.words)


def descriptions(settings: type[LearnerSettings]) -> dict[str, Described]:
    """Return the descriptions of a learner's settings, by name."""
    return {each.name: each.metadata["described"] for each in fields(settings)}
