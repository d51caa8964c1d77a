"""What is true of all rows: programs as functions of finitely many cells, compared and searched exactly."""
