"""Traces as one page for a browser, which needs nothing beside itself."""
