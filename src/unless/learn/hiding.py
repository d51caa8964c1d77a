"""Hide a package that another one loads where it finds it, and that nobody here needs.

numba loads SciPy, where it is installed, for linear algebra that no kernel has: that takes longer than learning.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def hiding(package: str) -> Iterator[None]:
    """Make a package look absent to what is imported meanwhile; one that is loaded already stays."""
    hidden = package not in sys.modules
    if hidden:
        sys.modules[package] = None  # type: ignore[assignment]  # so Python itself says "absent"
    try:
        yield
    finally:
        if hidden and sys.modules.get(package) is None:
            sys.modules.pop(package, None)
