"""Native files for agents and for programs of people: a client of files, and the tools of an agent."""

from artifactr.files.client import NativeFiles

__all__ = ["NativeFiles"]
