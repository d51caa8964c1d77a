"""Conditions chosen and weighed by logistic regression: those of a grade, and of scorecards that decide."""
