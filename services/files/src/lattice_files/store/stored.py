"""How values of the domain become JSON and come back.

The shape follows from the dataclasses, checked when it is read: a row that an older release wrote
and this one cannot read fails loudly rather than half.
"""

from typing import Any, Final

from pydantic import TypeAdapter

from lattice_files.domain.actors import Actor
from lattice_files.domain.changes import Event
from lattice_files.domain.leases import Lease
from lattice_files.domain.patches import Patch
from lattice_files.domain.proposals import Proposal

ACTOR: Final[TypeAdapter[Actor]] = TypeAdapter(Actor)
EVENT: Final[TypeAdapter[Event]] = TypeAdapter(Event)
LEASE: Final[TypeAdapter[Lease]] = TypeAdapter(Lease)
PATCH: Final[TypeAdapter[Patch]] = TypeAdapter(Patch)
PROPOSAL: Final[TypeAdapter[Proposal]] = TypeAdapter(Proposal)


def dump(adapter: TypeAdapter[Any], value: object) -> Any:  # noqa: ANN401 - JSON is whatever it is
    """The value as JSON, for a JSON column."""
    return adapter.dump_python(value, mode="json")
