"""A proof as indented text in the manner of s(CASP) and of the paper: "... because ... there is no evidence that ...".

In: a proof. Out: text. What is said comes from `sentences_of` worded by `Paper`; here is only the punctuation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.explain.words.language import language
from unless.explain.words.paper import Paper
from unless.explain.words.risk import risk_sentences
from unless.explain.words.sentences import sentences_of, with_next

if TYPE_CHECKING:
    from unless.explain.proof.tree import Proof
    from unless.explain.words.language import Language
    from unless.explain.words.sentences import ProofSentence

INDENT = "    "


def proof_text(proof: Proof, *, lang: str = "en") -> str:
    """Write a proof as the paper does."""
    words = language(lang)
    sentences = list(sentences_of(proof, Paper(proof, words)))
    return "\n".join([*punctuated(sentences, words), *risk_sentences(proof.risk, words)])


def punctuated(sentences: list[ProofSentence], words: Language) -> list[str]:
    """End each line by what follows: reasons, a sibling, or nothing; a line of a table of points stands as it is."""
    lines = []
    for sentence, after in with_next(sentences):
        before = INDENT * sentence.depth
        if sentence.points is not None:
            lines.append(before + sentence.numbered(words))
            continue
        claim = words.say("paper", "again", claim=sentence.text) if sentence.again else sentence.text
        if after is not None and after.points is not None:
            ending = "table"
        elif after is not None and after.depth > sentence.depth:
            ending = "because"
        elif after is not None and after.depth == sentence.depth and sentence.depth > 0:
            ending = "and"
        else:
            ending = "end"
        lines.append(before + words.say("join", ending, claim=claim))
    return lines
