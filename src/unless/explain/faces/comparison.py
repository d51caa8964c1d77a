"""Two programs on the same rows: what changed, as text and as a page of HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.evaluate.comparison import SHOWN
from unless.explain.faces.markup import Markup, element, page
from unless.logic.program import label_text
from unless.logic.values import number_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.evaluate.comparison import Comparison, Flip, Measure
    from unless.logic.rules import Value

VERDICTS = ("better", "worse", "neither")

CSS = """
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;max-width:60rem;margin:2rem auto;
padding:0 1rem;color:#1d2530;background:#fff}
table{border-collapse:collapse;margin:1rem 0}
th,td{text-align:left;padding:.25rem .9rem .25rem 0;border-bottom:1px solid #d5dce4;vertical-align:top}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f6f8fa;padding:.6rem .8rem;border-radius:8px;margin:.3rem 0}
.proof{background:#f6f8fa;padding:.6rem .8rem;border-radius:8px;margin:.3rem 0}
.proof p{margin:.15rem 0;text-indent:-1em;overflow-wrap:anywhere}
details{border:1px solid #d5dce4;border-radius:8px;padding:.4rem .8rem;margin:.5rem 0}
summary{cursor:pointer}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:.8rem}
.better{color:#17613a}.worse{color:#a3350b}.quiet{color:#5b6776}
@media (prefers-color-scheme:dark){body{color:#e6ebf1;background:#14181e}th,td,details{border-color:#39434f}
pre,.proof{background:#1d232b}.better{color:#6fd19a}.worse{color:#f0a070}.quiet{color:#9caab9}}
@media print{details::details-content{content-visibility:visible;height:auto}body{margin:0;max-width:none}}
"""


def comparison_text(comparison: Comparison, limit: int | None = SHOWN) -> str:
    """Write a comparison as plain text."""
    return "\n".join(_lines(comparison, limit)) + "\n"


def _lines(comparison: Comparison, limit: int | None) -> Iterator[str]:
    yield from _changed_clauses(comparison)
    yield from _measure_lines(comparison.measures)
    yield comparison_summary(comparison)
    for flip, proofs in comparison.shown(limit):
        yield ""
        yield _flip_line(flip)
        for name, proof in zip(("before", "after"), proofs or (), strict=False):
            yield f"  {name}:"
            yield from (f"    {line}" for line in proof.splitlines())
    if limit is not None and len(comparison.flips) > limit:
        yield f"\n... and {len(comparison.flips) - limit:,} more"


def _changed_clauses(comparison: Comparison) -> list[str]:
    changed = [*(f"- {text}" for text in comparison.removed), *(f"+ {text}" for text in comparison.added)]
    return changed or ["no clause changed"]


def comparison_summary(comparison: Comparison) -> str:
    """Say in a sentence how many rows flip, and for better or worse."""
    n = len(comparison.flips)
    said = f"{n:,} of {comparison.n_rows:,} rows flip" if n != 1 else f"1 of {comparison.n_rows:,} rows flips"
    named = [f"{comparison.verdicts[name]:,} {name}" for name in VERDICTS if name in comparison.verdicts]
    return said + (f": {', '.join(named)}" if named else "")


def comparison_html(comparison: Comparison, limit: int | None = 200) -> str:
    """Write a self-contained page."""
    title = f"{comparison.target}: what changed"
    flips = [_flip_html(flip, proofs) for flip, proofs in comparison.shown(limit)]
    left = len(comparison.flips) - len(flips)
    return page(
        title,
        CSS,
        element("h1", title),
        element("pre", "\n".join(_changed_clauses(comparison))),
        _measure_table(comparison.measures),
        element("p", f"{comparison_summary(comparison)}."),
        *flips,
        element("p", f"… and {left:,} more", class_="quiet") if left else "",
    )


def _measure_lines(measures: tuple[Measure, ...]) -> Iterator[str]:
    if not measures:
        return
    names = [_measure_name(measure) for measure in measures]
    width = max(map(len, names))
    yield ""
    yield f"{'':{width}}  before   after  change"
    for name, m in zip(names, measures, strict=True):
        yield f"{name:{width}}  {m.before:.4f}  {m.after:.4f}  {m.change:+.4f}"
    yield ""


def _measure_name(measure: Measure) -> str:
    name = "F1" if measure.name == "f1" else measure.name
    return name if measure.label is None else f"{name} of {label_text(measure.label)}"


def _measure_table(measures: tuple[Measure, ...]) -> Markup:
    if not measures:
        return element("p", "The rows came without labels.", class_="quiet")
    head = [element("th", name, class_="number" if name else None) for name in ("", "before", "after", "change")]
    rows = [
        element(
            "tr",
            element("td", _measure_name(m)),
            *(element("td", text, class_="number") for text in (f"{m.before:.4f}", f"{m.after:.4f}")),
            element("td", f"{m.change:+.4f}", class_=f"number {_tone(m.change)}"),
        )
        for m in measures
    ]
    return element("table", element("thead", element("tr", *head)), element("tbody", *rows))


def _tone(change: float) -> str:
    if abs(change) < 5e-5:
        return "quiet"
    return "better" if change > 0 else "worse"


def _flip_line(flip: Flip) -> str:
    said = f"row {flip.row}: {label_text(flip.before)} -> {label_text(flip.after)}"
    return said if flip.actual is None else f"{said} (is {flip.actual}: {flip.verdict})"


def _flip_html(flip: Flip, proofs: tuple[str, str] | None) -> Markup:
    values = ", ".join(f"{name}: {_value_text(value)}" for name, value in flip.values.items())
    pair = [
        element("div", element("strong", f"{name}: {label_text(label)}"), _proof_html(proof))
        for name, label, proof in zip(("before", "after"), (flip.before, flip.after), proofs or (), strict=False)
    ]
    look = flip.verdict if flip.verdict in ("better", "worse") else None
    return element(
        "details",
        element("summary", _flip_line(flip), class_=look),
        element("p", values, class_="quiet"),
        element("div", *pair, class_="pair") if pair else "",
    )


def _proof_html(proof: str) -> Markup:
    """Write a proof line by line, so that a long line wraps under itself."""
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in proof.splitlines()]
    return element(
        "div", *(element("p", text, style=f"margin-left:{1 + n / 4}em") for n, text in lines), class_="proof"
    )


def _value_text(value: Value | None) -> str:
    if value is None:
        return "missing"
    return value if isinstance(value, str) else number_word(value)
