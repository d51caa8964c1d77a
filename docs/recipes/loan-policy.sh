#!/usr/bin/env bash
# tables: credit-data
#: # A loan policy, from data to a reviewed change
#:
#: *For whoever owns a lending policy: learn it from past loans, put it under tests, change it, and see exactly who is
#: affected before the change is merged.*
#:
#: The table is `credit_data` of the R package modeldata: 4,454 loans of a real lender, 28 % of which went bad. It is to be
#: had [as a CSV file](https://vincentarelbundock.github.io/Rdatasets/csv/modeldata/credit_data.csv); here the label is
#: called `bad`.

#= quiet
zcat "$UNLESS_DATA/more/credit-data.csv.gz" | sed '1s/label/bad/' > credit.csv

#: ## Learn what the law and the credit officer allow
#:
#: Age and marital status may not decide. More income, assets or seniority must never count against an applicant: `-1` says
#: that more only speaks against `bad`. Six rules are what a committee reads.

unless learn credit.csv --target bad --positive yes --no-points --max-rules 6 \
  --forbid Age,Marital --monotonic Income=-1,Assets=-1,Seniority=-1 -o policy.lp

#: Every decision comes with its reason, and with what would have changed it:

unless explain policy.lp credit.csv --row 40
unless recourse policy.lp credit.csv --row 40 --want no --freeze Job,Home,Seniority --ways 1

#: ## Put it under tests
#:
#: Sentences beside the model are *proved*, for every applicant that there can be, not only for those of the table.

#= exit 1
cat > policy.cases.json <<'JSON'
{"properties": ["never depends on Age", "never depends on Marital", "yes only falls with Income",
                "nobody with Records is no and Income above 400 is yes"]}
JSON
unless test policy.lp

#: The last sentence is false: an applicant who breaks it is shown, with the proof. The committee finds that refusal right,
#: and takes the sentence out. The rows that the rules decide today are recorded, as a net under edits:

sed -i 's/,$/]}/; /nobody with/d' policy.cases.json
unless test policy.lp
unless test policy.lp today.cases.json --record credit.csv --per-rule 2

#: ## Propose a change
#:
#: The credit officer wants exception 3.1 to begin at an income of 80 instead of 92. The program is text:

#= exit 1
sed -E 's/> 92\.0/> 80.0/' policy.lp > proposed.lp
unless diff policy.lp proposed.lp credit.csv --regions 2

#: Exit code 1 says that the two differ; 0 would be a proof that no applicant is decided otherwise. What it does to the
#: figures, and the applicants who flip:

unless compare policy.lp proposed.lp credit.csv --flips 3

#: And the tests once more:

cp policy.cases.json proposed.cases.json
unless test proposed.lp

#: In a repository, the same as a check before every commit is in [Did the rules change?](../diff.md#in-git).
