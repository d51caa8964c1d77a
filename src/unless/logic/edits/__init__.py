"""Edits of a program by its parts as people read them: rules and exceptions by number, tests by column."""
