"""Who shows certificates in these tests, and which."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme
from lattice_chassis.transport import ChannelTls, ServerTls

HERE = "127.0.0.1"
DAY = timedelta(days=1)
NOW = datetime.now(UTC)

Validity = tuple[datetime, datetime]
EXPIRED: Validity = (NOW - 2 * DAY, NOW - DAY)
NOT_YET: Validity = (NOW + DAY, NOW + 2 * DAY)


@dataclass
class Party:
    """Somebody who shows certificates of one CA, and the folder where they lie."""

    folder: Path
    ca: trustme.CA = field(default_factory=trustme.CA)

    def __post_init__(self) -> None:
        self.folder.mkdir()
        self.show(HERE)

    @property
    def trusted(self) -> Path:
        """Whose certificates it believes."""
        return self.folder / "trusted.pem"

    @property
    def certificate(self) -> Path:
        return self.folder / "certificate.pem"

    @property
    def key(self) -> Path:
        return self.folder / "key.pem"

    def show(self, *names: str, when: Validity | None = None) -> None:
        """Show another certificate from now on."""
        begin, end = when or (None, None)
        shown = self.ca.issue_cert(*names, not_before=begin, not_after=end)
        self.certificate.write_bytes(b"".join(it.bytes() for it in shown.cert_chain_pems))
        self.key.write_bytes(shown.private_key_pem.bytes())

    def trust(self, *others: "Party") -> None:
        """Believe the certificates of these from now on."""
        self.trusted.write_bytes(b"".join(it.ca.cert_pem.bytes() for it in others))

    def serving(self, *, mutual: bool = True) -> ServerTls:
        return ServerTls(certificate=self.certificate, key=self.key, client_ca=self.trusted if mutual else None)

    def calling(self) -> ChannelTls:
        return ChannelTls(ca=self.trusted, certificate=self.certificate, key=self.key)

    def calling_unnamed(self) -> ChannelTls:
        return ChannelTls(ca=self.trusted)
