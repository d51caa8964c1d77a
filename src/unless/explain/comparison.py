"""Two programs on the same rows: what changed, as plain values, text, JSON and a page of HTML.

In: what `unless.compare` counted. Proofs are asked for only when they are shown, through `why`, because there may be
many flips. A flip is a row for which the two programs predict different labels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from unless.explain.markup import Markup, element, page
from unless.logic.program import label_text
from unless.values import number_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from unless.rules import Label, Value

    Why = Callable[["Flip"], tuple[str, str]]

FORMAT = 1
VERDICTS = ("better", "worse", "neither")
SHOWN = 20
"""How many flips are shown unless asked otherwise."""

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


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure before and after; `label` is the label it is about, None for all of them."""

    name: OneOf["accuracy", "precision", "recall", "f1"]
    label: Label | None
    before: float
    after: float

    @property
    def change(self) -> float:
        """Return what was gained."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Flip:
    """A row whose prediction changed; `true` is its own label where the table has it, as text."""

    row: int
    before: Label
    after: Label
    true: str | None
    values: Mapping[str, Value | None]

    @property
    def verdict(self) -> OneOf["better", "worse", "neither", "unknown"]:
        """Tell whether the row was wrong and is now right, or the other way round."""
        if self.true is None:
            return "unknown"
        if label_text(self.after) == self.true:
            return "better"
        return "worse" if label_text(self.before) == self.true else "neither"


@dataclass(frozen=True)
class Comparison:
    """What an edit changed: clauses, measures (with labels only), the rows that flip, and how many for the better."""

    target: str
    n_rows: int
    removed: tuple[str, ...]
    added: tuple[str, ...]
    measures: tuple[Measure, ...]
    flips: Sequence[Flip]
    verdicts: Mapping[str, int]
    why: Why | None = field(default=None, compare=False, repr=False)

    def shown(self, limit: int | None = SHOWN) -> Iterator[tuple[Flip, tuple[str, str] | None]]:
        """Yield the first flips with their two proofs, None where no prover was given; no limit yields all."""
        for flip in islice(self.flips, limit):
            yield flip, None if self.why is None else self.why(flip)

    def as_dict(self, limit: int | None = None) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "format": FORMAT,
            "target": self.target,
            "rows": self.n_rows,
            "removed": list(self.removed),
            "added": list(self.added),
            "measures": [
                {"name": m.name, "label": m.label, "before": m.before, "after": m.after} for m in self.measures
            ],
            "n_flips": len(self.flips),
            "verdicts": dict(sorted(self.verdicts.items())),
            "flips": [_flip_dict(flip, proofs) for flip, proofs in self.shown(limit)],
        }

    def as_text(self, limit: int | None = SHOWN) -> str:
        """Write the comparison as plain text."""
        return "\n".join(self._lines(limit)) + "\n"

    def _lines(self, limit: int | None) -> Iterator[str]:
        yield from self._changed_clauses()
        yield from _measure_lines(self.measures)
        yield self.summary()
        for flip, proofs in self.shown(limit):
            yield ""
            yield _flip_line(flip)
            for name, proof in zip(("before", "after"), proofs or (), strict=False):
                yield f"  {name}:"
                yield from (f"    {line}" for line in proof.splitlines())
        if limit is not None and len(self.flips) > limit:
            yield f"\n... and {len(self.flips) - limit:,} more"

    def _changed_clauses(self) -> list[str]:
        changed = [*(f"- {text}" for text in self.removed), *(f"+ {text}" for text in self.added)]
        return changed or ["no clause changed"]

    def summary(self) -> str:
        """Say in a sentence how many rows flip, and for better or worse."""
        n = len(self.flips)
        said = f"{n:,} of {self.n_rows:,} rows flip" if n != 1 else f"1 of {self.n_rows:,} rows flips"
        named = [f"{self.verdicts[name]:,} {name}" for name in VERDICTS if name in self.verdicts]
        return said + (f": {', '.join(named)}" if named else "")

    def as_html(self, limit: int | None = 200) -> str:
        """Write a self-contained page."""
        title = f"{self.target}: what changed"
        flips = [_flip_html(flip, proofs) for flip, proofs in self.shown(limit)]
        left = len(self.flips) - len(flips)
        return page(
            title,
            CSS,
            element("h1", title),
            element("pre", "\n".join(self._changed_clauses())),
            _measure_table(self.measures),
            element("p", f"{self.summary()}."),
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
    return said if flip.true is None else f"{said} (is {flip.true}: {flip.verdict})"


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


def _flip_dict(flip: Flip, proofs: tuple[str, str] | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "row": flip.row,
        "before": flip.before,
        "after": flip.after,
        "true": flip.true,
        "verdict": flip.verdict,
        "values": dict(flip.values),
    }
    return data if proofs is None else {**data, "proofs": {"before": proofs[0], "after": proofs[1]}}
