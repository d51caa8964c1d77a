"""Hide packages that another one loads where it finds them, and that nobody here needs.

numba loads SciPy, where it is installed, for linear algebra that no kernel has: that takes longer than learning.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def hiding(*packages: str) -> Iterator[None]:
    """Make packages look absent to what is imported meanwhile; those that are loaded already stay."""
    hidden = [package for package in packages if package not in sys.modules]
    for package in hidden:
        sys.modules[package] = None  # type: ignore[assignment]  # so Python itself says "absent"
    try:
        yield
    finally:
        for package in hidden:
            if sys.modules.get(package) is None:
                sys.modules.pop(package, None)
