"""The use cases of files: each loads, decides and saves."""
