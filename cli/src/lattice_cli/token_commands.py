"""`lattice token …`: keys and tokens by hand, to try a deployment that has no identity provider."""

import json
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from lattice.type.v1.actor_pb2 import Actor, ExternalAgentActor, SystemActor, UserActor
from lattice_chassis.identity import Identity
from lattice_chassis.settings import Duration
from lattice_chassis.tokens import TokenSigner
from pydantic import TypeAdapter, ValidationError
from rich.text import Text

from lattice_cli.invocation import invocation_of

KEY_FILE: Final = "key.pem"
KEY_SET_FILE: Final = "jwks.json"
DEFAULT_ISSUER: Final = "lattice-token"
DEFAULT_AUDIENCE: Final = "lattice"

_ONLY_ITS_OWNER: Final = 0o600

app = typer.Typer(no_args_is_help=True, help="Make keys and tokens, to try a deployment without an identity provider.")


class Kind(StrEnum):
    """Whom a token may stand for that is made by hand: an agent's is made by its service alone."""

    USER = "user"
    EXTERNAL_AGENT = "external_agent"
    SERVICE = "service"


def length_of(value: str) -> timedelta:
    """A length of time, written as settings are.

    Raises:
        typer.BadParameter: it is none, or is less than a second.
    """
    try:
        length: timedelta = TypeAdapter[timedelta](Duration).validate_python(value)
    except ValidationError:
        raise typer.BadParameter("give a length of time with its unit, such as 30min or 8h") from None
    if length < timedelta(seconds=1):
        raise typer.BadParameter("a token lasts for a second at least")
    return length


def make_keys(folder: Path) -> tuple[Path, Path, str]:
    """Make a key pair in a folder: the file that signs, the key set for who shall believe it, and the key's id.

    Raises:
        FileExistsError: there is a key, which may sign already.
    """
    key = generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = TokenSigner(key, issuer=DEFAULT_ISSUER, audience=DEFAULT_AUDIENCE).public_key
    folder.mkdir(parents=True, exist_ok=True)
    private_file, key_set_file = folder / KEY_FILE, folder / KEY_SET_FILE
    private_file.touch(_ONLY_ITS_OWNER, exist_ok=False)
    private_file.write_bytes(key)
    key_set_file.write_text(json.dumps({"keys": [public]}, indent=2) + "\n")
    return private_file, key_set_file, public["kid"]


@app.command()
def keys(context: typer.Context, folder: Path) -> None:
    """Make a key pair: key.pem, which signs, and jwks.json, for the servers that shall believe it."""
    invocation = invocation_of(context)
    private_file, key_set_file, key_id = make_keys(folder)
    if invocation.as_json:
        typer.echo(json.dumps({"key": str(private_file), "jwks": str(key_set_file), "key_id": key_id}))
    else:
        told = f"{private_file} signs: keep it to yourself. {key_set_file} is for the servers that shall believe it."
        invocation.console.print(Text(told), soft_wrap=True)


@app.command()
def issue(  # noqa: PLR0913, PLR0917 - one an option, each with its default
    context: typer.Context,
    key: Annotated[Path, typer.Option(help="The private key, as `lattice token keys` makes it.")],
    tenant: Annotated[str | None, typer.Option(help="Whose it is; unless given, that before the verb.")] = None,
    user: Annotated[str | None, typer.Option(help="Who calls; unless given, who is named before the verb.")] = None,
    name: Annotated[str, typer.Option(help="The name to show.")] = "",
    kind: Annotated[Kind, typer.Option(help="What the caller is.")] = Kind.USER,
    role: Annotated[list[str] | None, typer.Option(help="`editor`, or `launch/editor` in one workspace.")] = None,
    issuer: Annotated[str, typer.Option(help="What servers know the key by.")] = DEFAULT_ISSUER,
    audience: Annotated[str, typer.Option(help="For which servers.")] = DEFAULT_AUDIENCE,
    key_id: Annotated[str | None, typer.Option(help="Unless given, the key's thumbprint.")] = None,
    lasting: Annotated[str, typer.Option(help="How long, such as 30min or 8h.")] = "1h",
) -> None:
    """Print a token, as `authorization: Bearer …` wants it."""
    invocation = invocation_of(context)
    lifetime = length_of(lasting)
    caller = user or invocation.person.user
    actor = {
        Kind.USER: Actor(user=UserActor(id=caller, name=name)),
        Kind.EXTERNAL_AGENT: Actor(external_agent=ExternalAgentActor(client_id=caller, name=name)),
        Kind.SERVICE: Actor(system=SystemActor(name=caller)),
    }[kind]
    identity = Identity(tenant=tenant or invocation.person.tenant, actor=actor, roles=frozenset(role or ()))
    try:
        signer = TokenSigner(key.read_bytes(), issuer=issuer, audience=audience, key_id=key_id, lifetime=lifetime)
        token = signer.sign(identity)
    except ValueError as error:
        invocation.refuse(f"{key}: {error}")
    typer.echo(json.dumps({"token": token.text}) if invocation.as_json else token.text)
