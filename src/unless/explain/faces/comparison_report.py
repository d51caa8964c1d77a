"""Two programs on the same rows: what changed, as text and as a page of HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.evaluate.comparison import SHOWN
from unless.explain.faces.markup import Markup, element, page, scrolled
from unless.explain.faces.score_text import seen_before_text
from unless.explain.words.brief import changed_rules
from unless.explain.words.grade_words import probability_words
from unless.explain.words.language import language
from unless.explain.words.wording import row_words
from unless.logic.program import label_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unless.evaluate.comparison import Comparison, Flip, Measure
    from unless.explain.words.language import Language
    from unless.logic.rules import Column

VERDICTS = ("better", "worse", "neither")
TIMES = ("before", "after")
LEAST = 5e-5
"""A smaller change is no change to four digits."""


def comparison_text(comparison: Comparison, limit: int | None = SHOWN, *, lang: str = "en") -> str:
    """Write a comparison as plain text."""
    return "\n".join(_lines(comparison, limit, language(lang))) + "\n"


def _lines(comparison: Comparison, limit: int | None, words: Language) -> Iterator[str]:
    yield from _changed_clauses(comparison, words)
    yield from _measure_lines(comparison.measures, words)
    yield comparison_summary(comparison, lang=words.name)
    for flip, proofs in comparison.shown(limit):
        yield ""
        yield _flip_line(flip, words)
        for time, proof in zip(TIMES, proofs or (), strict=False):
            yield f"  {words.say('comparison', time)}:"
            yield from (f"    {line}" for line in proof.splitlines())
    if limit and len(comparison.flips) > limit:
        yield ""
        yield words.say("comparison", "more", n=words.whole(len(comparison.flips) - limit))


def _changed_clauses(comparison: Comparison, words: Language) -> list[str]:
    changed = [*(f"- {text}" for text in comparison.removed), *(f"+ {text}" for text in comparison.added)]
    return changed or [words.say("comparison", "same_clauses")]


def _changed_html(comparison: Comparison, words: Language) -> list[Markup]:
    """Say in words which rules went and which came, with the clauses below, to be opened."""
    clauses = element("pre", "\n".join(_changed_clauses(comparison, words)))
    said = () if comparison.programs is None else tuple(changed_rules(*comparison.programs, words))
    if not said:
        return [clauses]
    opened = element("details", element("summary", words.say("page", "program_text")), clauses)
    return [*(element("p", line) for line in said), opened]


def comparison_summary(comparison: Comparison, *, lang: str = "en") -> str:
    """Say in a sentence how many rows flip, and for better or worse."""
    words = language(lang)
    said = words.count("flips", len(comparison.flips), rows=words.count("rows", comparison.n_rows))
    found = [(name, comparison.verdicts[name]) for name in VERDICTS if name in comparison.verdicts]
    named = [f"{words.whole(n)} {words.say('comparison', name)}" for name, n in found]
    return said + (f": {', '.join(named)}" if named else "")


def seen_before(comparison: Comparison, *, lang: str = "en") -> list[str]:
    """Say of which program the measures are too good, because it may have been learned from these rows."""
    if comparison.programs is None or not comparison.measures:
        return []
    texts = [seen_before_text(each, comparison.n_rows, lang=lang) for each in comparison.programs]
    return _of_times([[said] if said else [] for said in texts], language(lang))


def _of_probabilities(comparison: Comparison, words: Language) -> list[str]:
    """Say what measures of probabilities must not be taken for: a page that is mailed has to say it itself."""
    if comparison.programs is None or not comparison.measures:
        return []
    return _of_times([probability_words(each, words) for each in comparison.programs], words)


def _of_times(said: Iterable[list[str]], words: Language) -> list[str]:
    """Say sentences of the program before, and of the one after."""
    times = [words.say("comparison", time) for time in TIMES]
    return [
        words.say("comparison", "of_time", time=time, said=each)
        for time, sentences in zip(times, said, strict=True)
        for each in sentences
    ]


def comparison_html(comparison: Comparison, limit: int | None = 200, *, lang: str = "en") -> str:
    """Write a self-contained page."""
    words = language(lang)
    title = words.say("comparison", "title", target=comparison.target)
    flips = [_flip_html(flip, proofs, comparison.columns, words) for flip, proofs in comparison.shown(limit)]
    left = len(comparison.flips) - len(flips)
    return page(
        title,
        ("comparison.css",),
        element("h1", title),
        *_changed_html(comparison, words),
        *(element("p", said, class_="quiet") for said in seen_before(comparison, lang=lang)),
        *(element("p", said, class_="quiet") for said in _of_probabilities(comparison, words)),
        _measure_table(comparison.measures, words),
        element("p", f"{comparison_summary(comparison, lang=lang)}."),
        *flips,
        element("p", words.say("comparison", "more", n=words.whole(left)), class_="quiet") if left else "",
        lang=lang,
    )


def _measure_lines(measures: tuple[Measure, ...], words: Language) -> Iterator[str]:
    if not measures:
        return
    rows = [(_measure_name(measure, words), *_measure_cells(measure, words)) for measure in measures]
    table = [("", *_measure_head(words)), *rows]
    name, *numbers = (max(map(len, column)) for column in zip(*table, strict=True))
    yield ""
    for first, *cells in table:
        yield f"{first:{name}}" + "".join(f"  {cell:>{width}}" for cell, width in zip(cells, numbers, strict=True))
    yield ""


def _measure_head(words: Language) -> list[str]:
    return [words.say("comparison", key) for key in (*TIMES, "change")]


def _measure_cells(measure: Measure, words: Language) -> tuple[str, str, str]:
    before, after = words.decimal(measure.before, 4), words.decimal(measure.after, 4)
    return before, after, words.decimal(measure.change, 4, sign=True)


def _measure_name(measure: Measure, words: Language) -> str:
    name = words.say("metric", measure.name)
    if measure.label is None:
        return name
    return words.say("metric", "of_label", metric=name, label=label_text(measure.label))


def _measure_table(measures: tuple[Measure, ...], words: Language) -> Markup:
    if not measures:
        return element("p", words.say("comparison", "no_labels"), class_="quiet")
    head = [element("td"), *(element("th", name, class_="number") for name in _measure_head(words))]
    rows = [_measure_row(measure, words) for measure in measures]
    table = element("table", element("thead", element("tr", *head)), element("tbody", *rows))
    return scrolled(words.say("comparison", "measures"), table)


def _measure_row(measure: Measure, words: Language) -> Markup:
    before, after, change = _measure_cells(measure, words)
    return element(
        "tr",
        element("td", _measure_name(measure, words)),
        element("td", before, class_="number"),
        element("td", after, class_="number"),
        element("td", change, class_=f"number {_tone(measure)}"),
    )


def _tone(measure: Measure) -> str:
    if abs(measure.gain) < LEAST:
        return "quiet"
    return "better" if measure.gain > 0 else "worse"


def _flip_line(flip: Flip, words: Language) -> str:
    gaps = {
        "row": flip.row if flip.name is None else flip.name,
        "before": label_text(flip.before),
        "after": label_text(flip.after),
    }
    if flip.actual is None:
        return words.say("comparison", "flip", **gaps)
    verdict = words.say("comparison", flip.verdict)
    return words.say("comparison", "flip_judged", **gaps, actual=flip.actual, verdict=verdict)


def _flip_html(flip: Flip, proofs: tuple[str, str] | None, columns: Iterable[Column], words: Language) -> Markup:
    values = ", ".join(f"{name}: {value}" for name, value in row_words(columns, flip.values, words))
    pair = [
        element("div", element("strong", f"{words.say('comparison', time)}: {label_text(label)}"), _proof_html(proof))
        for time, label, proof in zip(TIMES, (flip.before, flip.after), proofs or (), strict=False)
    ]
    look = flip.verdict if flip.verdict in ("better", "worse") else None
    return element(
        "details",
        element("summary", _flip_line(flip, words), class_=look),
        element("p", values, class_="quiet"),
        element("div", *pair, class_="pair") if pair else "",
    )


def _proof_html(proof: str) -> Markup:
    """Write a proof line by line, so that a long line wraps under itself."""
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in proof.splitlines()]
    return element(
        "div", *(element("p", text, style=f"margin-left:{1 + n / 4}em") for n, text in lines), class_="proof"
    )
