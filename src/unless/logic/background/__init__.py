"""Background knowledge: clauses and facts that become predicates of a program."""
