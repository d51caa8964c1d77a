"""The same learner on a Dask cluster.

`cluster.py` connects and turns failures into sentences, `shards.py` is what workers hold and do, `rows.py` and
`source.py` are the driver's side of the learner's `Rows` and `Source`, `predict.py` predicts and counts on Dask frames.
"""

from unless.distributed.cluster import connected
from unless.distributed.predict import count_right, lazy_coverage, map_rows
from unless.distributed.source import DaskSource, cluster_task, files_source, frame_source

__all__ = [
    "DaskSource",
    "cluster_task",
    "connected",
    "count_right",
    "files_source",
    "frame_source",
    "lazy_coverage",
    "map_rows",
]
