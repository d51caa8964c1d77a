"""Where figures come from: processor, cores, memory, and the versions of what was measured.

In: the system and the installed packages. Out: plain words for the top of a page. No paths, no host, no user: the page
is published.
"""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = (
    "unless", "foldrpp", "wittgenstein", "xgboost", "xgboost-cpu", "lightgbm", "scikit-learn",
    "numpy", "llvmlite", "polars",
)  # fmt: skip


def machine() -> dict[str, str]:
    """Describe this machine."""
    return {"processor": _processor(), "cores": str(os.cpu_count()), "memory": _memory(), "system": platform.system()}


def versions() -> dict[str, str]:
    """Return the versions of Python and of what is installed of the packages that are measured."""
    found = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            if package == "unless":
                from unless import __version__

                found[package] = __version__
    return found


def _processor() -> str:
    match = re.search(r"^model name\s*:\s*(.+)$", _read("/proc/cpuinfo"), re.MULTILINE)
    return match.group(1) if match else platform.processor() or platform.machine()


def _memory() -> str:
    match = re.search(r"^MemTotal:\s*(\d+) kB", _read("/proc/meminfo"), re.MULTILINE)
    return f"{int(match.group(1)) / 2**20:.0f} GB" if match else "unknown"


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""
