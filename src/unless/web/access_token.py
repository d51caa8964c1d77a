"""A token in the address, like Jupyter's: who has it may ask, and nobody else on the same machine.

In: requests. Out: whether they know the token: by a header `Authorization: Bearer TOKEN`, or by the cookie that a visit
to `/?token=TOKEN` leaves. The cookie is of this port, is not seen by scripts, and other sites' requests do not carry
it. What says only that the server is up needs no token.
"""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import Scope

OPEN_PATHS = frozenset({"/health"})


class AccessToken:
    """The token of one server."""

    asked_for = (
        "this server asks for its token: open the address that it printed at the start, or send the header "
        "Authorization: Bearer TOKEN."
    )

    def __init__(self, token: str | None = None) -> None:
        self.token = token or secrets.token_urlsafe(18)

    def is_known(self, scope: Scope, headers: Mapping[str, str]) -> bool:
        """Tell whether a request knows the token, or needs none."""
        if scope["path"] in OPEN_PATHS:
            return True
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self._is_same(given.strip()):
            return True
        return self._is_same(_cookie(headers.get("cookie", ""), _cookie_name(headers)))

    def welcome(self, scope: Scope, headers: Mapping[str, str]) -> dict[str, str] | None:
        """Return the headers that lead a visitor with the token in the address to the page, with a cookie."""
        if scope["path"] != "/" or b"token=" not in scope.get("query_string", b""):
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if not self._is_same(given):
            return None
        cookie = f"{_cookie_name(headers)}={self.token}; Path=/; HttpOnly; SameSite=Lax"
        return {"location": "/", "set-cookie": cookie, "cache-control": "no-store"}

    def _is_same(self, given: str) -> bool:
        return secrets.compare_digest(given.encode("utf-8", "replace"), self.token.encode())


def _cookie_name(headers: Mapping[str, str]) -> str:
    """Name the cookie by the port: browsers keep one jar for all ports of a host."""
    port = headers.get("host", "").rpartition(":")[2]
    return f"unless-{port if port.isdecimal() else 'token'}"


def _cookie(header: str, name: str) -> str:
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return found.value if found is not None else ""
