"""What the estimators accept beside the settings of their learner: the parameters that all share, those of `fit_files`.

In: values by name. Out: `SettingError` for the first that is not accepted, in the sentence of all settings.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from numbers import Integral
from typing import TYPE_CHECKING, Any

from unless.errors import SettingError
from unless.estimators.column_matching import has_names
from unless.learn.settings import Accepts, columns, either, listed, mapping, number, of_type, words
from unless.table.pieces import Files

if TYPE_CHECKING:
    from collections.abc import Mapping


def _is_minus_one(value: Any) -> bool:
    return isinstance(value, Integral) and value == -1


TEXT = of_type("text", str)
SHARED = {
    "positive": of_type("a label", Hashable),
    "categorical_features": either(words("from_dtype"), listed("a list of columns"), None),
    "missing_values": listed("a list of words, such as ['?', '-999']", TEXT),
    "identifiers": words("warn", "drop", "keep"),
    "readings": either(mapping("a reading by column, such as {'amount': '1.234,56'}", TEXT), None),
    "date_parts": either(
        mapping("a list of parts by column, such as {'start': ['weekday']}", listed("parts", TEXT)), None
    ),
    "background": either(TEXT, of_type("a path", os.PathLike), None),
    "background_columns": columns(),
    "n_jobs": either(number(1, whole=True), Accepts("-1 for all cores", _is_minus_one), None),
}
"""What the parameters that all learners share accept."""
OF_FILES = {
    "paths": either(
        of_type("a path", str, os.PathLike, Files),
        Accepts("a list of paths", lambda value: isinstance(value, Iterable) and not has_names(value)),
    ),
    "target": of_type("the name of a column", str),
    "drop": columns(),
    "kinds": either(mapping("'numerical' or 'categorical' by column", words("numerical", "categorical")), None),
}
"""What `fit_files` accepts."""


def refuse_others(accepted: Mapping[str, Accepts], given: Mapping[str, Any]) -> None:
    """Refuse the first value that is not accepted."""
    for name, accepts in accepted.items():
        if not accepts.test(given[name]):
            raise SettingError(name, given[name], accepts.words)
