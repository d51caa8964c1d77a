"""The words that a reader sees: phrases by language, and how claims are put into them."""
