"""The look for what a crash left behind: runs that nobody executes, messages and answers not taken up [RN-15]."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Final

from lattice_chassis.errors import PeerUnavailable

from artifactr.agent.runner import Runner
from artifactr.workspace import Workspaces
from artifactr.workspace.recording import RUNNER

LOOK_EVERY: Final = timedelta(seconds=15)

_log: Final = logging.getLogger("artifactr.recovery")


@asynccontextmanager
async def recovering(
    runner: Runner[Any, Any], workspaces: Workspaces, *, every: timedelta = LOOK_EVERY, unnamed: bool = True
) -> AsyncIterator[None]:
    """Look now and then again, and have the runner take up what is found of its agent, until the block is left [TH-14].

    `unnamed` says whether threads that name no agent are this one's, as they are where no other is served.

    Every replica may look at once: a thread is taken up by whoever gets its claim. Workspaces that cannot look across
    tenants leave a thread to the next message in it, which is said once.
    """
    if not workspaces.looks_across:
        _log.warning("what a crash leaves behind waits for the next message in its thread: no follower role is given")
        yield
        return
    agent_names = [runner.agent_name, *([""] if unnamed else [])]
    looking = asyncio.create_task(
        _look(runner, workspaces, agent_names, every), name=f"recovery of {runner.agent_name}"
    )
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.wait([looking])


async def _look(
    runner: Runner[Any, Any], workspaces: Workspaces, agent_names: Collection[str], every: timedelta
) -> None:
    while True:
        try:
            for left in await workspaces.left_behind(agent_names):
                looking = workspaces.open(left.tenant, left.workspace, RUNNER, roles={f"{left.workspace}/viewer"})
                runner.take_up(looking, left.thread_id)
        except PeerUnavailable as away:
            _log.warning("could not look for what was left behind: %s", away)
        except Exception:  # noqa: BLE001 - the next look may go well
            _log.exception("could not look for what was left behind")
        await asyncio.sleep(every.total_seconds())
