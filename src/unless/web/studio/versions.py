"""Versions that a person named: a program, why it is kept, by whom and when; never changed, only added and removed.

In: what is to be kept. Out: a shelf of versions as plain data, in the order in which they were made.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict, dataclass
from typing import Any

from unless.errors import UnlessError
from unless.web.studio.kept_apart import KeptApart, kept_apart_of

MOST = 100
IN_USE, DRAFT = "program in use", "draft"
"""What the two programs that are no versions are called where versions are compared."""


class VersionError(UnlessError):
    """A version cannot be kept, or is not there."""


@dataclass(frozen=True, slots=True)
class Version:
    """A program that a person kept: why, what is different from the version before, and who decided.

    `apart` is how rows were kept apart when it was learned.
    """

    name: str
    comment: str
    at: str
    program: str
    by: str = ""
    changes: tuple[str, ...] = ()
    apart: KeptApart | None = None


class Versions:
    """The versions of one table."""

    def __init__(self, kept: tuple[Version, ...] = ()) -> None:
        self.kept = kept

    def add(
        self,
        name: str,
        comment: str,
        program: str,
        by: str = "",
        changes: tuple[str, ...] = (),
        apart: KeptApart | None = None,
    ) -> Version:
        """Keep a program under a name that is not taken."""
        name = " ".join(name.split())
        if not name:
            msg = "give the version a name, such as 'as approved in May'."
            raise VersionError(msg)
        if name in (IN_USE, DRAFT):
            msg = f"{name!r} is what the studio calls another program; give the version another name."
            raise VersionError(msg)
        if any(version.name == name for version in self.kept):
            msg = f"there is a version {name!r} already; names are used once."
            raise VersionError(msg)
        if len(self.kept) >= MOST:
            msg = f"there are {MOST} versions; remove one first."
            raise VersionError(msg)
        now = dt.datetime.now(dt.UTC).replace(microsecond=0).isoformat()
        version = Version(name, comment.strip(), now, program, by.strip(), changes, apart)
        self.kept = (*self.kept, version)
        return version

    def find(self, name: str) -> Version:
        """Return the version that has a name."""
        found = next((version for version in self.kept if version.name == name), None)
        if found is None:
            known = ", ".join(repr(version.name) for version in self.kept) or "none"
            msg = f"there is no version {name!r}; versions: {known}."
            raise VersionError(msg)
        return found

    def remove(self, name: str) -> None:
        """Remove a version."""
        gone = self.find(name)
        self.kept = tuple(version for version in self.kept if version is not gone)

    def data(self) -> list[dict[str, Any]]:
        """Return the versions as plain data."""
        return [asdict(version) for version in self.kept]

    @staticmethod
    def of(data: list[dict[str, Any]]) -> Versions:
        """Read them back."""
        return Versions(tuple(Version(**{**each, "apart": kept_apart_of(each.get("apart"))}) for each in data))
