"""SQL: one printer of tests for all dialects, one file a dialect."""
