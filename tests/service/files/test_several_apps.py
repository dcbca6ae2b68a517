"""More than one app, and an app of more than one format: whose integration governs what."""

from collections.abc import AsyncIterator, Callable

import pytest
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from lattice_files.main import running
from lattice_files.settings import AppSettings
from lattice_integrations.main import MIGRATIONS as INTEGRATIONS_MIGRATIONS
from lattice_integrations.main import running as running_integrations
from lattice_integrations.settings import DeclaredIntegration, IntegrationsSettings
from service.files.conftest import FAKE_APP, MakeSettings
from service.files.people import (
    Administrator,
    Participant,
    administrator,
    append,
    document,
    participant,
    refused,
    user,
)
from service.files.structured import patches, sets

WORDS = AppSettings(
    name="words",
    command=(
        *FAKE_APP.command,
        "--name",
        "words",
        "--integration-key",
        "files:words",
        "--format",
        "letter",
        "--format",
        "memo",
    ),
)
SHEETS = AppSettings(
    name="sheets",
    command=(*FAKE_APP.command, "--name", "sheets", "--integration-key", "files:sheets", "--format", "sheet"),
)


@pytest.fixture(scope="module")
async def addresses(
    new_database: Callable[[], DatabaseUrls], make_settings: MakeSettings
) -> AsyncIterator[tuple[str, str]]:
    """Files with both apps, and integrations that declares both."""
    urls = new_database()
    await migrate(urls.owner, INTEGRATIONS_MIGRATIONS)
    declared = [DeclaredIntegration(key=f"files:{it}", title=it, enabled_by_default=True) for it in ("words", "sheets")]
    given = {"database_url": urls.service, "registry": declared, "notice": "0ms", "grace": "2s"}
    async with (
        running_integrations(IntegrationsSettings.model_validate(given)) as switches,
        running(make_settings(integrations=switches.address, apps=(WORDS, SHEETS), app_slots=1)) as files,
    ):
        yield files.address, switches.address


@pytest.fixture
async def carol(addresses: tuple[str, str], tenant: str) -> AsyncIterator[Participant]:
    """A person who may write files of both apps."""
    async with participant(addresses[0], user(tenant, "carol"), "main") as person:
        yield person


@pytest.fixture
async def ada(addresses: tuple[str, str], tenant: str) -> AsyncIterator[Administrator]:
    """Who switches the two."""
    async with administrator(addresses[1], tenant, "main") as person:
        yield person


async def uploaded(person: Participant, file_name: str) -> str:
    return (await person.uploads(document("One."), file_name=file_name)).applied.artifact_id


async def test_each_file_belongs_to_the_app_that_declares_its_format(carol: Participant) -> None:
    """N-40, I-11: an app may serve several."""
    for name, kind in (("a.letter", "native_letter"), ("b.MEMO", "native_memo"), ("c.sheet", "native_sheet")):
        artifact_id = await uploaded(carol, name)
        assert (await carol.sees(artifact_id)).kind == kind
        assert (await carol.edits(artifact_id, 1, append("Two."))).outcome.applied.version == 2
    assert (await refused(carol.uploads(document("x"), file_name="d.fake"))).metadata["entity"] == "format"


async def test_a_switch_governs_the_kinds_of_its_app_and_no_others(carol: Participant, ada: Administrator) -> None:
    """I-08, I-10, WP-05: one key_of for every write."""
    letter, memo, sheet = [await uploaded(carol, name) for name in ("a.letter", "b.memo", "c.sheet")]
    await ada.switches("files:words", on=False)
    for artifact_id in (letter, memo):
        for write in (
            carol.edits(artifact_id, 1, append("Two.")),
            carol.checks_out(artifact_id),
            patches(carol, artifact_id, 1, sets("/name", "x.letter")),
            uploaded(carol, "again.memo"),
        ):
            refusal = await refused(write)
            assert (refusal.reason, refusal.metadata["key"]) == ("NOT_ENABLED", "files:words")
    assert (await carol.edits(sheet, 1, append("Two."))).outcome.applied.version == 2
    assert await carol.reads(letter) == "One."


async def test_the_state_of_each_app_is_told_with_its_kinds(carol: Participant, ada: Administrator) -> None:
    """MP-01, N-07."""
    await ada.switches("files:sheets", on=False)
    answer = await carol.native.GetAppStatus(native_pb.GetAppStatusRequest(workspace=carol.scope))
    told = {app.integration_key: (app.enabled, list(app.kinds)) for app in answer.apps}
    assert told == {
        "files:words": (True, ["native_letter", "native_memo"]),
        "files:sheets": (False, ["native_sheet"]),
    }
    request = native_pb.FindCommandsRequest(workspace=carol.scope, kind="native_sheet", query="append")
    found = (await carol.native.FindCommands(request)).commands
    assert found
    assert not any(it.enabled for it in found)


async def test_a_file_keeps_its_format(carol: Participant) -> None:
    """N-44: a name of another format would say another app."""
    letter = await uploaded(carol, "a.letter")
    assert (await refused(patches(carol, letter, 1, sets("/name", "a.memo")))).reason == "VALIDATION_FAILED"
    assert (await patches(carol, letter, 1, sets("/name", "b.letter"))).applied.version == 2
