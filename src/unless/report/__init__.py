"""The report: everything about a program on some rows, in one file that opens anywhere."""
