"""What files keeps in PostgreSQL, and the one way in which it is changed."""
