"""A whole program optimised at once: few rules, each with its exceptions, at a price for every condition."""
