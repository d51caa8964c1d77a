"""Draw the pictures of the docs again: `python docs/pictures/draw.py` writes them beside this file."""

from __future__ import annotations

from pathlib import Path

from unless.datasets import loans, planted_theory
from unless.evaluate.coverage import coverage
from unless.explain.faces.picture import picture
from unless.logic.text.files import write_text

HERE = Path(__file__).parent


def draw_loans() -> str:
    """Draw the theory behind the loans of `unless demo`, with its figures on them."""
    return picture(planted_theory(), coverage(planted_theory(), loans()))


if __name__ == "__main__":
    write_text(HERE / "loans.svg", draw_loans())
