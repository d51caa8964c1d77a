"""What rules and points were asked to keep to, kept with the program: columns forbidden, columns apart, directions.

Nothing that decides looks at them. Whoever grades the program again does, so that nobody has to say them twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unless.errors import ProgramError, listing, unknown_column

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from unless.logic.rules import Column


@dataclass(frozen=True, slots=True)
class Constraints:
    """Columns that nothing tests, pairs that nothing combines, and +1 or -1 by column.

    A direction is of the label that the rules conclude: more of the column may only speak for it (+1) or against (-1).

    >>> bool(Constraints()), bool(Constraints(forbidden=("sex",)))
    (False, True)
    """

    forbidden: tuple[str, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    directions: tuple[tuple[str, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.forbidden or self.apart or self.directions)

    def with_more(self, other: Constraints) -> Constraints:
        """Return both together; where directions differ, a program refuses them."""
        return Constraints(
            (*self.forbidden, *other.forbidden), (*self.apart, *other.apart), (*self.directions, *other.directions)
        )

    def among(self, names: Collection[str]) -> Constraints:
        """Return those that are about these columns alone."""
        return Constraints(
            tuple(name for name in self.forbidden if name in names),
            tuple(pair for pair in self.apart if all(name in names for name in pair)),
            tuple((name, direction) for name, direction in self.directions if name in names),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return them as plain data, under the names that the command has for them."""
        return {
            "forbid": list(self.forbidden),
            "apart": [list(pair) for pair in self.apart],
            "monotonic": dict(self.directions),
        }


UNCONSTRAINED = Constraints()


def checked_constraints(constraints: Constraints, columns: Sequence[Column], labels: Sequence[str]) -> Constraints:
    """Return constraints in the order of the columns, each once; refuse what no column, or no label, can keep.

    One order, so that equal programs print alike. A conjunction over relations has no name to be written by.
    """
    known = {column.name: column for column in columns if not column.atoms}
    for pair in constraints.apart:
        if len(pair) != 2:
            msg = f"apart holds {pair!r}; accepted: pairs of columns."
            raise ProgramError(msg)
    named = (*constraints.forbidden, *(name for pair in constraints.apart for name in pair))
    for name in (*named, *(name for name, _ in constraints.directions)):
        if name not in known:
            raise ProgramError("in the constraints: " + unknown_column(str(name), tuple(known), "the program"))
    found: dict[str, int] = {}
    for name, direction in constraints.directions:
        if problem := direction_problem(known[name], direction, found) or labels_problem(labels):
            msg = f"{problem}."
            raise ProgramError(msg)
        found[name] = direction
    positions = {name: i for i, name in enumerate(known)}
    pairs = {tuple(sorted(pair, key=positions.__getitem__)) for pair in constraints.apart}
    return Constraints(
        tuple(name for name in known if name in constraints.forbidden),
        tuple(sorted(((one, other) for one, other in pairs), key=lambda pair: [positions[name] for name in pair])),
        tuple((name, found[name]) for name in known if name in found),
    )


def direction_problem(column: Column, direction: object, others: dict[str, int]) -> str | None:
    """Say why a column cannot have a direction beside those that are there; None if it can."""
    if type(direction) is not int or direction not in (1, -1):
        return f"the direction of column {column.name!r} is {direction!r}; accepted: +1, -1"
    if column.kind != "numerical":
        return f"column {column.name!r} is categorical and has no direction; only numbers rise and fall"
    if others.get(column.name, direction) != direction:
        return f"column {column.name!r} has both directions; accepted: one"
    return None


def labels_problem(labels: Sequence[str]) -> str | None:
    """Say why there can be no directions with these labels; None if there can."""
    if len(labels) < 3:
        return None
    return f"directions are for two labels, and the program has {len(labels)}: {listing(map(repr, labels))}"
