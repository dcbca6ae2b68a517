"""The service and the model, asked the same."""

import copy
import dataclasses
import itertools
from collections import Counter

from service.files.machine.commands import Answer, CheckIn, Command, Edit, Refused, Switch, Upload, Write, agrees
from service.files.machine.model import Model
from service.files.machine.service import Service
from service.files.machine.standing import Disagreement, Standing


class Play:
    """One workspace, in the service and in the model."""

    def __init__(self, service: Service, told: Counter[tuple[str, str]]) -> None:
        self.model = Model()
        self.told = told
        """How often each command was answered how, in all plays of a stage."""
        self._service = service
        self._standing = Standing(service, self.model.state)
        self._numbers = itertools.count(1)
        self.repeatable: list[Command] = []
        """What was asked so far, each as a repeat would ask it again."""

    async def do(self, command: Command) -> Answer:
        """Ask both, and compare their answers and what stands afterwards; the answer is the service's.

        Raises:
            Disagreement: they differ.
        """
        command = self._numbered(command)
        found, expected = await self._both(command)
        if not agrees(found, expected):
            raise Disagreement(f"{command}: the service answers {found}, the model {expected}")
        told = ", ".join(found.reasons) if isinstance(found, Refused) else type(found).__name__
        self.told[type(command).__name__, told] += 1
        await self._standing.compare(all_of_it=not isinstance(found, Refused))
        return found

    async def end(self) -> None:
        """Compare all that ever was."""
        await self._standing.compare_all()

    def _numbered(self, command: Command) -> Command:
        """The command with a request id, and with the id of the proposal that it may become."""
        if not command.request:
            command = dataclasses.replace(command, request=next(self._numbers))
            if not isinstance(command, Switch):  # its revision moved on
                self.repeatable.append(_undisturbed(command))
        if isinstance(command, Write) and not command.proposal:
            command = dataclasses.replace(command, proposal=f"p{command.request}")
        return command

    async def _both(self, command: Command) -> tuple[Answer, Answer]:
        if not (isinstance(command, Upload | CheckIn) and command.meanwhile):
            found = await self._service.perform(command)
            return found, self.model.perform(command)
        early = copy.deepcopy(self.model).perform(command)

        async def meanwhile() -> None:
            if isinstance(early, Refused):
                raise Disagreement(f"{command}: the service waits for the content, the model says {early}")
            for each in command.meanwhile:
                await self.do(each)

        found = await self._service.perform(command, meanwhile)
        return found, early if isinstance(early, Refused) else self.model.perform(command)


def _undisturbed(command: Command) -> Command:
    """The same call, with nothing else happening meanwhile."""
    match command:
        case Upload() | CheckIn():
            return dataclasses.replace(command, meanwhile=())
        case Edit():
            return dataclasses.replace(command, switched_off=False, lapses=False)
        case _:
            return command
