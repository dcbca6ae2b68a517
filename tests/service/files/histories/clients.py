"""Clients that work on a few files at once, with pauses, and write down what they called and were answered."""

import asyncio
import hashlib
import itertools
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from random import Random
from typing import Any, Final

import grpc
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.type.v1 import errors_pb2
from lattice_chassis.errors import refusal_of
from lattice_chassis.identity import participant_key
from service.files.histories.file import CHECKOUT, EDIT, OK, Answer, Call
from service.files.histories.linearizability import Operation
from service.files.people import Participant, append, document, new_request_id
from service.files.structured import breaks, patches, sets

_KINDS: Final = {errors_pb2.LEASE_KIND_CHECKOUT: CHECKOUT, errors_pb2.LEASE_KIND_EDIT: EDIT}

_REFUSALS: Final = frozenset({"ARTIFACT_BUSY", "LEASE_EXPIRED", "VERSION_CONFLICT"})
"""What the rules refuse with; after any other error nobody knows what came of the call."""

_READS: Final = frozenset({"get", "get_lease"})

_BACK_OFF: Final = 1.0
"""Seconds for which nobody calls a server that failed a call: it may be down."""

_AGENTS: Final = {"edit": 3, "rename": 1, "get_lease": 1, "get": 1}
"""How often an agent asks for what."""

_PEOPLE: Final = {
    "check_out": 5,
    "extend": 2,
    "check_in": 5,
    "edit": 4,
    "rename": 2,
    "release": 2,
    "get_lease": 3,
    "get": 2,
}


@dataclass(kw_only=True)
class History:
    """What all clients called, file by file, on one clock."""

    operations: dict[str, list[Operation]] = field(default_factory=lambda: defaultdict(list))
    unexpected: list[str] = field(default_factory=list)
    """Errors that no rule gives a reason for."""
    numbers: "itertools.count[int]" = field(default_factory=itertools.count)
    versions: dict[str, int] = field(default_factory=dict)
    """The newest version of each file that anybody saw."""
    kills: list[float] = field(default_factory=list)
    """When servers were killed."""
    down: dict[int, float] = field(default_factory=dict)
    """The servers that failed a call, each with the time from which one may look whether it is back."""

    async def record(
        self, file: str, call: Call, work: Awaitable[Answer], patience: float | None, server: int
    ) -> Answer | None:
        """Wait for an answer, or hang up after some seconds, and write down what is known."""
        number, called, answered = next(self.numbers), time.monotonic(), inf
        answer: Answer | None = None
        try:
            async with asyncio.timeout(patience):
                answer = await work
                answered = time.monotonic()
            self.down.pop(server, None)
        except grpc.aio.AioRpcError as error:
            refusal = refusal_of(error)
            reason = str(error.code()) if refusal is None else refusal.reason
            if reason in _REFUSALS:
                answer, answered = (reason,), time.monotonic()
            else:
                self.unexpected.append(f"{call}: {reason}")
                self.down[server] = time.monotonic() + _BACK_OFF
        except TimeoutError:
            pass
        if answer is None and call.name in _READS:
            return None  # it tells nothing, and did nothing
        call = replace(call, cut=any(it >= called for it in self.kills))
        made = Operation(number=number, called=called, answered=answered, call=call, answer=answer)
        self.operations[file].append(made)
        return answer


@dataclass(kw_only=True)
class Client:
    """One of many: it asks one thing after the other, of any of its servers."""

    at: Sequence[Participant]
    """The same participant, at each server."""
    history: History
    random: Random
    impatience: float
    """The share of its calls that it hangs up on."""
    tokens: dict[str, int] = field(default_factory=dict)

    async def work(self, files: Sequence[str], calls: int) -> None:
        """Make so many calls."""
        for _ in range(calls):
            await asyncio.sleep(self.random.expovariate(1 / 0.005))
            await self.call(self.random.choice(files))

    async def call(self, file: str, name: str = "") -> Answer | None:
        """Ask for one thing, and answer what is known of it."""
        server = await self._server()
        who = self.at[server]
        weights = _PEOPLE if who.actor.HasField("user") else _AGENTS
        name = name or self.random.choices(list(weights), list(weights.values()))[0]
        if server in self.history.down:
            name = "get"  # which does nothing if the server is not back
        base = self.history.versions.get(file, 1)
        asked = Call(name=name, by=participant_key(who.actor), token=self.tokens.get(file, 1), base=base)
        if name == "release" and self.random.random() < 0.5:
            asked = Call(name=name, by=asked.by)
        patience = self.random.uniform(0, 0.06) if self.random.random() < self.impatience else None
        answer = await self.history.record(file, asked, self._answer(who, file, asked), patience, server)
        if answer is None or answer[0] != OK:
            return answer
        if name == "check_out":
            self.tokens[file] = _number(answer[1])
        if name in {"get", "check_in", "edit", "rename"}:
            self.history.versions[file] = max(base, _number(answer[1]))
        return answer

    async def _server(self) -> int:
        """The number of a server that is not known to be down."""
        while True:
            now = time.monotonic()
            up = [it for it in range(len(self.at)) if self.history.down.get(it, 0.0) <= now]
            if up:
                return self.random.choice(up)
            await asyncio.sleep(0.05)

    async def _answer(self, who: Participant, file: str, asked: Call) -> Answer:  # noqa: PLR0911 - one for each call
        match asked.name:
            case "check_out":
                lent = await who.checks_out(file)
                return OK, lent.token, lent.base_version
            case "extend":
                lent = await who.extends(native_pb.CheckOut(name=who.name(file), token=asked.token))
                return OK, lent.token, lent.base_version
            case "check_in":
                return OK, (await self._check_in(who, file, asked.token)).applied.version
            case "edit":
                edited = await who.edits(file, asked.base, append(new_request_id()))
                return OK, edited.outcome.applied.version
            case "rename":
                renamed = await patches(who, file, asked.base, sets("/name", f"{new_request_id()}.fake"))
                return OK, renamed.applied.version
            case "release":
                return OK, await who.releases(file, asked.token)
            case "break":
                broken = await breaks(who, file, "in the way")
                return OK, participant_key(broken.broken.holder) if broken.HasField("broken") else ""
            case "get_lease":
                found = await who.lease_of(file)
                held = [found.lease] if found.HasField("lease") else []
                told = [(_KINDS[it.kind], participant_key(it.holder), it.base_version) for it in held]
                return OK, found.token_counter, *itertools.chain(*told)
            case _:
                return OK, (await who.sees(file)).version

    async def _check_in(self, who: Participant, file: str, token: int) -> artifacts_pb.Outcome:
        """Check a new content in, which may take its time to follow the header."""
        content = document(new_request_id())
        pause = self.random.choice([0.0, self.random.uniform(0, 0.06)])
        header = native_pb.CheckInHeader(
            name=who.name(file),
            token=token,
            size=len(content),
            sha256=hashlib.sha256(content).digest(),
            request_id=new_request_id(),
        )

        async def parts() -> AsyncIterator[native_pb.CheckInRequest]:
            yield native_pb.CheckInRequest(header=header)
            await asyncio.sleep(pause)
            yield native_pb.CheckInRequest(chunk=content)

        return (await who.native.CheckIn(parts())).outcome


@dataclass(kw_only=True)
class Breaker(Client):
    """An administrator, who breaks check-outs now and then."""

    async def work(self, files: Sequence[str], calls: int) -> None:
        """Make so many calls, half of them breaks."""
        for _ in range(calls):
            await asyncio.sleep(self.random.expovariate(1 / 0.03))
            await self.call(self.random.choice(files), self.random.choice(["break", "get_lease"]))


def _number(value: Any) -> int:  # noqa: ANN401 - what comes with an answer
    return int(value)
