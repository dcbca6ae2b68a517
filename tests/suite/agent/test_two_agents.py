"""Two agents of one service, each in a thread of its own, at work on the same artifact."""

from artifactr import ArtifactWorkspace, Runner, Session
from artifactr.core.actors import AgentActor
from artifactr.core.events import ArtifactChanged
from artifactr.core.threads import Thread
from artifactr.testing import Answer, Script, call
from pydantic_ai import Agent
from suite.agent.planning import Brief, Planning


async def test_each_hears_of_the_others_changes_under_its_name_and_not_of_its_own(planning: Planning) -> None:
    """CN-04, AC-02, AC-06, TH-13: whose change it was is told by the thread, how it is called by the agent's name."""
    alice = planning.alice
    brief = await planning.creates(Brief(text="We launch in March."))
    threads = {name: await alice.create_thread(name, agent_name=name) for name in ("planner", "writer")}

    def moves(old: str, new: str) -> Answer:
        return call("edit_text", artifact_id=brief, old=old, new=new)

    async def ask(name: str, *answers: Answer) -> str:
        """Send a message to one of them; what it was told with it."""
        script = Script(answers)
        await _run(planning, script, name, threads[name])
        return "\n".join(script.asked[0].prompts)

    await ask("planner", call("read_artifact", artifact_id=brief), "Read.")
    await ask("writer", moves("March", "April"), "Moved.")
    assert f"- writer changed {brief}" in await ask("planner", moves("April", "May"), "Moved.")
    told = await ask("writer", "I see.")
    assert f"- planner changed {brief}" in told
    assert "writer changed" not in told
    changes = [it.actor for it in await planning.log() if isinstance(it.event, ArtifactChanged)]
    by = [(it.name, it.thread_id) for it in changes if isinstance(it, AgentActor)]
    assert by == [("writer", threads["writer"].id), ("planner", threads["planner"].id)]


async def _run(planning: Planning, script: Script, agent_name: str, thread: Thread) -> None:
    agent = Agent(script.model, deps_type=Session[None], capabilities=[ArtifactWorkspace(types=[Brief])])
    async with Runner(agent, app=None, agent_name=agent_name) as runner:
        sent = await runner.send(planning.alice, thread.id, "Please.")
        assert sent.run is not None
        await sent.run.wait()
