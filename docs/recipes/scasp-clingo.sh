#!/usr/bin/env bash
# programs: scasp import:clingo
#: # s(CASP) and clingo
#:
#: *For logicians: the model file is a program for s(CASP) as it stands, and clingo decides as we do.*
#:
#: `examples/adult.lp` is the program that the paper learned from the census of 1994, `examples/people.csv` has four people.

head -9 examples/adult.lp

#: ## A proof by s(CASP)
#:
#: An engine that shares no code with ours proves the same prediction:

unless explain examples/adult.lp examples/people.csv --id id --row 30 --engine scasp --style paper

#: And by ourselves, which is the same text:

diff <(unless explain examples/adult.lp examples/people.csv --id id --row 30 --style paper) \
     <(unless explain examples/adult.lp examples/people.csv --id id --row 30 --style paper --engine scasp) && echo equal

#= hidden
command -v scasp > /dev/null || scasp() { swipl -g "use_module(library(scasp/main))" -t halt -- "$@"; }

#: ## By hand
#:
#: The facts of a row, and a question to s(CASP) itself:

python - <<'PY' > facts.pl
from unless import load
from unless.explain.scasp import facts_text
from unless.logic.holds import read_row

program = load("examples/adult.lp")
person = {"age": 18, "marital_status": "never-married", "education_num": 7, "capital_gain": 0, "capital_loss": 0}
print(facts_text(program, {30: read_row(program, person)}))
PY
cat facts.pl
scasp -s1 --unknown=fail --query="income(30,Y)" examples/adult.lp facts.pl

#: ## clingo
#:
#: clingo has whole numbers only, so numbers are given as steps among the thresholds. `--verify` replays the export in
#: clingo before it is written:

unless export examples/adult.lp examples/people.csv --to clingo --verify --vectors 300 -o adult.clingo.lp
head -20 adult.clingo.lp

#: ## Questions
#:
#: The queries of answer set programming, with proofs, and without an engine:

unless ask examples/adult.lp examples/people.csv "not income(X,'=<50k'), age(X,A), A > 40" --id id --brief

#: What facts must look like so that s(CASP) answers rightly: [s(CASP)](../scasp.md). The meaning of a program, exactly:
#: [Semantics](../semantics.md).
