"""Proofs and whole programs in plain language: in short, or in full.

In: a proof or a program. Out: text, in any language that `words/` has, with lines no longer than the width that is
given. A reason that stands alone follows on the same line.
"""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap as wrap_text
from typing import TYPE_CHECKING

from unless.explain.faces.paper_text import INDENT, punctuated
from unless.explain.words.full_proof import full_proof, in_row, rules_against
from unless.explain.words.language import capital, language
from unless.explain.words.program_lines import program_lines
from unless.explain.words.risk import risk_points, risk_sentences
from unless.explain.words.sentences import MAX_DEPTH, with_next
from unless.explain.words.short_proof import short_proof

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unless.explain.proof.tree import Proof
    from unless.explain.words.language import Language
    from unless.explain.words.program_lines import ProgramLine
    from unless.explain.words.sentences import ProofSentence
    from unless.logic.program import Program

WIDTH = 100
"""How long lines are where nobody says otherwise."""


def proof_english(proof: Proof, *, lang: str = "en", full: bool = False, width: int = WIDTH) -> str:
    """Say a proof plainly: in one or two sentences, or in full."""
    words = language(lang)
    lines = _full_lines(proof, words) if full else list(_short_lines(proof, words, width))
    if proof.risk is not None:
        lines += risk_sentences(proof.risk, words)
    fitting = [part for line in lines for part in _fitted(line, width)]
    if full:
        fitting += points_lines(risk_points(proof, words), width)
    return "\n".join(fitting)


def program_english(program: Program, *, lang: str = "en", width: int = WIDTH) -> str:
    """Say a whole program plainly."""
    words = language(lang)
    return "\n".join(line for said in program_lines(program, words) for line in _wrapped(said, words, width))


def hanging(line: str, width: int = WIDTH) -> list[str]:
    """Break a line; what follows stands a little further in than it begins."""
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return wrap_text(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def opened(proof: Proof, words: Language) -> list[ProofSentence]:
    """Return the sentences of a full proof, the first one with the row's name and all outer ones with a capital."""
    sentences = list(full_proof(proof, words))
    if sentences:
        sentences[0] = in_row(sentences[0], proof, words)
    return _capital(sentences)


def against(proof: Proof, words: Language) -> list[ProofSentence]:
    """Return, for each rule that does not apply, the sentences that say why."""
    return _capital(rules_against(proof, words))


def joined(sentences: list[ProofSentence], words: Language) -> list[ProofSentence]:
    """Put a reason that stands alone, without reasons of its own, on the line of its claim."""
    lines: list[ProofSentence] = []
    for sentence, after in with_next(sentences):
        above = lines[-1] if lines else None
        ends_here = after is None or after.depth < sentence.depth
        is_alone = above is not None and sentence.depth > above.depth and ends_here and sentence.points is None
        if above is not None and is_alone and (above.depth > 0 or len(sentences) == 2):
            because = words.say("join", "because", claim=above.text)
            lines[-1] = replace(above, text=f"{because} {sentence.text}")
        else:
            lines.append(sentence)
    return lines


def _capital(sentences: Iterable[ProofSentence]) -> list[ProofSentence]:
    return [
        replace(s, depth=min(s.depth, MAX_DEPTH), text=capital(s.text) if s.depth == 0 else s.text) for s in sentences
    ]


def _full_lines(proof: Proof, words: Language) -> list[str]:
    return punctuated(joined(opened(proof, words), words), words)


def _short_lines(proof: Proof, words: Language, width: int) -> Iterator[str]:
    short = short_proof(proof, words)
    first, *others = short.sentences or ("",)
    text = " ".join([first, *others])
    if len(text) <= width:
        yield text
    else:
        yield from wrap_text(first, width, subsequent_indent=INDENT, break_long_words=False, break_on_hyphens=False)
        for sentence in others:
            yield from wrap_text(
                sentence, width, initial_indent="  ", subsequent_indent=INDENT, break_long_words=False,
                break_on_hyphens=False,
            )  # fmt: skip
    yield from points_lines([(words.whole(points), fact) for points, fact in short.awards], width)


def points_lines(awards: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Write a table of points, what goes on below under its text."""
    room = max((len(points) for points, _ in awards), default=0)
    for points, text in awards:
        before = f"{INDENT}{points:>{room}}  "
        yield from wrap_text(
            text, max(width, 40), initial_indent=before, subsequent_indent=" " * len(before), break_long_words=False,
            break_on_hyphens=False,
        )  # fmt: skip


def _fitted(line: str, width: int) -> list[str]:
    """Break a line that is too long; what goes on below stands further in."""
    if len(line) <= width:
        return [line]
    own = line[: len(line) - len(line.lstrip())]
    return wrap_text(
        line.strip(), max(width, len(own) + 40), initial_indent=own, subsequent_indent=f"{own}  ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _wrapped(line: ProgramLine, words: Language, width: int) -> list[str]:
    """Break a line so that what follows stands under the text, beside the number."""
    numbered = line.numbered(words)
    before = INDENT * min(line.depth, MAX_DEPTH)
    room = max(width - len(before), 40)
    hang = " " * (len(numbered) - len(line.text))
    lines = wrap_text(numbered, room, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False)
    return [before + part for part in lines or [""]]
