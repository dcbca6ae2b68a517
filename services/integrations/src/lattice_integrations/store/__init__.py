"""The switches in PostgreSQL: one append-only table of changes, from which every answer is read."""
