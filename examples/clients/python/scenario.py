"""Plays a scenario, such as examples/clients/scenario.json, and prints what happened, a line for each thing.

Where Lattice is, is told by the environment: LATTICE_FILES and LATTICE_INTEGRATIONS name addresses, LATTICE_TLS the
folder of the certificates, LATTICE_WORKSPACE the workspace, and LATTICE_TOKEN_ALICE and so on hold a token each.
"""

import json
import os
import sys
import uuid
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
from client import DEADLINE, Watch, check_in, connect, refusal_of, upload
from lattice.files.v1 import artifacts_service_pb2 as artifacts
from lattice.files.v1 import changes_service_pb2 as changes
from lattice.files.v1 import native_files_service_pb2 as native
from lattice.files.v1.changes_service_pb2_grpc import ChangesServiceStub
from lattice.files.v1.native_files_service_pb2_grpc import NativeFilesServiceStub
from lattice.integrations.v1 import integrations_service_pb2 as integrations
from lattice.integrations.v1.integrations_service_pb2_grpc import IntegrationsServiceStub

WORKSPACE = os.environ["LATTICE_WORKSPACE"]

Step = dict[str, Any]


class Person:
    """Somebody with a token, and what they hold."""

    def __init__(self, name: str) -> None:
        """Connect to the services; nothing is sent before the first call."""
        token, tls = os.environ[f"LATTICE_TOKEN_{name.upper()}"], Path(os.environ["LATTICE_TLS"])
        files = connect(os.environ["LATTICE_FILES"], token, tls)
        self.native_files = NativeFilesServiceStub(files)
        self.integrations = IntegrationsServiceStub(connect(os.environ["LATTICE_INTEGRATIONS"], token, tls))
        self.watch = Watch(ChangesServiceStub(files), WORKSPACE)
        self.changes = self.watch.changes()
        self.seen = 0
        self.check_out_token = 0


class Scenario:
    """The steps, with the ids that were chosen and given."""

    def __init__(self, file: Path) -> None:
        """Read it."""
        self.folder = file.parent
        self.steps: list[Step] = json.loads(file.read_text())["steps"]
        self.people = {name: Person(name) for name in {it["by"] for it in self.steps if "by" in it}}
        self.artifacts: dict[str, str] = {}
        self.requests: dict[str, str] = defaultdict(lambda: str(uuid.uuid4()))

    def play(self) -> None:
        """Take each step, and print what became of it."""
        for step in self.steps:
            if step["do"] == "wait":
                print(f"-- {step['for']}", flush=True)
                sys.stdin.readline()
                continue
            try:
                for line in self.take(step, self.people[step["by"]]):
                    self.tell(step, line)
            except grpc.RpcError as error:
                refusal = refusal_of(error)
                values = [f", {key} {refusal.metadata.get(key, '')}" for key in step.get("tells", [])]
                self.tell(step, f"refused, {refusal.reason}{''.join(values)}")

    def take(self, step: Step, person: Person) -> Iterator[str]:
        """One step; what became of it."""
        match step["do"]:
            case "upload":
                yield self.upload(step, person)
            case "check_out":
                answer = person.native_files.CheckOut(
                    native.CheckOutRequest(name=self.name_of(step), request_id=str(uuid.uuid4())), timeout=DEADLINE
                )
                person.check_out_token = answer.check_out.token
                yield f"version {answer.check_out.base_version}"
            case "cancel_check_out":
                request = native.ReleaseCheckOutRequest(name=self.name_of(step), token=person.check_out_token)
                yield "done" if person.native_files.ReleaseCheckOut(request, timeout=DEADLINE).released else "nothing"
            case "check_in":
                yield self.check_in(step, person)
            case "edit":
                yield self.edit(step, person)
            case "switch":
                yield self.switch(step, person)
            case "watch":
                yield from self.watch(step, person)

    def upload(self, step: Step, person: Person) -> str:
        """Upload a file as a new document."""
        file = self.folder / step["file"]
        outcome = upload(person.native_files, WORKSPACE, file.name, file.read_bytes(), str(uuid.uuid4()))
        self.artifacts[step["document"]] = outcome.applied.artifact_id
        return told(outcome)

    def check_in(self, step: Step, person: Person) -> str:
        """Check a file in as the document's next version."""
        header = native.CheckInHeader(
            name=self.name_of(step), token=person.check_out_token, summary=step["summary"], request_id=str(uuid.uuid4())
        )
        return told(check_in(person.native_files, header, (self.folder / step["file"]).read_bytes()))

    def edit(self, step: Step, person: Person) -> str:
        """Have the app change the document."""
        # region edit
        request = native.EditRequest(
            name=self.name_of(step),
            base_version=step["base_version"],
            commands=[native.AppCommand(command=step["command"], arguments_json=json.dumps(step["arguments"]))],
            summary=step["summary"],
            # Chosen once for what is meant to happen once: whoever asks again, gRPC or you, asks with the same id.
            context=artifacts.WriteContext(request_id=self.requests[step["request"]]),
        )
        answer = person.native_files.Edit(request, timeout=DEADLINE)
        # endregion
        return told(answer.outcome)

    def switch(self, step: Step, person: Person) -> str:
        """Switch an integration, from whatever revision it is at."""
        key = step["integration"]
        now = person.integrations.CheckEnabled(
            integrations.CheckEnabledRequest(workspace=WORKSPACE, key=key), timeout=DEADLINE
        )
        request = integrations.SetEnabledRequest(
            workspace=WORKSPACE,
            key=key,
            enabled=step["on"],
            expected_revision=now.revision,
            reason=step["reason"],
            request_id=str(uuid.uuid4()),
        )
        switch = person.integrations.SetEnabled(request, timeout=DEADLINE).switch
        return f"{key} is {'on' if switch.enabled else 'off'}"

    def watch(self, step: Step, person: Person) -> Iterator[str]:
        """Read on until a change."""
        cuts = person.watch.cuts
        while person.seen < step["until"]:
            change = next(person.changes)
            if person.watch.cuts > cuts:
                yield f"was cut off, goes on after change {person.seen}"
                cuts = person.watch.cuts
            person.seen = change.change_sequence
            yield self.told_of(change)

    def told_of(self, change: changes.Change) -> str:
        """A change in words, with the documents' names in this scenario."""
        event = change.WhichOneof("event") or ""
        body = getattr(change, event)
        document = next(name for name, it in self.artifacts.items() if it == body.artifact_id)
        what = f"{event.replace('_', ' ')}, {document} version {body.version} by {change.actor.user.id}"
        return f"change {change.change_sequence}, {what}"

    def name_of(self, step: Step) -> str:
        """The resource name of the document of a step."""
        return f"{WORKSPACE}/artifacts/{self.artifacts[step['document']]}"

    @staticmethod
    def tell(step: Step, line: str) -> None:
        """Print a line of what happened."""
        print(f"{step['by']}: {step['do'].replace('_', ' ')}: {line}", flush=True)


def told(outcome: artifacts.Outcome) -> str:
    """An outcome in words."""
    return f"version {outcome.applied.version}, change {outcome.change_sequence}"


if __name__ == "__main__":
    Scenario(Path(sys.argv[1])).play()
