#!/usr/bin/env bash
# programs: dask import:distributed
#: # A cluster
#:
#: *For tables that lie on a cluster anyway. The program is the one that a single machine learns, to the letter.*

python - <<'PY'
import sys
from pathlib import Path

sys.path.insert(0, "benchmarks")
import planted

planted.write(Path("rows"), 200_000)
PY

#: ## Start a cluster
#:
#: Two workers on this machine; on Kubernetes, Slurm or YARN, Dask's own deployers start them and give an address alike.

#= quiet
dask scheduler --host 127.0.0.1 --port 8786 --no-dashboard > scheduler.log 2>&1 &
dask worker tcp://127.0.0.1:8786 --nworkers 2 --nthreads 1 --no-dashboard > worker.log 2>&1 &
sleep 6

#: ## Learn on it, and on one machine
#:
#: The workers read the files, so they must see them under the same names.

unless learn "$PWD/rows" --target decision --positive yes --algorithm fold-r++ --no-check \
  --scheduler tcp://127.0.0.1:8786 -o cluster.lp 2>&1 | grep Learned | sed 's/ in [0-9.]* s//'
unless learn rows --target decision --positive yes --algorithm fold-r++ --no-check -o alone.lp 2>&1 \
  | grep Learned | sed 's/ in [0-9.]* s//'

#: Rules and exceptions are the same, byte for byte. (The cluster keeps its rows, so there the probabilities come of the
#: decision alone; `unless grade` on a table that fits into memory gives the rest.)

diff <(grep -v '^%@ ' alone.lp) <(grep -v '^%@ ' cluster.lp) && echo the same rules

#: ## From Python
#:
#: `fit` takes Dask data frames, and `predict` answers lazily:

python - <<'PY'
import dask.dataframe as dd
from dask.distributed import Client

from unless import FoldRPPClassifier, load

client = Client("tcp://127.0.0.1:8786")
frame = dd.read_parquet("rows")
model = FoldRPPClassifier.from_program(load("cluster.lp"))
labels = model.predict(frame.drop(columns="decision"))
print(type(labels).__name__, dict(labels.compute().value_counts()))
client.close()
PY

#= quiet
kill %1 %2; wait 2> /dev/null; true

#: What travels, what happens when a worker dies, and when one machine is the better choice: [Scale](../scale.md).
