"""The keys of one issuer as they are kept: fresh, getting old, or too old to believe [SE-01]."""

import asyncio
import logging
from collections.abc import Callable, Hashable, Mapping
from datetime import timedelta
from typing import Final

from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.tokens.key_set import UnreadableKeys, VerificationKey, parse_key_set
from lattice_chassis.tokens.key_sources import KeySource

LOOK_AGAIN_SECONDS: Final = 10.0
"""How often at most keys are read again while there are some."""

RETRY_SECONDS: Final = 1.0
"""How often at most they are read while there are none that could be believed."""

IDENTITY_PROVIDER: Final = "identity provider"
"""The peer that is named where keys cannot be had."""

_log: Final = logging.getLogger("lattice.tokens")


class IssuerKeys:
    """Finds the keys of an issuer. All that need them read at once share one reading.

    Keys are fresh for `fresh`; then they are read again while calls go on with those that are kept.
    Where that fails they go on until `kept` has passed since they were last seen to be right. A file
    is fresh as long as it does not change, and read at once when it does.
    """

    def __init__(
        self, issuer: str, source: KeySource, *, fresh: timedelta, kept: timedelta, elapsed: Callable[[], float]
    ) -> None:
        self._issuer = issuer
        self._source = source
        self._fresh = fresh.total_seconds()
        self._kept = kept.total_seconds()
        self._elapsed = elapsed
        self._keys: Mapping[str, VerificationKey] = {}
        self._keys_state: Hashable | None = None
        self._seen = float("-inf")
        """When the keys were last known to be those that the issuer has."""
        self._looked = float("-inf")
        self._looked_state: Hashable | None = None
        self._failed = False
        self._reading: asyncio.Task[None] | None = None

    async def find(self, key_id: str) -> VerificationKey | None:
        """The key, or None where the issuer has none by that id.

        An id that is not known makes it look again, at most once in LOOK_AGAIN_SECONDS.

        Raises:
            PeerUnavailable: whether it has cannot be told, since its keys cannot be read.
        """
        await self._refresh()
        if self._age() > self._kept:
            raise PeerUnavailable(peer=IDENTITY_PROVIDER)
        if key_id not in self._keys and self._may_look(LOOK_AGAIN_SECONDS):
            await self._look()
        key = self._keys.get(key_id)
        if key is None and self._failed:
            raise PeerUnavailable(peer=IDENTITY_PROVIDER)
        return key

    async def _refresh(self) -> None:
        """Make the keys as fresh as they need be, waiting where those that are kept will not do."""
        state = self._source.state()
        if state is not None and state == self._keys_state:
            self._seen = self._elapsed()
        age = self._age()
        if state is not None and state != self._looked_state:
            await self._look()
        elif age > self._kept:
            if self._may_look(RETRY_SECONDS):
                await self._look()
        elif age > self._fresh and self._may_look(LOOK_AGAIN_SECONDS):
            looking = self._begin_to_look()
            if age > 2 * self._fresh and not self._failed:  # nobody has called for long: a key may be gone since
                await asyncio.shield(looking)

    def _age(self) -> float:
        return self._elapsed() - self._seen

    def _may_look(self, pause: float) -> bool:
        return self._reading is not None or self._elapsed() - self._looked >= pause

    async def _look(self) -> None:
        # Whoever asks may be cancelled, which must not end what others wait for.
        await asyncio.shield(self._begin_to_look())

    def _begin_to_look(self) -> asyncio.Task[None]:
        if self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._read())
        return self._reading

    async def _read(self) -> None:
        state = self._source.state()
        self._looked, self._looked_state = self._elapsed(), state
        try:
            self._keys = parse_key_set(await self._source.read())
            self._keys_state, self._seen, self._failed = state, self._looked, False
        except UnreadableKeys as error:
            self._failed = True
            _log.warning("the keys of %s cannot be read: %s", self._issuer, error)
        finally:
            self._reading = None
