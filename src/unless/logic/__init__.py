"""The logic half: programs, their meaning, their text. Standard library and a parser; no arrays."""
