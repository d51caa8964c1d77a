"""What a grade says of a row, in sentences: the probability, the points behind it, and the training rows alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unless.evaluate.row_risk import Risk
    from unless.explain.words.language import Language
    from unless.logic.grade import Band


def risk_sentences(risk: Risk | None, words: Language) -> list[str]:
    """Say the risk of a row; nothing where there is none."""
    if risk is None:
        return []
    shown = {
        "label": words.label(risk.label),
        "share": words.percent(risk.probability),
        "points": _points(risk.points, words),
    }
    if risk.band is None:
        said = words.say("risk", "alone", **shown)
    else:
        counts = {"n": words.whole(risk.band.n_label), "rows": words.whole(risk.band.n_rows)}
        said = words.say("risk", "with_rows", **shown, **counts, band=_band(risk.band, words))
    lines = [said]
    if risk.is_moved:
        lines.append(words.say("risk", "moved", share=words.percent(risk.by_points)))
    if risk.is_weighed:
        lines.append(words.say("risk", "weighed"))
    if risk.is_old:
        lines.append(words.say("risk", "old"))
    return lines


def _band(band: Band, words: Language) -> str:
    if band.low == band.high:
        return _points(band.low, words)
    return words.say("risk", "range", low=words.whole(band.low), high=words.whole(band.high))


def _points(n: int, words: Language) -> str:
    return words.say("risk", "one_point") if n == 1 else words.say("risk", "points", n=words.whole(n))
