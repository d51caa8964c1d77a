"""A whole program while it grows: where its rules hold, the best new rule, and all of them polished."""
