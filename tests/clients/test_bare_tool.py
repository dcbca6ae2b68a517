"""docs/clients.md, "Without generated code": its commands, run as they stand there against the live suite."""

import asyncio
import os
import re

from clients.conftest import Deployment
from clients.programs import ROOT

_COMMAND = re.compile(r"```sh\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


async def said(command: str, deployment: Deployment) -> str:
    """What a command prints, on either stream."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    shell = await asyncio.create_subprocess_exec(
        "bash",
        "-c",
        command,
        env={**os.environ, **deployment.environment, "PATH": path},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await shell.communicate()
    return output.decode()


async def test_a_bare_tool_finds_its_way_by_reflection(deployment: Deployment) -> None:
    """Lists services, calls one, and is told the reason of a refusal."""
    document = (ROOT / "docs" / "clients.md").read_text()
    commands = _COMMAND.findall(document.partition("## Without generated code")[2])
    assert len(commands) == 3
    for command, output in commands:
        assert await said(command, deployment) == output
