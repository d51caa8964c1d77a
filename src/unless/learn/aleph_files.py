"""Aleph's three files read like Popper's: `train.f` and `train.n` are examples, `train.b` the background with modes.

In: the path of one of them. Out: the texts that `examples` reads: `pos(...)` and `neg(...)`, the background,
and a bias made of the modes (`modeh`, `modeb`): `+car` must be known before, `-car` and `#size` need not.
"""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path

from unless.errors import DataError
from unless.logic.background.clauses import read_sentences
from unless.logic.text.files import read_text

log = logging.getLogger("unless")

MODE = re.compile(r":-\s*mode([hb])?\(\s*[^,()]+,\s*(\w+)\(([^()\[\]]*)\)\s*\)")
ARGUMENT = re.compile(r"([+\-#])\s*(\w+)")
COMMENT = re.compile(r"%[^\n]*")
ANY_MODE = re.compile(r":-\s*mode[hb]?\([^\n]*")
SUFFIXES = (".f", ".n", ".b")
SIGNED = {"pos": "positive", "neg": "negative"}
DIRECTIONS = {"+": "in", "-": "out", "#": "out"}


def is_aleph(examples: object) -> bool:
    """Tell whether examples are a file of Aleph's."""
    return isinstance(examples, os.PathLike) and str(examples).endswith(SUFFIXES)


def aleph_texts(examples: os.PathLike[str]) -> tuple[str, str, str]:
    """Read the three files as examples, background and bias; a `.n` or `.b` that is not there is named."""
    positive = Path(examples).with_suffix(".f")
    negative, background = (_beside(positive.with_suffix(suffix)) for suffix in (".n", ".b"))
    found = [*_wrapped("pos", read_text(positive)), *_wrapped("neg", negative)]
    return "\n".join(found), background, "\n".join(_bias(COMMENT.sub("", background)))


def _beside(path: Path) -> str:
    if path.exists():
        return read_text(path)
    log.warning("there is no %s beside the positive examples.", path.name)
    return ""


def _wrapped(sign: str, text: str) -> list[str]:
    found = []
    for sentence in read_sentences(text, f"{SIGNED[sign]} examples"):
        if sentence.body:
            msg = f"{sentence.head} has conditions, and an example is a fact; in Aleph's files, line {sentence.line}."
            raise DataError(msg)
        found.append(f"{sign}({sentence.head}).")
    return found


def _bias(text: str) -> list[str]:
    """Write modes as Popper writes its bias; a head of several arguments is refused with the examples."""
    lines = []
    for line in ANY_MODE.findall(MODE.sub("", text)):
        log.warning("a mode is not understood, and not used: %s", line)
    for kind, name, inside in MODE.findall(text):
        arguments = ARGUMENT.findall(inside)
        if kind == "h":
            lines.append(f"head_pred({name},{len(arguments)}).")
        else:
            lines.append(f"body_pred({name},{len(arguments)}).")
            lines.append(f"direction({name},({','.join(DIRECTIONS[sign] for sign, _ in arguments)},)).")
        lines.append(f"type({name},({','.join(word for _, word in arguments)},)).")
    return list(dict.fromkeys(lines))
