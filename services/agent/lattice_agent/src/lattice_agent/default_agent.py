"""The agent that a fresh installation runs: the model that LATTICE_MODEL names, or a script that plays the demo."""

import logging

import grpc
from artifactr import ArtifactWorkspace, NativeFiles, Runner, Session
from artifactr.files.tools import native_file_tools
from pydantic_ai import Agent

from lattice_agent.scripted_model import scripted_model
from lattice_agent.settings import AgentSettings

_log = logging.getLogger(__name__)


def default_runner(settings: AgentSettings, files_channel: grpc.aio.Channel) -> Runner[None, str]:
    """The runner of the default agent.

    Args:
        settings: `model` is any name that pydantic-ai knows, empty for the script.
        files_channel: a channel to files that forwards the current identity.
    """
    if not settings.model:
        _log.warning("LATTICE_MODEL names no model: the agent is a script that plays the demo")
    agent = Agent(
        settings.model or scripted_model(settings.pace),
        name="assistant",
        deps_type=Session[None],
        toolsets=[native_file_tools(NativeFiles(files_channel))],
        capabilities=[ArtifactWorkspace()],
    )
    return Runner(agent, app=None, claim_ttl=settings.claim_ttl, max_running=settings.max_running)
