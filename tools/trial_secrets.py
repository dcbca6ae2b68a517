"""Make the passwords and keys of a trial: `python tools/trial_secrets.py FOLDER`, see deploy/README.md.

In the folder: `secrets.json` for kubectl, an environment file a service for Compose, and `people/key.pem`, with which
`lattice token issue` signs tokens for people. They are for trials: a deployment with data has an identity provider, and
keeps its secrets where it keeps others.
"""

import json
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

from lattice_cli.token_commands import KEY_FILE, KEY_SET_FILE, make_keys

SERVICES = ("integrations", "files", "agent")
ROLES = ("owner", "service", "follower")
SIGNERS = ("people", "files", "agent")


def main(folder: Path) -> None:
    """Make them; FileExistsError where there are some."""
    folder.mkdir(mode=0o700)
    for signer in SIGNERS:
        make_keys(folder / signer)
    passwords = {(service, role): secrets.token_hex(16) for service in SERVICES for role in ROLES}
    made = secrets_of(passwords, folder)
    listed = [
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "stringData": data}
        for name, data in made.items()
    ]
    (folder / "secrets.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": listed}, indent=2))
    _environment(folder / "postgres.env", made["postgres"])
    for service in SERVICES:
        urls, prefix = made[f"{service}-database"], f"LATTICE_{service.upper()}"
        _environment(folder / f"{service}-migration.env", {f"{prefix}_DATABASE_URL": urls["owner-url"]})
        roles = {"_DATABASE_URL": "service-url", "_FOLLOWER_DATABASE_URL": "follower-url"}
        _environment(folder / f"{service}.env", {f"{prefix}{name}": urls[role] for name, role in roles.items()})
    for signer in SIGNERS:
        # Readable by the users of the containers; the folder above is its owner's alone.
        (folder / f"{signer}.json").write_text((folder / signer / KEY_SET_FILE).read_text())
        if signer != "people":
            key = folder / f"{signer}.pem"
            key.write_text((folder / signer / KEY_FILE).read_text())
            key.chmod(0o644)


def secrets_of(passwords: Mapping[tuple[str, str], str], folder: Path) -> dict[str, dict[str, str]]:
    """The secrets of the trial overlay, by name, with their keys."""
    made = {
        f"{service}-database": {
            f"{role}-url": f"postgresql+aiopg://{service}_{role}:{passwords[service, role]}@postgres/{service}"
            for role in ROLES
        }
        for service in SERVICES
    }
    named = {f"{service}_{role}_PASSWORD".upper(): word for (service, role), word in passwords.items()}
    made["postgres"] = {"POSTGRES_PASSWORD": secrets.token_hex(16), **named}
    made["issuer-keys"] = {f"{signer}.json": (folder / signer / KEY_SET_FILE).read_text() for signer in SIGNERS}
    made |= {f"{signer}-key": {KEY_FILE: (folder / signer / KEY_FILE).read_text()} for signer in ("files", "agent")}
    return made


def _environment(path: Path, variables: Mapping[str, str]) -> None:
    path.write_text("".join(f"{name}={value}\n" for name, value in variables.items()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
