"""A headless browser, for pages that are looked at."""
