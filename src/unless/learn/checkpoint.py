"""Learning that was interrupted goes on from the last finished rule, with the same final program.

A checkpoint is a small JSON file: the finished rules, and a fingerprint of the table and the settings. It is written
whole after each rule. The fingerprint comes from codebooks and counts alone, so neither the order of rows nor the
number of machines changes it; a checkpoint of another table or other settings is refused by the name of what differs.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.logic.rules import Literal, Rule
from unless.logic.text.files import write_text

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from unless.learn.fold.foldrpp import Progress
    from unless.learn.rows.codes import Columns
    from unless.learn.rows.row_set import Rows
    from unless.learn.rows.tally import Tally
    from unless.logic.program import Program
    from unless.logic.rules import Label

FORMAT = "unless checkpoint 1"


def fingerprint(columns: Columns, rows: Rows, theory: Program, settings: Mapping[str, str]) -> dict[str, str]:
    """Say what a table and the settings are, name by name."""
    tally, target = rows.tally(), theory.target
    table = {
        "missing values": json.dumps(list(theory.missing)),
        "target": json.dumps([target.column, *map(repr, (*target.labels, target.default))]),
        "order of columns": json.dumps([book.name for book in columns.books]),
        "number of rows": f"{rows.n_pos} + {rows.n_neg}",
    }
    marks = {f"column {book.name!r}": _mark(columns, c, tally) for c, book in enumerate(columns.books)}
    return {**settings, **table, **marks}


def _mark(columns: Columns, column: int, tally: Tally) -> str:
    """Hash the values of a column and how often they occur, in each class."""
    book, (low, high) = columns.books[column], columns.starts[column : column + 2]
    mark = hashlib.sha256()
    mark.update(np.ascontiguousarray(book.numbers).data)
    mark.update(json.dumps(book.words).encode())
    for line in tally.line(low, high):
        mark.update(np.ascontiguousarray(line).data)
    return mark.hexdigest()[:16]


@dataclass(slots=True)
class Checkpoint:
    """The finished rules, on disk after each; `on_rule` hears of each as well."""

    path: Path
    table: dict[str, str]
    rules: tuple[Rule, ...]
    on_rule: Callable[[Progress], None] | None = None

    @classmethod
    def open(
        cls, file: str | os.PathLike[str], table: dict[str, str], on_rule: Callable[[Progress], None] | None = None
    ) -> Checkpoint:
        """Read the rules that are finished already, or begin."""
        path = Path(file)
        if not path.exists():
            return cls(path, table, (), on_rule)
        known = _read(path)
        for name in (*table, *known["table"]):
            if table.get(name) != known["table"].get(name):
                msg = (
                    f"checkpoint {path} belongs to another table or other settings: {name} differs. "
                    "Hint: give another file, or delete this one to begin anew."
                )
                raise DataError(msg)
        return cls(path, table, tuple(_rule(item) for item in known["rules"]), on_rule)

    def add(self, progress: Progress) -> None:
        """Write the rule that was just finished."""
        self.rules = (*self.rules, progress.rule)
        content = {"format": FORMAT, "table": self.table, "rules": [_plain(rule) for rule in self.rules]}
        write_text(self.path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
        if self.on_rule is not None:
            self.on_rule(progress)


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] == FORMAT and isinstance(content["table"], dict):
            return dict(content)
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror or error}."
        raise DataError(msg) from None
    except (ValueError, KeyError, TypeError):
        pass
    msg = f"{path} is not a checkpoint of this version; give another file, or delete this one to begin anew."
    raise DataError(msg)


def _plain(rule: Rule) -> dict[str, Any]:
    return {
        "head": rule.head,
        "body": [[literal.column, literal.op, literal.value] for literal in rule.literals],
        "exceptions": [_plain(exception) for exception in rule.exceptions],
    }


def _rule(plain: Mapping[str, Any]) -> Rule:
    head: Label | None = plain["head"]
    body = tuple(Literal(column, op, value) for column, op, value in plain["body"])
    return Rule(head, body, tuple(_rule(exception) for exception in plain["exceptions"]))
