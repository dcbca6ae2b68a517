"""The contracts of v1 stay as they are: what `make lint` compares them with notices what would break a client."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import lattice.agent.v1.log_service_pb2
import lattice.agent.v1.runs_service_pb2
import lattice.agent.v1.threads_service_pb2
import lattice.app.v1.app_service_pb2
import lattice.files.v1.artifacts_service_pb2
import lattice.files.v1.changes_service_pb2
import lattice.files.v1.native_files_service_pb2
import lattice.files.v1.proposals_service_pb2
import lattice.integrations.v1.integrations_service_pb2  # noqa: F401 - so that the pool knows it
import pytest
from google.api import field_behavior_pb2, resource_pb2
from google.protobuf import descriptor_pb2, descriptor_pool
from lattice.type.v1 import audit_pb2, limits_pb2
from unit.house.named_tests import ROOT

BUF: Final = Path(sys.executable).with_name("buf")
CHECK: Final = f"set -o pipefail; {BUF} build --path lattice -o - | {BUF} breaking - --against contracts-v1.binpb"
SWITCHES: Final = "lattice/integrations/v1/integrations_service.proto"


@pytest.fixture
def contracts(tmp_path: Path) -> Path:
    """A copy to break."""
    return shutil.copytree(ROOT / "proto", tmp_path / "proto")


def said_of(contracts: Path) -> str:
    return subprocess.run(["/bin/bash", "-c", CHECK], cwd=contracts, capture_output=True, text=True, check=False).stdout


def change(contracts: Path, old: str, new: str) -> None:
    path = contracts / SWITCHES
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("bool enabled = 1 ", "bool on = 1 ", "changed name"),
        ("bool enabled = 1 ", "bool enabled = 9 ", "Previously present field"),
        ("bool enabled = 1 ", "string enabled = 1 ", "changed type"),
        ("rpc CheckEnabled(", "rpc IsEnabled(", "Previously present RPC"),
        ("package lattice.integrations.v1;", "package lattice.integrations.v2;", "package"),
    ],
)
def test_what_would_break_a_client_is_noticed(contracts: Path, old: str, new: str, what: str) -> None:
    change(contracts, old, new)
    assert what in said_of(contracts)


def test_what_is_added_breaks_nothing(contracts: Path) -> None:
    change(contracts, "bool enabled = 1 ", "bool added = 99;\n  bool enabled = 1 ")
    assert said_of(contracts) == ""


def test_the_baseline_covers_every_contract() -> None:
    """A file that is not in it could change at will."""
    listed = [str(BUF), "ls-files", "contracts-v1.binpb"]
    guarded = subprocess.run(listed, cwd=ROOT / "proto", capture_output=True, text=True, check=True).stdout.splitlines()
    ours = (path.relative_to(ROOT / "proto") for path in (ROOT / "proto/lattice").rglob("*.proto"))
    assert {str(it) for it in ours} <= set(guarded)


def test_nothing_that_the_server_accepts_by_the_baseline_is_refused_now() -> None:
    """`buf breaking` knows no options of others and of ours: what is required, how much fits, what is on record."""
    baseline = descriptor_pb2.FileDescriptorSet.FromString((ROOT / "proto/contracts-v1.binpb").read_bytes())
    files = [it for it in baseline.file if it.name.startswith("lattice/")]
    assert len(files) > 10
    pool = descriptor_pool.Default()
    for file in files:
        now = descriptor_pb2.FileDescriptorProto()
        pool.FindFileByName(file.name).CopyToProto(now)
        assert list(narrowed(file, now)) == []


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("[(google.api.field_behavior) = OPTIONAL]", "[(google.api.field_behavior) = REQUIRED]", "required"),
        ("max_characters) = 100000", "max_characters) = 100", "max_characters"),
        ("max_items) = 10000", "max_items) = 10", "max_items"),
        ("option (lattice.type.v1.audited) = true;", "", "audited"),
        ('pattern: "tenants', 'pattern: "people', "pattern"),
    ],
)
def test_what_narrows_a_contract_is_noticed(contracts: Path, old: str, new: str, what: str) -> None:
    before = compiled(contracts)
    changed = [path for path in contracts.rglob("lattice/**/*.proto") if old in path.read_text()]
    assert changed
    for path in changed:
        path.write_text(path.read_text().replace(old, new))
    after = compiled(contracts)
    found = [fault for name, file in before.items() for fault in narrowed(file, after[name])]
    assert any(what in fault for fault in found)


def compiled(contracts: Path) -> dict[str, descriptor_pb2.FileDescriptorProto]:
    """The contracts of a copy, by the names of their files."""
    build = [str(BUF), "build", "--path", "lattice", "--as-file-descriptor-set", "-o", "-"]
    image = subprocess.run(build, cwd=contracts, capture_output=True, check=True).stdout
    return {it.name: it for it in descriptor_pb2.FileDescriptorSet.FromString(image).file}


def narrowed(before: descriptor_pb2.FileDescriptorProto, now: descriptor_pb2.FileDescriptorProto) -> Iterator[str]:
    """What a later form of a file asks of clients that an earlier one did not, or no longer promises them."""
    named = resource_pb2.resource_definition
    if list(before.options.Extensions[named]) != list(now.options.Extensions[named]):
        yield f"a resource of {before.name} has another pattern"
    messages = {it.name: it for it in now.message_type}
    for message in before.message_type:
        yield from _narrowed_message(message, messages[message.name])
    methods = {(service.name, it.name): it for service in now.service for it in service.method}
    for service in before.service:
        for method in service.method:
            later = methods[service.name, method.name]
            if method.options.Extensions[audit_pb2.audited] and not later.options.Extensions[audit_pb2.audited]:
                yield f"{method.name} is no more audited"


def _narrowed_message(before: descriptor_pb2.DescriptorProto, now: descriptor_pb2.DescriptorProto) -> Iterator[str]:
    fields = {it.name: it for it in now.field}
    for field in before.field:
        later = fields[field.name]
        required = field_behavior_pb2.REQUIRED
        behavior = field_behavior_pb2.field_behavior
        if required in later.options.Extensions[behavior] and required not in field.options.Extensions[behavior]:
            yield f"{before.name}.{field.name} is required"
        for limit, default in ((limits_pb2.max_characters, 10_000), (limits_pb2.max_items, 1_000)):
            was, is_ = (it.options.Extensions[limit] or default for it in (field, later))
            if is_ < was:
                yield f"{before.name}.{field.name} has a lower {limit.name}"
