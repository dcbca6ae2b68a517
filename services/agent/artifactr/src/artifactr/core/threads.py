"""Threads and their messages: what a command does to a thread, and which turn comes next [TH-01 to TH-10]."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from artifactr.core.actors import Actor, Principal
from artifactr.core.events import FocusChanged, ThreadMode, ThreadModeChanged
from artifactr.core.rejections import ValidationFailed
from artifactr.core.runs import Run

MAX_TITLE: Final = 200
"""Characters of the longest title."""
MAX_AGENT_NAME: Final = 200
"""Characters of the longest name of an agent."""


@dataclass(frozen=True, kw_only=True)
class Thread:
    """A chat with one agent [TH-01].

    `agent_name` is that agent's for good, empty where the thread was created without one [TH-13]. `taken` is the log
    position up to which its messages have been taken by turns [TH-08]; `notes_through` the one up to which every note
    is inside the saved history [CN-13]; `active_run_id` is empty while nothing runs or is paused.
    """

    id: str
    title: str
    agent_name: str = ""
    mode: ThreadMode = ThreadMode.EDIT
    focus: tuple[str, ...] = ()
    active_run_id: str = ""
    taken: int = 0
    notes_through: int = 0


@dataclass(frozen=True, kw_only=True)
class Message:
    """A message on the log; a run that begins with it works for `principal` [SE-08].

    `traceparent` names the span that posted it, empty where that was not traced.
    """

    id: str
    thread_id: str
    content: str
    actor: Actor
    log_sequence: int
    principal: Principal
    traceparent: str = ""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """The right to run the agent of a thread, until `expires_at` by the database's clock [RN-08 to RN-11].

    `token` only grows; under it this claim's run writes to files [MP-21].
    """

    thread_id: str
    holder: str
    token: int
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """The next turn is a new run with this message as its prompt."""

    message: Message


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The next turn resumes a paused run; the message, unless None, answers what is open [TH-04, PA-06]."""

    run: Run
    message: Message | None


@dataclass(frozen=True, kw_only=True)
class Stop:
    """The next turn ends a paused run that was asked to stop [RN-02, RN-16]."""

    run: Run


Turn = Prompt | Reply | Stop


def created(thread_id: str, title: str, agent_name: str = "") -> Thread:
    """A new thread; raises ValidationFailed for a title blank or too long, or a name that no agent can have."""
    errors = []
    if not title.strip() or len(title) > MAX_TITLE:
        errors.append(f"title: needs 1 to {MAX_TITLE} characters")
    if agent_name and not can_name_an_agent(agent_name):
        errors.append(f"agent_name: needs 1 to {MAX_AGENT_NAME} characters, none of them NUL")
    if errors:
        raise ValidationFailed(errors=tuple(errors))
    return Thread(id=thread_id, title=title, agent_name=agent_name)


def can_name_an_agent(name: str) -> bool:
    """Whether an agent can have this name: one that is not blank, not too long, and that the database can hold."""
    return bool(name.strip()) and len(name) <= MAX_AGENT_NAME and "\0" not in name


def with_mode(thread: Thread, mode: ThreadMode) -> tuple[Thread, ThreadModeChanged | None]:
    """The thread in a mode, and the event, None where it was in it already [CM-05]."""
    if thread.mode is mode:
        return thread, None
    return replace(thread, mode=mode), ThreadModeChanged(thread_id=thread.id, mode=mode)


def with_focus(thread: Thread, artifact_ids: Sequence[str]) -> tuple[Thread, FocusChanged | None]:
    """The thread with a focus, repeats dropped, and the event, None where the focus was the same [CM-04]."""
    focus = tuple(dict.fromkeys(artifact_ids))
    if thread.focus == focus:
        return thread, None
    return replace(thread, focus=focus), FocusChanged(thread_id=thread.id, artifact_ids=focus)


def next_turn(paused: Run | None, waiting: Message | None, *, stop: bool = False) -> Turn | None:
    """What the next turn of a thread is, None for nothing to do [TH-04, TH-08].

    `paused` is its paused run, and `stop` whether that was asked to stop; `waiting` is the oldest message that no turn
    has taken. Whoever asks holds the thread's claim and has recorded abandoned runs as such [RN-13].
    """
    if paused is None:
        return Prompt(message=waiting) if waiting is not None else None
    if stop:
        return Stop(run=paused)
    if not paused.open_requests:
        return Reply(run=paused, message=None)
    return Reply(run=paused, message=waiting) if waiting is not None else None
