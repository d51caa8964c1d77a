"""Faces of programs and proofs for people."""
