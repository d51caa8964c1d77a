"""A proof as JSON, version 1, and a program as plain data; `docs/proofs.md` describes the shape.

In: a proof. Out: plain data. The tree is a list of steps, each with the number of the step it is a reason for, so that
no depth is too deep for a reader; the numbers of clauses are those of the program's text. The sentences that a person
reads are beside it. A label keeps its type; missing is null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.explain.proof.tree import ClauseNode, LiteralNode, PointsNode
from unless.explain.words.entry_phrases import EntryPhrases
from unless.explain.words.grade_words import award_words
from unless.explain.words.language import language
from unless.explain.words.program_lines import program_lines
from unless.explain.words.short_proof import short_proof
from unless.logic.clause import as_dict
from unless.logic.forms.column_points import points_by_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.explain.proof.tree import Node, Proof
    from unless.explain.words.language import Language
    from unless.logic.grade import Award, Band, Card, Grade
    from unless.logic.program import Program

VERSION = 1


def proof_data(proof: Proof, *, lang: str = "en") -> dict[str, Any]:
    """Return a proof as plain data, with its sentences in a language."""
    short = short_proof(proof, language(lang))
    return {
        "format": "unless proof",
        "version": VERSION,
        "target": proof.program.target.column,
        "label": proof.label,
        "holds": proof.holds,
        "risk": None if proof.risk is None else proof.risk.as_dict(),
        "row": proof.row_name,
        "values": dict(proof.values),
        "sentences": list(short.sentences),
        "points": [{"points": points, "fact": fact} for points, fact in short.awards],
        "steps": _steps(proof),
    }


def program_data(program: Program, *, lang: str = "en") -> dict[str, Any]:
    """Return a program as plain data, with its rules in the words of a language."""
    target, words = program.target, language(lang)
    cards = () if program.grade is None else program.grade.cards
    asked = {"constraints": program.constraints.as_dict()} if program.constraints else {}
    return {
        "target": {"column": target.column, "labels": list(target.labels), "default": target.default},
        "columns": [
            {"name": c.name, "kind": c.kind} | ({"reading": c.reading} if c.reading else {}) for c in program.columns
        ],
        "clauses": [
            {"name": c.name, "label": c.label, "body": [as_dict(goal) for goal in c.body]} for c in program.clauses
        ],
        "rules": [line.numbered(words) for line in program_lines(program, words)],
        "grade": [_card(card, program, words) for card in cards],
        **asked,
        "text": str(program),
    }


def _card(card: Card, program: Program, words: Language) -> dict[str, Any]:
    assert program.grade is not None
    about = {"is_weighed": program.grade.is_weighed, "cost_ratio": program.grade.cost_ratio}
    about["is_old"] = program.has_old_grade
    bands = [_band(band, card, program.grade) for band in card.bands]
    points = _lines(card.awards, card, program, words)
    by_column = _by_column(card, program, words)
    return {"label": card.label, **about, "points": points, "by_column": by_column, "bands": bands}


def _band(band: Band, card: Card, grade: Grade) -> dict[str, Any]:
    """Return a band with the probabilities of its ends, also among rows as they are where these are known to differ."""
    low, high = card.probability(band.low), card.probability(band.high)
    found: dict[str, Any] = {"from": band.low, "to": band.high, "rows": band.n_rows, "of_label": band.n_label}
    found |= {"probability_low": low, "probability_high": high}
    if grade.cost_ratio is None:
        return found
    return {**found, "as_they_are_low": grade.as_they_are(low), "as_they_are_high": grade.as_they_are(high)}


def _lines(awards: Sequence[Award], card: Card, program: Program, words: Language) -> list[dict[str, Any]]:
    """Return lines of points: how many, as a number, and what for."""
    said = award_words(awards, card.label, program, words)
    return [{"points": award.points, "for": text} for award, (_, text) in zip(awards, said, strict=True)]


def _by_column(card: Card, program: Program, words: Language) -> dict[str, Any]:
    """Return the points of a card by column; start, one entry of each column and the lines that hold are the total."""
    by_column, said = points_by_column(card, program.columns), EntryPhrases(words)
    columns = [
        {"column": each.column.name, "entries": [
            {"points": entry.points, "for": text}
            for entry, text in zip(each.entries, said.entries(each), strict=True)
        ]}
        for each in by_column.columns
    ]  # fmt: skip
    lines = _lines(by_column.lines, card, program, words)
    return {"start": by_column.start, "columns": columns, "lines": lines}


def _steps(proof: Proof) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    above: list[int] = []
    first: dict[str, int] = {}
    for number, line in enumerate(proof.walk()):
        del above[line.depth :]
        step = {"id": number, "parent": above[-1] if above else None, **_node(line.node), "holds": line.node.holds}
        if step["kind"] == "helper":
            seen = first.setdefault(step["name"], number)
            step["same_as"] = seen if line.again else None
        above.append(number)
        steps.append(step)
    return steps


def _node(node: Node) -> dict[str, Any]:
    if isinstance(node, LiteralNode):
        literal = node.literal
        return {
            "kind": "literal",
            "column": literal.column,
            "op": literal.op,
            "bound": literal.value,
            "value": node.value,
        }
    if isinstance(node, ClauseNode):
        return {"kind": "clause", "number": node.number}
    if isinstance(node, PointsNode):
        return _points(node)
    return {"kind": "label", "label": node.label} if node.name is None else {"kind": "helper", "name": node.name}


def _points(node: PointsNode) -> dict[str, Any]:
    """Return a sum of points; what decides each case follows as steps below it."""
    pairs = zip(node.points.awards, node.children, strict=True)
    awards = [{"points": points, "case": case, "holds": child.holds} for (points, case), child in pairs]
    return {"kind": "points", "threshold": node.points.threshold, "total": node.total, "awards": awards}
