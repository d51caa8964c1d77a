"""Whether one learner is better than another, or the folds were kind: paired tests, on a table and over tables.

On a table: the corrected resampled t-test (Nadeau and Bengio 2003; for repeated cross-validation Bouckaert and Frank
2004). Folds share most of their rows, so the plain t-test finds differences that are none; the variance is multiplied
by 1/n + 1/(folds - 1) instead of 1/n. Over tables: Wilcoxon's signed-rank test of the mean accuracies (Demšar 2006),
with Holm's correction for all pairs of the page. In: cells with full shuffles; both learners saw the same folds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import fmean, variance
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unless.bench.measurements import Cell

LEVEL = 0.05
OURS = ("unless", "fold-r++")
FEWEST_TABLES = 5
"""Below this no signed-rank test can find anything."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two learners over tables: on how many the first is better, the same, worse; and the test over all of them."""

    ours: str
    other: str
    better: tuple[str, ...]
    same: tuple[str, ...]
    worse: tuple[str, ...]
    difference: float
    p: float | None
    holm: float | None = None

    @property
    def n_tables(self) -> int:
        """Count the tables that both have figures for."""
        return len(self.better) + len(self.same) + len(self.worse)


def paired_tests(cells: Sequence[Cell]) -> list[PairedTest]:
    """Compare each of our learners with all others, on the tables that both finished."""
    full = {(cell.data, cell.learner): cell for cell in cells if cell.is_full and not cell.data.endswith("*")}
    learners = list(dict.fromkeys(learner for _, learner in full))
    found = []
    for i, ours in enumerate(OURS):
        for other in learners:
            tables = [data for data, learner in full if learner == ours and (data, other) in full]
            pairs = [(full[data, ours], full[data, other]) for data in tables]
            if pairs and other not in OURS[: i + 1]:
                found.append(_compare(ours, other, pairs))
    return list(_corrected(found))


def corrected_t(differences: Sequence[float], n_folds: int) -> float:
    """Return the p-value that differences over folds of shuffles have no mean."""
    from scipy.stats import t as student

    n, mean = len(differences), fmean(differences)
    spread = variance(differences)
    if spread == 0:
        return 1.0 if mean == 0 else 0.0
    statistic = mean / math.sqrt((1 / n + 1 / (n_folds - 1)) * spread)
    return float(2 * student.sf(abs(statistic), n - 1))


def _compare(ours: str, other: str, pairs: Sequence[tuple[Cell, Cell]]) -> PairedTest:
    from scipy.stats import wilcoxon

    sides: dict[str, list[str]] = {"better": [], "same": [], "worse": []}
    means = []
    for a, b in pairs:
        both = [(x, y) for s, t in zip(a.shuffles, b.shuffles, strict=False) for x, y in zip(s, t, strict=True)]
        differences = [x.scores["accuracy"] - y.scores["accuracy"] for x, y in both]
        means.append(fmean(differences))
        is_clear = corrected_t(differences, len(a.shuffles[0])) < LEVEL
        sides["same" if not is_clear else "better" if means[-1] > 0 else "worse"].append(a.data)
    moved = [round(mean, 12) for mean in means]
    p = float(wilcoxon(moved).pvalue) if len(moved) >= FEWEST_TABLES and any(moved) else None
    better, same, worse = map(tuple, sides.values())
    return PairedTest(ours, other, better, same, worse, fmean(means), p)


def _corrected(tests: Sequence[PairedTest]) -> Iterator[PairedTest]:
    """Give each test its p-value corrected for the number of all of them, by Holm's step-down."""
    ranked = sorted((test.p, i) for i, test in enumerate(tests) if test.p is not None)
    adjusted: dict[int, float] = {}
    highest = 0.0
    for rank, (p, i) in enumerate(ranked):
        highest = max(highest, min(1.0, p * (len(ranked) - rank)))
        adjusted[i] = highest
    for i, test in enumerate(tests):
        yield replace(test, holm=adjusted.get(i))
