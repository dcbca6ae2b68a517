"""Resource names: one id for requests, logs, authorization and traces.

A name is a path such as `tenants/acme/workspaces/main/artifacts/art_1`; its ids have 1 to 200
characters, no slash and no NUL, which no database could hold [VO-08]. The tenant in a name must be
the caller's own: `of_caller` is the one place that checks it, before anything is looked up [TN-01].
"""

import dataclasses
import re
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final, Self

from lattice_chassis.errors import Forbidden, ValidationFailed
from lattice_chassis.identity import current_identity

MAX_ID_LENGTH: Final = 200
"""Characters of the longest id within a name."""

_VARIABLE: Final = re.compile(r"\\\{([a-z_]+)\\\}")  # a variable of a pattern once `re.escape` has passed over it


@cache
def pattern_of(template: str) -> re.Pattern[str]:
    """The expression that whole names of a template such as `tenants/{tenant}/workspaces/{workspace}` match."""
    return re.compile(_VARIABLE.sub(rf"(?P<\1>[^/\0]{{1,{MAX_ID_LENGTH}}})", re.escape(template)), re.DOTALL)


def parse(template: str, name: str) -> dict[str, str]:
    """The ids in a name, by the variables of its template.

    Raises:
        ValidationFailed: the name has another shape.
    """
    match = pattern_of(template).fullmatch(name)
    if match is None:
        raise ValidationFailed(errors=[f"{name[:MAX_ID_LENGTH]!r} is not of the form {template}"])
    return match.groupdict()


@dataclass(frozen=True)
class WorkspaceName:
    """The name of a workspace; every other name extends it."""

    TEMPLATE: ClassVar[str] = "tenants/{tenant}/workspaces/{workspace}"

    tenant: str
    workspace: str

    @classmethod
    def parse(cls, name: str) -> Self:
        """Read a name of this kind, whoever asks.

        Raises:
            ValidationFailed: the name has another shape.
        """
        return cls(**parse(cls.TEMPLATE, name))

    @classmethod
    def of_caller(cls, name: str) -> Self:
        """Read a name of this kind and refuse one of another tenant than the current caller's [TN-01].

        Raises:
            ValidationFailed: the name has another shape.
            Forbidden: the tenant is not the caller's, whether or not the resource exists.
        """
        parsed = cls.parse(name)
        if parsed.tenant != current_identity().tenant:
            raise Forbidden(why="the name belongs to another tenant than the caller")
        return parsed

    @property
    def workspace_name(self) -> "WorkspaceName":
        """The workspace that holds the resource."""
        return WorkspaceName(self.tenant, self.workspace)

    def __str__(self) -> str:
        return self.TEMPLATE.format(**{it.name: getattr(self, it.name) for it in dataclasses.fields(self)})


@dataclass(frozen=True)
class ArtifactName(WorkspaceName):
    """The name of an artifact."""

    TEMPLATE: ClassVar[str] = WorkspaceName.TEMPLATE + "/artifacts/{artifact}"

    artifact: str


@dataclass(frozen=True)
class RevisionName(ArtifactName):
    """The name of a revision of an artifact: its version in decimal."""

    TEMPLATE: ClassVar[str] = ArtifactName.TEMPLATE + "/revisions/{revision}"

    revision: str


@dataclass(frozen=True)
class ProposalName(WorkspaceName):
    """The name of a proposal."""

    TEMPLATE: ClassVar[str] = WorkspaceName.TEMPLATE + "/proposals/{proposal}"

    proposal: str


@dataclass(frozen=True)
class ThreadName(WorkspaceName):
    """The name of a thread."""

    TEMPLATE: ClassVar[str] = WorkspaceName.TEMPLATE + "/threads/{thread}"

    thread: str


@dataclass(frozen=True)
class RunName(WorkspaceName):
    """The name of a run."""

    TEMPLATE: ClassVar[str] = WorkspaceName.TEMPLATE + "/runs/{run}"

    run: str


def begins_with_workspace(name: str) -> bool:
    """Whether `workspace_of` can read it, whoever asks."""
    return pattern_of(WorkspaceName.TEMPLATE).fullmatch(_head(name)) is not None


def workspace_of(name: str) -> WorkspaceName:
    """The workspace of any name of the caller's tenant, be it a workspace's or of something in it [TN-01].

    Raises:
        ValidationFailed: the name does not begin with a workspace.
        Forbidden: the tenant is not the caller's.
    """
    return WorkspaceName.of_caller(_head(name))


def _head(name: str) -> str:
    return "/".join(name.split("/")[:4])
