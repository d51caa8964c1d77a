"""How well a program predicts, as a few lines of text: scores, and the reliability of probabilities.

Of two labels the figures are those of the positive one. Of more, each label has a line, and no figure of one label
stands without its name.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from unless.evaluate.label_scores import mean_figures
from unless.evaluate.scores import LABEL_METRICS, METRICS
from unless.explain.words.language import language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.evaluate.label_scores import LabelScores
    from unless.evaluate.reliability import Reliability
    from unless.evaluate.scores import Scores
    from unless.explain.words.language import Language
    from unless.logic.program import Program

TABLE_METRICS = (*LABEL_METRICS, "auc")
"""What stands in the line of a label; more would not fit on a screen."""
BAR = 30
"""How many characters long the bar of a share of one is."""
ONE_FIFTH = 5
"""Of large tables a fifth is held out, once."""


def scores_text(scores: Scores, *, lang: str = "en", width: int = 80) -> str:
    """Write the metrics in a line, and the counts that they come from in another."""
    words = language(lang)
    rows = f"{words.say('score', 'rows')} {scores.n_rows}"
    metrics = (f"{words.say('metric', name)} {words.decimal(scores[name], 4)}" for name in METRICS)
    counts = {"tp": scores.tp, "fp": scores.fp, "tn": scores.tn, "fn": scores.fn}
    counted = words.say("score", "positive", label=words.label(scores.positive), **counts)
    return "\n".join([*_lines([rows, *metrics], width), *textwrap.wrap(counted, width, subsequent_indent="  ")])


def many_scores_text(labels: Sequence[LabelScores], *, lang: str = "en") -> str:
    """Write the accuracy in a line, then a line for each label, and one for the mean of the labels."""
    words = language(lang)
    whole = labels[0].scores
    accuracy = f"{words.say('metric', 'accuracy')} {words.decimal(whole['accuracy'], 4)}"
    names = [name for name in TABLE_METRICS if any(name in each.figures() for each in labels)]
    head = [words.say("score", "label"), words.say("score", "rows"), *(words.say("metric", name) for name in names)]
    lines = [_label_line(each.scores.positive, each.n_rows, each.figures(), names, words) for each in labels]
    mean = _label_line(words.say("score", "mean"), whole.n_rows, mean_figures(labels), names, words)
    side, *widths = (max(map(len, column)) for column in zip(head, *lines, mean, strict=True))
    table = (_columns(cells, side, widths).rstrip() for cells in (head, *lines, mean))
    return "\n".join([f"{words.say('score', 'rows')} {whole.n_rows}   {accuracy}", *table])


def _label_line(
    label: str, n_rows: int, figures: Mapping[str, float], names: Sequence[str], words: Language
) -> list[str]:
    shown = [words.decimal(figures[name], 4) if name in figures else "" for name in names]
    return [label, words.whole(n_rows), *shown]


def seen_before_text(program: Program, n_rows: int, *, lang: str = "en") -> str:
    """Say, where a table has as many rows as were learned from, how good the program was on unseen ones; else nothing.

    A program that was checked on one held-out fifth was learned from five times its rows.
    """
    unseen = program.unseen
    if unseen is None or unseen.mark != program.mark:
        return ""
    folds = unseen.n_folds if unseen.n_folds > 1 else ONE_FIFTH
    if abs(unseen.n_rows * folds // unseen.n_folds - n_rows) >= folds:
        return ""
    words = language(lang)
    low, high = map(words.percent, unseen.interval)
    return words.say("score", "seen_before", share=words.percent(unseen.accuracy), low=low, high=high)


def _lines(parts: Sequence[str], width: int) -> list[str]:
    """Put parts side by side, as many on a line as there is room for."""
    lines = [parts[0]]
    for part in parts[1:]:
        longer = f"{lines[-1]}   {part}"
        if len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


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


def measures_text(result: Reliability, *, label: str | None = None, lang: str = "en") -> str:
    """Say the three measures in a line; perhaps of which label they are."""
    words = language(lang)
    auc = words.say("score", "no_auc") if result.auc is None else words.decimal(result.auc, 4)
    log_loss, brier = words.decimal(result.log_loss, 4), words.decimal(result.brier, 4)
    figures = words.say("score", "probabilities", auc=auc, log_loss=log_loss, brier=brier)
    return figures if label is None else words.say("score", "of_label", label=words.label(label), figures=figures)


def reliability_text(result: Reliability, *, label: str | None = None, lang: str = "en") -> str:
    """Draw the bins in lines: `#` up to the observed share, `|` at the predicted one; perhaps say of which label."""
    words = language(lang)
    head = [words.say("score", key) for key in ("at_least", "predicted", "observed", "rows", "found")]
    n_decimals = max([2, *(_decimals(one.low) for one in result.bins)])
    widths = [max(least, len(name)) for least, name in zip((2 + n_decimals, 9, 8, 6, 7), head, strict=True)]
    lines = [measures_text(result, label=label, lang=lang), _row(head, widths)]
    for one in result.bins:
        shares = (words.decimal(share, n_decimals + 1) for share in (one.predicted, one.observed))
        cells = [words.decimal(one.low, n_decimals), *shares, str(one.n_rows), words.percent(one.found)]
        lines.append(f"{_row(cells, widths)}   {_bar(one.predicted, one.observed)}")
    return "\n".join([*lines, words.say("score", "found_note")])


def _decimals(share: float) -> int:
    """Return how many decimals a share is written with; bounds of bins have six at most.

    >>> _decimals(0.1), _decimals(0.02), _decimals(0.0005), _decimals(0.0)
    (1, 2, 4, 0)
    """
    return len(f"{share:.6f}".rstrip("0").partition(".")[2])


def _columns(cells: list[str], side: int, widths: list[int]) -> str:
    first, *rest = cells
    return f"{first:{side}}{_row(rest, widths)}"


def _row(cells: list[str], widths: list[int]) -> str:
    return "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def _bar(predicted: float, observed: float) -> str:
    bar = ["#" if i < round(observed * BAR) else "." for i in range(BAR + 1)]
    bar[round(predicted * BAR)] = "|"
    return "".join(bar)
