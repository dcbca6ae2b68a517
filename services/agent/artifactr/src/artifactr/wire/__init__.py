"""Between the values of core and the messages of the contracts."""
