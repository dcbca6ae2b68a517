"""A test kit for applications: Lattice on this machine, scripted models, people, and the log to assert on.

Comes with the extra `artifactr[testing]`. With pytest, `artifactr.testing.pytest` has all of it as fixtures; without,
`running_lattice` starts it. What runs beside the test are the real services; only the model is scripted.
"""

from artifactr.testing.lattice import Administrator, Lattice, running_lattice
from artifactr.testing.log import Log, ToolCall
from artifactr.testing.script import Answer, Asked, Returned, Script, ScriptEnded, call

__all__ = [
    "Administrator",
    "Answer",
    "Asked",
    "Lattice",
    "Log",
    "Returned",
    "Script",
    "ScriptEnded",
    "ToolCall",
    "call",
    "running_lattice",
]
