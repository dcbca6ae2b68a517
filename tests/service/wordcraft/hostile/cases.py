"""All hostile packages."""

from service.wordcraft.hostile import archives, documents, images, markup, outside

CASES = [*archives.CASES, *markup.CASES, *documents.CASES, *images.CASES, *outside.CASES]
