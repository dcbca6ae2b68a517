"""What agent keeps in PostgreSQL: threads, runs, claims, history and the unified log [29.1]."""
