#!/usr/bin/env bash
# tables: credit-data
# programs: psql initdb
#: # Rules in PostgreSQL
#:
#: *For whoever has the rows in a database: the decision becomes a view, and was replayed on a real server before it was
#: written.*

#= quiet
zcat "$UNLESS_DATA/more/credit-data.csv.gz" | sed '1s/label/bad/' > credit.csv

#: A model, from the loans of [the first recipe](loan-policy.md):

unless learn credit.csv --target bad --positive yes --no-points --max-rules 6 --no-check -o policy.lp

#: ## Write it, replayed first
#:
#: `--verify` starts a private PostgreSQL on a socket, and compares its answers with those of `unless predict`: on rows made
#: for the purpose (both floats beside each threshold, blanks, words that look like numbers) and on the rows of the table.
#: What differs would be refused.

unless export policy.lp credit.csv --to sql:postgres --table public.loans --form view --verify -o policy.sql
head -4 policy.sql | cut -c 1-110

#: ## Use it
#:
#: (`PGHOST` names the server. The script starts a private one if it names none.)

#= hidden
if [ -z "$PGHOST" ]; then
  export PGHOST=$PWD/pg PGDATABASE=postgres PGUSER=postgres PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin | tail -1)
  mkdir pg
  if [ "$(id -u)" = 0 ]; then as="runuser -u postgres --"; chown postgres pg; chmod a+rx "$PWD" ..; fi
  $as initdb -D pg/data -A trust -U postgres > /dev/null
  $as pg_ctl -D pg/data -w -l pg/log -o "-k $PWD/pg -c listen_addresses=" start > /dev/null
fi

#: The table as it comes, all of it text; the view reads numbers itself:

psql -q <<'SQL'
create table public.loans ("Seniority" text, "Home" text, "Time" text, "Age" text, "Marital" text, "Records" text,
  "Job" text, "Expenses" text, "Income" text, "Assets" text, "Debt" text, "Amount" text, "Price" text, bad text);
SQL
psql -q -c "\copy public.loans from credit.csv csv header"
psql -q -f policy.sql
psql -c 'select predicted, count(*), round(avg((bad = predicted)::int), 3) as right from public.loans_predicted group by 1 order by 1'

#: The rule that decided is a column, so the database can say who decides what:

psql -c 'select rule, count(*), round(avg((bad = predicted)::int), 3) as right from public.loans_predicted group by 1 order by 2 desc'

#: A row that changes is decided anew:

psql -c "insert into public.loans (\"Seniority\", \"Home\", \"Records\", \"Job\", \"Income\", \"Amount\") values ('0', 'rent', 'yes', 'partime', '50', '1500')" \
  -c 'select "Job", "Income", predicted, rule from public.loans_predicted where bad is null'

#= hidden
[ ! -d pg/data ] || $as pg_ctl -D pg/data -m immediate stop > /dev/null

#: The same for SQLite, DuckDB, Spark and others, and what each cannot do: [Exports](../exports.md).
