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
    lines = [_from_points(risk, shown, words)]
    if risk.blank:
        lines.append(words.say("risk", "blank", columns=words.listed([words.column(name) for name in risk.blank])))
    if risk.by_card is not None and words.percent(risk.by_card) != words.percent(risk.by_points):
        lines.append(words.say("risk", "scaled", share=words.percent(risk.by_card)))
    if risk.is_moved:
        lines.append(words.say("risk", "moved", share=words.percent(risk.by_points)))
    if risk.is_weighed:
        lines.append(words.say("risk", "weighed"))
    if risk.is_old:
        lines.append(words.say("risk", "old"))
    return lines


def _from_points(risk: Risk, shown: dict[str, str], words: Language) -> str:
    """Say the probability, and how it was with training rows of as many points, or of nearly as many."""
    band = risk.band
    if band is None:
        return words.say("risk", "alone", **shown)
    counts = {"n": words.whole(band.n_label), "rows": words.whole(band.n_rows), "band": _band(band, words)}
    is_within = band.low <= risk.points <= band.high
    return words.say("risk", "with_rows" if is_within else "beyond", **shown, **counts)


def _band(band: Band, words: Language) -> str:
    if band.low == band.high:
        return _points(band.low, words)
    return words.say("risk", "range", low=words.whole(band.low), high=words.whole(band.high))


def _points(n: int, words: Language) -> str:
    return words.say("risk", "one_point") if n == 1 else words.say("risk", "points", n=words.whole(n))
