"""Reads a switch as a boolean flag of OpenFeature, and says each time that it changes: `switches.py KEY WORKSPACE…`.

Where Lattice is, is told by the environment: LATTICE_INTEGRATIONS names an address, LATTICE_TLS the folder with the
certificates, LATTICE_TOKEN_CAROL the token of Carol. The changes that are told are those of the first workspace.
"""

import os
import queue
import sys
from pathlib import Path

import grpc
from openfeature import api
from openfeature.client import OpenFeatureClient
from openfeature.contrib.provider.flagd import FlagdProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.event import EventDetails, ProviderEvent


# region provide
def provide(address: str, token: str, tls: Path, workspace: str) -> OpenFeatureClient:
    """A client whose every call carries the token, and that hears of changes in the workspace, by its id."""
    transport = grpc.ssl_channel_credentials(
        root_certificates=(tls / "ca.pem").read_bytes(),
        private_key=(tls / "key.pem").read_bytes(),  # where the deployment asks clients for a certificate
        certificate_chain=(tls / "certificate.pem").read_bytes(),
    )
    caller = grpc.access_token_call_credentials(token)
    host, _, port = address.rpartition(":")
    provider = FlagdProvider(
        host=host,
        port=int(port),
        channel_credentials=grpc.composite_channel_credentials(transport, caller),
        selector=f"workspace={workspace}",
        deadline_ms=10_000,
    )
    api.set_provider_and_wait(provider)
    return api.get_client()


# endregion


# region read
def is_on(client: OpenFeatureClient, key: str, workspace: str) -> bool:
    """Whether an integration is on in a workspace, by its id; off where nobody can tell."""
    return client.get_boolean_value(key, False, EvaluationContext(attributes={"workspace": workspace}))


# endregion


def main() -> None:
    """Print how it stands in each workspace, and again after each change in the first one."""
    key, *workspaces = sys.argv[1:]
    address, token, tls = (os.environ[f"LATTICE_{it}"] for it in ("INTEGRATIONS", "TOKEN_CAROL", "TLS"))
    client = provide(address, token, Path(tls), workspaces[0])
    # region changes
    changed: queue.Queue[EventDetails] = queue.Queue()
    client.add_handler(ProviderEvent.PROVIDER_CONFIGURATION_CHANGED, changed.put)
    # endregion
    while True:
        for workspace in workspaces:
            print(f"{key} in {workspace}: {'on' if is_on(client, key, workspace) else 'off'}", flush=True)
        print("changed:", *changed.get().flags_changed or (), flush=True)


if __name__ == "__main__":
    main()
