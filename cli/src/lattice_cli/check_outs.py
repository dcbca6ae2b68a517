"""Who has which files, and an administrator's word on it: verbs of `lattice files`."""

from typing import Annotated

import typer
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.identity import display_name

from lattice_cli.artifacts import ArtifactArgument, resolved
from lattice_cli.connection import Connection
from lattice_cli.invocation import invocation_of
from lattice_cli.native_files import new_request_id
from lattice_cli.paging import pages


def list_check_outs(context: typer.Context) -> None:
    """List who has checked out what, and until when."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = native_pb.ListCheckOutsRequest(workspace=connection.person.workspace_name, page_size=500)
        listed = pages(connection.native_files.ListCheckOuts, request)
        found = [it async for page in listed for it in page.leases]
        invocation.show_table(
            found,
            ("artifact", "by", "since", "until"),
            lambda it: (
                _artifact_id(it),
                display_name(it.holder),
                it.acquire_time.ToJsonString(),
                it.expire_time.ToJsonString(),
            ),
        )

    invocation.call(work)


def break_check_out(
    context: typer.Context,
    artifact: ArtifactArgument,
    reason: Annotated[str, typer.Option(help="Why, for the record.")],
) -> None:
    """End somebody's check-out; their copy can be checked in no more. For administrators."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        request = native_pb.BreakCheckOutRequest(
            name=connection.person.artifact_name(found.artifact_id), reason=reason, request_id=new_request_id()
        )
        answer = await connection.native_files.BreakCheckOut(request)
        ended = f"the check-out of {display_name(answer.broken.holder)} is ended"
        invocation.show(answer, ended if answer.HasField("broken") else "nobody has checked it out")

    invocation.call(work)


def list_broken(context: typer.Context) -> None:
    """List the check-outs that administrators ended. For administrators."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = native_pb.ListBrokenCheckOutsRequest(workspace=connection.person.workspace_name, page_size=500)
        listed = pages(connection.native_files.ListBrokenCheckOuts, request)
        found = [it async for page in listed for it in page.broken_check_outs]
        invocation.show_table(
            found,
            ("artifact", "of", "by", "when", "why"),
            lambda it: (
                _artifact_id(it.lease),
                display_name(it.lease.holder),
                display_name(it.breaker),
                it.break_time.ToJsonString(),
                it.reason,
            ),
        )

    invocation.call(work)


def _artifact_id(lease: native_pb.Lease) -> str:
    return lease.name.rpartition("/")[2]
