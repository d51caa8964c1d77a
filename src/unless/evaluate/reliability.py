"""Are the probabilities of a program true, and do they rank? Three measures, and predicted shares beside observed ones.

In: the probability of a label for each row, and whether the row has it. Out: `Reliability`. `View.reliability` asks it
for the first label of a program; rows whose label the program does not know count as rows of another label.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.evaluate.scores import GRADE_METRICS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

N_BINS = 10
FINER = (0.1, 0.2, 0.5)
"""Where the first or last tenth is parted, as shares of it from its end; the outermost part alike, if need be."""
FINEST = 0.001
"""The least part that is parted: of a label of one row in ten thousand most rows stand below it."""
LEAST = float(np.finfo(np.float64).eps)
"""The log-loss of a probability of zero would be infinite: it counts as this."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows of like probability: what was predicted on average, what was observed, and how many there are.

    They have a probability of `low` at least. `found` is the share of all rows of the label that do, which a threshold
    there finds; None where no row has the label.
    """

    predicted: float
    observed: float
    n_rows: int
    low: float
    found: float | None


@dataclass(frozen=True, slots=True)
class Reliability:
    """How well probabilities rank (AUC; None where all rows are alike), how true they are, and the bins.

    Bins are tenths of predicted probability; the first or last, where it has more than half of the rows, is parted in
    four, and so is the outermost of these, where it has: of a rare label nearly all rows stand in one tenth, or even in
    one hundredth.
    Log-loss is the mean of -log of the probability of what is actually there, the Brier score the mean squared error of
    the probability; lower is better.
    """

    auc: float | None
    log_loss: float
    brier: float
    bins: tuple[Bin, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return asdict(self)

    def measures(self) -> dict[str, float]:
        """Return the measures there are, by name."""
        found = {name: getattr(self, name) for name in GRADE_METRICS}
        return {name: value for name, value in found.items() if value is not None}


def measured(chance: NDArray[np.float64], is_label: NDArray[np.bool_]) -> Reliability:
    """Compare probabilities of a label with whether it is there."""
    bounds = _bounds(chance)
    bin_of, n_label = np.searchsorted(bounds, chance, side="right"), int(np.count_nonzero(is_label))
    bins = tuple(
        Bin(
            float(chance[bin_of == i].mean()),
            float(is_label[bin_of == i].mean()),
            int((bin_of == i).sum()),
            float(bounds[i - 1]) if i else 0.0,
            int(is_label[bin_of >= i].sum()) / n_label if n_label else None,
        )
        for i in np.unique(bin_of).tolist()
    )
    of_actual = np.clip(np.where(is_label, chance, 1.0 - chance), LEAST, 1.0)
    brier = float(np.mean((chance - is_label) ** 2))
    return Reliability(auc(chance, is_label), float(-np.mean(np.log(of_actual))), brier, bins)


def _bounds(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where one bin ends and the next begins."""
    tenths = [i / N_BINS for i in range(1, N_BINS)]
    first = _parted(lambda end: int(np.count_nonzero(chance < end)), len(chance))
    last = _parted(lambda end: int(np.count_nonzero(chance >= 1 - end)), len(chance))
    return np.array([*first, *tenths, *(round(1 - end, 6) for end in reversed(last))])


def _parted(n_within: Callable[[float], int], n_rows: int) -> list[float]:
    """Return where the tenth at an end is parted, given how many rows stand within a distance of that end."""
    found: list[float] = []
    end = 1 / N_BINS
    while end >= FINEST and 2 * n_within(end) > n_rows:
        found = [*(round(end * part, 6) for part in FINER), *found]
        end = found[0]
    return found


def auc(chance: NDArray[np.float64], is_label: NDArray[np.bool_]) -> float | None:
    """Return how often a row of the label has the larger probability than one that is not; a tie counts half.

    >>> auc(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, False, True, True]))
    0.875
    """
    n_label = int(np.count_nonzero(is_label))
    if n_label in (0, len(is_label)):
        return None
    label, other = np.sort(chance[is_label]), np.sort(chance[~is_label])
    below, up_to = (int(np.searchsorted(other, label, side).sum()) for side in ("left", "right"))
    return (below + up_to) / 2 / (n_label * (len(is_label) - n_label))
