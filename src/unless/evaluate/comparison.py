"""Two programs on the same rows: what changed, as plain values.

In: what `evaluate.compare` counted. Proofs are asked for only when they are shown, through `why`, because there may be
many flips. A flip is a row for which the two programs predict different labels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from unless.evaluate.scores import is_higher_better
from unless.logic.program import label_text
from unless.showing import show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from unless.logic.program import Program
    from unless.logic.rules import Column, Label, Value

    Why = Callable[["Flip"], tuple[str, str]]

FORMAT = 1
SHOWN = 20
"""How many flips are shown unless asked otherwise."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One of the metrics before and after; `label` is the label it is about, None for all of them."""

    name: str
    label: Label | None
    before: float
    after: float

    @property
    def change(self) -> float:
        """Return how much larger it is now."""
        return self.after - self.before

    @property
    def gain(self) -> float:
        """Return how much better it is now."""
        return self.change if is_higher_better(self.name) else -self.change


@dataclass(frozen=True, slots=True)
class Flip:
    """A row whose prediction changed; `actual` is its own label where the table has it, as text.

    `name` is what a column calls the row, where one was asked for.
    """

    row: int
    before: Label
    after: Label
    actual: str | None
    values: Mapping[str, Value | None]
    name: int | str | None = None

    @property
    def verdict(self) -> OneOf["better", "worse", "neither", "unknown"]:
        """Tell whether the row was wrong and is now right, or the other way round."""
        if self.actual is None:
            return "unknown"
        if label_text(self.after) == self.actual:
            return "better"
        return "worse" if label_text(self.before) == self.actual else "neither"


@dataclass(frozen=True)
class Comparison:
    """What an edit changed: clauses, measures (with labels only), the rows that flip, and how many for the better."""

    target: str
    n_rows: int
    removed: tuple[str, ...]
    added: tuple[str, ...]
    measures: tuple[Measure, ...]
    flips: Sequence[Flip]
    verdicts: Mapping[str, int]
    columns: tuple[Column, ...] = ()
    programs: tuple[Program, Program] | None = field(default=None, compare=False, repr=False)
    """The two programs, for their rules in words, and for whether they were learned from these rows."""
    why: Why | None = field(default=None, compare=False, repr=False)

    def shown(self, limit: int | None = SHOWN) -> Iterator[tuple[Flip, tuple[str, str] | None]]:
        """Yield the first flips with their two proofs, None where no prover was given; no limit yields all."""
        for flip in islice(self.flips, limit):
            yield flip, None if self.why is None else self.why(flip)

    def as_dict(self, limit: int | None = None) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "format": FORMAT,
            "target": self.target,
            "rows": self.n_rows,
            "removed": list(self.removed),
            "added": list(self.added),
            "measures": [
                {"name": m.name, "label": m.label, "before": m.before, "after": m.after} for m in self.measures
            ],
            "n_flips": len(self.flips),
            "verdicts": dict(sorted(self.verdicts.items())),
            "flips": [_flip_dict(flip, proofs) for flip, proofs in self.shown(limit)],
        }

    def summary(self, *, lang: str = "en") -> str:
        """Say in a sentence how many rows flip, and for better or worse."""
        return show("comparison in a sentence", self, lang=lang)

    def as_text(self, limit: int | None = SHOWN, *, lang: str = "en") -> str:
        """Write the comparison as plain text."""
        return show("comparison as text", self, limit=limit, lang=lang)

    def as_html(self, limit: int | None = 200, *, lang: str = "en") -> str:
        """Write a self-contained page."""
        return show("comparison as html", self, limit=limit, lang=lang)


def _flip_dict(flip: Flip, proofs: tuple[str, str] | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "row": flip.row,
        "before": flip.before,
        "after": flip.after,
        "actual": flip.actual,
        "verdict": flip.verdict,
        "values": dict(flip.values),
        **({} if flip.name is None else {"id": flip.name}),
    }
    return data if proofs is None else {**data, "proofs": {"before": proofs[0], "after": proofs[1]}}
