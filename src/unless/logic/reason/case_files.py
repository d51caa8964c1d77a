"""Files of cases, beside the model: `loans.cases.yaml` for `loans.lp`; also .toml and .json.

In: a path. Out: plain data, or checks ready to run. YAML needs the extra `unless[reason]`; TOML and JSON need nothing.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless.errors import DataError
from unless.logic.reason.cases import read_checks
from unless.logic.text.files import load, read_text, write_text

if TYPE_CHECKING:
    import os

    from unless.logic.reason.cases import Check

SUFFIXES = (".yaml", ".yml", ".toml", ".json")


def cases_beside(model: str | os.PathLike[str]) -> Path:
    """Return the file of cases of a model: the one that is there, else where it would be."""
    path = Path(model)
    names = [path.with_name(f"{path.stem}.cases{suffix}") for suffix in SUFFIXES]
    return next((name for name in names if name.exists()), names[0])


def load_checks(model: str | os.PathLike[str], cases: str | os.PathLike[str] | None = None) -> list[Check]:
    """Load a model and its cases, and return the checks; for pytest, parametrize a test by them."""
    path = cases_beside(model) if cases is None else Path(cases)
    return read_checks(read_case_data(path), load(model), path.parent)


def read_case_data(path: Path) -> Any:
    """Read a file of cases as plain data."""
    text = read_text(path)
    try:
        if path.suffix == ".toml":
            return tomllib.loads(text)
        return json.loads(text) if path.suffix == ".json" else _read_yaml(text)
    except ValueError as error:
        msg = f"{path} cannot be read: {' '.join(str(error).split())}."
        raise DataError(msg) from None
    except RecursionError:
        msg = f"{path} cannot be read: too many brackets in one another."
        raise DataError(msg) from None


def write_case_data(path: Path, data: Any) -> None:
    """Write plain data as a file of cases: YAML or JSON, by its name."""
    if path.suffix == ".toml":
        msg = f"{path}: cases are recorded as YAML or JSON; name the file so."
        raise DataError(msg)
    if path.suffix == ".json":
        write_text(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    else:
        write_text(path, _yaml().safe_dump(data, sort_keys=False, allow_unicode=True, width=110))


def _read_yaml(text: str) -> Any:
    """Read YAML with all cells as text, as in a CSV file: `no` is a word, and 08 is not 8."""
    yaml = _yaml()
    try:
        return yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None


def _yaml() -> Any:
    try:
        import yaml
    except ImportError:
        msg = "cases in YAML need PyYAML: pip install 'unless[reason]'. Hint: TOML and JSON need nothing."
        raise DataError(msg) from None
    return yaml
