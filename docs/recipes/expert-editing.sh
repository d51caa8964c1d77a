#!/usr/bin/env bash
# tables: telco
#: # Editing with an expert
#:
#: *For two people at one table: one knows the data, the other the customers.*
#:
#: The table is the customers of a telephone company (IBM's sample *Telco customer churn*, in the R package modeldata as
#: `wa_churn`): 7,043 customers, of whom 27 % left.

#= quiet
zcat "$UNLESS_DATA/more/telco.csv.gz" | sed '1s/label/churn/' > telco.csv
(head -1 telco.csv; awk 'NR > 1 && NR % 4 != 0' telco.csv) > train.csv
(head -1 telco.csv; awk 'NR > 1 && NR % 4 == 0' telco.csv) > aside.csv

#: ## What the data says

unless learn train.csv --target churn --positive yes --no-points --no-check -o churn.lp
unless rules churn.lp train.csv --english

#: ## What the expert says
#:
#: "Nobody on a contract of a year or two leaves in the middle of it." That is an exception to every rule. `unless edit
#: churn.lp` opens the text in your editor, and `unless studio` has a form for it; here it is done by a few lines of Python:

python - <<'PY'
from unless import load, save
from unless.logic.edits.whole_rules import add_exception
from unless.logic.forms.value_sets import ValueSet

under_contract = ValueSet((), frozenset({"One year", "Two year"}), others=False, missing=False)
program = load("churn.lp")
for rule in ("1", "2", "3", "4"):
    program = add_exception(program, rule, {"contract": under_contract})
save(program, "edited.lp")
PY
unless rules edited.lp --english

#: ## Was the expert right?
#:
#: On customers that neither the learner nor the expert has seen:

unless compare churn.lp edited.lp aside.csv --flips 2

#: ## Keep the expert's rule, learn the rest
#:
#: "And whoever pays by electronic check, month by month, without any security or support, is on the way out." This rule is
#: to stay as it is; learning works around it:

cat > expert.lp <<'RULES'
churn(X,'yes') :- contract(X,'Month-to-month'), payment_method(X,'Electronic check'), online_security(X,'No'), tech_support(X,'No').
RULES
unless learn train.csv --target churn --positive yes --no-points --no-check --keep expert.lp -o kept.lp
unless rules kept.lp aside.csv --english
unless score kept.lp aside.csv

#: ## See that nothing is dead
#:
#: After edits a clause may never matter: covered by another, or impossible.

unless rules edited.lp --check

#: A program that was edited keeps the probabilities of the one before, and says so; this makes them anew, and leaves its
#: rules as they are:

unless grade edited.lp train.csv -o graded.lp

#: The same in forms, with what would flip beside every change: [the studio](../studio.md). All about edits:
#: [Editing](../editing.md).
