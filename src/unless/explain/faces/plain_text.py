"""Proofs and whole programs in plain language, from the names of the columns.

In: a proof or a program. Out: text, in any language that `words/` has. A reason that stands alone follows on the same
line; what is said comes from `sentences_of` worded by `Plain`, and the words from the language's file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from unless.explain.faces.paper_text import INDENT, punctuated
from unless.explain.words.language import capital, language
from unless.explain.words.plain import Plain
from unless.explain.words.program_lines import program_lines
from unless.explain.words.risk import risk_sentences
from unless.explain.words.sentences import sentences_of, with_next

if TYPE_CHECKING:
    from unless.explain.proof.tree import Proof
    from unless.explain.words.language import Language
    from unless.explain.words.sentences import ProofSentence
    from unless.logic.program import Program


def proof_english(proof: Proof, *, lang: str = "en") -> str:
    """Say a proof plainly."""
    words = language(lang)
    sentences = opened(proof, words)
    lines = punctuated(joined(sentences, words), words, "plain")
    return "\n".join([*lines, *risk_sentences(proof.risk, words)])


def program_english(program: Program, *, lang: str = "en") -> str:
    """Say a whole program plainly."""
    return "\n".join(INDENT * line.depth + line.text for line in program_lines(program, language(lang)))


def opened(proof: Proof, words: Language) -> list[ProofSentence]:
    """Return the sentences of a proof, the first one with the row's name and all outer ones with a capital."""
    sentences = list(sentences_of(proof, Plain(proof, words)))
    if proof.row_name is not None and sentences:
        text = words.say("plain", "row", row=proof.row_name, claim=sentences[0].text)
        sentences[0] = replace(sentences[0], text=text)
    return [replace(s, text=capital(s.text)) if s.depth == 0 else s for s in sentences]


def joined(sentences: list[ProofSentence], words: Language) -> list[ProofSentence]:
    """Put a reason that stands alone, without reasons of its own, on the line of its claim."""
    lines: list[ProofSentence] = []
    for sentence, after in with_next(sentences):
        above = lines[-1] if lines else None
        ends_here = after is None or after.depth < sentence.depth
        if above is not None and sentence.depth > above.depth > 0 and ends_here:
            claim = words.say("plain", "again", claim=sentence.text) if sentence.again else sentence.text
            because = words.say("join", "because", claim=above.text)
            lines[-1] = replace(above, text=f"{because} {claim}")
        else:
            lines.append(sentence)
    return lines
