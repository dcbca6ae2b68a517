"""The use cases: each one function that loads, decides and saves."""
