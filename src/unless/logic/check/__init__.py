"""What can be known of a program without any row: regions of values, clauses that never matter."""
