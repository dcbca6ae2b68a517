"""Streams whose client sends, or takes, too slowly, and how many of them a tenant has at once."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import grpc
import pytest
from lattice.type.v1.actor_pb2 import Actor, SystemActor
from lattice_chassis.identity import Identity, development_metadata
from lattice_chassis.interceptors.patience import Patience
from lattice_chassis.interceptors.streams import StreamQuotas

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.chassis.rpc.conftest import Begun, Eventually, Probe, ProbeFactory, Refused

BRIEF = timedelta(milliseconds=300)
LONG = timedelta(minutes=5)
PATIENT = Patience(stalled=LONG, transfer=LONG)
ONE_OF_EACH = StreamQuotas(uploads=1, downloads=1, watches=1)


async def large(_: object) -> str:
    """More than anybody is sent before it reads."""
    return "x" * 1_000_000


@pytest.mark.parametrize("sent", [0, 1])
async def test_a_client_that_sends_no_more_is_waited_for_no_longer_than_it_may(
    probing: "ProbeFactory", refused: "Refused", sent: int
) -> None:
    """SE-11, RJ-03: SLOW_PRODUCER, also where the first message never comes; its call has no deadline."""
    async with probing(patience=Patience(stalled=BRIEF, transfer=LONG)) as probe:
        for begin in (probe.stub.Collect, probe.stub.Echo):
            upload = begin()
            for _ in range(sent):
                await upload.write(probe.pb.AskRequest(act="one"))
            refusal = await refused(_end_of(upload))
            assert (refusal.reason, refusal.status) == ("SLOW_PRODUCER", grpc.StatusCode.RESOURCE_EXHAUSTED)
            assert refusal.metadata == {"limit": "0.300s"}


async def test_a_client_that_sends_a_little_at_a_time_has_an_end_too(
    probing: "ProbeFactory", refused: "Refused"
) -> None:
    """SE-11: however often it sends."""
    async with probing(patience=Patience(stalled=LONG, transfer=BRIEF)) as probe:
        upload = probe.stub.Collect()

        async def trickle() -> None:
            while not upload.done():
                await upload.write(probe.pb.AskRequest(act="one"))
                await asyncio.sleep(0.02)

        sending = asyncio.create_task(trickle())
        refusal = await refused(_end_of(upload))
        await asyncio.gather(sending, return_exceptions=True)
    assert (refusal.reason, refusal.metadata) == ("SLOW_PRODUCER", {"limit": "0.300s"})


async def test_what_the_server_takes_for_a_message_is_not_held_against_its_client(probing: "ProbeFactory") -> None:
    """SE-11: only what waits for the client counts."""
    stalled = timedelta(seconds=1)

    async def slow(_: object) -> str:
        await asyncio.sleep(1.2 * stalled.total_seconds())
        return "slow"

    async with probing(patience=Patience(stalled=stalled, transfer=LONG)) as probe:
        probe.acts["slow"] = slow
        assert (await probe.stub.Collect(iter([probe.pb.AskRequest(act="slow")]))).told == "slow"


async def test_a_client_that_takes_no_more_is_waited_for_no_longer_than_it_may(
    probing: "ProbeFactory", refused: "Refused"
) -> None:
    """SE-11, SB-08: SLOW_CONSUMER, for a download as for a watch; what they held is let go before it reads again."""
    closed = asyncio.Event()

    async def closing(_: object) -> str:
        closed.set()
        return ""

    async with probing(patience=Patience(stalled=BRIEF, transfer=LONG)) as probe:
        probe.acts.update(large=large, closing=closing)
        watch = probe.stub.WatchProbe(probe.pb.AskRequest(act="large"))
        download = probe.stub.Tell(probe.pb.AskRequest(act="large " * 20))
        async with asyncio.timeout(30):
            await closed.wait()
        for call in (watch, download):
            refusal = await refused(_end_of(call))
            assert (refusal.reason, refusal.metadata) == ("SLOW_CONSUMER", {"limit": "0.300s"})


async def test_a_download_has_an_end_and_a_watch_has_none(probing: "ProbeFactory", refused: "Refused") -> None:
    """SE-11: a client that takes a little at a time holds a download no longer than it may, and a watch goes on."""
    async with probing(patience=Patience(stalled=LONG, transfer=BRIEF)) as probe:
        probe.acts["large"] = large
        watch = probe.stub.WatchProbe(probe.pb.AskRequest(act="large"))
        refusal = await refused(_end_of(probe.stub.Tell(probe.pb.AskRequest(act="large " * 100)), pause=0.1))
        assert (refusal.reason, refusal.metadata) == ("SLOW_CONSUMER", {"limit": "0.300s"})
        for _ in range(20):
            assert (await watch.read()).told


KINDS: "dict[str, Callable[[Probe], Begun]]" = {
    "uploads": lambda probe: probe.stub.Collect(iter([probe.pb.AskRequest(act="held")])),
    "downloads": lambda probe: probe.stub.Tell(probe.pb.AskRequest(act="held")),
    "watches": lambda probe: probe.stub.WatchProbe(probe.pb.AskRequest(act="held")),
}


class Held:
    """An act that never ends, and how many times it began."""

    def __init__(self, eventually: "Eventually") -> None:
        self._eventually = eventually
        self.begun = 0

    async def __call__(self, _: object) -> str:
        self.begun += 1
        await asyncio.Event().wait()
        raise AssertionError

    async def times(self, number: int) -> None:
        """Wait until it began so many times."""

        async def begun() -> bool:
            return self.begun == number

        await self._eventually(begun)


@pytest.mark.parametrize("quota", KINDS)
async def test_a_tenants_streams_beyond_its_quota_are_refused_and_nobody_elses(
    probing: "ProbeFactory",
    connecting: "ProbeFactory",
    refused: "Refused",
    eventually: "Eventually",
    alice: Identity,
    quota: str,
) -> None:
    """SE-11, RJ-03: QUOTA_EXCEEDED names the quota; agents and services are not counted, nor are other kinds."""
    begin, held = KINDS[quota], Held(eventually)
    service = replace(alice, actor=Actor(system=SystemActor(name="agent")))
    async with (
        probing(patience=PATIENT, streams=ONE_OF_EACH) as probe,
        connecting(probe.bound, identity=lambda: development_metadata(replace(alice, tenant="other"))) as stranger,
        connecting(probe.bound, identity=lambda: development_metadata(service)) as part,
    ):
        probe.acts["held"] = held
        calls = [begin(probe)]
        await held.times(1)
        refusal = await refused(_end_of(begin(probe)))
        assert (refusal.reason, refusal.status) == ("QUOTA_EXCEEDED", grpc.StatusCode.RESOURCE_EXHAUSTED)
        assert refusal.metadata == {"quota": quota, "limit": "1"}
        calls += [begin(stranger), begin(part), begin(part), *(KINDS[it](probe) for it in KINDS if it != quota)]
        await held.times(6)
        assert await probe.ask("one") == "one"
        for call in calls:
            call.cancel()


@pytest.mark.parametrize("quota", KINDS)
async def test_a_stream_that_ended_makes_room_for_the_next(
    probing: "ProbeFactory", refused: "Refused", eventually: "Eventually", quota: str
) -> None:
    """SE-11: cancelled by its client; what was refused took up nothing."""
    begin, held = KINDS[quota], Held(eventually)
    async with probing(patience=PATIENT, streams=ONE_OF_EACH) as probe:
        probe.acts["held"] = held
        first = begin(probe)
        await held.times(1)
        await refused(_end_of(begin(probe)))
        first.cancel()

        async def let_in() -> bool:
            call = begin(probe)
            end = asyncio.ensure_future(_end_of(call))
            await asyncio.wait({end}, timeout=0.2)
            call.cancel()
            await asyncio.gather(end, return_exceptions=True)
            return held.begun > 1

        await eventually(let_in)


async def test_a_stream_that_was_cut_off_counts_until_its_client_reads_that(
    probing: "ProbeFactory", refused: "Refused", eventually: "Eventually"
) -> None:
    """SE-11: until then its last message waits in memory, and a client could have any number of those."""
    streams = StreamQuotas(downloads=1)
    async with probing(patience=Patience(stalled=BRIEF, transfer=LONG), streams=streams) as probe:
        probe.acts["large"] = large
        ended = asyncio.Event()

        async def last(_: object) -> str:
            ended.set()
            return ""

        probe.acts["last"] = last
        unread = probe.stub.Tell(probe.pb.AskRequest(act="large " * 20))
        await asyncio.sleep(3 * BRIEF.total_seconds())
        assert (await refused(_end_of(probe.stub.Tell(probe.pb.AskRequest(act="last"))))).reason == "QUOTA_EXCEEDED"
        assert (await refused(_end_of(unread))).reason == "SLOW_CONSUMER"

        async def room() -> bool:
            await asyncio.gather(_end_of(probe.stub.Tell(probe.pb.AskRequest(act="last"))), return_exceptions=True)
            return ended.is_set()

        await eventually(room)


async def _end_of(call: "Begun", pause: float = 0) -> None:
    """Read a call to its end, and raise what it ends with."""
    if isinstance(call, grpc.aio.StreamUnaryCall):
        await call
        return
    async for _ in call:
        await asyncio.sleep(pause)
