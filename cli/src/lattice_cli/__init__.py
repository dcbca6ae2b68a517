"""The `lattice` command: run the suite, see the demo, make each call by hand, and look at a trace."""
