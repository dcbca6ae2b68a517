"""One scenario, played by a program in each language against the live suite, over a network that breaks."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

import pytest
from clients.conftest import Deployment
from clients.programs import EXAMPLES, LANGUAGES, SCENARIO, Language
from clients.proxy import Proxy, proxy_to
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice_cli.connection import Connection

GOLDEN = EXAMPLES / "transcript.txt"
PATIENCE = 240.0
"""Seconds for a whole run on a busy machine."""


async def head_of(carol: Connection) -> int:
    """The number of the last change."""
    answer = await carol.changes.ListChanges(changes_pb.ListChangesRequest(workspace=carol.person.workspace_name))
    return answer.head_sequence


class Network:
    """What happens between a program and files where the scenario waits for it."""

    def __init__(self, proxy: Proxy, carol: Connection) -> None:
        """A network through the proxy; Carol sees what has been committed."""
        self.proxy = proxy
        self._carol = carol
        self.happens: Mapping[str, Callable[[], Awaitable[Callable[[], Awaitable[None]]]]] = {
            "the connection is cut": self.cut,
            "the next answer will be lost": self.lose_the_next_answer,
        }

    async def cut(self) -> Callable[[], Awaitable[None]]:
        """Cut every connection."""
        self.proxy.cut()
        return _nothing

    async def lose_the_next_answer(self) -> Callable[[], Awaitable[None]]:
        """Let no answer through until the next write is committed, and cut the connection then."""
        before = await head_of(self._carol)
        self.proxy.hold_answers()

        async def cut_once_committed() -> None:
            while await head_of(self._carol) == before:  # noqa: ASYNC110  # another process commits
                await asyncio.sleep(0.02)
            self.proxy.cut()

        return cut_once_committed


async def _nothing() -> None:
    """What is to be done after a cut."""


async def lines_of(program: asyncio.subprocess.Process, network: Network) -> AsyncIterator[str]:
    """What the program prints; where it waits, the network does its part before the program may go on."""
    assert program.stdin is not None
    assert program.stdout is not None
    async for line in program.stdout:
        yield line.decode()
        if line.startswith(b"-- "):
            afterwards = await network.happens[line.decode()[3:].strip()]()
            program.stdin.write(b"\n")
            await program.stdin.drain()
            await afterwards()


async def transcript_of(language: Language, deployment: Deployment) -> str:
    """All that the program prints.

    Raises:
        AssertionError: it failed; the message is what it said.
        TimeoutError: it did not end.
    """
    command = await asyncio.to_thread(language.built)
    async with proxy_to(deployment.suite.addresses.files) as proxy, deployment.connected("carol") as carol:
        program = await asyncio.create_subprocess_exec(
            *command,
            str(SCENARIO),
            cwd=language.folder,
            env={**os.environ, **deployment.environment, "LATTICE_FILES": proxy.address},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert program.stderr is not None
        complaints = asyncio.create_task(program.stderr.read())
        try:
            async with asyncio.timeout(PATIENCE):
                said = "".join([line async for line in lines_of(program, Network(proxy, carol))])
                code = await program.wait()
        finally:
            if program.returncode is None:
                program.kill()
        assert code == 0, f"{said}\n{(await complaints).decode()}"
        return said


@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda it: it.name)
async def test_each_language_plays_the_scenario_alike(language: Language, deployment: Deployment) -> None:
    """ID-03, L-08, I-08, MP-22: refusals by their reason, a watch over a cut, an answer that was lost.

    Each transcript is the golden one, so all are the same.
    """
    if language.missing:
        told = f"!! THE CLIENT IN {language.name.upper()} WAS NOT RUN: {' and '.join(language.missing)} not installed"
        print(told, file=sys.__stderr__, flush=True)
        pytest.skip(told)
    assert await transcript_of(language, deployment) == GOLDEN.read_text()
