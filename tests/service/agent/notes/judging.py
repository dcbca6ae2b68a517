"""Whether a thread was told what it had to be told, once everything has happened."""

import itertools
from collections import Counter

from artifactr.agent import load_history
from pydantic_ai.messages import ModelRequest
from service.agent.notes.expectations import expected, retained, told
from service.agent.notes.playing import Play


async def require_each_once(play: Play) -> None:
    """The history tells what it must, each fact once and in log order; and has each message once."""
    log = await play.alice.since(0)
    history = await load_history(play.alice, play.thread_id)
    facts = expected(log, play.thread_id, list(retained(log, play.thread_id, play.heads)))
    notes = told(history)
    was_told = Counter(itertools.chain.from_iterable(notes))
    assert {fact: count for fact, count in was_told.items() if count > 1} == {}, "told twice"
    assert sorted(facts.keys() - was_told) == [], "not told"
    assert sorted(was_told - Counter(facts)) == [], "told, but nothing of the kind"
    places = [[facts[fact] for fact in note] for note in notes]
    assert places == sorted(map(sorted, places)), "each note stands where its first fact does"
    requests = [str(message.parts) for message in history if isinstance(message, ModelRequest)]
    assert [sum(words in request for request in requests) for words in play.said] == [1] * len(play.said)
