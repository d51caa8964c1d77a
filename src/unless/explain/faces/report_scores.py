"""How good a program is, for its report: first on rows that it has not seen, and how they were kept apart.

In: a view of a program on a table, and which rows of it the program has not learned from, where that is known. Out: the
parts of a page. What is counted on rows that it may have learned from is small print, folded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.evaluate.scores import LABEL_METRICS
from unless.explain.faces.markup import Markup, element, scrolled
from unless.explain.faces.reliability_plot import reliability_svg
from unless.explain.faces.score_text import measures_text
from unless.explain.words.grade_words import grade_notes

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from unless.evaluate.scores import Scores
    from unless.evaluate.view import View
    from unless.explain.words.language import Language
    from unless.logic.program import Program

    Rows = NDArray[np.bool_]

COUNTS = {"predicted_right": "tp", "predicted_wrong": "fp", "missed": "fn"}
"""What is counted of each label, by the name of its words."""


def report_scores(view: View, data_name: str, held_out: Rows | None, words: Language) -> list[Markup]:
    """Say how good a program is."""
    is_known = view.actual is not None and held_out is not None and bool(held_out.any())
    parts = list(_held_out(view, held_out, words)) if is_known else list(_unseen(view.program, words))
    if view.actual is None:
        return [*parts, element("p", words.say("report", "no_labels"), class_="quiet")]
    seen = None if not is_known or held_out is None else ~held_out
    if seen is not None and not seen.any():
        return parts
    rows = words.count("rows", view.table.n_rows if seen is None else int(seen.sum()))
    said = words.say("report", "these_rows" if seen is None else "training", rows=rows, data=data_name)
    body = [_with_share("accuracy", view.accuracy(seen), words), _table(view, seen, words), *_graded(view, seen, words)]
    # Where nothing better is known, the small print is unfolded.
    unfolded = None if is_known or view.program.unseen is not None else ""
    return [*parts, element("details", element("summary", said), *body, class_="small", open=unfolded)]


def _held_out(view: View, rows: Rows | None, words: Language) -> Iterator[Markup]:
    assert rows is not None
    counted = words.count("rows", int(rows.sum()))
    yield _with_share("held_out", view.accuracy(rows), words, rows=counted)
    yield _table(view, rows, words)
    yield from _graded(view, rows, words)


def _graded(view: View, rows: Rows | None, words: Language) -> Iterator[Markup]:
    """Say how well the probabilities rank and how true they are, of the first label, with the picture."""
    trust = view.reliability(rows)
    if trust is None:
        return
    label = view.label_texts[0]
    yield element("p", measures_text(trust, label=label, lang=words.name))
    drawn = reliability_svg(trust, label, notes=grade_notes(view.program, words), lang=words.name)
    yield scrolled(words.say("report", "picture"), Markup(drawn))


def _unseen(program: Program, words: Language) -> Iterator[Markup]:
    """Say what the model file says of rows that were held out when it was learned."""
    unseen = program.unseen
    if unseen is None:
        yield element("p", words.say("report", "not_known"), class_="quiet")
        return
    low, high = map(words.percent, unseen.interval)
    yield _with_share("unseen", unseen.accuracy, words, low=low, high=high)
    key, rows = "folds" if unseen.n_folds > 1 else "one_fold", words.count("rows", unseen.n_rows)
    said = [words.say("report", key, n=unseen.n_folds, rows=rows)]
    always = words.percent(unseen.n_commonest / unseen.n_rows)
    said.append(words.say("report", "beside", label=words.label(unseen.commonest), share=always))
    said += [] if unseen.auc is None else [words.say("report", "auc", auc=words.decimal(unseen.auc, 3))]
    said += [words.say("report", "old")] if unseen.mark != program.mark else []
    yield element("p", " ".join(said), class_="quiet")


def _with_share(key: str, share: float, words: Language, **gaps: str) -> Markup:
    """Print the share bold wherever the language has it in its sentence."""
    before, after = words.say("report", key, share="\0", **gaps).split("\0")
    return element("p", before, element("strong", words.percent(share)), after)


def _table(view: View, rows: Rows | None, words: Language) -> Markup:
    """Write the metrics of each label: of the rows predicted so those right and wrong, and the rows of it missed."""
    metrics = [words.say("metric", name) for name in LABEL_METRICS]
    names = [words.say("report", "label"), *metrics, *(words.say("report", key) for key in COUNTS)]
    head = [element("th", name, scope="col") for name in names]
    body = [_line(view.scores(label, rows), words) for label in view.label_texts]
    table = element("table", element("thead", element("tr", *head)), element("tbody", *body))
    return scrolled(words.say("report", "scores"), table)


def _line(scores: Scores, words: Language) -> Markup:
    shares = [words.percent(scores[name]) for name in LABEL_METRICS]
    cells = [*shares, *(words.whole(getattr(scores, count)) for count in COUNTS.values())]
    return element(
        "tr", element("th", scores.positive, scope="row"), *(element("td", c, class_="number") for c in cells)
    )
