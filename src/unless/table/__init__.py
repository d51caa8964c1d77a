"""Tables of any make, in one shape: named columns whose cells are numbers, words or missing."""
