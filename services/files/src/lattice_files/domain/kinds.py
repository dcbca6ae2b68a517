"""Kinds of artifacts: registered types with a schema, and the native kinds that apps bring along.

Whatever the kind, its rules say what agents' writes become and which data an artifact may have.
"""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Protocol

from lattice_files.domain.apps import KIND_PREFIX, Format, extension_of
from lattice_files.domain.json_data import Data, compact, same_json
from lattice_files.domain.native import require_file_name
from lattice_files.domain.policies import WritePolicy
from lattice_files.domain.rejections import InvalidState, ValidationFailed, VersionConflict
from lattice_files.domain.schema_widening import narrowings
from lattice_files.domain.schemas import Schema

_KIND: Final = re.compile(r"[a-z][a-z0-9_]{0,99}")


class KindRules(Protocol):
    """What a decision needs to know of a kind."""

    @property
    def policy(self) -> WritePolicy:
        """What agents' writes become."""
        ...

    def require_data(self, data: Data, before: Data | None) -> None:
        """Let data through that an artifact may have, after those `before`; None where it comes into being.

        Raises:
            ValidationFailed: it may not.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class ArtifactType:
    """A kind that was registered with a schema [AT-01]."""

    kind: str
    schema: Data
    policy: WritePolicy
    revision: int
    """Of the registration, from 1."""

    def require_data(self, data: Data, before: Data | None) -> None:  # noqa: ARG002 - a schema asks for no history
        """Let data through that the schema accepts [AT-02]; see KindRules."""
        _compiled(compact(self.schema)).require(data)


@lru_cache(maxsize=256)
def _compiled(schema: str) -> Schema:
    """A schema ready to use: compiling takes longer than a write may."""
    return Schema.of(json.loads(schema))


@dataclass(frozen=True, kw_only=True)
class NativeKind:
    """A kind whose content an app makes; other commands change its name at the most [N-40, N-44]."""

    format: Format
    policy: WritePolicy

    @property
    def kind(self) -> str:
        """The kind."""
        return self.format.kind

    def require_data(self, data: Data, before: Data | None) -> None:
        """Let data through that differ from the ones before by a name of the same format; see KindRules."""
        if before is None:
            return  # made here of an uploaded file, never given by a caller
        name = data.get("name")
        if not same_json({**data, "name": ""}, {**before, "name": ""}) or not isinstance(name, str):
            raise ValidationFailed(errors=["of a native file only the name can be patched; edit it or check it in"])
        require_file_name(name)
        if extension_of(name) != self.format.extension:
            raise ValidationFailed(errors=[("name", f"does not end in .{self.format.extension}, as the format does")])


def native_schema(file_format: Format) -> Data:
    """The JSON Schema of a native file's data, for whoever reads them [N-40]."""

    def record(**properties: Any) -> dict[str, Any]:  # noqa: ANN401 - schemas are JSON
        required = list(properties)
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    digest = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    count = {"type": "integer", "minimum": 0}
    return record(
        name={"type": "string"},
        format={"const": file_format.name},
        media_type={"const": file_format.media_type},
        native=record(digest=digest, size=count),
        text=record(digest=digest, chars=count),
        review=record(digest=digest, count=count),
    )


@dataclass(frozen=True, kw_only=True)
class Registration:
    """What a registration asks for."""

    kind: str
    schema: Data
    policy: WritePolicy
    expected_revision: int
    """The revision that it follows; 0 for a new kind."""
    force: bool = False
    """Whether a schema that may refuse what the last one accepts is taken all the same."""


def decide_registration(asked: Registration, current: ArtifactType | None) -> ArtifactType:
    """The type from now on; the current one itself where nothing would change [AT-01].

    Raises:
        ValidationFailed: the kind or the schema is none.
        VersionConflict: the kind is at another revision than expected.
        InvalidState: it is not certain that the schema accepts what the last one accepts.
    """
    require_registrable(asked.kind)
    Schema.of(asked.schema)
    if current is not None and current.policy is asked.policy and same_json(current.schema, asked.schema):
        return current
    revision = 0 if current is None else current.revision
    if revision != asked.expected_revision:
        raise VersionConflict(artifact_id=asked.kind, base=asked.expected_revision, head=revision)
    if current is not None and not asked.force:
        narrower = narrowings(current.schema, asked.schema)
        if narrower:
            raise InvalidState(why=f"the schema may refuse what the last one accepts: {'; '.join(narrower[:5])}")
    return ArtifactType(kind=asked.kind, schema=asked.schema, policy=asked.policy, revision=revision + 1)


def require_registrable(kind: str) -> None:
    """Let the name of a kind through that may be registered.

    Raises:
        ValidationFailed: it is not in snake_case, or is one that apps make.
    """
    if not _KIND.fullmatch(kind):
        raise ValidationFailed(errors=[("kind", "is not snake_case of at most 100 characters")])
    if kind.startswith(KIND_PREFIX):
        raise ValidationFailed(errors=[("kind", f"begins with {KIND_PREFIX}, as those do that apps make")])
