"""Which calls are on record is said by the contracts, for every method."""

import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from lattice.type.v1 import audit_pb2
from lattice_chassis.interceptors.audit import is_audited
from unit.chassis.test_contracts import SERVICES

METHODS = [method for service in SERVICES if "App" not in service.name for method in service.methods]

AUDITED = {
    "lattice.agent.v1.RunsService.AnswerDeferred",
    "lattice.files.v1.ArtifactsService.RegisterType",
    "lattice.files.v1.NativeFilesService.BreakCheckOut",
    "lattice.files.v1.NativeFilesService.CollectBlobs",
    "lattice.integrations.v1.IntegrationsService.SetEnabled",
}
"""Administrative acts, and the answers of people that let an agent go on."""

IN_A_HISTORY = {
    "lattice.agent.v1.LogService.RecordAppEvent",
    "lattice.agent.v1.RunsService.StopRun",
    "lattice.agent.v1.ThreadsService.CreateThread",
    "lattice.agent.v1.ThreadsService.SendMessage",
    "lattice.agent.v1.ThreadsService.SetFocus",
    "lattice.agent.v1.ThreadsService.SetThreadMode",
    "lattice.files.v1.ArtifactsService.ArchiveArtifact",
    "lattice.files.v1.ArtifactsService.CreateArtifact",
    "lattice.files.v1.ArtifactsService.EditArtifact",
    "lattice.files.v1.ArtifactsService.RestoreRevision",
    "lattice.files.v1.ChangesService.EstablishBarrier",
    "lattice.files.v1.NativeFilesService.CheckIn",
    "lattice.files.v1.NativeFilesService.CheckOut",
    "lattice.files.v1.NativeFilesService.Edit",
    "lattice.files.v1.NativeFilesService.ExtendCheckOut",
    "lattice.files.v1.NativeFilesService.ReleaseCheckOut",
    "lattice.files.v1.NativeFilesService.UploadFile",
    "lattice.files.v1.ProposalsService.AcceptProposal",
    "lattice.files.v1.ProposalsService.ProposeChange",
    "lattice.files.v1.ProposalsService.RejectProposal",
    "lattice.files.v1.ProposalsService.WithdrawProposal",
}
"""The work itself, of which revisions, the feed and the log tell who did what."""


def changes_something(method: MethodDescriptor) -> bool:
    return method.GetOptions().idempotency_level != MethodOptions.NO_SIDE_EFFECTS


def test_every_method_that_changes_something_is_either_on_record_or_in_a_history() -> None:
    """SE-02: a new one has to be sorted into one of the two."""
    assert {it.full_name for it in METHODS if changes_something(it)} == AUDITED | IN_A_HISTORY


@pytest.mark.parametrize("method", METHODS, ids=lambda it: it.full_name)
def test_the_contract_says_which_method_is_on_record(method: MethodDescriptor) -> None:
    """SE-02."""
    said = method.GetOptions().Extensions[audit_pb2.audited]
    assert said == (method.full_name in AUDITED)
    assert is_audited(f"{method.containing_service.full_name}/{method.name}") == said
