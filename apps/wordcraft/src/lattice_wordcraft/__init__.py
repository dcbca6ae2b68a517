"""WordCraft: the crafting app for Word files, a worker behind `lattice.app.v1`.

It reads a DOCX package, applies batches of commands to it and renders its pages. It keeps nothing
between calls, guards every package before a parser sees it, and takes each part that a command did
not declare it may change from the original, byte for byte.
"""
