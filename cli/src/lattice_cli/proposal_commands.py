"""`lattice proposals …`: what agents and people propose, and the answers."""

from typing import Annotated

import typer
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import proposals_service_pb2 as pb
from lattice_chassis.identity import display_name

from lattice_cli.artifacts import told, write_context
from lattice_cli.connection import Connection
from lattice_cli.invocation import invocation_of
from lattice_cli.paging import pages

app = typer.Typer(no_args_is_help=True, help="Read and answer proposals.")

ProposalArgument = Annotated[str, typer.Argument(help="The proposal's id.")]


@app.command("list")
def list_proposals(
    context: typer.Context, everything: Annotated[bool, typer.Option("--all", help="Answered ones too.")] = False
) -> None:
    """List the proposals that await an answer."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        state = pb.PROPOSAL_STATE_UNSPECIFIED if everything else pb.PROPOSAL_STATE_PENDING
        request = pb.ListProposalsRequest(workspace=connection.person.workspace_name, state=state, page_size=500)
        found = [it async for page in pages(connection.proposals.ListProposals, request) for it in page.proposals]
        invocation.show_table(
            found,
            ("id", "state", "by", "what", "why"),
            lambda it: (it.proposal_id, _state(it), display_name(it.proposer), _what(it.change), it.rationale),
        )

    invocation.call(work)


@app.command()
def show(context: typer.Context, proposal: ProposalArgument) -> None:
    """Print a proposal."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = pb.GetProposalRequest(name=_name(connection, proposal))
        found = (await connection.proposals.GetProposal(request)).proposal
        invocation.show(found, f"{_state(found)}, by {display_name(found.proposer)}: {_what(found.change)}")

    invocation.call(work)


@app.command()
def accept(
    context: typer.Context,
    proposal: ProposalArgument,
    changes: Annotated[str, typer.Option(help="A JSON Patch of your own on top of it.")] = "",
    rebase: Annotated[bool, typer.Option("--rebase", help="Make a stale one again on what stands now.")] = False,
) -> None:
    """Apply a proposal; the change is yours."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = pb.AcceptProposalRequest(
            name=_name(connection, proposal),
            changes=artifacts_pb.Patch(json_patch=changes) if changes else None,
            rebase=rebase,
            context=write_context(),
        )
        outcome = (await connection.proposals.AcceptProposal(request)).outcome
        invocation.show(outcome, told(outcome))

    invocation.call(work)


@app.command()
def reject(
    context: typer.Context,
    proposal: ProposalArgument,
    reason: Annotated[str, typer.Option(help="Why, for its author.")] = "",
) -> None:
    """Turn a proposal down."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = pb.RejectProposalRequest(name=_name(connection, proposal), reason=reason, context=write_context())
        outcome = (await connection.proposals.RejectProposal(request)).outcome
        invocation.show(outcome, told(outcome))

    invocation.call(work)


@app.command()
def withdraw(context: typer.Context, proposal: ProposalArgument) -> None:
    """Take your own proposal back."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = pb.WithdrawProposalRequest(name=_name(connection, proposal), context=write_context())
        outcome = (await connection.proposals.WithdrawProposal(request)).outcome
        invocation.show(outcome, told(outcome))

    invocation.call(work)


def _name(connection: Connection, proposal_id: str) -> str:
    return f"{connection.person.workspace_name}/proposals/{proposal_id}"


def _state(proposal: pb.Proposal) -> str:
    state = pb.ProposalState.Name(proposal.state).removeprefix("PROPOSAL_STATE_").lower()
    return f"{state}, stale" if proposal.stale else state


def _what(change: pb.ProposedChange) -> str:
    match change.WhichOneof("change"):
        case "create":
            return f"a new {change.create.kind}"
        case "edit":
            return f"{change.edit.artifact_id}: {change.edit.summary}"
        case "archive":
            return f"archive {change.archive.artifact_id}"
        case "batch":
            return f"{change.batch.artifact_id}: {change.batch.summary}"
        case _:
            return "nothing that this release knows"
