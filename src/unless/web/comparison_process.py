"""Comparing two programs on rows, in a process of its own: `python -m unless.web.comparison_process`.

In: an order as JSON on standard input. Out: the comparison, or why there is none, as JSON on standard output. A text
that somebody sends may take long to read and to compare; a process can be ended where a thread cannot.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from unless.errors import UnlessError
from unless.web.refusals import RequestError, error_detail

AT_ONCE = 2
"""So many comparisons run side by side; others wait."""


async def compared(order: dict[str, Any], room: asyncio.Semaphore) -> bytes:
    """Compare in a process of its own, which ends when nobody waits for it any more."""
    async with room:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "unless.web.comparison_process",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            said, _ = await process.communicate(json.dumps(order).encode("ascii"))
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if not said:
        msg = "the comparison was ended before it was done; it may have needed more memory than there is."
        raise RequestError(msg, 503)
    return said


def main() -> None:
    """Read an order, and write what came out."""
    from unless.evaluate.compare import compare
    from unless.logic.text.parser import parse

    order = json.load(sys.stdin)
    try:
        names = dict.fromkeys(name for row in order["rows"] for name in row)
        columns = {name: [row.get(name) for row in order["rows"]] for name in names}
        found = compare(parse(order["before"]), parse(order["after"]), columns).as_dict(order["limit"])
    except UnlessError as error:
        found = {"error": error_detail(error)}
    sys.stdout.write(json.dumps(found, allow_nan=False))


if __name__ == "__main__":
    main()
