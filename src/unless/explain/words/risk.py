"""What a grade says of a row: the probability and the training rows alike in sentences, the points by column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.explain.words.entry_phrases import EntryPhrases
from unless.explain.words.grade_words import award_words, signed, start_words, weight_gaps
from unless.logic.forms.column_points import points_by_column
from unless.logic.program import same_label

if TYPE_CHECKING:
    from unless.evaluate.row_risk import Risk
    from unless.explain.proof.tree import Proof
    from unless.explain.words.language import Language
    from unless.logic.grade import Band


def risk_sentences(risk: Risk | None, words: Language) -> list[str]:
    """Say the risk of a row; nothing where there is none.

    Where rows weighed differently, what is said first is how likely the label is among rows as they are, if known.
    """
    if risk is None:
        return []
    is_known = risk.as_they_are is not None
    shown = {
        "label": words.label(risk.label),
        "share": words.percent(risk.as_they_are if is_known else risk.probability),
        "points": _points(risk.points, words),
    }
    lines = [_from_points(risk, shown, words)]
    if risk.blank:
        lines.append(words.say("risk", "blank", columns=words.listed([words.column(name) for name in risk.blank])))
    is_scaled = risk.by_card is not None and words.percent(risk.by_card) != words.percent(risk.by_points)
    by_card, by_points = words.percent(risk.by_card), words.percent(risk.by_points)
    if is_scaled and risk.is_moved and risk.cost_ratio is None:  # one sentence: "the points alone" is one figure
        lines.append(words.say("risk", "scaled_and_moved", share=by_card, scaled=by_points))
    elif is_scaled:
        lines.append(words.say("risk", "scaled", share=by_card))
    if risk.cost_ratio is not None:
        key = "weighed_by_moved" if risk.is_moved else "weighed_by"
        lines.append(words.say("risk", key, share=by_points, **weight_gaps(risk.label, risk.cost_ratio, words)))
    elif risk.is_moved and not is_scaled:
        lines.append(words.say("risk", "moved", share=by_points))
    if risk.is_weighed and not is_known:
        lines.append(words.say("risk", "weighed"))
    if risk.is_old:
        lines.append(words.say("risk", "old"))
    return lines


def risk_points(proof: Proof, words: Language) -> list[tuple[str, str]]:
    """Say the points of a row as the grade is printed: what it begins with, then by column and line, the most first.

    What gives no points is left out.
    """
    risk, grade = proof.risk, proof.program.grade
    if risk is None or grade is None:
        return []
    card = next(card for card in grade.cards if same_label(card.label, risk.label))
    by_column, said = points_by_column(card, proof.program.columns), EntryPhrases(words)
    lines = [award for award in risk.awards if award in by_column.lines]
    texts = (text for _, text in award_words(lines, card.label, proof.program, words))
    found = [(award.points, text) for award, text in zip(lines, texts, strict=True)]
    for each in by_column.columns:
        value = proof.values.get(each.column.name)
        entry = each.entry(value)
        found.append((entry.points, said.fact(each.column, entry.values, value)))
    found.sort(key=lambda line: -line[0])
    return [*start_words(by_column, words), *((signed(points, words), text) for points, text in found if points)]


def _from_points(risk: Risk, shown: dict[str, str], words: Language) -> str:
    """Say the probability, and how it was with training rows of as many points, or of nearly as many."""
    band = risk.band
    if band is None:
        return words.say("risk", "alone", **shown)
    were = words.count("were_of_label", band.n_label, label=shown["label"])
    alike = {"band": _band(band, words), "were": were}
    if band.low <= risk.points <= band.high:
        return words.say("risk", "with_rows", rows=words.count("training_rows", band.n_rows), **shown, **alike)
    return words.say("risk", "beyond", n=words.whole(band.n_rows), **shown, **alike)


def _band(band: Band, words: Language) -> str:
    if band.low == band.high:
        return _points(band.low, words)
    return words.say("risk", "range", low=signed(band.low, words), high=signed(band.high, words))


def _points(n: int, words: Language) -> str:
    return words.say("risk", "one_point") if n == 1 else words.say("risk", "points", n=signed(n, words))
