"""FOLD-R++, its forerunner FOLD-R and FOLD-RM for more than two labels: one rule after the other."""
