"""Replaying an export on the real engine: one module an engine, each absent engine said in a sentence."""
