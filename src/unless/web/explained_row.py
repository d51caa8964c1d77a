"""One row's label with the reasons for it and against it, as sentences and as data.

For a label that rules conclude, the reasons for it are the rules that apply, and against it are the rules that do not,
each with what it lacks. For the default, the reasons are why no rule applies.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from unless.explain.faces.json_data import proof_data
from unless.explain.faces.plain_text import against, joined, opened, proof_english
from unless.explain.proof.prover import prove
from unless.explain.words.language import language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.explain.words.sentences import ProofSentence
    from unless.logic.program import Program

LANGUAGE = "en"


def explain_row(program: Program, row: Mapping[str, object]) -> dict[str, Any]:
    """Return a row's label with its reasons."""
    proof = prove(program, row, all_rules=True)
    return {
        "label": proof.label,
        "english": proof_english(proof),
        "reasons": _plain_data(opened(proof, language(LANGUAGE))),
        "against": _plain_data(against(proof, language(LANGUAGE))) if proof.holds else [],
        "proof": proof_data(proof),
    }


def _plain_data(sentences: list[ProofSentence]) -> list[dict[str, Any]]:
    """Return sentences with their depth as plain data."""
    words = language(LANGUAGE)
    return [asdict(sentence) | {"text": sentence.numbered(words)} for sentence in joined(sentences, words)]
