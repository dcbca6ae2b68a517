"""The keys that an issuer publishes: a JSON Web Key Set, read without trust in its every entry."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast, get_args

import jwt

from lattice_chassis.settings import Algorithm

MAX_KEY_SET_BYTES: Final = 256 * 1024
"""The largest key set that is read."""

_ALGORITHMS: Final[frozenset[str]] = frozenset(get_args(Algorithm))


class UnreadableKeys(Exception):
    """There is no key set where it should be, or none with a key that could verify anything."""


@dataclass(frozen=True)
class VerificationKey:
    """A public key; equal to another of the same content, whenever that was read."""

    content: str
    key: jwt.PyJWK = field(compare=False, repr=False)

    @property
    def algorithm(self) -> str:
        """The one algorithm that it verifies."""
        return self.key.algorithm_name


def parse_key_set(raw: bytes) -> Mapping[str, VerificationKey]:
    """The keys by their `kid`. What cannot be used is left out and takes no other away.

    Left out are keys without a `kid`, for encryption, of unknown kinds or weak, symmetric ones and
    private ones, which are nobody's secret once published. Of two with one `kid` the first counts.

    Raises:
        UnreadableKeys: the text is too large, is no key set, or has no key that can be used.
    """
    if len(raw) > MAX_KEY_SET_BYTES:
        raise UnreadableKeys(f"the key set exceeds {MAX_KEY_SET_BYTES} bytes")
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        raise UnreadableKeys("the key set is no JSON") from None
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise UnreadableKeys("the key set has no list of keys")
    keys: dict[str, VerificationKey] = {}
    for entry in entries:
        key = _usable(entry)
        if key is not None and key.key.key_id not in keys:
            keys[cast("str", key.key.key_id)] = key
    if not keys:
        raise UnreadableKeys("the key set has no key that can be used")
    return keys


def _usable(entry: object) -> VerificationKey | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("kid"), str) or "d" in entry:
        return None
    operations = entry.get("key_ops", ["verify"])
    if entry.get("use", "sig") != "sig" or not isinstance(operations, list) or "verify" not in operations:
        return None
    key = _parsed(entry)
    if key is None or key.algorithm_name not in _ALGORITHMS or key.Algorithm.check_key_length(key.key):
        return None
    return VerificationKey(json.dumps(entry, sort_keys=True), key)


def _parsed(entry: dict[str, Any]) -> jwt.PyJWK | None:
    try:
        return jwt.PyJWK(entry)
    except (jwt.PyJWTError, ValueError, TypeError, KeyError, AttributeError, OverflowError, NotImplementedError):
        return None  # what an unknown kind of key lacks or has too much of shows in many ways
