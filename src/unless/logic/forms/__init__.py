"""Nested rules, the flat program, and its outline as people read it."""
