"""The audit log: who did what an administrator answers for, and who was refused for lack of identity or permission.

One line of the logger `lattice.audit` a call: time and trace as in every line, tenant, participant, on whose behalf,
from where, method, resource, outcome and reason. No token, no argument and no text of a document is ever in it.
"""

import logging
from functools import lru_cache
from typing import Final

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.message import Message
from lattice.type.v1 import audit_pb2

from lattice_chassis.errors import reason_of
from lattice_chassis.interceptors.chain import Interceptor, Proceed, ServerCall
from lattice_chassis.interceptors.resources import names_in

_log: Final = logging.getLogger("lattice.audit")

MAX_RESOURCE: Final = 1000
"""Characters that a name may have on record, more than any that has its shape."""

_REFUSALS: Final = frozenset({"FORBIDDEN", "UNAUTHENTICATED"})


class Audit(Interceptor):
    """Put on record each call of a method whose contract says so, and each refusal by identity or permission.

    It stands inside of what turns errors into statuses: a refusal is on record before its caller hears of it.
    """

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the rest, and note its end if that has to be on record."""
        ended_by: BaseException | None = None
        try:
            return await proceed()
        except BaseException as error:
            ended_by = error
            raise
        finally:
            reason = _reason(call, ended_by)
            if _is_refused(call, reason) or is_audited(call.method):
                _note(call, reason)

    async def opened(self, call: ServerCall, message: Message) -> None:
        """Note the resource that the call is about: the first one that its first message names.

        Its shape is checked later, if at all: a name may be as long as a message.
        """
        named = next(iter(names_in(call, message)), None)
        call.resource = None if named is None else named[:MAX_RESOURCE]


@lru_cache(maxsize=512)  # bounded, for callers may ask for methods that do not exist
def is_audited(method: str) -> bool:
    """Whether the contract of a method, named as in `ServerCall`, wants every call of it on record."""
    try:
        found = descriptor_pool.Default().FindMethodByName(method.replace("/", "."))
    except KeyError:
        return False
    return bool(found.GetOptions().Extensions[audit_pb2.audited])


def _reason(call: ServerCall, ended_by: BaseException | None) -> str | None:
    """The reason with which a call ends, or its status where nobody gave one; None for success."""
    if ended_by is None:
        return None
    is_mapped = isinstance(ended_by, Exception) and not isinstance(ended_by, grpc.aio.AbortError)
    return reason_of(ended_by) if is_mapped else call.code(ended_by).name


def _is_refused(call: ServerCall, reason: str | None) -> bool:
    """Whether the caller was kept out; one whose token ended in the middle of a watch was let in by it."""
    return reason in _REFUSALS and (reason != "UNAUTHENTICATED" or call.identity is None)


def _note(call: ServerCall, reason: str | None) -> None:
    caller = call.identity
    fields = {
        "tenant": caller.tenant if caller else None,
        "participant": caller.participant if caller else None,
        "on_behalf_of": caller.on_behalf_of.participant if caller and caller.on_behalf_of else None,
        "peer": call.context.peer(),
        "rpc_method": call.method,
        "resource": call.resource,
        "outcome": "succeeded" if reason is None else "refused" if reason in _REFUSALS else "failed",
        "reason": reason,
    }
    told = ", ".join(f"{name} {value!r}" for name, value in fields.items() if value is not None)
    _log.info("audit: %s", told, extra=fields)
