"""The tables of the benchmarks, built outside every timed call, and what a result says about where it was made."""

from __future__ import annotations

import os
import platform
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pandas as pd

LARGE = ("adult", "credit-card", "rain-in-aus")
PAPER = (
    "acute", "autism", "breast-w", "cars", "credit-a", "ecoli", "heart", "ionosphere", "kidney", "kr-vs-kp",
    "mushroom", "voting", *LARGE,
)  # fmt: skip


@dataclass
class Table:
    frame: pd.DataFrame
    text: pd.DataFrame
    labels: pd.Series
    categorical: tuple[str, ...]
    numerical: tuple[str, ...]

    def rows_for_foldrpp(self):
        """Return rows as the authors' package wants them: dicts with numbers where a numerical cell is one."""
        rows = []
        names = [(name, f"c{i}", name in self.numerical) for i, name in enumerate(self.text.columns)]  # it lowers case
        for row, label in zip(self.text.to_dict("records"), self.labels, strict=True):
            cells = {short: _number(row[name]) if is_number else row[name] for name, short, is_number in names}
            rows.append({**cells, "label": int(label)})
        return rows


def _number(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


@cache
def load(name):
    folder = Path(os.environ["UNLESS_DATA"])
    roles = tomllib.loads((folder / "datasets.toml").read_text())[name]
    text = pd.read_csv(folder / roles["file"], dtype=str, keep_default_na=False)
    labels = text[roles["label"]] == roles["positive"]
    text = text[roles["categorical"] + roles["numerical"]]
    frame = text.copy()
    for column in roles["categorical"]:
        frame[column] = frame[column].astype("category")
    for column in roles["numerical"]:
        frame[column] = pd.to_numeric(frame[column], errors="coerce")
    return Table(frame, text, labels.rename("label"), tuple(roles["categorical"]), tuple(roles["numerical"]))


@cache
def load_csv(name):
    """Return the columns of a table as `pandas.read_csv` gives them."""
    folder = Path(os.environ["UNLESS_DATA"])
    roles = tomllib.loads((folder / "datasets.toml").read_text())[name]
    return pd.read_csv(folder / roles["file"])[roles["categorical"] + roles["numerical"]]


def count_rules(rules):
    """Count rules with their exceptions."""
    return sum(1 + count_rules(rule.exceptions) for rule in rules)


def machine():
    """Describe the machine in a few words."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists() and (found := re.search(r"model name\s*:\s*(.+)", info.read_text())):
        model = found.group(1)
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def versions(*packages):
    """List the versions of packages."""
    found = []
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} (not installed)")
    return ", ".join(found)


def write_between(path, mark, text):
    """Replace the part of a page between two markers."""
    page = Path(path).read_text(encoding="utf-8")
    start, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    before, rest = page.split(start)
    after = rest.split(end)[1]
    Path(path).write_text(f"{before}{start}\n{text}\n{end}{after}", encoding="utf-8")
