"""Where a reader stands: tokens of pages, and cursors of watches.

A page token is opaque and carries a digest of the arguments it was given out for: the same list with other arguments
refuses it rather than skipping rows. It holds no secret and grants nothing, as rows are always read within the caller's
tenant. A cursor is a number in one unbroken history, whose epoch it names [SB-05, MP-22].
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from google.protobuf.message import Message

_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
"""A zero character, or half of a surrogate pair."""

_DIGEST_BYTES = 8


class PageTokenInvalid(Exception):  # named as the reason is
    """The page token is none of ours, or was given out for other arguments."""

    reason: ClassVar[str] = "PAGE_TOKEN_INVALID"

    def __str__(self) -> str:
        """The sentence that the caller reads."""
        return "the page token is not valid for these arguments; list again from the first page"


@dataclass(kw_only=True, eq=False)
class CursorReset(Exception):  # named as the reason is
    """The cursor is past the head or of another epoch: rebuild from a full replay [SB-05, MP-22]."""

    reason: ClassVar[str] = "CURSOR_RESET"
    epoch: str
    """The epoch that holds now, which may be `NEVER_WRITTEN`'s."""

    def __str__(self) -> str:
        """The sentence that the caller reads."""
        return "the cursor is not of this history; start again from the first event"


@dataclass(frozen=True, kw_only=True)
class Cursor:
    """A position: everything up to `sequence` in the history `epoch` has been seen; 0 means nothing yet."""

    epoch: str
    sequence: int


NEVER_WRITTEN: Final = Cursor(epoch="new", sequence=0)
"""The head of a sequence never written to, whose epoch comes with the first write [TN-02]."""


def sequence_after(cursor: Cursor | None, now: Cursor | None) -> int:
    """The number after which a watch goes on: 0 without a cursor.

    `now` is the head of the sequence, None the same as `NEVER_WRITTEN`. Raises CursorReset for a position that it does
    not contain. A position before the first event is good in every history, so that who began to watch an empty
    workspace is not sent back when the first write gives it its epoch.
    """
    if cursor is None or cursor.sequence == 0:
        return 0
    head = now or NEVER_WRITTEN
    if cursor.epoch != head.epoch or not 0 < cursor.sequence <= head.sequence:
        raise CursorReset(epoch=head.epoch)
    return cursor.sequence


def page_token(request: Message, position: Sequence[str | int]) -> str:
    """The token that continues the list `request` after `position`, the sort key of the last row sent."""
    held = json.dumps(list(position), separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(_digest(request) + held).rstrip(b"=").decode()


def position_of(request: Message, *kinds: type[str] | type[int]) -> tuple[str | int, ...] | None:
    """Where the page that `request` asks for begins: after this sort key, or None for the first page.

    `request` has a field `page_token`; `kinds` are the types of the sort key's parts. Raises PageTokenInvalid for a
    token not made by `page_token` for the same arguments; `page_size` may change from page to page.
    """
    token: str = request.page_token  # type: ignore[attr-defined]  # every list request has the field
    if not token:
        return None
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        position = json.loads(raw[_DIGEST_BYTES:])
    except (ValueError, RecursionError):  # binascii's and json's errors are ValueErrors
        raise PageTokenInvalid from None
    if raw[:_DIGEST_BYTES] != _digest(request) or not isinstance(position, list) or len(position) != len(kinds):
        raise PageTokenInvalid
    if not all(_storable(part, kind) for part, kind in zip(position, kinds, strict=True)):
        raise PageTokenInvalid
    return tuple(position)


def _storable(part: object, kind: type[str] | type[int]) -> bool:
    """Whether the database could hold this part of a sort key: a token that somebody made up must not fail in there."""
    if type(part) is not kind:
        return False
    if isinstance(part, int):
        return abs(part) < 1 << 63
    return not _UNSTORABLE.search(str(part))


def _digest(request: Message) -> bytes:
    arguments = type(request)()
    arguments.CopyFrom(request)
    for paging in ("page_token", "page_size"):
        arguments.ClearField(paging)
    name = request.DESCRIPTOR.full_name.encode()
    return hashlib.sha256(name + b"\0" + arguments.SerializeToString(deterministic=True)).digest()[:_DIGEST_BYTES]
