"""What a run sends to whoever watches it: `ctx.deps.live` in tools [LO-01]."""

import asyncio
import json
from collections.abc import Callable

from artifactr.agent.live import Live
from artifactr.core.artifacts import Artifact
from artifactr.core.frames import AppLive, Draft, Frame, RunKey


class LiveOutput:
    """The live output of one run. What is sent may be lost, so what counts belongs on the log [LO-03].

    Sending does not depend on a watcher, and may be done in any thread.
    """

    def __init__(self, put: Callable[[Frame], None]) -> None:
        self.put = put
        """Sends a frame."""

    def draft(self, artifact: Artifact) -> None:
        """Show an artifact as it would be committed now, whole; the next draft of it supersedes this one."""
        try:
            artifact_id = artifact.artifact_id
        except LookupError:  # it was not read from a workspace: it does not exist yet
            artifact_id = ""
        self.put(Draft(kind=artifact.kind, data=json.dumps(artifact.to_data()), artifact_id=artifact_id))

    def app(self, name: str, data: object = None) -> None:
        """Show something of the application's own; TypeError or ValueError for data that JSON cannot hold."""
        self.put(AppLive(name=name, data=json.dumps(data, allow_nan=False)))


def nowhere() -> LiveOutput:
    """The output of a run that nobody can watch, as one without a runner."""
    return LiveOutput(lambda _: None)


def output_of(live: Live, run: RunKey) -> LiveOutput:
    """The output of a run that begins on the current event loop."""
    loop = asyncio.get_running_loop()

    def put(frame: Frame) -> None:
        try:
            asyncio.get_running_loop()
        except RuntimeError:  # a tool that is no coroutine runs in a thread
            loop.call_soon_threadsafe(live.put, run, frame)
        else:
            live.put(run, frame)

    return LiveOutput(put)
