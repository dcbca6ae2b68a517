"""What a tenant's people use up, its agents and the services themselves do not feel."""

from lattice_chassis.interceptors.rate import Rate
from lattice_files.main import running
from lattice_integrations.main import running as running_integrations
from lattice_integrations.settings import IntegrationsSettings
from service.files.conftest import MakeSettings
from service.files.people import FAKEAPP, Participant, administrator, agent, append, participant, refused

ONCE = Rate(per_second=0.001, burst=1)


async def test_an_agents_write_goes_through_when_its_tenants_rates_are_used_up_everywhere(
    integrations_settings: IntegrationsSettings, make_settings: MakeSettings, alice: Participant, tenant: str
) -> None:
    """SE-06: agent calls files, and files integrations, for what was counted where it came in."""
    plan = await alice.has_file("One.")
    async with (
        running_integrations(integrations_settings.model_copy(update={"rate": ONCE})) as switches,
        running(make_settings(integrations=switches.address, rate=ONCE, app_slots=1)) as files,
        administrator(switches.address, tenant, "main") as admin,
        participant(files.address, alice.identity, "main") as her,
        participant(files.address, agent(tenant, "thr_1"), "main") as assistant,
    ):
        await admin.switches(FAKEAPP, on=True)
        await her.sees(plan)
        assert (await refused(admin.switches(FAKEAPP, on=False))).reason == "RATE_LIMITED"
        assert (await refused(her.sees(plan))).reason == "RATE_LIMITED"
        for version in (1, 2):
            answer = await assistant.edits(plan, version, append("Two."))
            assert answer.outcome.applied.version == version + 1
