"""The revisions of the database, for `lattice_chassis.postgres.migrations`."""
