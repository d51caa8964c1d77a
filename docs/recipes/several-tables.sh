#!/usr/bin/env bash
# tables: titanic-891
#: # Several tables
#:
#: *For whoever has a table of customers and another of what they did.*
#:
#: On the Titanic, people who travelled together had one ticket. So beside the table of passengers stands a table of parties:
#: who else was on that ticket. (No label is in it: who of the party survived would give the answer away.)

#= quiet
zcat "$UNLESS_DATA/more/titanic-891.csv.gz" | sed '1s/label/survived/' > titanic.csv

python - <<'PY'
import polars as pl

passengers = pl.read_csv("titanic.csv", schema_overrides={"Ticket": pl.String, "Class": pl.String})
party = passengers.select(
    ticket="Ticket",
    who=pl.when(pl.col("Age") < 13).then(pl.lit("child")).otherwise(pl.col("Sex")),
    age="Age",
)
party.write_csv("party.csv")
for row in party.filter(pl.col("ticket") == "347742").rows():
    print(*row, sep=", ")
PY

#: `--related FILE:KEY` names the table beside the table, and the column that says whose row it is. The columns of the
#: passengers that would say the same are left out:

unless learn titanic.csv --target survived --positive yes --related party.csv:ticket=Ticket --drop Cabin \
  --forbid Ticket,Number_of_Siblings_Spouses,Number_Of_Parents_Children --categorical Class,Ticket --no-points -o party.lp

#: The number of rows in the other table, the largest and smallest of its numbers, and whether some row has a word are
#: conditions like any other. The program says which tables it needs, and a proof names the row:

grep "%@ related" party.lp
unless explain party.lp titanic.csv --related party.csv:ticket=Ticket --row 8
unless score party.lp titanic.csv --related party.csv:ticket=Ticket

#: More on related tables: [Real tables](../tables.md#tables-beside-the-table).
