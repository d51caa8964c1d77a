"""How well a program predicts, as a few lines of text: scores, and the reliability of probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.evaluate.scores import METRICS
from unless.explain.words.language import language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.evaluate.reliability import Reliability
    from unless.evaluate.scores import Scores

BAR = 40
"""How many characters long the bar of a share of one is."""


def scores_text(scores: Scores, *, lang: str = "en") -> str:
    """Write the metrics in a line, and the counts that they come from in another."""
    words = language(lang)
    rows = f"{words.say('score', 'rows')} {scores.n_rows}"
    metrics = (f"{words.say('metric', name)} {words.decimal(scores[name], 4)}" for name in METRICS)
    counts = {"tp": scores.tp, "fp": scores.fp, "tn": scores.tn, "fn": scores.fn}
    return (
        "   ".join([rows, *metrics])
        + "\n"
        + words.say("score", "positive", label=words.label(scores.positive), **counts)
    )


def confusion_text(counts: Mapping[str, Mapping[str, int]], *, lang: str = "en", width: int = 80) -> str:
    """Write how many rows of each actual label were predicted as which; nothing where that is too wide to read."""
    words = language(lang)
    labels = list(counts)
    side = max(map(len, (words.say("score", "actual"), *labels)))
    cells = [max(len(label), len(words.whole(max(row[label] for row in counts.values())))) for label in labels]
    if side + sum(cells) + 2 * len(cells) > width:
        return ""
    lines = [
        f"{'':{side}}  {words.say('score', 'predicted')}",
        _columns([words.say("score", "actual"), *labels], side, cells),
    ]
    lines += [
        _columns([label, *(words.whole(row[other]) for other in labels)], side, cells) for label, row in counts.items()
    ]
    return "\n".join(lines)


def reliability_text(result: Reliability, *, lang: str = "en") -> str:
    """Draw the bins in lines: `#` up to the observed share, `|` at the predicted one."""
    words = language(lang)
    head = [words.say("score", key) for key in ("predicted", "observed", "rows")]
    widths = [max(least, len(name)) for least, name in zip((9, 8, 6), head, strict=True)]
    auc = words.say("score", "no_auc") if result.auc is None else words.decimal(result.auc, 4)
    log_loss, brier = words.decimal(result.log_loss, 4), words.decimal(result.brier, 4)
    lines = [words.say("score", "probabilities", auc=auc, log_loss=log_loss, brier=brier), _row(head, widths)]
    for one in result.bins:
        cells = [words.decimal(one.predicted, 3), words.decimal(one.observed, 3), str(one.n_rows)]
        lines.append(f"{_row(cells, widths)}   {_bar(one.predicted, one.observed)}")
    return "\n".join(lines)


def _columns(cells: list[str], side: int, widths: list[int]) -> str:
    first, *rest = cells
    return f"{first:{side}}{_row(rest, widths)}"


def _row(cells: list[str], widths: list[int]) -> str:
    return "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def _bar(predicted: float, observed: float) -> str:
    bar = ["#" if i < round(observed * BAR) else "." for i in range(BAR + 1)]
    bar[round(predicted * BAR)] = "|"
    return "".join(bar)
