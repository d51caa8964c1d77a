#!/usr/bin/env bash
#: # A million rows
#:
#: *For a table that is too long for a spreadsheet and not worth a cluster.*
#:
#: The table is drawn from planted rules, so that what is learned can be judged: 23 columns of words, codes, whole and
#: continuous numbers, one with words among its numbers, and 1 % of wrong labels (`benchmarks/planted.py`).

python - <<'PY'
import sys
from pathlib import Path

sys.path.insert(0, "benchmarks")
import planted

planted.write(Path("rows"), 1_000_000)
PY
ls rows | head -3

#: ## Learn
#:
#: Files, folders and globs are read piece by piece, twice; what stays in memory is a code of 1, 2 or 4 bytes for each cell.
#: `/usr/bin/time` says seconds and memory, on a machine of two cores that had other work:

/usr/bin/time -f "%U s of the processor, %M KB at most" \
  unless learn rows --target decision --positive yes --algorithm fold-r++ --no-check -o fast.lp

#: That was FOLD-R++. The learner of whole programs takes longer, and says more in fewer conditions:

/usr/bin/time -f "%U s of the processor, %M KB at most" \
  unless learn rows --target decision --positive yes --no-points --no-check -o short.lp
unless rules short.lp --english

#: ## Predict half of it

/usr/bin/time -f "%U s of the processor, %M KB at most" unless predict short.lp rows/part-0000.parquet -o labels.csv
wc -l < labels.csv

#: ## Stop and go on
#:
#: With `--checkpoint` the finished rules are kept; the same command goes on from there and ends with the same program:

unless learn rows --target decision --positive yes --algorithm fold-r++ --no-check --checkpoint rules.json -o again.lp > /dev/null 2>&1
cmp fast.lp again.lp && echo the same program

#: What grows with the rows, up to thirty million: [Scale](../scale.md).
