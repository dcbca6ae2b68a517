"""A protoc plugin that writes docs/api: a page for each area, with what the comments of its contracts say.

The generators that exist leave out what these contracts say by options (what is required, how long a text may be, what
may be repeated, what is audited), and the best known one does not build any more.
"""

import re
import sys
from collections.abc import Iterator
from typing import Final

from google.api import field_behavior_pb2, resource_pb2
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    MethodDescriptorProto,
    MethodOptions,
    ServiceDescriptorProto,
)
from google.protobuf.descriptor_pool import DescriptorPool
from lattice.type.v1 import audit_pb2, limits_pb2
from lattice_chassis.channels import is_retried

# The numbers by which descriptors name where a comment stands.
_SYNTAX, _MESSAGES, _ENUMS, _SERVICES, _EXTENSIONS, _MEMBERS = 12, 4, 5, 6, 7, 2

_TITLES: Final = {
    "integrations": "what is on in a workspace",
    "files": "artifacts, native files, proposals and the change feed",
    "agent": "threads, runs and the log",
    "app": "what the worker of an app serves",
    "type": "what the services share",
}
"""The areas in the order in which one would read them."""

_CONSTANT: Final = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")


def area_of(package: str) -> str:
    """The area of a package, as `files` of `lattice.files.v1`."""
    return package.split(".")[1]


def sentence(comment: str) -> str:
    """A comment as one line of a table."""
    return " ".join(comment.split()).replace("|", "\\|")


def paragraphs(comment: str) -> str:
    """A comment as text of a page."""
    return "\n".join(line.strip() for line in comment.strip().splitlines())


def anchor(heading: str) -> str:
    """The fragment by which a heading is linked."""
    return heading.lower().replace(" ", "-")


class Contracts:
    """All files of a request, and where their comments stand."""

    def __init__(self, request: CodeGeneratorRequest) -> None:
        """Read them."""
        pool = DescriptorPool()
        for file in request.proto_file:
            pool.Add(file)
        self.pool = pool
        self.files = [it for it in request.proto_file if it.name in request.file_to_generate]
        self._comments = {
            (file.name, tuple(place.path)): place.leading_comments
            for file in self.files
            for place in file.source_code_info.location
        }

    @property
    def areas(self) -> list[str]:
        """The areas that the files make up."""
        present = {area_of(file.package) for file in self.files}
        return [*(it for it in _TITLES if it in present), *sorted(present - set(_TITLES))]

    def of(self, area: str) -> list[FileDescriptorProto]:
        """The files of an area, those with a service first."""
        return sorted((it for it in self.files if area_of(it.package) == area), key=lambda it: not it.service)

    def anchor(self, area: str, type_name: str) -> str:
        """The fragment of a type on its area's page; a call of the same name stands before it."""
        calls = {method.name for file in self.of(area) for service in file.service for method in service.method}
        return f"{anchor(type_name)}-1" if type_name in calls else anchor(type_name)

    def comment(self, file: FileDescriptorProto, *path: int) -> str:
        """The comment above an element."""
        return self._comments.get((file.name, path), "")


class Page:
    """The page of one area."""

    def __init__(self, contracts: Contracts, area: str) -> None:
        """Prepare it; `str` gives the text."""
        self._contracts = contracts
        self._area = area
        self._files = contracts.of(area)
        self._messages = {
            it.name: (file, number, it) for file in self._files for number, it in enumerate(file.message_type)
        }
        self._beside_calls = {
            name.rpartition(".")[2]
            for file in self._files
            for service in file.service
            for method in service.method
            for name in (method.input_type, method.output_type)
        }

    def __str__(self) -> str:
        """The page as Markdown."""
        return "\n".join(self._lines()).rstrip() + "\n"

    def _lines(self) -> Iterator[str]:
        yield f"# lattice.{self._area}.v1: {_TITLES.get(self._area, self._area)}"
        yield "\nGenerated from the contracts by `make gen`; [all areas](README.md).\n"
        for file in self._files:
            if not file.service:
                yield paragraphs(self._contracts.comment(file, _SYNTAX)) + "\n"
        for file in self._files:
            for number, service in enumerate(file.service):
                yield from self._service(file, number, service)
        others = [it for name, it in self._messages.items() if name not in self._beside_calls]
        if others:
            yield "## Messages\n"
            for file, number, message in sorted(others, key=lambda it: it[2].name):
                yield f"### {message.name}\n"
                yield paragraphs(self._contracts.comment(file, _MESSAGES, number)) + "\n"
                yield from self._fields(file, number, message)
        enums = [(file, number, it) for file in self._files for number, it in enumerate(file.enum_type)]
        if enums:
            yield "## Enums\n"
            for file, number, enum in sorted(enums, key=lambda it: it[2].name):
                yield from self._enum(file, number, enum)
        yield from self._options()

    def _service(self, file: FileDescriptorProto, number: int, service: ServiceDescriptorProto) -> Iterator[str]:
        yield f"## {service.name}\n"
        yield f"_{sentence(self._contracts.comment(file, _SYNTAX))}_\n"
        yield paragraphs(self._contracts.comment(file, _SERVICES, number))
        yield "\n| call | | may be repeated |"
        yield "|---|---|---|"
        calls = [(index, method, f"{file.package}.{service.name}") for index, method in enumerate(service.method)]
        for index, method, owner in calls:
            said = self._contracts.comment(file, _SERVICES, number, _MEMBERS, index)
            first = sentence(said.strip().split("\n\n")[0])
            yield f"| [{method.name}](#{anchor(method.name)}) | {first} | {self._repeat(owner, method)} |"
        yield ""
        for index, method, _ in calls:
            yield f"### {method.name}\n"
            yield paragraphs(self._contracts.comment(file, _SERVICES, number, _MEMBERS, index))
            if method.options.Extensions[audit_pb2.audited]:
                yield "\nEvery call is on record in the audit log."
            yield ""
            yield from self._side("Takes", method.input_type, streamed=method.client_streaming)
            yield from self._side("Answers", method.output_type, streamed=method.server_streaming)

    def _repeat(self, owner: str, method: MethodDescriptorProto) -> str:
        if method.options.idempotency_level == MethodOptions.NO_SIDE_EFFECTS:
            return "reads only"
        found = self._contracts.pool.FindMethodByName(f"{owner}.{method.name}")
        if is_retried(found):
            return "yes" if method.options.idempotency_level == MethodOptions.IDEMPOTENT else "with its `request_id`"
        return "by hand, with its `request_id`" if method.client_streaming else "no"

    def _side(self, says: str, type_name: str, *, streamed: bool) -> Iterator[str]:
        name = type_name.rpartition(".")[2]
        file, number, message = self._messages[name]
        yield f"**{says}** {'a stream of ' if streamed else ''}`{name}`: " + self._text(file, _MESSAGES, number)
        yield ""
        yield from self._fields(file, number, message)

    def _fields(self, file: FileDescriptorProto, number: int, message: DescriptorProto) -> Iterator[str]:
        if not message.field:
            return
        yield "| field | type | |"
        yield "|---|---|---|"
        for index, field in enumerate(message.field):
            said = [*self._traits(message, field), self._text(file, _MESSAGES, number, _MEMBERS, index)]
            yield f"| `{field.name}` = {field.number} | {self._type(field)} | {' '.join(said)} |"
        yield ""

    @staticmethod
    def _traits(message: DescriptorProto, field: FieldDescriptorProto) -> Iterator[str]:
        if field.HasField("oneof_index") and not field.proto3_optional:
            yield f"_One of `{message.oneof_decl[field.oneof_index].name}`._"
        behaviors = field.options.Extensions[field_behavior_pb2.field_behavior]
        if field_behavior_pb2.REQUIRED in behaviors and not message.name.endswith("Response"):
            yield "**Required.**"
        reference = field.options.Extensions[resource_pb2.resource_reference]
        if reference.type:
            yield f"_{reference.type.rpartition('/')[2]}._"
        if limit := field.options.Extensions[limits_pb2.max_characters]:
            yield f"_At most {limit:,} characters._"
        if limit := field.options.Extensions[limits_pb2.max_items]:
            yield f"_At most {limit:,} items._"

    def _type(self, field: FieldDescriptorProto) -> str:
        if field.type_name:
            shown = self._link(field.type_name.removeprefix("."))
        else:
            shown = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
        return f"list of {shown}" if field.label == FieldDescriptorProto.LABEL_REPEATED else shown

    def _link(self, full_name: str) -> str:
        package, _, name = full_name.rpartition(".")
        if not package.startswith("lattice."):
            return f"`{full_name}`"
        area = area_of(package)
        if area == self._area and name in self._beside_calls:
            return f"`{name}`"
        page = "" if area == self._area else f"{area}.md"
        return f"[{name}]({page}#{self._contracts.anchor(area, name)})"

    def _enum(self, file: FileDescriptorProto, number: int, enum: EnumDescriptorProto) -> Iterator[str]:
        yield f"### {enum.name}\n"
        yield paragraphs(self._contracts.comment(file, _ENUMS, number))
        yield "\n| value | |"
        yield "|---|---|"
        for index, value in enumerate(enum.value):
            said = self._text(file, _ENUMS, number, _MEMBERS, index)
            yield f"| `{value.name}` = {value.number} | {said} |"
        yield ""

    def _options(self) -> Iterator[str]:
        extensions = [(file, number, it) for file in self._files for number, it in enumerate(file.extension)]
        if not extensions:
            return
        yield "## Options\n"
        yield "| option | of | type | |"
        yield "|---|---|---|---|"
        for file, number, option in extensions:
            of = option.extendee.rpartition(".")[2]
            said = self._text(file, _EXTENSIONS, number)
            yield f"| `{option.name}` = {option.number} | `{of}` | {self._type(option)} | {said} |"

    def _text(self, file: FileDescriptorProto, *path: int) -> str:
        return sentence(self._contracts.comment(file, *path))


def index(contracts: Contracts) -> str:
    """The page that leads to the others."""
    lines = [
        "# The contracts",
        "",
        "Generated from `proto/` by `make gen`. [clients.md](../clients.md) shows how they are called,",
        "[contracts.md](../contracts.md) says what holds for all of them. Why a call is refused is told by an",
        "[ErrorReason](type.md#errorreason).",
        "",
        "| area | services | |",
        "|---|---|---|",
    ]
    for area in contracts.areas:
        services = [it.name for file in contracts.of(area) for it in file.service]
        links = ", ".join(f"[{it}]({area}.md#{anchor(it)})" for it in services) or "none"
        lines.append(f"| [{area}]({area}.md) | {links} | {_TITLES.get(area, area)} |")
    return "\n".join(lines) + "\n"


def generate(request: CodeGeneratorRequest) -> CodeGeneratorResponse:
    """Answer with a page for each area and one that leads to them."""
    contracts = Contracts(request)
    response = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
    response.file.add(name="README.md", content=index(contracts))
    for area in contracts.areas:
        response.file.add(name=f"{area}.md", content=str(Page(contracts, area)))
    return response


if __name__ == "__main__":
    sys.stdout.buffer.write(generate(CodeGeneratorRequest.FromString(sys.stdin.buffer.read())).SerializeToString())
