"""Proofs: why a row has its label, and answers to questions."""
