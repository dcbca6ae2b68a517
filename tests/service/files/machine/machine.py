"""Commands in any order, by several actors in one workspace."""

from collections import Counter
from random import Random
from typing import ClassVar

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from service.files.machine.choices import Choices
from service.files.machine.commands import NOTE, TASK, Change, Command, Create, Replacements, Switch, Upload
from service.files.machine.stage import Stage


class Exploration(RuleBasedStateMachine):
    """Each step is compared with the model; which one it is, a number decides, so that steps can be left out."""

    stage: ClassVar[Stage]

    def __init__(self) -> None:
        super().__init__()
        self.play = self.stage.new_play()
        self.seen: Counter[int] = Counter()

    def do(self, command: Command) -> None:
        self.stage.wait_for(self.play.do(command))

    @initialize()
    def begin(self) -> None:
        self.do(Create(id="t1", kind=TASK, data={"name": "one"}))
        self.do(Create(id="n1", kind=NOTE, data={"text": "one two"}))
        self.do(Upload(id="f1", paragraphs=("one",)))
        self.do(Change(by="assistant", id="n1", base=1, patch=Replacements((("one", "three"),))))

    @rule(number=st.integers(min_value=0, max_value=2**64 - 1))
    def step(self, number: int) -> None:
        self.seen[number] += 1  # numbers are drawn again and again, which is to be another step each time
        random = Random(f"{number} {self.seen[number]}")  # noqa: S311 - nothing secret
        command = Choices(random, self.play).command()
        note(repr(command))
        self.do(command)

    @precondition(lambda self: not self.play.model.state.on)
    @rule()
    def switch_on(self) -> None:
        self.do(Switch(on=True))

    def teardown(self) -> None:
        self.stage.wait_for(self.play.end())
