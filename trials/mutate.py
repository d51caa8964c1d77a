"""Change bytes a little, as accidents and attackers do: tokens deleted, doubled, swapped, taken from elsewhere."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

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

VALUES: list[Any] = [
    None, True, "", "owner", "retired", "\ud800", "\x00", "1", "1e999", "nan", 0, -1, 2**53 + 1, 10**400, 1e308, 5e-324,
    float("nan"), float("inf"), [], {}, [[]], {"a": {}}, "x" * 3000, "31.02.2023", "1.234,56",
]  # fmt: skip


def mutated(seed: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Return a copy of a text with one to eight small changes."""
    if seed[:1] in {b"{", b"["} and rng.random() < 0.5:
        with suppress(ValueError, RecursionError):
            share = (1 << rng.randrange(3)) / (seed.count(b",") + seed.count(b"[") + 2)
            return json.dumps(_reshaped(json.loads(seed), rng, share)).encode()
    tokens = TOKENS.findall(seed)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 8))):
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


def _reshaped(data: Any, rng: random.Random, share: float) -> Any:
    """Return JSON with a share of its values replaced, left out, put under another name or taken twice."""
    if rng.random() < share / 2:
        return rng.choice(VALUES)
    if isinstance(data, dict):
        kept = {key: value for key, value in data.items() if rng.random() > share / 4}
        return {_renamed(key, rng, share): _reshaped(value, rng, share) for key, value in kept.items()}
    if isinstance(data, list):
        kept_values = data * (3 if rng.random() < share else 1)
        return [_reshaped(value, rng, share) for value in kept_values if rng.random() > share / 4]
    return data


def _renamed(key: str, rng: random.Random, share: float) -> str:
    return key if rng.random() > share / 4 else str(rng.choice(VALUES))[:300]
