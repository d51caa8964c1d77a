"""Rules on old and new rows: the share that each decides, how often it is right, and which of them changed.

In: a program, a table from then and one from now. Out: a line for each rule and for no rule. An alarm is a change that
chance would make in less than one of a hundred comparisons of this size, all lines taken together (Bonferroni).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from unless.errors import DataError
from unless.evaluate.audit import NO_ROWS, Share
from unless.evaluate.region_rows import deciding_rules
from unless.evaluate.view import View
from unless.logic.forms.outline import outline
from unless.logic.reason.changed_parts import NO_RULE

if TYPE_CHECKING:
    from unless.logic.program import Program
    from unless.table.frames import RawTable

RISK = 0.01


@dataclass(frozen=True, slots=True)
class RuleDrift:
    """A rule then and now: its share of all rows, and how many of its rows are right (None without labels)."""

    rule: str
    share: tuple[Share, Share]
    right: tuple[Share, Share] | None
    share_alarm: bool = False
    right_alarm: bool = False

    @property
    def alarm(self) -> bool:
        """Tell whether one of the two changed more than chance allows."""
        return self.share_alarm or self.right_alarm


def drift(
    program: Program, old: RawTable, new: RawTable, target: str | None = None, *, risk: float = RISK
) -> list[RuleDrift]:
    """Compare each rule on two tables, the first with alarms first."""
    if not old.n_rows or not new.n_rows:
        raise DataError(NO_ROWS)
    views = [View(program, table, target) for table in (old, new)]
    rules = [deciding_rules(view) for view in views]
    has_labels = all(view.actual is not None for view in views)
    numbers = [*(rule.number for rule in outline(program)), NO_RULE]
    limit = NormalDist().inv_cdf(1 - risk / (2 * len(numbers) * (2 if has_labels else 1)))
    found = []
    for number in numbers:
        decided = [each == number for each in rules]
        share = _pair(*(Share(int(rows.sum()), len(rows)) for rows in decided))
        right = None
        if has_labels:
            hits = [int((view.predicted == view.actual)[rows].sum()) for view, rows in zip(views, decided, strict=True)]
            right = _pair(*(Share(n, int(np.sum(rows))) for n, rows in zip(hits, decided, strict=True)))
        changed = right is not None and _z(*right) > limit
        found.append(RuleDrift(number, share, right, _z(*share) > limit, changed))
    return sorted(found, key=lambda line: not line.alarm)


def _pair(then: Share, now: Share) -> tuple[Share, Share]:
    return then, now


def _z(then: Share, now: Share) -> float:
    """Return how many standard errors lie between two shares, both taken to come from one."""
    if not then.of or not now.of:
        return 0.0
    pooled = (then.n + now.n) / (then.of + now.of)
    error = math.sqrt(pooled * (1 - pooled) * (1 / then.of + 1 / now.of))
    return abs(then.value - now.value) / error if error else 0.0
