"""Artifact types: what an application's artifacts hold, how agents see them, and the commands that change them.

A type is a pydantic model. Its JSON Schema is registered with files, which validates the data of every client by it;
validators written in Python run here alone [AT-01, AT-02].
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError
from pydantic.alias_generators import to_snake
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import ErrorDetails, core_schema

from artifactr.core.actors import Actor
from artifactr.core.changes import ArchiveArtifact, CreateArtifact, EditArtifact
from artifactr.core.patches import difference, same_json
from artifactr.core.rejections import NotFound, PatchFailed, ValidationFailed

NATIVE: Final = "native_"
"""How the kinds of native files begin, which apps make [N-40]."""

LONGEST_SUMMARY: Final = 1000
"""Characters that files takes."""

WritePolicy = Literal["direct", "propose"]
"""Whether agents apply their changes or propose them [AT-06]."""

_MOST_FAULTS: Final = 20  # as many as files tells
_KIND: Final = re.compile(r"[a-z][a-z0-9_]{0,99}")


@dataclass(frozen=True, kw_only=True)
class ArtifactHeader:
    """What a list tells of an artifact."""

    id: str
    kind: str
    version: int
    archived: bool = False


@dataclass(frozen=True, kw_only=True)
class StoredArtifact(ArtifactHeader):
    """An artifact at one version, as files answers it; `data` is its decoded JSON [AT-03]."""

    data: Mapping[str, Any]
    updated_by: Actor


class Artifact(BaseModel):
    """The base of an artifact type: a subclass is a type, an instance the data of one artifact.

    What was read from a workspace also knows as what it was read; see `artifact_id` and its neighbours. The commands
    that it makes change nothing by themselves: they are for `Workspace.commit`. A field may not have the name of
    anything defined here, which a subclass learns as a TypeError when it is defined.
    """

    model_config = ConfigDict(extra="forbid")

    kind: ClassVar[str]
    """The name of the type in snake_case, that of the class unless the class says another."""
    write_policy: ClassVar[WritePolicy] = "direct"
    """What the changes of agents become; people always apply theirs [AT-06, AC-05]."""

    _stored: StoredArtifact | None = PrivateAttr(default=None)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:  # noqa: ANN401 - the hook's signature
        super().__pydantic_init_subclass__(**kwargs)
        if "kind" not in vars(cls):
            cls.kind = to_snake(cls.__name__)
        if not _KIND.fullmatch(cls.kind) or cls.kind.startswith(NATIVE):
            raise TypeError(f"{cls.__name__}: {cls.kind!r} is no kind, which is snake_case and no native file's")
        if cls.write_policy not in get_args(WritePolicy):
            raise TypeError(f"{cls.__name__}: {cls.write_policy!r} is no write policy")
        taken = sorted(_RESERVED & cls.model_fields.keys())
        if taken:
            raise TypeError(f"{cls.__name__}: every artifact has {', '.join(taken)}, so no field may be named so")

    @classmethod
    def from_stored(cls, stored: StoredArtifact) -> Self:
        """What files answered, as an instance of this type.

        Raises:
            NotFound: it is of another kind.
            ValidationFailed: its data do not fit this class, whose validators may be stricter than its schema.
        """
        if stored.kind != cls.kind:
            raise NotFound(entity=cls.kind, id=stored.id)
        return cls.from_data(stored.data)._read_as(stored)  # noqa: SLF001 - its own

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """A new artifact of decoded JSON; ValidationFailed where it does not fit or says what no model names."""
        try:
            # As JSON, where a date is a text and a set a list; and nothing is dropped, as the models inside else would.
            return cls.model_validate_json(json.dumps(data), extra="forbid")
        except ValidationError as error:
            faults = error.errors(include_url=False, include_context=False, include_input=False)
            raise ValidationFailed(errors=tuple(map(_sentence, faults[:_MOST_FAULTS]))) from error

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """The JSON Schema of the data; models inside it refuse unknown fields as well [AT-02]."""
        return cls.model_json_schema(schema_generator=_ClosedSchema)

    @property
    def artifact_id(self) -> str:
        """The id; like its neighbours a LookupError for an artifact that was not read from a workspace."""
        return self._as_read.id

    @property
    def version(self) -> int:
        """The version that was read."""
        return self._as_read.version

    @property
    def updated_by(self) -> Actor:
        """Who made that version."""
        return self._as_read.updated_by

    @property
    def archived(self) -> bool:
        """Whether it was archived then."""
        return self._as_read.archived

    def to_data(self) -> dict[str, Any]:
        """The data as files keeps them: JSON values by the names of the schema, nothing that is computed."""
        # Values that do not fit are no warning: whoever sends them is told by a rejection.
        return self.model_dump(mode="json", by_alias=True, round_trip=True, warnings=False)

    def render_for_agent(self) -> str:
        """The text that agents see [AT-07]."""
        return rendered(self.to_data())

    def describe_change(self, before: Self) -> str:  # noqa: ARG002 - for subclasses
        """What changed since `before`, in a few words for people; files says it by the patch where empty [AT-08]."""
        return ""

    def create(self, artifact_id: str = "") -> CreateArtifact:
        """The command that creates an artifact with these data; an id is used once in a workspace [ID-01]."""
        return CreateArtifact(kind=self.kind, data=self.to_data(), artifact_id=artifact_id)

    def edit(self, change: Callable[[Self], object]) -> EditArtifact:
        """The command that changes what was read.

        `change` gets a copy of its own, which it alters in place, or answers another instance instead.

        Raises:
            ValidationFailed: the result does not fit the type.
            PatchFailed: nothing would change [AT-12].
        """
        before = self.from_stored(self._as_read)
        draft = self.model_copy(deep=True)
        answer = change(draft)
        changed = answer if isinstance(answer, type(self)) else draft
        after = self.from_data(changed.to_data())._read_as(self._as_read)  # noqa: SLF001 - its own
        if same_json(before.to_data(), after.to_data()):
            raise PatchFailed(why="this changes nothing")
        return EditArtifact(
            artifact_id=self.artifact_id,
            base_version=self.version,
            # From what is stored, which another client may have written in fewer words than this class does [AT-13].
            patch=difference(self._as_read.data, after.to_data()),
            summary=after.describe_change(before)[:LONGEST_SUMMARY],
        )

    def archive(self) -> ArchiveArtifact:
        """The command that archives what was read."""
        return ArchiveArtifact(artifact_id=self.artifact_id, base_version=self.version)

    def _read_as(self, stored: StoredArtifact) -> Self:
        self._stored = stored
        return self

    @property
    def _as_read(self) -> StoredArtifact:
        if self._stored is None:
            raise LookupError(f"this {self.kind} is new: it was not read from a workspace")
        return self._stored


_RESERVED: Final = frozenset(name for name in {*vars(Artifact), *Artifact.__annotations__} if not name.startswith("_"))


class TextArtifact(Artifact):
    """The base of a type whose artifacts are one Markdown text [AT-09]."""

    text: str

    def render_for_agent(self) -> str:
        """The text itself."""
        return self.text


def rendered(data: Mapping[str, Any]) -> str:
    """Data as agents see them where no type says otherwise: as indented JSON [AT-07]."""
    return json.dumps(data, indent=2, ensure_ascii=False)


class _ClosedSchema(GenerateJsonSchema):
    """Refuses unknown fields wherever some are named, unless a model asks for others: files wants it said."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return _closed(super().model_schema(schema))

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        return _closed(super().dataclass_schema(schema))

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        return _closed(super().typed_dict_schema(schema))


def _closed(schema: JsonSchemaValue) -> JsonSchemaValue:
    return {"additionalProperties": False, **schema} if "properties" in schema else schema


def _sentence(fault: ErrorDetails) -> str:
    place = "/".join(map(str, fault["loc"]))
    return f"{place}: {fault['msg']}" if place else fault["msg"]
