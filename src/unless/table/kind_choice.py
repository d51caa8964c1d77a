"""What a person says about the kinds of columns: by name, by position, or as scikit-learn's `categorical_features`.

In: the names of the columns and a choice. Out: kinds by name, or the `KindRule` for a choice; a column that is not
there, or is chosen twice, is refused by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.logic.column_names import found_keys, found_name, found_names
from unless.table.kinds import KindRule, kinds_from_content, kinds_from_dtype

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.logic.rules import Kind
    from unless.table.frames import RawTable


def rule_from_choice(names: Sequence[str], choice: Any) -> KindRule:
    """Apply scikit-learn's `categorical_features`: 'from_dtype', None, names, positions, or a mask."""
    if isinstance(choice, str):
        if choice != "from_dtype":
            msg = f"categorical_features is {choice!r}; accepted: 'from_dtype', None, or a list of columns."
            raise DataError(msg)
        return KindRule("dtype")
    categorical = set() if choice is None else _chosen(names, list(choice))
    return KindRule("dtype", {name: "categorical" if name in categorical else "numerical" for name in names})


def override(kinds: Mapping[str, Kind], categorical: Sequence[str], numerical: Sequence[str]) -> dict[str, Kind]:
    """Set the kind of the named columns."""
    return {**kinds, **found_keys(kinds_by_name(categorical, numerical), kinds)}


def kinds_by_name(categorical: Sequence[str], numerical: Sequence[str]) -> dict[str, Kind]:
    """Return the kinds of columns that are named by kind; none may be named twice."""
    both = sorted(set(categorical) & set(numerical))
    if both:
        msg = f"column {both[0]!r} is named both categorical and numerical; it can be one."
        raise DataError(msg)
    chosen: dict[str, Kind] = dict.fromkeys(categorical, "categorical")
    return chosen | dict.fromkeys(numerical, "numerical")


def kinds_of_file(
    table: RawTable, categorical: Sequence[str], numerical: Sequence[str], *, is_text: bool
) -> dict[str, Kind]:
    """Decide for a table from a file: as the user says, else by content (mere text) or by dtype."""
    known = found_names((*categorical, *numerical), table.names)
    others = table.without(known)
    guess = kinds_from_content(others) if is_text else kinds_from_dtype(others)
    guessed: dict[str, Kind] = {**guess, **dict.fromkeys(known, "numerical")}
    return override({name: guessed[name] for name in table.names}, categorical, numerical)


def _chosen(names: Sequence[str], choice: list[Any]) -> set[str]:
    if choice and all(isinstance(item, bool | np.bool_) for item in choice):
        if len(choice) != len(names):
            msg = f"categorical_features is a mask of {len(choice)} for {len(names)} columns."
            raise DataError(msg)
        return {name for name, chosen in zip(names, choice, strict=True) if chosen}
    return {
        _at(names, int(item)) if isinstance(item, int | np.integer) else found_name(str(item), names) for item in choice
    }


def _at(names: Sequence[str], index: int) -> str:
    if not -len(names) <= index < len(names):
        msg = f"categorical_features names column {index} of a table with {len(names)} columns."
        raise DataError(msg)
    return names[index]
