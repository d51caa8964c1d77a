#!/usr/bin/env bash
# programs: curl import:uvicorn
#: # A service
#:
#: *For whoever runs the decision behind an API: label, probability, rule and reason in every answer.*

#= quiet
unless demo --save loans.csv > /dev/null
unless learn loans.csv --target loan --positive approved --no-check -o loans.lp > /dev/null

#: `unless serve` needs the model file and nothing else; whoever only serves installs `unless-light`.

#= quiet
unless serve loans.lp --port 8646 > server.log 2>&1 &
until curl -s localhost:8646/health > /dev/null; do sleep 0.2; done

curl -s localhost:8646/api/predict -H 'content-type: application/json' \
  -d '{"rows": [{"income": 52000, "debt_ratio": 0.2, "years_in_job": 12, "housing": "tenant", "history": "clean"},
                {"income": 21000, "debt_ratio": 0.2, "years_in_job": 2, "housing": "tenant", "history": null}]}' | python -m json.tool

#: A value of the wrong kind is answered, with a warning; `--strict` refuses it:

curl -s localhost:8646/api/predict -H 'content-type: application/json' \
  -d '{"rows": [{"income": "much", "debt_ratio": 0.2, "years_in_job": 12, "housing": "tenant", "history": "clean"}]}' | python -m json.tool | grep -A 2 warnings

#: A misspelt column is never taken for a missing value:

curl -s localhost:8646/api/predict -H 'content-type: application/json' -d '{"rows": [{"incom": 52000}]}'

#: ## A new version, without a restart
#:
#: A file that changes is read again within a second. A file that cannot be read leaves the version before it in force, and
#: `/models` says so:

echo "loan(X,'approved') :- income(X" >> loans.lp; sleep 2
curl -s localhost:8646/models | python -m json.tool
curl -s localhost:8646/health

#: ## Watch it
#:
#: Rows are counted by the rule that decided them, in the form that Prometheus reads:

curl -s localhost:8646/metrics | grep ^unless_rows_total

#= hidden
kill %1; wait 2> /dev/null; true

#: A container, a unit of systemd, tokens and limits: [Serving](../api.md).
