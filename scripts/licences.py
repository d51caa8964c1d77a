"""The licences of what `unless` needs, as its dependencies state them themselves; those not on the list are refused.

    python scripts/licences.py                    # a table of what the package itself needs
    python scripts/licences.py studio serve reason # and of what these extras need

Reads the environment that runs it: what an extra names and is not installed is left out.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution

ALLOWED = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0",
    "HPND", "ISC", "MIT", "MIT-CMU", "MIT-0", "MPL-2.0", "PSF-2.0", "Python-2.0", "Unicode-3.0", "Unlicense",
    "WTFPL", "Zlib",
}  # fmt: skip
"""Licences under which others may use the package as they like; those of the weaker copyleft kind concern changes to
the dependency itself."""

WORDED = {
    "apache software license": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache-2.0": "Apache-2.0",
    "bsd license": "BSD",
    "bsd": "BSD",
    "3-clause bsd": "BSD-3-Clause",
    "3-clause bsd license": "BSD-3-Clause",
    "new bsd": "BSD-3-Clause",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
    "psf-2.0": "PSF-2.0",
    "the unlicense (unlicense)": "Unlicense",
}


@dataclass(frozen=True)
class Licence:
    """What one distribution says of its licence."""

    name: str
    version: str
    stated: str

    @property
    def allowed(self) -> bool:
        """Whether one of the alternatives, or all of what applies together, is on the list."""
        alternatives = re.split(r"\s+OR\s+", self.stated.replace("(", "").replace(")", ""))
        return any(all(part in ALLOWED for part in re.split(r"\s+AND\s+|; ", each)) for each in alternatives)


def licences(extras: frozenset[str] = frozenset(), root: str = "unless") -> list[Licence]:
    """List all that a distribution needs, and what they need in turn, by name."""
    found: dict[str, Licence] = {}
    waiting = [(root, extras)]
    seen = set()
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        try:
            there = distribution(name)
        except PackageNotFoundError:
            continue
        if name != root:
            found[name] = Licence(name, there.version, stated(there))
        waiting += _needed(there, wanted)
    return [found[name] for name in sorted(found)]


def stated(there: Distribution) -> str:
    """Return the licence: the expression, or else the classifiers, or else the field."""
    expression = there.metadata.get("License-Expression")
    if expression:
        return expression
    classified = [
        line.rpartition(" :: ")[2] for line in there.metadata.get_all("Classifier", []) if "License ::" in line
    ]
    named = [WORDED.get(each.lower(), each) for each in classified if each != "OSI Approved"]
    field = (there.metadata.get("License") or "not stated").strip().splitlines()[0]
    return "; ".join(named) or WORDED.get(field.lower(), field)


def _needed(there: Distribution, extras: frozenset[str]) -> list[tuple[str, frozenset[str]]]:
    """List the requirements that hold here, with the extras that they ask for."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    needed = []
    for line in there.requires or []:
        requirement = Requirement(line)
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": each}) for each in {"", *extras}):
            needed.append((canonicalize_name(requirement.name), frozenset(requirement.extras)))
    return needed


def table(found: list[Licence]) -> str:
    """Write the list as a page."""
    lines = [f"| {each.name} | {each.version} | {each.stated} |" for each in found]
    return "\n".join(["| package | version | licence |", "|---|---|---|", *lines]) + "\n"


def main() -> int:
    """Print the table; say what is not allowed, and fail."""
    found = licences(frozenset(sys.argv[1:]))
    print(table(found), end="")
    refused = [each for each in found if not each.allowed]
    for each in refused:
        print(f"{each.name} {each.version}: the licence {each.stated!r} is not on the list", file=sys.stderr)
    return int(bool(refused) or not found)


if __name__ == "__main__":
    sys.exit(main())
