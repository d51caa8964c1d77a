"""Change bytes a little, as accidents and attackers do: tokens deleted, doubled, swapped, taken from elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

TOKENS = re.compile(rb"\w+|\s+|.", re.DOTALL)
ODD = [
    b"", b"\x00", b"\xff", b"\r\n",
    b"\xed\xa0\x80", b"\xef\xbb\xbf", "é☃𝒳\u202e".encode(), b"'", b"''", b'"', b"\\", b"\r", b"\n",
    b";", b"|", b"\t", b",", b"1e309", b"-0.0", b"nan", b"inf", b"0x1", b"1_000", b"9" * 400, b"." * 50, b"(" * 200,
    b"%@ ", b"%@ grade", b"%@ target", b"not ", b":- ", b"at_least(", b"?- ", b"[", b"]", b"{", b"}", b"null", b"true",
    b"1.234,56", b"(1,200)",
    b"12.5 %", b"31.02.2023", b"2023-02-29T25:61", b"=cmd()", b"../../x", b"\x1f\x8b", b"PK\x03\x04", b"PAR1",
]  # fmt: skip


def mutated(seed: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Return a copy of a text with one to eight small changes."""
    tokens = TOKENS.findall(seed)
    for _ in range(1 << rng.randrange(4)):
        _change(tokens, others, rng)
    data = b"".join(tokens)
    if rng.random() < 0.15 and data:  # below the level of tokens
        at = rng.randrange(len(data))
        data = data[:at] + bytes([rng.randrange(256)]) + data[at + rng.randrange(2) :]
    return data[:200_000]


def _change(tokens: list[bytes], others: list[bytes], rng: random.Random) -> None:
    at = rng.randrange(len(tokens) + 1)
    width = 1 << rng.randrange(5)
    match rng.randrange(6):
        case 0:
            del tokens[at : at + width]
        case 1:
            tokens[at:at] = tokens[at : at + width] * rng.choice((1, 1, 1, 40))
        case 2:
            tokens.insert(at, rng.choice(ODD))
        case 3:
            tokens[at : at + 1] = [rng.choice(ODD)]
        case 4:
            there = TOKENS.findall(rng.choice(others)[:20_000])
            start = rng.randrange(len(there) + 1)
            tokens[at : at + rng.choice((0, width))] = there[start : start + width]
        case 5:
            to = rng.randrange(len(tokens) + 1)
            tokens[at : at + width], tokens[to : to + width] = tokens[to : to + width], tokens[at : at + width]
