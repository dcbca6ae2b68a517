"""What a contract of somebody else does not say of itself; ours do, by options of fields and by names of methods."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from google.protobuf.message import Message

from lattice_chassis.identity import Identity

Metadata: TypeAlias = Sequence[tuple[str, str | bytes]]


@dataclass(frozen=True, kw_only=True)
class ForeignContract:
    """How the calls of a service whose contract is not ours are to be understood."""

    names: Callable[[Identity, Metadata, Message], Sequence[str]]
    """The resources that a call is about, by its caller, its metadata and its first message; it raises nothing.

    Access is decided by them, as by the fields of our own that refer to resources. A call that names none is let
    through with no permission at all, for its servicer to refuse or to answer without a word of any workspace."""
    watches: frozenset[str] = frozenset()
    """The methods that go on until somebody ends them."""
