#!/usr/bin/env bash
# tables: acute autism breast-w cars credit-a ecoli heart ionosphere kidney kr-vs-kp mushroom voting
#: # The paper reproduced
#:
#: *For reviewers: the experiments of FOLD-R++ (Wang & Gupta), beside the figures that they published.*
#:
#: The tables are of the UCI repository; the folder that `UNLESS_DATA` names has them, and a `datasets.toml` that says which
#: column is the label. The twelve small ones, ten folds each:

unless bench paper --datasets acute,autism,breast-w,cars,credit-a,ecoli,heart,ionosphere,kidney,kr-vs-kp,mushroom,voting \
  --learners fold-r++ --folds 10 -o twelve 2> /dev/null

sed -n '/^## Agreement/,/^## Beside/p' twelve.md | head -n -1

#: ## Its worked example
#:
#: Eight positives and five negatives of one column (the paper's Table 1): the literal `!= a` wins.

python - <<'PY'
from unless import FoldRPPClassifier

positives, negatives = [1, 2, 3, 3, 5, 6, 6, "b"], [2, 4, 6, 7, "a"]
rows = [{"f": value} for value in positives + negatives]
model = FoldRPPClassifier(positive="yes").fit(rows, ["yes"] * 8 + ["no"] * 5)
print(model.program_)
PY

#: All fifteen tables and nine learners: [Results](../results.md). What the paper leaves open, and how it is settled here:
#: [How it works](../how-it-works.md).
