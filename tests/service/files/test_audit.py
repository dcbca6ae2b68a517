"""What the acts of administrators put on record in files."""

import json

from lattice.files.v1 import native_files_service_pb2 as native_pb
from service.conftest import AuditRecord
from service.files.people import Participant, refused
from service.files.structured import TASK, breaks, registers

ALICE = "user:alice"
OLGA = "user:olga"


async def test_breaking_a_check_out_is_on_record(operator: Participant, alice: Participant, audit: AuditRecord) -> None:
    """SE-02, F-18: whoever breaks it, and whoever may not."""
    plan = await alice.has_file("One.")
    await alice.checks_out(plan)
    await refused(breaks(alice, plan, "mine anyway"))
    await breaks(operator, plan, "she is on holiday")
    name = alice.name(plan)
    assert audit.of("BreakCheckOut") == [
        {
            "participant": ALICE,
            "resource": name,
            "outcome": "refused",
            "reason": "FORBIDDEN",
        },
        {"participant": OLGA, "resource": name, "outcome": "succeeded"},
    ]
    assert not any(text in "".join(audit.texts) for text in ("One.", "holiday"))


async def test_registering_a_type_is_on_record_without_its_schema(
    operator: Participant, tenant: str, audit: AuditRecord
) -> None:
    """SE-02, AT-01."""
    await registers(operator, f"audited_{tenant.replace('-', '_')}", TASK)
    assert audit.of("RegisterType") == [{"participant": OLGA, "outcome": "succeeded"}]
    assert "properties" not in json.dumps(audit.lines)


async def test_collecting_blobs_is_on_record(operator: Participant, audit: AuditRecord) -> None:
    """SE-02, B-05: also when it only asks what it would delete."""
    await operator.collects(dry_run=True)
    assert audit.of("CollectBlobs") == [{"participant": OLGA, "resource": operator.scope, "outcome": "succeeded"}]


async def test_a_refused_upload_is_on_record_by_the_workspace_of_its_header(
    viewer: Participant, audit: AuditRecord
) -> None:
    """SE-02: the resource of a stream is that of its first message."""
    await refused(viewer.has_file("One."))
    (line,) = audit.of("UploadFile")
    assert (line["resource"], line["reason"]) == (viewer.scope, "FORBIDDEN")


async def test_reading_the_record_of_broken_check_outs_without_the_right_is_on_record(
    alice: Participant, audit: AuditRecord
) -> None:
    """SE-02, F-18."""
    await refused(alice.native.ListBrokenCheckOuts(native_pb.ListBrokenCheckOutsRequest(workspace=alice.scope)))
    (line,) = audit.of("ListBrokenCheckOuts")
    assert (line["participant"], line["outcome"]) == ("user:alice", "refused")
