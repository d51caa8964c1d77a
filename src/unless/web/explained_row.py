"""One row's label with the reasons for it and against it, as sentences and as data.

For a label that rules conclude, the reasons for it are the rules that apply, and against it are the rules that do not,
each with what it lacks. For the default, the reasons are why no rule applies.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from unless.explain.faces.json_data import proof_data
from unless.explain.faces.plain_text import joined, opened, proof_english
from unless.explain.proof.prover import Prover, prove
from unless.explain.proof.tree import Proof
from unless.explain.words.language import language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unless.logic.program import Program

LANGUAGE = "en"


def explain_row(program: Program, row: Mapping[str, object]) -> dict[str, Any]:
    """Return a row's label with its reasons."""
    proof = prove(program, row, all_rules=True)
    return {
        "label": proof.label,
        "english": proof_english(proof),
        "reasons": sentences(proof),
        "against": sentences(_against(proof)) if proof.holds else [],
        "proof": proof_data(proof),
    }


def sentences(proof: Proof) -> list[dict[str, Any]]:
    """Return a proof as sentences with their depth."""
    words = language(LANGUAGE)
    return [asdict(sentence) for sentence in joined(opened(proof, words), words)]


def _against(proof: Proof) -> Proof:
    """Say of each rule that does not apply why it does not."""
    program = proof.program
    prover = Prover(program, proof.values)
    numbers = [number for clauses in program.label_clauses for number in clauses]
    failing = tuple(node for node in map(prover.clause, numbers) if not node.holds)
    return Proof(program, proof.row_name, proof.values, None, False, failing)
