"""The points literal of the search: tests with points, and how many must be reached.

In: parts and a threshold, or what a kernel wrote. Out: `Score`, and the same as kernels read it. Found by
scorecard_search.py: drafted by a regression, rounded, then polished exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from unless.learn.optimise import histograms
from unless.learn.optimise.body.bodies import line_of, read_test
from unless.learn.optimise.layout import FACTS, MAX_BINS

if TYPE_CHECKING:
    from unless.learn.optimise.bins import Bins, Test
    from unless.learn.optimise.layout import Bytes, Ints


@dataclass(frozen=True)
class Score:
    """Holds where the points of the tests that hold reach the threshold."""

    parts: tuple[tuple[int, Test], ...]
    threshold: int

    @cached_property
    def size(self) -> int:
        """Count the tests, and one for the sum."""
        return 1 + sum(test.size for _, test in self.parts)

    @property
    def columns(self) -> frozenset[int]:
        """Return the columns tested."""
        return frozenset(test.column for _, test in self.parts)

    def truth(self, bins: Bins, rows: Ints) -> Bytes:
        """Return the truth on the given rows."""
        exact = tuple(part for part in self.parts if part[1].cut >= 0)
        lines = lines_of(tuple(part for part in self.parts if part[1].cut < 0)) if exact else self.lines
        scores = np.zeros(len(rows), dtype=np.uint8)
        for points, test in exact:
            scores += test.truth(bins, rows) * np.uint8(points)
        histograms.add_points(bins.by_column, lines.tests, rows, lines.tables, lines.points, scores)
        return (scores >= self.threshold).view(np.uint8)

    @cached_property
    def lines(self) -> ScoreLines:
        """Return the parts as kernels read them."""
        return lines_of(self.parts)


Parts: TypeAlias = "tuple[tuple[int, Test], ...]"


class ScoreLines(NamedTuple):
    """The parts of a scorecard as kernels read them: points, facts of the test, its truth by bin."""

    points: Ints
    tests: Ints
    tables: Bytes


def lines_of(parts: Parts) -> ScoreLines:
    """Return parts as kernels read them."""
    n = len(parts)
    return ScoreLines(
        np.array([points for points, _ in parts], dtype=np.int64),
        np.array([line_of(test) for _, test in parts], dtype=np.int64).reshape(n, FACTS),
        np.array([test.table for _, test in parts], dtype=np.uint8).reshape(n, MAX_BINS),
    )


def score_of(bins: Bins, lines: ScoreLines, threshold: int) -> Score:
    """Return the scorecard that a kernel wrote; its lines are known: to make them anew takes longer than to polish."""
    tests = (read_test(bins, *line) for line in zip(lines.tests, lines.tables, strict=True))
    score = Score(tuple(zip(lines.points.tolist(), tests, strict=True)), threshold)
    score.__dict__["lines"] = lines
    return score
