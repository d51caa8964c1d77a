"""Large mixed tables, drawn chunk by chunk from planted rules: the same rows for the same seed, whatever the format.

23 columns and a label: words with missing cells, codes that look like numbers, whole numbers, rounded decimals, three
fully continuous columns, and one column of numbers with words among them. `write` puts the table into a folder as
Parquet or CSV files and never holds more than one chunk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from pathlib import Path

CHUNK = 500_000
LABEL = "decision"
CATEGORICAL = ("purpose", "housing", "region", "branch", "code", "channel", "newsletter")
NOISE = 0.01
MISSING = 0.03


def chunk(index: int, n_rows: int, seed: int = 0) -> pl.DataFrame:
    """Draw one chunk."""
    chance = np.random.default_rng([seed, index])
    table = pl.DataFrame(_words(chance, n_rows) | _numbers(chance, n_rows) | _continuous(chance, n_rows))
    table = table.with_columns(_mixed(chance, n_rows))
    gone = {name: chance.random(n_rows) < MISSING for name in ("region", "income", "debt_ratio", "height")}
    table = table.with_columns(
        [pl.when(pl.Series(mask)).then(None).otherwise(pl.col(name)).alias(name) for name, mask in gone.items()]
    )
    return table.with_columns(_label(table, chance.random(n_rows) < NOISE))


def _words(chance: np.random.Generator, n: int) -> dict[str, pl.Series]:
    def pick(words: list[str], weights: list[float] | None = None) -> pl.Series:
        return pl.Series(chance.choice(len(words), n, p=weights)).replace_strict(range(len(words)), words)

    return {
        "purpose": pick(["car", "home", "study", "business"]),
        "housing": pick(["owner", "tenant", "family"], [0.4, 0.5, 0.1]),
        "region": pick([f"region {i}" for i in range(50)]),
        "branch": pick([f"branch {i:04}" for i in range(2000)]),
        "code": pick([f"{i:05}" for i in range(300)]),
        "channel": pick(["web", "phone", "desk"]),
        "newsletter": pick(["yes", "no"]),
    }


def _numbers(chance: np.random.Generator, n: int) -> dict[str, np.ndarray]:
    return {
        "age": chance.integers(18, 100, n),
        "children": chance.poisson(1.2, n),
        "visits": chance.integers(0, 10_000, n),
        "customer": chance.integers(0, 200_000, n),
        "day": chance.integers(1, 367, n),
        "income": np.round(chance.lognormal(10.4, 0.5, n), -2),
        "debt_ratio": np.round(chance.beta(2, 3, n), 2),
        "rate": np.round(chance.uniform(0.5, 9.5, n), 2),
        "balance": np.round(chance.normal(0, 500, n), 1),
        "share": np.round(chance.random(n), 3),
        "weight": np.round(chance.normal(70, 12, n), 1),
        "price": np.round(chance.lognormal(4, 1, n), 2),
    }


def _continuous(chance: np.random.Generator, n: int) -> dict[str, np.ndarray]:
    return {"signal": chance.normal(0, 1, n), "height": chance.uniform(0, 1, n), "load": chance.lognormal(0, 1, n)}


def _mixed(chance: np.random.Generator, n: int) -> pl.Series:
    years = pl.Series("years_in_job", chance.integers(0, 41, n)).cast(pl.String)
    kind = pl.Series(chance.choice(3, n, p=[0.8, 0.15, 0.05]))
    spelled = pl.when(kind == 1).then(pl.lit("retired")).when(kind == 2).then(pl.lit("student")).otherwise(years)
    return pl.select(spelled.alias("years_in_job")).to_series()


def _label(table: pl.DataFrame, noise: np.ndarray) -> pl.Expr:
    """Apply the planted rules: two defaults, exceptions, an exception to an exception, and a little noise."""
    debt = (pl.col("debt_ratio") > 0.6) & ~((pl.col("housing") == "owner") & (pl.col("signal") > -0.5))
    young = (pl.col("age") <= 21) & (pl.col("purpose") == "business")
    first = (pl.col("income") > 30_000) & ~debt & ~young
    second = (pl.col("years_in_job") == "retired") & (pl.col("load") <= 1.5)
    approved = (first.fill_null(False) | second.fill_null(False)) ^ pl.Series(noise)
    return pl.when(approved).then(pl.lit("yes")).otherwise(pl.lit("no")).alias(LABEL)


def write(folder: Path, n_rows: int, form: str = "parquet", seed: int = 0) -> list[str]:
    """Write a table as files of one chunk each; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for index, start in enumerate(range(0, n_rows, CHUNK)):
        path = folder / f"part-{index:04}.{form}"
        table = chunk(index, min(CHUNK, n_rows - start), seed)
        if form == "parquet":
            table.write_parquet(path, compression="zstd", compression_level=1)
        else:
            table.write_csv(path)
        paths.append(str(path))
    return paths
