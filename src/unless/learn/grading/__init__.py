"""A decided table becomes a grade: few conditions with whole points, chosen by the log-loss of what they say."""
