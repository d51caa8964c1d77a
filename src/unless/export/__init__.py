"""Exports: a program in the language of a database, a service or a reasoner, replayed on the real engine."""
