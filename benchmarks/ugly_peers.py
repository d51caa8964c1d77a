"""Print how many columns of each ugly file come out as in the tidy table: here, in pandas, polars, Orange and H2O.

    python benchmarks/ugly_peers.py

The files are those of tests/ugly, each one tidy table with a trap. A column counts when every cell is the number, the
date or the word of the tidy table. pandas guesses the delimiter (`sep=None`), polars parses dates (`try_parse_dates`),
and both are shown the right delimiter where they take it: what is compared is how cells are read. Orange and H2O, which
find delimiter and kinds by themselves, are asked where they are installed.
"""

from __future__ import annotations

import csv
import logging
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl

from unless.table.columns import cells
from unless.table.formats import read_file
from unless.table.kinds import KindRule, read_columns

UGLY = Path(__file__).parent.parent / "tests" / "ugly"
EPOCH = np.datetime64("1970-01-01")


def ours(path):
    """Read a file as `unless learn` does: numbers, days since 1970, and words."""
    table, is_text = read_file(str(path))
    columns = read_columns(table, KindRule("content" if is_text else "dtype"), aloud=False)
    found = {}
    for name, column in columns.items():
        read = cells(table.columns[name], column.kind, (), column.reading)
        found[name] = [read.value(row) for row in range(table.n_rows)]
    return found


def plain(series):
    """Return the values of a column of pandas: numbers, days since 1970, or words."""
    if pd.api.types.is_datetime64_any_dtype(series):
        return ((series.to_numpy() - EPOCH) / np.timedelta64(1, "D")).tolist()
    if pd.api.types.is_numeric_dtype(series):
        return series.astype(float).tolist()
    return series.tolist()


def with_pandas(path):
    frame = pd.read_csv(path, sep=None, engine="python", encoding="utf-8")
    return {name: plain(frame[name]) for name in frame}


def with_polars(path):
    with path.open(encoding="utf-8") as file:
        mark = csv.Sniffer().sniff(file.readline(), ",;\t|").delimiter
    frame = pl.read_csv(path, separator=mark, try_parse_dates=True, infer_schema_length=None)
    dates = [name for name, dtype in frame.schema.items() if dtype == pl.Date]
    days = frame.with_columns(pl.col(dates).to_physical().cast(pl.Float64)) if dates else frame
    return {
        name: (days[name].cast(pl.Float64) if days[name].dtype.is_numeric() else days[name]).to_list()
        for name in days.columns
    }


def with_orange(path):
    from Orange.data import DiscreteVariable, StringVariable, Table, TimeVariable

    table, found = Table.from_file(str(path)), {}
    for variable in (*table.domain.variables, *table.domain.metas):
        column = table.get_column(variable)
        if isinstance(variable, TimeVariable):
            found[variable.name] = (column / 86400).tolist()
        elif isinstance(variable, DiscreteVariable | StringVariable):
            found[variable.name] = [variable.str_val(value) for value in column]
        else:
            found[variable.name] = column.astype(float).tolist()
    return found


def with_h2o(path):
    """Read with H2O, which runs in Java: `pip install h2o`."""
    import h2o

    h2o.init(nthreads=1, max_mem_size="1g", verbose=False)
    h2o.no_progress()
    frame = h2o.import_file(str(path))
    found = {}
    for name, kind in frame.types.items():
        values = [cell[0] if cell else "" for cell in frame[name].as_data_frame(use_pandas=False, header=False)]
        unit = 86_400_000 if kind == "time" else 1
        is_number = kind in ("time", "int", "real")
        found[name] = [float(value) / unit if value else None for value in values] if is_number else values
    return found


def peers():
    """Return the readers to compare, by name."""
    found = {"unless": ours, f"pandas {pd.__version__}": with_pandas, f"polars {pl.__version__}": with_polars}
    if find_spec("Orange") is not None:
        found[f"Orange {version('orange3')}"] = with_orange
    if find_spec("h2o") is not None:
        found[f"H2O {version('h2o')}"] = with_h2o
    return found


def n_right(read, path, tidy):
    """Count the columns of the tidy table that come out as they should; None if the file is refused."""
    try:
        found = read(path)
    except Exception:  # each library has errors of its own
        return None
    return sum(found.get(name) == values for name, values in tidy.items())


def main():
    logging.getLogger("unless").setLevel(logging.ERROR)
    tidy = ours(UGLY / "tidy.csv")
    readers = peers()
    print(f"| file | {' | '.join(readers)} |\n|---|{'---|' * len(readers)}")
    for path in sorted(UGLY.glob("*.csv")):
        counts = [n_right(read, path, tidy) for read in readers.values()]
        shown = " | ".join("refused" if n is None else f"{n} of {len(tidy)}" for n in counts)
        print(f"| {path.stem} | {shown} |")


if __name__ == "__main__":
    main()
