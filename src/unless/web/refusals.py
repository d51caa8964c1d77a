"""What a server says when it does not answer: errors with their status, and any error of the library as plain data."""

from __future__ import annotations

from typing import Any

from unless.errors import ProgramSyntaxError, UnlessError


class RequestError(UnlessError):
    """A request that cannot be answered as it is; `status` is that of HTTP."""

    def __init__(self, sentence: str, status: int = 422) -> None:
        self.status = status
        super().__init__(sentence)


class ClientGoneError(Exception):
    """Whoever asked has left: there is nobody to answer."""


def error_detail(error: UnlessError) -> dict[str, Any]:
    """Describe an error of the library as plain data."""
    kind = "request" if isinstance(error, RequestError) else type(error).__name__
    described: dict[str, Any] = {"kind": kind, "message": str(error)}
    if isinstance(error, ProgramSyntaxError):
        described |= {"line": error.line, "column": error.column, "expected": list(error.expected)}
    return described
