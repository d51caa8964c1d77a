"""What rules may not say: forbidden columns, columns apart, directions; checked, and read for background knowledge.

In: what a user asks for, the columns that can be tested, the background program. Out: `SpreadConstraints` by column
name, and the `Constraints` that are kept with a program, which what a user asks of its next grade adds to. A background
predicate stands for the columns that it tests: what is not allowed of them is not allowed of it. Which way a
direction goes through a predicate is not known, so one that tests such a column is not used at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from numbers import Real
from typing import TYPE_CHECKING, Any

from unless.errors import DataError, MisfitError
from unless.logic.column_names import found_keys, found_names, resolved_keys, resolved_name
from unless.logic.kept_constraints import Constraints

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from unless.learn.learners import UnlessSettings
    from unless.learn.rows.codes import Codebook
    from unless.logic.program import Program


@dataclass(frozen=True, slots=True)
class SpreadConstraints:
    """Columns that no rule tests, pairs that no rule combines, and +1 or -1 by column: more of it speaks for."""

    forbidden: frozenset[str]
    apart: tuple[tuple[str, str], ...]
    directions: Mapping[str, int]


def read_constraints(
    forbidden: Iterable[Any],
    apart: Iterable[Any],
    directions: Mapping[str, Any] | None,
    books: Sequence[Codebook],
    background: Program,
) -> SpreadConstraints:
    """Check them against the columns, and spread them to the background predicates."""
    by_name = {book.name: book for book in books}
    pairs = [found_names(map(str, _pair(pair)), by_name) for pair in apart]
    barred, wished = {*found_names(map(str, forbidden), by_name)}, found_keys(_directions(directions or {}), by_name)
    for name in wished:
        if len(by_name[name].numbers) == 0 and by_name[name].words:
            problem = f"names column {name!r}, which holds words; only numbers rise and fall."
            raise MisfitError(name="monotonic_cst", problem=problem)
    tested = {name: columns for name, columns in background.helper_columns.items() if name in by_name}
    barred |= {name for name, columns in tested.items() if columns & (barred | {*wished})}
    spread: list[tuple[str, str]] = []
    for pair in pairs:
        ones, others = ({name, *(p for p, columns in tested.items() if name in columns)} for name in pair)
        barred |= ones & others
        spread += product(sorted(ones), sorted(others))
    return SpreadConstraints(frozenset(barred), tuple(spread), wished)


def kept_constraints(settings: Any, program: Program, direction: int) -> Constraints:
    """Return what was asked of a program, to be kept with it; `direction` turns directions to the label of its rules.

    Background predicates are left out, since no points are for them, and conjunctions over relations, which a line of
    the model file cannot name.
    """
    kinds = {column.name: column.kind for column in program.columns if not column.atoms}
    asked = called_as(settings, kinds)
    ways = _directions(getattr(asked, "monotonic_cst", None) or {})
    return Constraints(
        tuple(getattr(asked, "forbidden", ())),
        tuple(_pair(pair) for pair in getattr(asked, "apart", ())),
        tuple((name, direction * way) for name, way in ways.items() if kinds.get(name) == "numerical"),
    ).among(kinds)


def called_as(settings: Any, names: Collection[str]) -> Any:
    """Return settings whose constraints call columns by the names that there are; what else they name stays."""
    if not hasattr(settings, "forbidden"):
        return settings
    pairs, ways = [_pair(pair) for pair in settings.apart], settings.monotonic_cst
    return replace(
        settings,
        forbidden=tuple(resolved_name(str(name), names) for name in settings.forbidden),
        apart=tuple((resolved_name(str(one), names), resolved_name(str(other), names)) for one, other in pairs),
        monotonic_cst=None if ways is None else resolved_keys({str(name): way for name, way in ways.items()}, names),
    )


def with_kept(settings: UnlessSettings, kept: Constraints, names: Collection[str]) -> UnlessSettings:
    """Add what a program keeps to what is asked now; `names` are the columns that there are."""
    known = dict(kept.directions)
    asked = _directions(settings.monotonic_cst or {})
    for name, way in asked.items():
        if known.get(name, way) != way:
            problem = f"gives column {name!r} {way:+d}, and the program has {known[name]:+d}; accepted: one direction."
            raise MisfitError(name="monotonic_cst", problem=problem)
    here = kept.among(names)
    return replace(
        settings,
        forbidden=(*here.forbidden, *settings.forbidden),
        apart=(*here.apart, *settings.apart),
        monotonic_cst={**dict(here.directions), **asked} or None,
    )


def _pair(pair: Any) -> tuple[str, str]:
    if isinstance(pair, str) or not hasattr(pair, "__iter__") or len(names := tuple(pair)) != 2:
        msg = f"apart holds {pair!r}; accepted: pairs of column names, such as [('age', 'town')]."
        raise DataError(msg)
    if names[0] == names[1]:
        msg = f"apart holds {pair!r}: a column cannot be kept apart from itself. Hint: forbidden keeps it out of rules."
        raise DataError(msg)
    return names


def _directions(wished: Mapping[str, Any]) -> dict[str, int]:
    for name, direction in wished.items():
        if not isinstance(direction, Real) or direction not in (-1, 0, 1):
            msg = f"monotonic_cst of column {name!r} is {direction!r}; accepted: 1, -1, 0."
            raise DataError(msg)
    return {str(name): int(direction) for name, direction in wished.items() if direction}
