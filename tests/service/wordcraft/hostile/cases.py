"""All hostile packages."""

from service.wordcraft.hostile import archives, documents, images, markup, outside

CASES = [*archives.CASES, *markup.CASES, *documents.CASES, *images.CASES, *outside.CASES]

BOMBS = [*archives.BOMBS, *documents.BOMBS, *images.BOMBS]
"""Which take seconds to make, for the tests of faults."""
