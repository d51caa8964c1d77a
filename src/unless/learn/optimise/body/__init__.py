"""One subproblem: the tests and scorecards of a rule's body, searched or polished on the rows that hang on it."""
