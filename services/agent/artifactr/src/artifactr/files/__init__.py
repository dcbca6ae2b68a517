"""How files is called and what it refuses; a client of native files, and the tools of an agent for them."""

from artifactr.files.client import NativeFiles

__all__ = ["NativeFiles"]
