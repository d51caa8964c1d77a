"""A program on a table: what holds, what is predicted, how good that is. Data only; how it looks is `explain`."""
