#!/usr/bin/env bash
# tables: stroke
#: # A clinic's risk score
#:
#: *For a clinic that wants a sheet of points, with the patients behind every probability.*
#:
#: The table is `stroke` of the R package MLDataR: 5,110 patients, 249 of whom had a stroke
#: ([CSV](https://vincentarelbundock.github.io/Rdatasets/csv/MLDataR/stroke_classification.csv)). It teaches how such a
#: score is made; it is no medical device.

#= quiet
zcat "$UNLESS_DATA/more/stroke.csv.gz" | sed '1s/label/stroke/' > stroke.csv

#: One patient in five is held out, by a rule that does not look at the label:

#= quiet
(head -1 stroke.csv; awk 'NR > 1 && NR % 5 != 0' stroke.csv) > train.csv
(head -1 stroke.csv; awk 'NR > 1 && NR % 5 == 0' stroke.csv) > aside.csv

#: ## A rare event has no rule
#:
#: Nobody has more than an even chance of a stroke, so no rule predicts one. The command says so instead of making one up:

unless learn train.csv --target stroke --positive yes -o stroke.lp

#: ## The sheet
#:
#: What helps here is the grade: whole points for what a patient has in each column, the probability of each sum, and how
#: many patients of the training table had it.

unless rules stroke.lp --grade

#: No doctor would sign this: points go up and down with weight, and low sugar has more than normal sugar, because some
#: rows say so. Say which way age, sugar and weight may speak:

unless learn train.csv --target stroke --positive yes --monotonic age=+1,avg_glucose_level=+1,bmi=+1 --no-check -o stroke.lp 2>&1 \
  | grep Learned | sed 's/ in .*//'
unless rules stroke.lp --grade

#: On the patients held out (AUC is the share of pairs in which the patient with the stroke has the higher score):

unless score stroke.lp aside.csv

#: ## One patient

unless explain stroke.lp aside.csv --row 0 --full

#: ## Whom to invite
#:
#: An invitation is a decision, so it needs a price: here, missing a stroke is taken to be as bad as twenty invitations for
#: nothing. Now there is a rule, and it is the clinic's to read and to change.

unless learn train.csv --target stroke --positive yes --cost-of yes=20 --no-points -o invite.lp
unless score invite.lp aside.csv

#: Where mistakes are weighed, the program decides by probabilities of rows as weighed. `score` measures, and `explain` says first,
#: those of patients as they are. A clinic that would rather choose by risk than by rules reads in the column `found` which share
#: of the strokes a threshold finds, and takes it for `predict --probabilities`. What points mean, and when not to trust them: [Grading](../grading.md).
