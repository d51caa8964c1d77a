"""The API of programs: predict, explain, read and compare, the same in `unless serve` and in the studio.

In: rows as JSON objects, a value per column, null for missing. Out: what the library says, as JSON. Every error of the
library is a 422 with one sentence. Work is done in pieces or in a process of its own, so that it ends when nobody
waits for it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

from unless.explain.faces.json_data import program_data
from unless.explain.faces.plain_text import program_english
from unless.logic.program import MAX_CHARACTERS
from unless.web.asgi_routes import HttpAnswer, as_json
from unless.web.attention import Attention
from unless.web.comparison_process import AT_ONCE, compared
from unless.web.explained_row import explain_row
from unless.web.refusals import RequestError
from unless.web.row_requests import MAX_EXPLAINED, MAX_ROWS, kind_of, read_object, read_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unless.web.asgi_routes import HttpRequest, Routes
    from unless.web.prometheus import ServerMetrics
    from unless.web.served_program import ServedProgram

FLIPS = 20
"""So many flips are listed if a request does not say."""


class Programs(Protocol):
    """Where programs come from: files that are watched, or the studio's session."""

    def find(self, name: str | None) -> ServedProgram:
        """Return the program of a name, or the only one."""


class ProgramApi:
    """Answers for programs."""

    def __init__(self, programs: Programs, metrics: ServerMetrics, *, strict: bool = False) -> None:
        self.programs = programs
        self.metrics = metrics
        self.strict = strict
        self._room = asyncio.Semaphore(AT_ONCE)

    def add_to(self, routes: Routes, prefix: str) -> None:
        """Add the routes of programs under a prefix."""
        for name in ("predict", "explain", "compare"):
            routes.add("POST", f"{prefix}/{name}", getattr(self, name))
        routes.add("GET", f"{prefix}/program", self.program)

    async def predict(self, ask: HttpRequest) -> HttpAnswer:
        """Predict the label of each row, with its probability, the rule that decided, and a reason."""
        served = self.programs.find(ask.parts.get("name"))
        rows, said = served.called(_given(ask, MAX_ROWS), strict=self.strict)
        answers, decisions = [], []
        with Attention(ask.receive) as attention:
            for index, row in enumerate(rows):
                answer, decision = served.answer(row, index, strict=self.strict)
                answers.append(answer)
                decisions.append((decision.label, decision.rule))
                if attention.is_due:
                    await attention.pause()
        self.metrics.decided(served.name, served.version, decisions)
        return as_json(_answered(served, rows, answers, said))

    async def explain(self, ask: HttpRequest) -> HttpAnswer:
        """Give the label of each row with its proof, for and against."""
        served = self.programs.find(ask.parts.get("name"))
        rows, said = served.called(_given(ask, MAX_EXPLAINED), strict=self.strict)
        answers = []
        with Attention(ask.receive) as attention:
            for index, row in enumerate(rows):
                answer, _ = served.answer(row, index, strict=self.strict)  # refuses what cannot be read, by its row
                odd = {"warnings": answer["warnings"]} if "warnings" in answer else {}
                answers.append({**explain_row(served.program, row), **odd})
                if attention.is_due:
                    await attention.pause()
        return as_json(_answered(served, rows, answers, said))

    async def program(self, ask: HttpRequest) -> HttpAnswer:
        """Read the program: as data, as text, and in plain language."""
        served = self.programs.find(ask.parts.get("name"))
        data = program_data(served.program)
        return as_json({**_about(served), **data, "english": program_english(served.program)})

    async def compare(self, ask: HttpRequest) -> HttpAnswer:
        """Compare the program with another one on some rows: scores before and after, rows that flip."""
        served = self.programs.find(ask.parts.get("name"))
        data = read_object(ask.body, ("program", "rows", "limit"), ("program", "rows"))
        order = {
            "before": str(served.program),
            "after": _program_text(data["program"]),
            "rows": read_rows(data["rows"], MAX_ROWS),
            "limit": _limit(data.get("limit", FLIPS)),
        }
        with Attention(ask.receive) as attention:
            said = await attention.wait(compared(order, self._room))
        refused = said.startswith(b'{"error"')
        return HttpAnswer(said, status=422 if refused else 200)


def _about(served: ServedProgram) -> dict[str, Any]:
    """Name the program that answers."""
    return {"model": served.name, "version": served.version, "target": served.program.target.column}


def _given(ask: HttpRequest, most: int) -> list[dict[str, Any]]:
    """Read the rows of a request."""
    return read_rows(read_object(ask.body, ("rows",), ("rows",))["rows"], most)


def _answered(
    served: ServedProgram, rows: Sequence[Mapping[str, Any]], answers: list[Any], said: list[str]
) -> dict[str, Any]:
    """Give the answers, and what must be known of their columns and probabilities."""
    remarks = [*said, *served.remarks(rows)]
    return {**_about(served), "answers": answers, **({"warnings": remarks} if remarks else {})}


def _program_text(text: Any) -> str:
    if not isinstance(text, str):
        msg = f"program is {kind_of(text)}; accepted: the text of a program, as in a model file."
        raise RequestError(msg)
    if len(text) > MAX_CHARACTERS:
        msg = f"program has {len(text):,} characters; at most {MAX_CHARACTERS:,} are accepted."
        raise RequestError(msg)
    return text


def _limit(limit: Any) -> int:
    if not isinstance(limit, int) or isinstance(limit, bool) or not 0 <= limit <= MAX_EXPLAINED:
        msg = f"limit is {limit!r}; accepted: whole numbers from 0 to {MAX_EXPLAINED}."
        raise RequestError(msg)
    return limit
