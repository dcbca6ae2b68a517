"""The request ids of a run's writes."""

import asyncio

from artifactr.workspace.write_ids import WriteIds, during_tool_call


async def ids_of_calls(run_id: str, *calls: str, at_once: bool) -> dict[str, list[str]]:
    """Three ids of each call."""
    ids, made = WriteIds(run_id), dict[str, list[str]]()

    async def write_thrice(call: str) -> None:
        with during_tool_call(call):
            made[call] = []
            for _ in range(3):
                await asyncio.sleep(0)  # let the others write in between
                made[call].append(await asyncio.create_task(write()))

    async def write() -> str:
        return ids.next()

    if at_once:
        await asyncio.gather(*map(write_thrice, calls))
    else:
        for call in calls:
            await write_thrice(call)
    return made


async def test_they_follow_from_the_call_and_its_writes_whatever_runs_at_once() -> None:
    """MP-20: in tasks that a tool starts as well; another call's and another run's are others."""
    made = await ids_of_calls("run_1", "a", "b", at_once=True)
    assert made == await ids_of_calls("run_1", "b", "a", at_once=False)
    assert len({*made["a"], *made["b"], *(await ids_of_calls("run_2", "a", at_once=True))["a"]}) == 9


async def test_outside_a_tool_call_every_write_is_a_new_one() -> None:
    """MP-20: nothing repeats it, so nothing may be taken for a repeat; nor is it by who is in no run."""
    in_run, in_none = WriteIds("run_1"), WriteIds("")
    with during_tool_call("a"):
        outside = [in_none.next() for _ in range(2)]
    assert len({*outside, in_run.next(), in_run.next(), WriteIds("run_1").next()}) == 5
