"""Spark runs the exported SELECT, under the Python that UNLESS_SPARK_PYTHON names, or ours; on this machine alone."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from unless.errors import EngineError
from unless.export.replay.answers import row_key
from unless.export.replay.on_sqlite import sql_answer
from unless.export.sql.spark import DIALECT

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.replay.answers import EngineAnswer
    from unless.export.vectors import Vectors
    from unless.logic.program import Program

KINDS = ("text", "typed")
MINUTES = 30
SETTING = "UNLESS_SPARK_PYTHON"
RUNNER = """
import json, sys
from pyspark.sql import SparkSession
order = json.load(open(sys.argv[1], encoding="utf-8"))
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config(
    "spark.sql.shuffle.partitions", "1").config("spark.log.level", "ERROR").getOrCreate()
rows = [tuple(float("nan") if cell == {"nan": 1} else cell for cell in row) for row in order["rows"]]
spark.createDataFrame(rows, order["schema"]).createOrReplaceTempView(order["table"])
found = spark.sql(order["text"]).collect()
answers = {row[0]: list(row[len(order["rows"][0]):]) for row in found}
json.dump([answers[n] for n in range(len(rows))], open(sys.argv[2], "w", encoding="utf-8"))
"""


def python() -> str:
    """Return the Python that has the engine."""
    return os.environ.get(SETTING, sys.executable)


@lru_cache(maxsize=1)
def version() -> str:
    """Name the engine."""
    code = 'import pyspark; print("Spark", pyspark.__version__)'
    said = subprocess.run([python(), "-c", code], capture_output=True, text=True, timeout=60, check=False)
    if said.returncode:
        msg = "Spark is not installed (pip install pyspark, and Java), so the SQL was not replayed."
        raise EngineError(msg)
    return said.stdout.strip()


def replay(_program: Program, text: str, vectors: Vectors, options: ExportOptions) -> list[EngineAnswer]:
    """Return what the SELECT says of each row."""
    if not vectors.rows:
        return []
    types = ["DOUBLE" if name in vectors.typed else "STRING" for name in vectors.columns]
    columns = (f"{DIALECT.quoted(name)} {kind}" for name, kind in zip(vectors.columns, types, strict=True))
    rows = [[n, *(_plain(cell) for cell in row)] for n, row in enumerate(vectors.rows)]
    order = {"schema": ", ".join([f"{row_key(vectors.columns)} INT", *columns]), "rows": rows, "table": options.table,
             "text": text.rstrip().removesuffix(";")}  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="unless-") as directory:
        order_file, found = Path(directory) / "order.json", Path(directory) / "found.json"
        order_file.write_text(json.dumps(order), encoding="utf-8")
        command = [python(), "-c", RUNNER, str(order_file), str(found)]
        done = subprocess.run(command, capture_output=True, timeout=60 * MINUTES, check=False, cwd=directory)
        if done.returncode:
            msg = f"Spark does not take the export: {done.stderr.decode('utf-8', 'replace').strip()[-500:]}"
            raise EngineError(msg)
        return [sql_answer(tuple(each)) for each in json.loads(found.read_text(encoding="utf-8"))]


def _plain(cell: object) -> object:
    return {"nan": 1} if isinstance(cell, float) and math.isnan(cell) else cell
