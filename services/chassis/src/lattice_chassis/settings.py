"""Settings of a service: the environment first, then its section of one TOML file, then the defaults.

The file is named by LATTICE_CONFIG and has one table a service; what a table says and no setting
knows is refused, so that a misspelt name does not go unnoticed. Nothing else reads the environment.
"""

import os
import re
import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PositiveInt, SecretStr, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from lattice_chassis.interceptors.patience import Patience
from lattice_chassis.interceptors.rate import Rate
from lattice_chassis.interceptors.streams import StreamQuotas
from lattice_chassis.interceptors.tracing import TraceCallers
from lattice_chassis.server import DEFAULT_GRACE, DEFAULT_NOTICE, DEFAULT_PATIENCE, DEFAULT_STREAMS
from lattice_chassis.transport import ServerTls

CONFIG_VARIABLE: Final = "LATTICE_CONFIG"
"""The environment variable that names the TOML file."""

TOKEN_LIFETIME: Final = timedelta(minutes=2)
"""How long a token lasts that a service signs for its peers, unless told."""

_FETCHED: Final = ("https", "http")

_LENGTH: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|min|h|d)")
_UNITS: Final = {
    "ms": timedelta(milliseconds=1),
    "s": timedelta(seconds=1),
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}


def _length_of(value: object) -> object:
    if isinstance(value, int | float):
        raise ValueError("a length of time is written with its unit, such as '30s'")  # noqa: TRY004 - pydantic's way
    match = _LENGTH.fullmatch(value.strip()) if isinstance(value, str) else None
    return value if match is None else float(match[1]) * _UNITS[match[2]]


Duration = Annotated[timedelta, BeforeValidator(_length_of)]
"""A length of time, written with its unit: `500ms`, `20s`, `30min`, `8h`, `7d`, or in ISO 8601."""

Length = Annotated[Duration, Field(gt=timedelta(0))]
"""A length of time that is more than none."""

PeerAddress = Annotated[str, Field(min_length=1)]
"""Where a peer listens, as gRPC dials it: `host:port`, `dns:///name:port` or `unix:/path`."""

ActorKind = Literal["user", "external_agent", "service", "agent"]
"""Whom a token may stand for: a person, an agent outside Lattice, a part of Lattice, the agent of a thread."""

Algorithm = Literal["ES256", "ES384", "ES512", "EdDSA", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]
"""How a token is signed: with a private key, never with a secret that whoever verifies would know too."""


class Issuer(BaseModel):
    """Who signs tokens that a server believes, and how far it is believed [SE-01]."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    issuer: str = Field(min_length=1)
    """What its tokens say in `iss`."""
    audience: str = Field(min_length=1)
    """What its tokens for this server say in `aud`."""
    jwks: str = Field(min_length=1)
    """Where its keys are, as a JSON Web Key Set: an https or http URL, or the path of a file."""
    kinds: frozenset[ActorKind] = Field(min_length=1)
    """For whom it may speak; the issuer of people never for agents, nor agent's own for people [MP-32]."""
    algorithms: frozenset[Algorithm] = Field(default=frozenset({"ES256", "EdDSA", "RS256"}), min_length=1)
    """The signatures that are taken from it."""
    tenants: frozenset[str] | None = None
    """The tenants for which it may speak, and then it makes nobody an operator; unset, every one."""
    longest: Annotated[Duration, Field(gt=timedelta(0))] = timedelta(days=1)
    """How far ahead the end of a token may lie; a delegation's never more than 5 minutes."""

    @field_validator("jwks")
    @classmethod
    def _fetchable(cls, value: str) -> str:
        if "://" not in value:
            return value
        url = urlsplit(value)
        if url.scheme not in _FETCHED or not url.hostname or url.username is not None or url.port == 0:
            raise ValueError("keys come from an https or http URL without a password, or from the path of a file")
        return value


class AuthSettings(BaseModel):
    """Whose tokens a server believes: `LATTICE_<SERVICE>_AUTH__…`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    issuers: tuple[Issuer, ...] = ()
    """A JSON list in the environment; none means development, where this machine's callers are believed."""
    clock_skew: Annotated[Duration, Field(ge=timedelta(0), le=timedelta(minutes=5))] = timedelta(seconds=30)
    """How far the clocks of issuers may be off."""
    keys_fresh: Annotated[Duration, Field(gt=timedelta(0))] = timedelta(minutes=5)
    """How long keys from a URL are used before it is asked again; also how soon a withdrawn key ends its tokens."""
    keys_kept: Annotated[Duration, Field(gt=timedelta(0))] = timedelta(hours=1)
    """How long keys go on where they cannot be read again; then every call is refused."""


class CredentialSettings(BaseModel):
    """How a server says who it is to its peers, and for whom it acts: `LATTICE_<SERVICE>_CREDENTIAL__…`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: Path
    """The private key, P-256 or Ed25519, as a PEM file without a password; read again once it changes."""
    key_id: str | None = None
    """The `kid` of its public half in the key set; unset, its thumbprint, as `lattice token keys` writes it.

    Where the key is exchanged without a restart it stays unset, for each key has a name of its own."""
    issuer: str = Field(min_length=1)
    """What peers know the server by."""
    audience: str = Field(min_length=1)
    """For whom the tokens are: what its peers have as `audience` of this issuer."""
    lifetime: Annotated[Duration, Field(ge=timedelta(seconds=1))] = TOKEN_LIFETIME
    """How long a token lasts; a delegation's never more than 5 minutes [SE-08]."""


class ServerSettings(BaseSettings):
    """What every server can be told. A service derives from it and names its section.

    `class FilesSettings(ServiceSettings, section="files")` reads `LATTICE_FILES_LISTEN` and the
    table `[files]`.
    """

    model_config = SettingsConfigDict(
        extra="forbid",
        env_prefix="LATTICE_",
        env_nested_delimiter="__",
        hide_input_in_errors=True,  # or what is told of a missing setting would quote the password beside it
    )
    section: ClassVar[str] = ""

    listen: str = "127.0.0.1:0"
    """Where it serves: `host:port` or `unix:/path`; port 0 takes a free one."""
    admin: str | None = None
    """Where it answers channelz: `host:port` on the loopback; unset, nowhere."""
    auth: AuthSettings = AuthSettings()
    """Whose tokens it believes; unless it names issuers, whoever calls from this machine is believed."""
    credential: CredentialSettings | None = None
    """How it says to its peers who calls; unset, as in development."""
    reflection: bool = True
    """Whether clients may ask for the contracts."""
    grace: Duration = DEFAULT_GRACE
    """How long running calls may take to end when it stops."""
    notice: Duration = DEFAULT_NOTICE
    """How long its health answers NOT_SERVING before it closes, so that balancers and clients look elsewhere."""
    max_connection_age: Duration | None = None
    """After which clients must look up its addresses again; unset, never."""
    rate: Rate | None = None
    """The calls of each tenant that one process takes, as `per_second` and `burst`; unset, any number [SE-06]."""
    stalled: Length = DEFAULT_PATIENCE.stalled
    """How long the client of a stream may send no message, or leave one untaken, before the call is ended [SE-11]."""
    transfer: Length = DEFAULT_PATIENCE.transfer
    """How long an upload or a download may take in all."""
    uploads: PositiveInt = DEFAULT_STREAMS.uploads
    """The uploads of each tenant that one process takes at once."""
    downloads: PositiveInt = DEFAULT_STREAMS.downloads
    """The downloads of each tenant."""
    watches: PositiveInt = DEFAULT_STREAMS.watches
    """The watches of each tenant."""
    trace_callers: TraceCallers = "adopt"
    """Whether the trace that a client names goes on here, or is linked to: `link` where strangers call [TR-03]."""
    log_format: Literal["human", "json"] = "human"
    """Lines of log for people, or a JSON object a line."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """The least important lines that are written."""

    @property
    def patience(self) -> Patience:
        """How long the client of a stream is waited for."""
        return Patience(stalled=self.stalled, transfer=self.transfer)

    @property
    def streams(self) -> StreamQuotas:
        """How many streams of each tenant are open at once."""
        return StreamQuotas(uploads=self.uploads, downloads=self.downloads, watches=self.watches)

    def __init_subclass__(cls, *, section: str = "", **settings: Any) -> None:  # noqa: ANN401 - pydantic's to interpret
        super().__init_subclass__(**settings)
        if section:
            cls.section = section
            cls.model_config["env_prefix"] = f"LATTICE_{section.upper()}_"

    @classmethod
    def read(cls) -> Self:
        """The settings of this process.

        Raises:
            pydantic.ValidationError: one is missing, malformed or unknown.
        """
        return cls.model_validate({})

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - no hidden file is read
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then the environment, then the section of the file."""
        return init_settings, env_settings, _FileSection(settings_cls, cls.section)


class ServiceSettings(ServerSettings):
    """What every service with a database of its own can be told."""

    database_url: SecretStr
    """Its database as its service role: `postgresql+aiopg://role:password@host/name`."""
    follower_database_url: SecretStr = SecretStr("")
    """The same as its follower role, which forgets old requests and, for agent, finds what a crash left; empty for
    neither [ID-03, RN-15]."""
    tls: ServerTls | None = None
    """How it shows who it is, and whose clients it takes; unset, nothing is encrypted."""
    health_port: str | None = None
    """Where health alone answers everybody without TLS, for probes that have none: `host:port`; unset, nowhere."""


class _FileSection(PydanticBaseSettingsSource):
    """One table of the TOML file that LATTICE_CONFIG names; nothing where no file is named."""

    def __init__(self, settings_cls: type[BaseSettings], section: str) -> None:
        super().__init__(settings_cls)
        named = os.environ.get(CONFIG_VARIABLE)
        tables = tomllib.loads(Path(named).read_text("utf-8")) if named else {}
        self._values: dict[str, Any] = tables.get(section, {})

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002
        """The value of one field; nested tables come as dictionaries already."""
        return self._values.get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        return self._values
