"""Programs as models of MLflow, without pickle: the model file is the artifact, this module is what loads it.

In: a program. Out: a model that `mlflow.pyfunc` logs, loads and serves: its `data` is the text of the program, its
`loader_module` this module. Loading it parses text and executes nothing. Predictions have the label, its probability,
the rule that decided and the reason: a table for a table, a list for a list. Needs the extra `unless[mlflow]`.
"""

from __future__ import annotations

import logging
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless import __version__
from unless.errors import DataError
from unless.logic.text.files import load, save
from unless.web.served_program import ServedProgram

if TYPE_CHECKING:
    from collections.abc import Mapping

log = logging.getLogger("unless")

LOADER = "unless.web.mlflow_model"
NEEDED = [f"unless-light=={__version__}", "pandas"]
"""What an environment needs that serves the model."""


class ProgramModel:
    """What MLflow calls: rows in, answers out."""

    def __init__(self, name: str, path: str | Path) -> None:
        self.served = ServedProgram(name, load(path))

    def predict(self, model_input: Any, params: Mapping[str, Any] | None = None) -> Any:
        """Answer a table of pandas with another, a list of rows with a list."""
        is_table = hasattr(model_input, "to_dict")
        rows, said = self.served.called(model_input.to_dict("records") if is_table else _rows(model_input))
        for each in said:
            log.warning("%s", each)
        graded = [] if self.served.program.grade is None else ["probability"]
        names = ["label", *graded, "rule", "reason"]
        found = (self.served.answer(row, index)[0] for index, row in enumerate(rows))
        answers = [{name: answer[name] for name in names} for answer in found]
        if not is_table:
            return answers
        table = type(model_input)(answers, columns=names)  # the table's own class, so that pandas is not imported here
        # None as it is: pandas would make NaN of it, which MLflow writes into its JSON, where there is none.
        table["rule"] = table["rule"].astype(object).where(table["rule"].notna(), None)
        return table


def _rows(given: Any) -> list[dict[str, Any]]:
    """Return rows as they are, or made from columns; MLflow wraps cells of `inputs` into arrays."""
    if not hasattr(given, "items"):
        return [{name: _plain(cell) for name, cell in row.items()} for row in given]
    columns = {name: _plain(cells) for name, cells in given.items()}
    if not all(isinstance(cells, list) for cells in columns.values()):
        return [columns]
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def _plain(cell: Any) -> Any:
    return cell.tolist() if hasattr(cell, "tolist") else cell


def save_program(model: object, path: str | Path, **options: Any) -> None:
    """Save a program, or that of a fitted classifier, as a model of MLflow; further options are those of MLflow."""
    _pyfunc(model, "save_model", path=str(path), **options)


def log_program(model: object, name: str, **options: Any) -> Any:
    """Log a program, or that of a fitted classifier, in the run at hand; further options are those of MLflow."""
    return _pyfunc(model, "log_model", name=name, **options)


def _pyfunc(model: object, function: str, **options: Any) -> Any:
    if find_spec("mlflow") is None:
        msg = "mlflow cannot be imported; install it with: pip install 'unless[mlflow]'"
        raise DataError(msg)
    from mlflow import pyfunc

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.lp"
        save(model, path)
        wanted = {"loader_module": LOADER, "data_path": str(path), "pip_requirements": NEEDED, **options}
        return getattr(pyfunc, function)(**wanted)


def _load_pyfunc(path: str) -> ProgramModel:
    """Load what was saved; MLflow calls this by its name."""
    file = Path(path)
    return ProgramModel("model", next(file.glob("*.lp")) if file.is_dir() else file)
