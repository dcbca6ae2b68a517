"""The rules of files: pure values and decisions, no input or output."""
