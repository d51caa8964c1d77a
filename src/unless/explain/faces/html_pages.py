"""Proofs and programs as HTML: pages that can be mailed, and fragments for notebooks.

In: a proof or a program. Out: markup without scripts or links, legible on a phone and on paper. All markup is in
`pages/outline.html`, in named blocks with gaps; whatever fills a gap is escaped, unless it is markup made here.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, NamedTuple

from unless.explain.faces.paper_text import confidence_text
from unless.explain.faces.plain_text import opened
from unless.explain.words.language import capital, language
from unless.explain.words.program_lines import program_lines
from unless.explain.words.sentences import with_next

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unless.explain.proof.tree import Proof
    from unless.explain.words.language import Language
    from unless.explain.words.sentences import Sentence
    from unless.logic.program import Program

MARKS = {True: "yes", False: "no", None: "fact"}
BLOCK = re.compile(r"<!-- block: (\w+) -->\n")


class Markup(str):
    """Text that is markup already and is not escaped."""

    __slots__ = ()


class _Item(NamedTuple):
    depth: int
    text: str
    mark: str


def proof_page(proof: Proof, *, lang: str = "en") -> str:
    """Make a page of a proof: the proof, the row, the program."""
    return proofs_page([proof], lang=lang)


def proofs_page(proofs: Sequence[Proof], *, lang: str = "en") -> str:
    """Make a page of proofs by one program: each with its row, then the program."""
    words = language(lang)
    parts = [part for proof in proofs for part in (*_proof_parts(proof, words), _row_table(proof, words))]
    titles = dict.fromkeys(_proof_title(proof, words) for proof in proofs)
    return _page("; ".join(titles), [*parts, _program_text(proofs[0].program, words)], words)


def program_page(program: Program, *, lang: str = "en") -> str:
    """Make a page of a program in plain language and as text."""
    words = language(lang)
    return _page(
        _program_title(program, words), [*_program_parts(program, words), _program_text(program, words)], words
    )


def proof_fragment(proof: Proof, *, lang: str = "en") -> str:
    """Make a piece of HTML of a proof, as notebooks show it."""
    return _fill("fragment", body=_join(_proof_parts(proof, language(lang))))


def program_fragment(program: Program, *, lang: str = "en") -> str:
    """Make a piece of HTML of a program, as notebooks show it."""
    words = language(lang)
    return _fill("fragment", body=_join([*_program_parts(program, words), _program_text(program, words)]))


def _proof_title(proof: Proof, words: Language) -> str:
    target = proof.program.target
    if proof.label is None:
        return words.column(target.column)
    gaps = {"column": words.column(target.column), "value": words.label(proof.label)}
    return words.say("page", "proof_title", **gaps)


def _program_title(program: Program, words: Language) -> str:
    labels = words.listed([words.label(label) for label in program.target.labels], "list_or")
    return words.say("page", "program_title", column=words.column(program.target.column), value=labels)


def _proof_parts(proof: Proof, words: Language) -> Iterator[Markup]:
    yield from _nested(_item(sentence, words) for sentence in opened(proof, words))
    for sentence in confidence_text(proof, words):
        yield Markup(f"<p>{escape(sentence)}</p>")


def _item(sentence: Sentence, words: Language) -> _Item:
    if sentence.again:
        return _Item(sentence.depth, words.say("plain", "again", claim=sentence.text), "again")
    return _Item(sentence.depth, sentence.text, MARKS[sentence.holds])


def _program_parts(program: Program, words: Language) -> Iterator[Markup]:
    yield from _nested(_Item(line.depth, line.text, "rule") for line in program_lines(program, words))


def _nested(items: Iterable[_Item]) -> Iterator[Markup]:
    """Open and close what is nested by the depth of the lines."""
    n_open = 0
    for item, after in with_next(list(items)):
        while n_open > item.depth:
            n_open -= 1
            yield _fill("close")
        if after is not None and after.depth > item.depth:
            n_open += 1
            yield _fill("open", text=item.text, mark=item.mark)
        else:
            yield _fill("leaf", text=item.text, mark=item.mark)
    yield from (_fill("close") for _ in range(n_open))


def _row_table(proof: Proof, words: Language) -> Markup:
    cells = [
        _fill("cell", name=name, value=words.say("values", "missing") if value is None else words.value(value))
        for name, value in proof.values.items()
    ]
    return _fill("table", title=words.say("page", "values_title"), body=_join(cells))


def _program_text(program: Program, words: Language) -> Markup:
    return _fill("program", title=words.say("page", "program_text"), text=str(program))


def _page(title: str, parts: Iterable[Markup], words: Language) -> str:
    title = capital(title)
    footer = _fill("footer", text=words.say("page", "made_by"))
    body = _fill("fragment", body=_join([_fill("title", text=title), *parts, footer]))
    return _fill("page", lang=words.name, title=title, body=body) + "\n"


def _join(parts: Iterable[Markup]) -> Markup:
    return Markup("\n".join(parts))


def _fill(block: str, **gaps: str) -> Markup:
    safe = {name: text if isinstance(text, Markup) else escape(text) for name, text in gaps.items()}
    return Markup(_blocks()[block].substitute(safe))


@cache
def _blocks() -> dict[str, Template]:
    text = files("unless.explain.faces").joinpath("pages", "outline.html").read_text(encoding="utf-8")
    _, *parts = BLOCK.split(text)
    return {name: Template(body.rstrip("\n")) for name, body in zip(parts[::2], parts[1::2], strict=True)}
