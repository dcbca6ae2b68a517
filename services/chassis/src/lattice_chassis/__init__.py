"""What every Lattice service stands on; import its modules, there is nothing here."""
