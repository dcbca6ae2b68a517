"""Commands on threads and runs: intents that can be refused. An id left empty is made before any decision [CM-02]."""

from dataclasses import dataclass
from typing import Literal

from artifactr.core.events import ThreadMode
from artifactr.core.threads import Thread


@dataclass(frozen=True, kw_only=True)
class CreateThread:
    """Create a thread, of this agent or, where that is empty, of whatever agent is the default [TH-13]."""

    title: str
    thread_id: str = ""
    agent_name: str = ""


@dataclass(frozen=True, kw_only=True)
class SetThreadMode:
    """Set a thread's mode; setting it again appends nothing [CM-05]."""

    thread_id: str
    mode: ThreadMode | Literal["edit", "suggest"]


@dataclass(frozen=True, kw_only=True)
class SetFocus:
    """Set what a thread follows; repeats are dropped, an equal focus appends nothing [CM-04]."""

    thread_id: str
    artifact_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PostMessage:
    """Post a message; `through_runner` marks one that a turn was promised for [RN-15, AMB-11]."""

    thread_id: str
    content: str
    message_id: str = ""
    through_runner: bool = False


@dataclass(frozen=True, kw_only=True)
class AnswerDeferred:
    """Answer one open request of a paused run [PA-03].

    A question takes an `answer`; an approval takes `approved`, and the reason of a decline as `answer`.
    """

    run_id: str
    tool_call_id: str
    answer: str = ""
    approved: bool | None = None


@dataclass(frozen=True, kw_only=True)
class RecordAppEvent:
    """Put something of the application's own on the log; `data` is JSON text [EV-03, RN-04]."""

    name: str
    data: str = "null"
    thread_id: str = ""


Command = CreateThread | SetThreadMode | SetFocus | PostMessage | AnswerDeferred | RecordAppEvent


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """What a command did [CM-03].

    `log_sequence` is the number of the last entry it appended, 0 for none; `id` that of the thread, message or run;
    `state` the thread as the command left it, None for an app event outside of any; `resumes` whether it was the last
    answer that the run waited for.
    """

    log_sequence: int
    id: str = ""
    state: Thread | None = None
    resumes: bool = False

    @property
    def thread(self) -> Thread:
        """The thread as the command left it; LookupError for an app event outside of any."""
        if self.state is None:
            raise LookupError("the command belongs to no thread")
        return self.state
