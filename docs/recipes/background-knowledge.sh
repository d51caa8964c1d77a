#!/usr/bin/env bash
# tables: titanic-891
# programs: import:clingo
#: # Background knowledge
#:
#: *For whoever knows words that the table does not have.*
#:
#: The table is the passenger list of the Titanic (891 passengers with ages, fares and cabins, as everybody has it).

#= quiet
zcat "$UNLESS_DATA/more/titanic-891.csv.gz" | sed '1s/label/survived/' > titanic.csv

#: Who was let into the boats is said in words that are not in the table: women, children, large families, the
#: country of the harbour. Background knowledge gives the learner these words:

cat > boats.pl <<'PL'
child(X) :- age(X,N), N < 13.
woman(X) :- sex(X,female), not child(X).
let_into_the_boats(X) :- woman(X).
let_into_the_boats(X) :- child(X).
large_family(X) :- number_of_siblings_spouses(X,N), N > 2.
country(X,C) :- embarked(X,P), harbour(P,C).
harbour('S',england). harbour('C',france). harbour('Q',ireland).
PL
unless learn titanic.csv --target survived --positive yes --background boats.pl --drop Ticket,Cabin --no-points \
  --categorical Class -o titanic.lp

#: Background clauses that rules use stay in the program, so predictions and proofs need nothing else:

grep -v "^%@" titanic.lp | head -14
unless explain titanic.lp titanic.csv --row 1

#: Without the fare, which is the class once more in money, half of the conditions are left, and unseen passengers are
#: decided no worse:

unless learn titanic.csv --target survived --positive yes --background boats.pl --drop Ticket,Cabin --no-points \
  --categorical Class --forbid Number_Of_Parents_Children,Fare -o plain.lp
unless compare titanic.lp plain.lp titanic.csv --flips 0

#: Mistakes are found before learning, with their line:

#= exit 2
echo "old(X) :- agee(X,N), N > 60." > wrong.pl
unless learn titanic.csv --target survived --background wrong.pl

#: What clauses and facts may say: [Background knowledge](../background.md). From ALEPH, Popper or FOLD:
#: [ILP](../ilp.md).
