"""The figures of a program on some rows, rule by rule: plain values.

In: what `evaluate.coverage` counted. What each figure means, for a rule or an exception:

context    the rows at which it is asked: all rows for a rule; for an exception, those of the context of what it excepts
           for which the conditions there hold
covered    the rows of its context for which it holds, its own exceptions taken off, and, of rules in order, the rows
           that a rule of another label before it holds for
right      the covered rows it is right about: a rule, where the row has its label; an exception, where what it
           excepts would have been wrong; an exception to an exception, where that one would have been
wrong      the other covered rows
precision  right / covered
lift       precision / the share of the context that it would be right about
share      right / all rows of the context that it would be right about (for a rule: the share of its class)
alone      the covered rows whose prediction hangs on it alone: were it gone, another label would be predicted
examples   some covered rows, by number
probability  how probable it is, by the grade of the program, that it is right about a covered row, on average

The last line, `default`, is for the rows for which no rule holds. Without labels only the counts are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from unless.showing import show

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.logic.forms.entries import Entry
    from unless.logic.rules import Label

COLUMNS = (
    "number", "kind", "rule", "label", "line", "context", "covered", "right", "wrong", "precision", "lift", "share",
    "alone", "examples", "probability",
)  # fmt: skip
"""The columns of the table, in order; they stay as they are."""

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Figures:
    """One line of the table; `label` is that of the rule, also for what stands under it.

    `entry` is None for the default. `claimed` counts the rows of the context that the entry would be right about,
    whether it covers them or not. `expected` is the sum, over the covered rows, of the probability that it is right
    about the row, where the program has a grade.
    """

    number: str
    kind: OneOf["rule", "exception", "case", "default"]
    entry: Entry | None
    label: Label
    context: int
    covered: int
    right: int | None
    claimed: int | None
    alone: int
    examples: tuple[int, ...]
    expected: float | None = None

    @property
    def rule(self) -> str:
        """Say in English what the line is about: "yes if kind = bird"."""
        return self.phrase()

    def phrase(self, *, lang: str = "en") -> str:
        """Say what the line is about, in any language that there are words for."""
        return show("figures in brief", self, lang=lang)

    @property
    def line(self) -> int:
        """Return the line of the clause in the text it was read from, else 0."""
        return 0 if self.entry is None else self.entry.clause.line

    @property
    def wrong(self) -> int | None:
        """Count the covered rows it is wrong about."""
        return None if self.right is None else self.covered - self.right

    @property
    def precision(self) -> float | None:
        """Return the share of the covered rows it is right about; None when nothing is covered."""
        return _ratio(self.right, self.covered)

    @property
    def lift(self) -> float | None:
        """Return how many times as often it is right as a guess in its context would be."""
        return _ratio(self.precision, _ratio(self.claimed, self.context))

    @property
    def share(self) -> float | None:
        """Return the share, of all rows it could be right about, that it covers."""
        return _ratio(self.right, self.claimed)

    @property
    def probability(self) -> float | None:
        """Return how probable it is that it is right about a covered row, on average."""
        return _ratio(self.expected, self.covered)

    @property
    def depth(self) -> int:
        """Count the clauses above this one."""
        return self.number.count(".")

    def as_dict(self, *, lang: str = "en") -> dict[str, Any]:
        """Return the line as plain data, under the names in `COLUMNS`; only `rule` has words."""
        words = {"rule": self.phrase(lang=lang), "examples": list(self.examples)}
        return {name: words[name] if name in words else getattr(self, name) for name in COLUMNS}


@dataclass(frozen=True, slots=True)
class Coverage:
    """The figures of a program on some rows."""

    target: str
    n_rows: int
    lines: tuple[Figures, ...]

    def __getitem__(self, number: str) -> Figures:
        return self.by_number[number]

    @property
    def by_number(self) -> Mapping[str, Figures]:
        """Map '1', '1.2', ... to the figures."""
        return {line.number: line for line in self.lines}

    @property
    def has_probabilities(self) -> bool:
        """Tell whether the program has a grade."""
        return any(line.expected is not None for line in self.lines)

    @property
    def has_labels(self) -> bool:
        """Tell whether the rows came with labels."""
        return any(line.right is not None for line in self.lines)

    def rows(self, *, lang: str = "en") -> list[dict[str, Any]]:
        """Return the lines as plain data, ready for a data frame."""
        return [line.as_dict(lang=lang) for line in self.lines]

    def as_dict(self, *, lang: str = "en") -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {"format": FORMAT, "target": self.target, "rows": self.n_rows, "lines": self.rows(lang=lang)}

    def as_html(self, *, lang: str = "en") -> str:
        """Write the table as a fragment of HTML."""
        return show("coverage as html", self, lang=lang)

    def _repr_html_(self) -> str:
        return self.as_html()


def _ratio(part: float | None, whole: float | None) -> float | None:
    return None if part is None or not whole else part / whole
