"""The studio: what its page shows and does, one module a screen or panel."""
