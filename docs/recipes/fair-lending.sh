#!/usr/bin/env bash
# tables: hmda
# checked: by running
#: # A fair-lending audit
#:
#: *For whoever must say whether, where and why a decision treats groups differently.*
#:
#: The table is `HMDA` of the R package AER: 2,380 mortgage applications in Boston, 1990, of the Federal Reserve's own
#: study ([CSV](https://vincentarelbundock.github.io/Rdatasets/csv/AER/HMDA.csv)). `pirat` is payments to income, `lvrat` loan
#: to value, `chist` the credit history (1 good, 6 bad), `insurance` whether mortgage insurance was denied, `afam` whether the
#: applicant is African-American.

#= quiet
zcat "$UNLESS_DATA/more/hmda.csv.gz" | sed '1s/label/deny/' > hmda.csv

#: ## The decision to be audited
#:
#: Learned without race, marital state and schooling, as a lender would say it was:

unless learn hmda.csv --target deny --positive yes --forbid afam,single,hschool --no-check -o deny.lp

#: ## The gap, and what makes it

unless audit deny.lp hmda.csv --by afam --want yes

#: So the program does not look at race, which is proved, and still predicts refusal for more than four times as many black
#: applicants. The parts add up to the gap, rule by rule. The table also says where the program errs more in one group than
#: in the other.
#:
#: ## What one applicant can do

unless recourse deny.lp hmda.csv --row 113 --want no --freeze phist,chist,mhist

#: And all of them, if only the loan can change, not its history:

#= exit 1
unless recourse deny.lp hmda.csv --all --want no --freeze phist,chist,mhist,insurance

#: ## A variant, and its price
#:
#: What if no rule may ask for mortgage insurance or public records (`phist`)?

unless learn hmda.csv --target deny --positive yes --forbid afam,single,hschool,insurance,phist --no-check -o without.lp
unless compare deny.lp without.lp hmda.csv --flips 0
unless audit without.lp hmda.csv --by afam --want yes | grep "gap is"

#: These are figures, not a judgement: what is fair, and what the law asks for, is not for a program to say. What each figure
#: is: [Groups, and rules that drift](../audit.md).
