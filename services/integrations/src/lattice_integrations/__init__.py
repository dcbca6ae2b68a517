"""Is an integration on in this workspace? Import its modules, there is nothing here."""
