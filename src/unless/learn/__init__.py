"""Learning, stage by stage: columns, counts, splits, rows, fold."""
