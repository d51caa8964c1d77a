"""The body of a request becomes rows: JSON, read strictly, refused in one sentence that says where.

In: bytes. Out: a list of rows, each a dict of cells: a number, text, true or false, or None for missing. What a cell
means is decided by the program's columns (`logic.row_program`), as in a table.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from unless.errors import did_you_mean, listing
from unless.web.refusals import RequestError

if TYPE_CHECKING:
    from collections.abc import Collection

MAX_ROWS = 10_000
MAX_EXPLAINED = 200
KINDS = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}


def read_object(body: bytes, accepted: Collection[str], needed: Collection[str]) -> dict[str, Any]:
    """Read a body as a JSON object with some fields and no others."""
    data = read_json(body)
    if not isinstance(data, dict):
        msg = f"the body is {kind_of(data)}; accepted: an object with {listing(accepted)}."
        raise RequestError(msg)
    for name in data:
        if name not in accepted:
            hint = did_you_mean(name, accepted)
            msg = f"the body has a field {name[:100]!r}; accepted: {listing(accepted)}.{hint}"
            raise RequestError(msg)
    for name in needed:
        if name not in data:
            msg = f"the body has no field {name!r}; it is needed."
            raise RequestError(msg)
    return data


def read_rows(data: Any, most: int) -> list[dict[str, Any]]:
    """Check that a field holds rows, and not too many."""
    if not isinstance(data, list):
        msg = f"rows is {kind_of(data)}; accepted: a list of objects, a value per column."
        raise RequestError(msg)
    if len(data) > most:
        msg = f"there are {len(data):,} rows; at most {most:,} are answered at once."
        raise RequestError(msg)
    for index, row in enumerate(data):
        if row.__class__ is not dict:
            msg = f"row {index} is {kind_of(row)}; accepted: an object with a value per column."
            raise RequestError(msg)
    return data


def read_json(body: bytes) -> Any:
    """Read JSON as the standard has it: no NaN, no half of a character, no endless nesting, no name twice."""
    try:
        data = DECODER.decode(body.decode(json.detect_encoding(body), "surrogatepass"))
        if b"\\u" in body:
            # A lone half of a surrogate pair is legal in JSON, but is no text: nothing could be done with it.
            json.dumps(data, ensure_ascii=False).encode("utf-8")
    except UnicodeError:
        msg = "the body is not text in UTF-8, or holds half a character (a lone surrogate)."
        raise RequestError(msg, 400) from None
    except RecursionError:
        msg = "the body is nested too deep."
        raise RequestError(msg, 400) from None
    except json.JSONDecodeError as error:
        msg = f"the body is not JSON: {error}."
        raise RequestError(msg, 400) from None
    except ValueError:  # Python reads no number of thousands of digits
        msg = "the body holds a whole number of thousands of digits, which no column has."
        raise RequestError(msg, 400) from None
    return data


def kind_of(value: Any) -> str:
    """Name what a JSON value is."""
    return KINDS.get(type(value), "a number")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its fields; of two values under one name it would be guessed which one is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        msg = f"the body has {twice[:100]!r} twice in one object; each name is given once."
        raise RequestError(msg, 400)
    return found


def _no_constant(name: str) -> NoReturn:
    msg = f"the body holds {name}, which is no number of JSON; a missing value is null."
    raise RequestError(msg, 400)


DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_each_once)
"""Made once: to make one takes as long as to read a row."""
