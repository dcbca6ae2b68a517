"""Who acts. Two actors are the same participant when their participant keys agree, whatever their names [AC-02]."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class UserActor:
    """A person; its participant key is `id`."""

    id: str
    name: str = ""

    @property
    def participant(self) -> str:
        """The participant key."""
        return self.id

    @property
    def display_name(self) -> str:
        """How people and notes name it."""
        return self.name or self.id


@dataclass(frozen=True, kw_only=True)
class AgentActor:
    """The agent of a thread; its participant key is the thread's id, so all its runs are one participant."""

    thread_id: str
    run_id: str = ""
    name: str = "assistant"

    @property
    def participant(self) -> str:
        """The participant key."""
        return self.thread_id

    @property
    def display_name(self) -> str:
        """How people and notes name it."""
        return self.name


@dataclass(frozen=True, kw_only=True)
class ExternalAgentActor:
    """An agent outside Lattice; its participant key is `client_id`."""

    client_id: str
    name: str = ""

    @property
    def participant(self) -> str:
        """The participant key."""
        return self.client_id

    @property
    def display_name(self) -> str:
        """How people and notes name it."""
        return self.name or self.client_id


@dataclass(frozen=True, kw_only=True)
class SystemActor:
    """A part of Lattice on its own account; its participant key is its name."""

    name: str = "system"

    @property
    def participant(self) -> str:
        """The participant key."""
        return self.name

    @property
    def display_name(self) -> str:
        """How people and notes name it."""
        return self.name


Actor = UserActor | AgentActor | ExternalAgentActor | SystemActor


@dataclass(frozen=True, kw_only=True)
class WorkspaceKey:
    """A workspace of a tenant: the unit of isolation, ordering and locking [TN-03]."""

    tenant: str
    workspace: str


@dataclass(frozen=True, kw_only=True)
class Caller:
    """On whose behalf a port is called: an actor within one workspace of one tenant [TN-01, AC-03]."""

    tenant: str
    workspace: str
    actor: Actor

    @property
    def key(self) -> WorkspaceKey:
        """The workspace."""
        return WorkspaceKey(tenant=self.tenant, workspace=self.workspace)
