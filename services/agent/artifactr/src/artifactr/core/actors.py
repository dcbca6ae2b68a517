"""Who acts. Two actors are the same participant when their participant keys agree, whatever their names [AC-02].

The key is `kind:id`: everybody chooses ids, so a thread or a client may have that of a person.
"""

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, kw_only=True)
class UserActor:
    """A person."""

    id: str
    name: str = ""

    @property
    def participant(self) -> str:
        """The participant key."""
        return f"user:{self.id}"

    @property
    def display_name(self) -> str:
        """How people and notes name it."""
        return self.name or self.id


@dataclass(frozen=True, kw_only=True)
class AgentActor:
    """The agent of a thread; all its runs are one participant."""

    thread_id: str
    run_id: str = ""
    name: str = "assistant"

    @property
    def participant(self) -> str:
        """The participant key."""
        return agent_of(self.thread_id)

    @property
    def display_name(self) -> str:
        """How people and notes name it."""
        return self.name


@dataclass(frozen=True, kw_only=True)
class ExternalAgentActor:
    """An agent outside Lattice."""

    client_id: str
    name: str = ""

    @property
    def participant(self) -> str:
        """The participant key."""
        return f"external_agent:{self.client_id}"

    @property
    def display_name(self) -> str:
        """How people and notes name it."""
        return self.name or self.client_id


@dataclass(frozen=True, kw_only=True)
class SystemActor:
    """A part of Lattice on its own account."""

    name: str = "system"

    @property
    def participant(self) -> str:
        """The participant key."""
        return f"system:{self.name}"

    @property
    def display_name(self) -> str:
        """How people and notes name it."""
        return self.name


def agent_of(thread_id: str) -> str:
    """The participant key of the agent of a thread."""
    return f"agent:{thread_id}"


Actor = UserActor | AgentActor | ExternalAgentActor | SystemActor

EDITOR: Final = frozenset({"editor"})
"""The roles of a caller for whom trusted code names none."""


@dataclass(frozen=True, kw_only=True)
class Principal:
    """For whom an agent's run works: whoever started it, with the roles that were verified then [SE-08].

    A role is held in every workspace of the tenant, as `editor`, or in one, as `launch/editor`.
    """

    actor: Actor
    roles: frozenset[str]


NOBODY: Final = Principal(actor=SystemActor(name="nobody"), roles=frozenset())
"""For whom a run works of which nothing tells who started it: files lets its agent do nothing."""


def editor_of(workspace: str) -> frozenset[str]:
    """The roles of an editor in one workspace and nowhere else, as every agent has them."""
    return frozenset({f"{workspace}/editor"})


@dataclass(frozen=True, kw_only=True)
class WorkspaceKey:
    """A workspace of a tenant: the unit of isolation, ordering and locking [TN-03]."""

    tenant: str
    workspace: str


@dataclass(frozen=True, kw_only=True)
class Caller:
    """On whose behalf a port is called: an actor within one workspace of one tenant [TN-01, AC-03].

    `on_behalf_of` is the person for whom an agent works: the lesser of both roles counts [SE-08].
    """

    tenant: str
    workspace: str
    actor: Actor
    roles: frozenset[str] = EDITOR
    on_behalf_of: Principal | None = None

    @property
    def principal(self) -> Principal:
        """For whom a run works that this caller starts: an agent passes on for whom it works itself [SE-08]."""
        return self.on_behalf_of or Principal(actor=self.actor, roles=self.roles)

    def as_actor(self, actor: Actor, principal: Principal | None = None) -> "Caller":
        """The caller for another actor in this workspace.

        An agent is an editor here and nowhere else, on behalf of the principal, which is this caller's unless given.
        Anybody else is an editor, as everybody for whom trusted code names no roles.
        """
        if isinstance(actor, AgentActor):
            on_behalf_of = principal or self.principal
            return replace(self, actor=actor, roles=editor_of(self.workspace), on_behalf_of=on_behalf_of)
        return replace(self, actor=actor, roles=EDITOR, on_behalf_of=None)

    @property
    def key(self) -> WorkspaceKey:
        """The workspace."""
        return WorkspaceKey(tenant=self.tenant, workspace=self.workspace)
