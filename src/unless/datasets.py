"""A table of our own, drawn from a planted theory: what `unless demo` runs on.

Loan decisions that follow a default theory with exceptions and an exception to an exception, with some noise, some
missing cells, and one mixed column (years in the job, or a word such as 'retired'). The same rows every time.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from unless.logic.holds import decide
from unless.logic.text.parser import parse

if TYPE_CHECKING:
    import polars as pl

    from unless.logic.program import Program

PLANTED = """\
%@ unless 1
%@ target loan: 'approved' else 'refused'
%@ categorical purpose, housing, history
%@ numerical income, debt_ratio, years_in_job
loan(X,'approved') :- income(X,N3), N3 > 30000.0, not ab2(X), not ab3(X).
loan(X,'approved') :- years_in_job_is(X,'retired'), housing(X,'owner').
ab1(X) :- housing(X,'owner').
ab2(X) :- debt_ratio(X,N4), N4 > 0.45, not ab1(X).
ab3(X) :- history(X,'defaulted').
"""

NOISE = 0.02
MISSING = 0.04


def planted_theory() -> Program:
    """Return the theory behind the loans."""
    return parse(PLANTED)


def loans(n_rows: int = 2000, seed: int = 7) -> pl.DataFrame:
    """Draw loan decisions from the planted theory; the column `loan` is the label.

    >>> loans(3).columns
    ['income', 'debt_ratio', 'years_in_job', 'purpose', 'housing', 'history', 'loan']
    """
    import polars as pl

    theory = planted_theory()
    chance = random.Random(seed)
    rows = [_draw(chance, theory) for _ in range(n_rows)]
    text = [name for name in rows[0] if name not in ("income", "debt_ratio")]
    return pl.DataFrame(rows, schema_overrides=dict.fromkeys(text, pl.String), infer_schema_length=None)


def _draw(chance: random.Random, theory: Program) -> dict[str, object]:
    years = chance.choices(
        [str(chance.randint(0, 40)), "retired", "student"], weights=[80, 15, 5]
    )[0]  # fmt: skip
    row: dict[str, object] = {
        "income": round(chance.lognormvariate(10.4, 0.5), -2),
        "debt_ratio": round(chance.betavariate(2, 3), 2),
        "years_in_job": years,
        "purpose": chance.choice(["car", "home", "study", "business"]),
        "housing": chance.choices(["owner", "tenant", "family"], weights=[4, 5, 1])[0],
        "history": chance.choices(["clean", "late", "defaulted"], weights=[7, 2, 1])[0],
    }
    for name in row:
        if chance.random() < MISSING:
            row[name] = None
    row["loan"] = _decide(chance, theory, row)
    return row


def _decide(chance: random.Random, theory: Program, row: dict[str, object]) -> str:
    from unless.logic.holds import read_row

    label = str(decide(theory, read_row(theory, row)))
    if chance.random() < NOISE:
        label = "refused" if label == "approved" else "approved"
    return label
