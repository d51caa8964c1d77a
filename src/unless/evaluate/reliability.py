"""Are the probabilities of a program true? The Brier score, and predicted shares beside observed ones.

In: a program, the table it was learned from (its rows, counted by the clause that decides them, give probabilities),
and another table with labels. Out: `Reliability`. A row's probability is that of the first label of the target.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.evaluate.leaves import leaf_indices
from unless.evaluate.predict import actual_labels, first_indices, read_cells
from unless.evaluate.shares import leaf_counts, leaf_labels, smoothed_shares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.logic.program import Program
    from unless.table.frames import RawTable

N_BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows of like probability: what was predicted on average, what was observed, and how many there are."""

    predicted: float
    observed: float
    n_rows: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """The Brier score (mean squared error of the probability; lower is better) and the bins, in tenths."""

    brier: float
    bins: tuple[Bin, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return asdict(self)


def reliability(program: Program, training: RawTable, data: RawTable, target: str | None = None) -> Reliability:
    """Compare the probabilities that a program gives to rows with their labels."""
    name = target or program.target.column
    chance = chances(program, training, data, name)
    is_first = actual_labels(program, data.column(name)) == 0
    tenth = np.minimum((chance * N_BINS).astype(int), N_BINS - 1)
    bins = tuple(
        Bin(float(chance[rows].mean()), float(is_first[rows].mean()), int(rows.sum()))
        for rows in (tenth == i for i in range(N_BINS))
        if rows.any()
    )
    return Reliability(float(np.mean((chance - is_first) ** 2)), bins)


def chances(program: Program, training: RawTable, data: RawTable, target: str) -> NDArray[np.float64]:
    """Return for each row the share of the first label among the training rows that the same clause decides."""
    found: NDArray[np.float64] = _shares(program, training, data, target)[:, 0]
    return found


def confidences(program: Program, training: RawTable, data: RawTable) -> NDArray[np.float64]:
    """Return for each row the share of its predicted label, among those training rows."""
    found: NDArray[np.float64] = _shares(program, training, data, program.target.column).max(axis=1)
    return found


def _shares(program: Program, training: RawTable, data: RawTable, target: str) -> NDArray[np.float64]:
    first = first_indices(program)
    kept = np.unique(first)
    labels = actual_labels(program, training.column(target))
    counts = leaf_counts(program, read_cells(program, training), labels, len(first))[:, kept]
    shares = smoothed_shares(counts, leaf_labels(program, np.searchsorted(kept, first)))
    found: NDArray[np.float64] = shares[leaf_indices(program, read_cells(program, data), data.n_rows)]
    return found
