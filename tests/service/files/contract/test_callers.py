"""Who calls is settled before anything is told of what is there."""

from collections.abc import Mapping, Sequence
from typing import Final

import pytest
from google.protobuf.message import Message
from lattice_chassis.identity import ACTOR_KEY, TENANT_KEY, Identity, development_metadata
from service.files.contract.bad_calls import spots
from service.files.contract.calls import METHODS, Caller, Metadata, reads_only
from service.files.contract.fields import fields_below, resource_named
from service.files.contract.good_call import GoodCall
from service.files.contract.good_calls import GOOD_CALLS, REPEATABLE
from service.files.contract.places import IDENTITIES, Place
from service.files.contract.refusals import refusal_by
from service.files.contract.rows import StoredState
from service.files.people import user

NAMING: Final = [
    it for it in GOOD_CALLS if any(resource_named(field) for field in fields_below(METHODS[it.method].input_type))
]
"""Calls about something in a workspace."""

ADMINISTRATORS_ONLY: Final = [it for it in GOOD_CALLS if it.by == "olga"]

WRITERS_ONLY: Final = [it for it in GOOD_CALLS if it.method == "NativeFilesService/PreviewEdit"]

_TENANT, _ACTOR = (TENANT_KEY, "contract"), (ACTOR_KEY, '{"user": {"id": "alice"}}')

NOBODY: Final[Mapping[str, Metadata]] = {
    "no metadata": (),
    "no actor": (_TENANT,),
    "no tenant": (_ACTOR,),
    "a tenant with a slash": ((TENANT_KEY, "contract/workspaces"), _ACTOR),
    "an actor that is no JSON": (_TENANT, (ACTOR_KEY, "alice")),
    "an actor of no kind": (_TENANT, (ACTOR_KEY, "{}")),
    "an actor without an id": (_TENANT, (ACTOR_KEY, '{"user": {"name": "Alice"}}')),
    "an actor of two kinds": (_TENANT, (ACTOR_KEY, '{"user": {"id": "a"}, "system": {"name": "b"}}')),
}


def about_nothing(call: GoodCall, place: Place) -> Sequence[Message]:
    """The call about something that is not there."""
    for make in spots(call, place):
        spot = make()
        if resource_named(spot.field) is not None and spot.is_set:
            name = str(spot.value)
            spot.put(name.replace(place.workspace, "nowhere", 1))
            return spot.requests
    raise AssertionError(f"{call} names nothing")


def in_role(identity: Identity, role: str) -> Identity:
    """The same participant with another role."""
    return Identity(tenant=identity.tenant, actor=identity.actor, roles=frozenset({role}))


@pytest.mark.parametrize("call", GOOD_CALLS, ids=str)
async def test_a_call_without_a_valid_identity_is_unauthenticated(
    call: GoodCall, files: Caller, everything: Place, stored_rows: StoredState
) -> None:
    """SE-01: whatever else is right or wrong with it."""
    before = stored_rows.of(everything.workspace)
    for fault, metadata in NOBODY.items():
        refusal = await refusal_by(files, call.method, call.requests(everything), metadata)
        assert (fault, refusal.reason) == (fault, "UNAUTHENTICATED")
    assert stored_rows.of(everything.workspace) == before


@pytest.mark.parametrize("call", NAMING, ids=str)
async def test_another_tenant_is_told_the_same_whether_the_thing_exists_or_not(
    call: GoodCall, files: Caller, everything: Place, stored_rows: StoredState
) -> None:
    """TN-01, X-08: also an administrator of that tenant, and also of a workspace of the same id."""
    before = stored_rows.of(everything.workspace)
    for role in ("viewer", "editor", "administrator"):
        stranger = user("stranger", "mallory", role=role)
        told = await refusal_by(files, call.method, call.requests(everything), stranger)
        assert told.reason == "FORBIDDEN"
        unknown = await refusal_by(files, call.method, about_nothing(call, everything), stranger)
        assert vars(unknown) == vars(told)
    assert stored_rows.of(everything.workspace) == before


@pytest.mark.parametrize("call", [*REPEATABLE, *WRITERS_ONLY], ids=str)
async def test_who_may_not_write_is_forbidden_to(
    call: GoodCall, files: Caller, everything: Place, stored_rows: StoredState
) -> None:
    """SE-01, WP-03: a member without the role of an editor."""
    before = stored_rows.of(everything.workspace)
    viewer = in_role(IDENTITIES[call.by], "viewer")
    refusal = await refusal_by(files, call.method, call.requests(everything), viewer)
    assert refusal.reason == "FORBIDDEN"
    assert stored_rows.of(everything.workspace) == before


@pytest.mark.parametrize("call", ADMINISTRATORS_ONLY, ids=str)
async def test_who_is_no_administrator_is_forbidden_what_only_they_may(
    call: GoodCall, files: Caller, everything: Place, stored_rows: StoredState
) -> None:
    """F-18: an editor, and an agent that claims to be one, too."""
    before = stored_rows.of(everything.workspace)
    for identity in (IDENTITIES["alice"], IDENTITIES["assistant"]):
        assert (await refusal_by(files, call.method, call.requests(everything), identity)).reason == "FORBIDDEN"
    assert stored_rows.of(everything.workspace) == before


@pytest.mark.parametrize(
    "call", [it for it in GOOD_CALLS if reads_only(METHODS[it.method]) and it not in WRITERS_ONLY], ids=str
)
async def test_who_may_only_read_is_answered_every_read_but_those_of_administrators(
    call: GoodCall, files: Caller, everything: Place
) -> None:
    """WP-04: reads ask for no role, but for the dry run of a write, which tells what the write would be told."""
    if call in ADMINISTRATORS_ONLY:
        return
    viewer = development_metadata(in_role(IDENTITIES[call.by], "viewer"))
    assert await files.answers(call.method, call.requests(everything), viewer)
