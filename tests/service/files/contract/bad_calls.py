"""What is wrong with a call, derived from a good one by the contracts' own words: kinds, annotations, limits.

Each rule looks at one field, wherever it stands in the first message; the path names it as refusals do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from service.files.contract.fields import is_answered, is_required, resource_named
from service.files.contract.good_call import GoodCall
from service.files.contract.limits import LONGEST, NUMBERS, key_of
from service.files.contract.places import TENANT, Place

Field = FieldDescriptor
WORKSPACE, ARTIFACT, REVISION, PROPOSAL = (
    f"lattice/{kind}" for kind in ("Workspace", "Artifact", "Revision", "Proposal")
)
_NUMBERS: Final = {Field.TYPE_INT32, Field.TYPE_INT64}


@dataclass(frozen=True, kw_only=True)
class BadCall:
    """A call that is refused."""

    label: str
    requests: Sequence[Message]
    reason: str
    path: str = ""
    """The field that the refusal names; empty where it need not name one."""
    metadata: dict[str, str] = field(default_factory=dict)
    """What the refusal tells at the least."""

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A field of a good call's first message, in a copy that a rule may spoil."""

    place: Place
    requests: Sequence[Message]
    holder: Message
    """The message within the first one that has the field."""
    field: Field
    path: str

    @property
    def is_set(self) -> bool:
        """Whether the good call sets it."""
        return any(it is self.field or it.name == self.field.name for it, _ in self.holder.ListFields())

    @property
    def value(self) -> Any:  # noqa: ANN401 - fields hold anything
        """What the good call says."""
        return getattr(self.holder, self.field.name)

    def put(self, value: object) -> None:
        """Say something else."""
        setattr(self.holder, self.field.name, value)


def spots(call: GoodCall, place: Place) -> Iterator[Callable[[], Spot]]:
    """Every field of the messages that are set in the first one, however deep; each makes its own copy."""
    for way in _ways(call.requests(place)[0]):
        yield partial(_spot, call, place, way)


def bad_calls(call: GoodCall, place: Place) -> Iterator[BadCall]:
    """The call with one field spoiled at a time."""
    for spot in spots(call, place):
        for rule in (_missing, _texts, _names, _numbers, _enumerations):
            yield from rule(spot)


Way = tuple[tuple[str, int | None], ...]
"""Steps to a field: names, with an index where a list is stepped into."""


def _ways(message: Message) -> Iterator[Way]:
    present = {it.name for it, _ in message.ListFields()}
    fields: Any = message.DESCRIPTOR.fields
    for step in fields:
        if is_answered(step):
            continue
        if step.containing_oneof is not None and step.name not in present:
            continue  # the good call chose another
        yield ((step.name, None),)
        if step.message_type is None or step.name not in present:
            continue
        value = getattr(message, step.name)
        for index, held in enumerate(value) if step.is_repeated else [(None, value)]:
            yield from (((step.name, index), *way) for way in _ways(held))


def _spot(call: GoodCall, place: Place, way: Way) -> Spot:
    requests = call.requests(place)
    holder: Any = requests[0]
    path = ""
    for name, index in way[:-1]:
        holder = getattr(holder, name) if index is None else getattr(holder, name)[index]
        path += f"{name}." if index is None else f"{name}[{index}]."
    name = way[-1][0]
    return Spot(
        place=place, requests=requests, holder=holder, field=holder.DESCRIPTOR.fields_by_name[name], path=path + name
    )


def bad(spot: Spot, fault: str, reason: str, *, names_it: bool = True, **metadata: str) -> BadCall:
    """The call as a rule has spoiled it."""
    return BadCall(
        label=f"{spot.path} {fault}",
        requests=spot.requests,
        reason=reason,
        path=spot.path if names_it and reason == "VALIDATION_FAILED" else "",
        metadata=metadata,
    )


def _missing(make: Callable[[], Spot]) -> Iterator[BadCall]:
    spot = make()
    told = spot.field.has_presence or spot.field.type != Field.TYPE_BOOL
    if is_required(spot.field) and told:
        spot.holder.ClearField(spot.field.name)
        yield bad(spot, "missing", "VALIDATION_FAILED")


def _texts(make: Callable[[], Spot]) -> Iterator[BadCall]:
    spot = make()
    if spot.field.type != Field.TYPE_STRING or spot.field.is_repeated:
        return
    spot.put("a\0b")
    yield bad(spot, "with NUL", "VALIDATION_FAILED")
    key = key_of(spot.field, LONGEST)
    if key is not None:
        spot = make()
        spot.put("x" * (LONGEST[key] + 1))
        yield bad(spot, "too long", "VALIDATION_FAILED")
    if spot.field.name == "request_id":
        spot = make()
        spot.put("no-uuid")
        yield bad(spot, "no UUID", "VALIDATION_FAILED")
    if spot.field.name == "page_token":
        for token in ("x", "AAAA", "bm90IG91cnM", "é", "x" * 10_000):
            spot = make()
            spot.put(token)
            yield bad(spot, f"{token[:12]!r}", "PAGE_TOKEN_INVALID")


def _names(make: Callable[[], Spot]) -> Iterator[BadCall]:
    kind = resource_named(make().field)
    if kind is None:
        return
    good = make().value
    without_tenant = good.replace(TENANT, "", 1)
    for name in ("plan", f"tenants/{TENANT}", f"{good}/more", f"/{good}", without_tenant, good + "x" * 201):
        spot = make()
        spot.put(name)
        yield bad(spot, f"malformed {name[-30:]!r}", "VALIDATION_FAILED")
    for tenant in ("stranger", "Contract", "contract "):
        spot = make()
        spot.put(good.replace(TENANT, tenant, 1))
        yield bad(spot, f"of the tenant {tenant!r}", "FORBIDDEN")
    yield from _unknown(make, kind)


def _unknown(make: Callable[[], Spot], kind: str) -> Iterator[BadCall]:
    place, elsewhere = make().place, Place("elsewhere")
    names: Mapping[str, Sequence[str]]
    if kind == ARTIFACT:
        names = {"artifact": (place.artifact("nothing"), elsewhere.artifact("edited"))}
    elif kind == PROPOSAL:
        names = {"proposal": (place.proposal("nothing"), elsewhere.proposal("accepted"))}
    elif kind == REVISION:
        names = {"artifact": (place.revision("nothing", 1),), "revision": (place.revision("restored", 9),)}
    else:
        return  # a workspace needs no creation [TN-02]
    for entity, unknown in names.items():
        for name in unknown:
            spot = make()
            spot.put(name)
            yield bad(spot, f"unknown {entity} {name.split('/', 3)[3]}", "NOT_FOUND", entity=entity)


def _numbers(make: Callable[[], Spot]) -> Iterator[BadCall]:
    if make().field.type not in _NUMBERS:
        return
    key = key_of(make().field, NUMBERS)
    for number, reason in NUMBERS[key].items() if key is not None else ():
        spot = make()
        spot.put(number)
        yield bad(spot, f"{number}", reason)


def _enumerations(make: Callable[[], Spot]) -> Iterator[BadCall]:
    spot = make()
    if spot.field.type == Field.TYPE_ENUM:
        spot.put(99)
        yield bad(spot, "of no known number", "VALIDATION_FAILED")
