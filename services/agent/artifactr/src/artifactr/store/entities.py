"""Entities as JSON and back [SG-06]."""

from typing import Any, Final

from pydantic import TypeAdapter

from artifactr.core.actors import Principal
from artifactr.core.commands import Recorded
from artifactr.core.runs import Run
from artifactr.core.threads import Thread

THREADS: Final = TypeAdapter(Thread)
RUNS: Final = TypeAdapter(Run)
PRINCIPALS: Final = TypeAdapter(Principal)
RECORDED: Final = TypeAdapter(Recorded)


def thread_entity(thread: Thread) -> Any:  # noqa: ANN401 - JSON
    """The thread as stored: which run is active is told by the runs, and its agent stands in a column."""
    return THREADS.dump_python(thread, mode="json", exclude={"active_run_id", "agent_name"})


def run_entity(run: Run) -> Any:  # noqa: ANN401 - JSON
    """The run as stored: for whom it works stands in a column."""
    return RUNS.dump_python(run, mode="json", exclude={"principal"})


def principal_entity(principal: Principal) -> Any:  # noqa: ANN401 - JSON
    """The principal as stored."""
    return PRINCIPALS.dump_python(principal, mode="json")
