"""A table becomes rules: rows in codes, counts of them, and learners that choose by counts alone. No scikit-learn."""
