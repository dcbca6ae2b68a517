"""The integrations that a deployment declares; nothing else can be asked for or switched [I-02, I-17]."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass

from lattice_integrations.domain.rejections import UnknownIntegration


@dataclass(frozen=True, kw_only=True)
class Integration:
    """A declared integration, such as a crafting app."""

    key: str
    """What it is asked for by, such as `files:wordcraft`."""
    title: str
    description: str = ""
    """What switching it off takes away, for people."""
    enabled_by_default: bool
    """The answer in a workspace where nobody set the switch [I-04]."""
    governed_kinds: tuple[str, ...] = ()
    """The kinds of artifacts whose writes ask for this key."""


class Registry:
    """All declared integrations, in the order of their declaration.

    Raises:
        ValueError: two of them share a key, or both govern one kind, so that no answer would be the right one.

    """

    def __init__(self, integrations: Iterable[Integration]) -> None:
        self._by_key: dict[str, Integration] = {}
        governed: dict[str, str] = {}
        for integration in integrations:
            if not integration.key:
                raise ValueError(f"the integration {integration.title!r} has no key")
            if integration.key in self._by_key:
                raise ValueError(f"the integration {integration.key} is declared twice")
            self._by_key[integration.key] = integration
            for kind in integration.governed_kinds:
                if governed.setdefault(kind, integration.key) != integration.key:
                    raise ValueError(f"{kind} is governed by {governed[kind]} and by {integration.key}")
        declared = repr([astuple(integration) for integration in self])
        self.digest = hashlib.sha256(declared.encode()).hexdigest()[:16]
        """Tells two registries apart: what one answered is no basis to go on from under the other."""

    def __getitem__(self, key: str) -> Integration:
        """The integration of this key; UnknownIntegration where none is declared [I-17]."""
        try:
            return self._by_key[key]
        except KeyError:
            raise UnknownIntegration(key=key) from None

    def __contains__(self, key: object) -> bool:
        return key in self._by_key

    def __iter__(self) -> Iterator[Integration]:
        return iter(self._by_key.values())
