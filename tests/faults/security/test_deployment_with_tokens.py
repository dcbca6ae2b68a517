"""The suite as a deployment would run it: bearer tokens for people, keys for services, certificates between all."""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import grpc
import pytest
from fakes.identity_provider import AUDIENCE
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.type.v1.actor_pb2 import Actor, AgentActor, UserActor
from lattice_chassis.errors import refusal_of
from lattice_chassis.identity import Identity
from lattice_chassis.tokens import TokenSigner
from lattice_cli import conversations, native_files
from lattice_cli.certificates import Certificates
from lattice_cli.connection import Person, connect
from lattice_cli.demo.stage import refused
from lattice_cli.suite import Suite, running_suite
from lattice_cli.switches import switch
from lattice_cli.token_commands import KEY_FILE, KEY_SET_FILE, make_keys

DOCUMENT = Path(__file__).resolve().parents[3] / "cli/src/lattice_cli/demo/launch-brief.docx"
KEY = "files:wordcraft"
TENANT, WORKSPACE = "acme", "launch"


@dataclass(frozen=True, kw_only=True)
class Keys:
    """The keys of one issuer, and how others name it."""

    issuer: str
    folder: Path

    def make(self) -> "Keys":
        """Make them."""
        make_keys(self.folder)
        return self

    def believed(self, *kinds: str) -> Mapping[str, object]:
        """What a server that believes it is told."""
        jwks = str(self.folder / KEY_SET_FILE)
        return {"issuer": self.issuer, "audience": AUDIENCE, "jwks": jwks, "kinds": kinds}

    def own(self, service: str) -> Mapping[str, str]:
        """What the service whose keys they are is told."""
        prefix = f"LATTICE_{service.upper()}_CREDENTIAL__"
        return {
            f"{prefix}KEY": str(self.folder / KEY_FILE),
            f"{prefix}ISSUER": self.issuer,
            f"{prefix}AUDIENCE": AUDIENCE,
        }

    def sign(self, identity: Identity) -> str:
        """A token of this issuer for an identity."""
        signer = TokenSigner(
            (self.folder / KEY_FILE).read_bytes(),
            issuer=self.issuer,
            audience=AUDIENCE,
            lifetime=timedelta(minutes=5),
        )
        return signer.sign(identity).text


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """A running suite whose services believe tokens alone."""

    suite: Suite
    people: Keys
    agent: Keys

    def person(self, user: str, *roles: str) -> Person:
        """Somebody with a token of the people's issuer."""
        return self.holding(self.people.sign(identity(user, *roles)), user)

    def holding(self, token: str, user: str = "mallory") -> Person:
        """Somebody with whatever token."""
        return Person(tenant=TENANT, workspace=WORKSPACE, user=user, token=token)


def identity(user: str, *roles: str) -> Identity:
    """A person of the tenant."""
    return Identity(tenant=TENANT, actor=Actor(user=UserActor(id=user, name=user.title())), roles=frozenset(roles))


@pytest.fixture(scope="module")
async def deployment(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Deployment]:
    folder = tmp_path_factory.mktemp("deployment")
    people, files, agent = (Keys(issuer=it, folder=folder / it).make() for it in ("people", "files", "agent"))
    certificates = Certificates(folder / "tls")
    certificates.make()
    users = people.believed("user", "external_agent")
    issuers = {
        "INTEGRATIONS": [users, files.believed("service")],
        "FILES": [users, agent.believed("agent", "service")],
        "AGENT": [users],
    }
    settings = {f"LATTICE_{service}_AUTH__ISSUERS": json.dumps(it) for service, it in issuers.items()}
    async with running_suite(
        folder,
        settings={**settings, **files.own("files"), **agent.own("agent")},
        postgres_settings={"fsync": "off"},
        certificates=certificates,
    ) as suite:
        yield Deployment(suite=suite, people=people, agent=agent)


async def test_the_main_job_is_done_by_people_with_tokens_and_services_with_keys(deployment: Deployment) -> None:
    """SE-01, SE-08, MP-32, A-09, I-08: from the upload to an agent's edit, its review by others, and the switch."""
    addresses = deployment.suite.addresses
    async with (
        connect(addresses, deployment.person("alice", f"{WORKSPACE}/editor")) as alice,
        connect(addresses, deployment.person("olga", "administrator")) as olga,
    ):
        artifact_id = (await native_files.upload(alice, DOCUMENT)).applied.artifact_id
        thread = await conversations.create_thread(alice, "Launch brief")
        asked = f'In {artifact_id} replace "17 February" with "3 March" and comment "Legal asked."'
        sent = await conversations.send(alice, thread.thread_id, asked)
        watch = runs_pb.WatchRunRequest(name=alice.person.run_name(sent.run_id))
        assert [frame async for frame in alice.runs.WatchRun(watch)]
        await conversations.entries_of_run(alice, sent.run_id, within=60)
        assert "3 March" in (await native_files.read_text(alice, artifact_id)).text
        assert (await refused(switch(alice, KEY, on=False, reason="audit"))).reason == "FORBIDDEN"
        await switch(olga, KEY, on=False, reason="audit")
        assert (await refused(native_files.upload(alice, DOCUMENT))).reason == "NOT_ENABLED"
        await switch(olga, KEY, on=True, reason="done")


async def test_no_token_passes_for_what_it_is_not(deployment: Deployment) -> None:
    """SE-03, SE-08, MP-32: people's keys speak for no agent, agent's for no person, and neither for integrations."""
    delegated = Identity(
        tenant=TENANT,
        actor=Actor(agent=AgentActor(thread_id="thr_1", run_id="run_1")),
        roles=frozenset({f"{WORKSPACE}/editor"}),
        on_behalf_of=identity("alice", f"{WORKSPACE}/editor"),
    )
    tokens = {
        "people for an agent": deployment.people.sign(delegated),
        "agent for a person": deployment.agent.sign(identity("alice", "administrator")),
        "nobody": "e30.e30.e30",
    }
    for name, token in tokens.items():
        async with connect(deployment.suite.addresses, deployment.holding(token)) as mallory:
            for call in (
                native_files.upload(mallory, DOCUMENT),
                conversations.create_thread(mallory, "Mine"),
                switch(mallory, KEY, on=False, reason="mine"),
            ):
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await call
                refusal = refusal_of(caught.value)
                assert refusal is not None, name
                assert refusal.reason == "UNAUTHENTICATED", name


async def test_a_role_in_one_workspace_is_none_in_another(deployment: Deployment) -> None:
    """SE-02, TN-03: at each service."""
    async with connect(deployment.suite.addresses, deployment.person("bob", "press/administrator")) as bob:
        assert (await refused(native_files.upload(bob, DOCUMENT))).reason == "FORBIDDEN"
        assert (await refused(conversations.create_thread(bob, "Mine"))).reason == "FORBIDDEN"
        assert (await refused(switch(bob, KEY, on=False, reason="mine"))).reason == "FORBIDDEN"
