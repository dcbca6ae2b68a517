"""What is asked of a database in somebody's name: the cost of a refusal, told without a clock."""

from collections.abc import Iterator
from contextlib import contextmanager

from lattice_chassis.identity import current_identity
from sqlalchemy import Engine, event


@contextmanager
def statements_for(participant: str) -> Iterator[list[str]]:
    """Collects the statements that any service in this process runs while it serves a participant, by its key."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        try:
            caller = current_identity().participant
        except LookupError:
            return  # nobody called
        if caller == participant:
            found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)
