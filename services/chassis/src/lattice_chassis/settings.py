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

from pydantic import BeforeValidator, SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from lattice_chassis.server import DEFAULT_GRACE, DEFAULT_NOTICE

CONFIG_VARIABLE: Final = "LATTICE_CONFIG"
"""The environment variable that names the TOML file."""

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


class ServerSettings(BaseSettings):
    """What every server can be told. A service derives from it and names its section.

    `class FilesSettings(ServiceSettings, section="files")` reads `LATTICE_FILES_LISTEN` and the
    table `[files]`.
    """

    model_config = SettingsConfigDict(extra="forbid", env_prefix="LATTICE_", env_nested_delimiter="__")
    section: ClassVar[str] = ""

    listen: str = "127.0.0.1:0"
    """Where it serves: `host:port` or `unix:/path`; port 0 takes a free one."""
    admin: str | None = None
    """Where it answers channelz: `host:port` on the loopback; unset, nowhere."""
    reflection: bool = True
    """Whether clients may ask for the contracts."""
    grace: Duration = DEFAULT_GRACE
    """How long running calls may take to end when it stops."""
    notice: Duration = DEFAULT_NOTICE
    """How long it refuses new calls before it closes, so that balancers look elsewhere."""
    max_connection_age: Duration | None = None
    """After which clients must look up its addresses again; unset, never."""
    log_format: Literal["human", "json"] = "human"
    """Lines of log for people, or a JSON object a line."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """The least important lines that are written."""

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
