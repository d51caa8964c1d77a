"""`unless warm-up`: compile now what learning would compile at its first use.

By learning from small tables drawn here, with each learner: of two labels and of three, with scorecards and without,
of few codes and of many, of few rows and of more. A kernel is compiled for each width of codes that tables have, so
the tables have them all.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

N_ROWS = 200
N_DISTINCT = 70_000
"""More distinct numbers than 16 bits can code."""
N_WORDS, N_COLUMNS = 254, 257
"""So many columns of so many words have more bins than 16 bits can number."""


def warm_up() -> None:
    """Compile everything that learning needs, once for this machine: for images, whose first use should be quick."""
    from unless.learn.compiled import kept_in, n_compiled

    start = time.perf_counter()
    for learner, table, rows, label in _trials():
        before, began = n_compiled(), time.perf_counter()
        learner.fit(rows.drop(label), rows[label])
        n_new, seconds = n_compiled() - before, time.perf_counter() - began
        typer.echo(f"{type(learner).__name__} on {table}: {n_new} compiled, {seconds:.1f} s")
    typer.echo(f"{n_compiled()} compiled in {time.perf_counter() - start:.1f} s; kept in {kept_in() or 'no folder'}.")


def _trials() -> Iterator[tuple[Any, str, pl.DataFrame, str]]:
    """Yield learners, each with a table, what it is called, and the column to predict."""
    from unless import FoldRClassifier, FoldRPPClassifier, UnlessClassifier
    from unless.datasets import loans

    few, words = loans(N_ROWS), ["purpose", "housing", "history"]
    yield FoldRPPClassifier(categorical_features=words), "few rows", few, "loan"
    yield FoldRClassifier(categorical_features=words), "few rows", few, "loan"
    yield UnlessClassifier(categorical_features=words), "few rows", few, "loan"
    yield UnlessClassifier(categorical_features=words, points=True), "few rows", few, "loan"
    three, many = _three_labels(), _many_numbers()
    yield FoldRPPClassifier(), "three labels", three, "label"
    yield UnlessClassifier(points=True), "three labels", three, "label"
    yield FoldRPPClassifier(), "many distinct numbers", many, "label"
    yield FoldRClassifier(), "many distinct numbers", many, "label"
    yield UnlessClassifier(points=False, max_rules=1, max_literals=1), "many words", _many_words(), "label"


def _three_labels() -> pl.DataFrame:
    import polars as pl

    numbers = [float(i * 37 % 101) for i in range(N_ROWS)]
    return pl.DataFrame({"a": numbers, "label": [("low", "middle", "high")[int(n // 34)] for n in numbers]})


def _many_numbers() -> pl.DataFrame:
    """Return columns of codes of 8, 16 and 32 bits; the widest decides."""
    import polars as pl

    numbers = [i * 7919 % N_DISTINCT for i in range(N_DISTINCT)]
    return pl.DataFrame(
        {
            "wide": [float(n) for n in numbers],
            "middling": [float(i % 1000) for i in range(N_DISTINCT)],
            "narrow": [float(i % 10) for i in range(N_DISTINCT)],
            "label": ["yes" if n < N_DISTINCT // 3 else "no" for n in numbers],
        }
    )


def _many_words() -> pl.DataFrame:
    import polars as pl

    words = [f"w{i % N_WORDS}" for i in range(3 * N_WORDS)]
    columns = {f"c{j}": words for j in range(N_COLUMNS)}
    return pl.DataFrame({**columns, "label": ["yes" if i % N_WORDS < 9 else "no" for i in range(len(words))]})
