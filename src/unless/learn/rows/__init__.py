"""Any table as rows in codes: surveyed, coded, counted, wherever they are."""
