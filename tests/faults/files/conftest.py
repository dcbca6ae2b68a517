"""The servers and people of the service's own tests."""

from service.files.conftest import (  # noqa: F401 - fixtures are found by their names
    _tenant_numbers,
    alice,
    assistant,
    blobs_url,
    bob,
    files_urls,
    integrations,
    integrations_settings,
    make_settings,
    rows,
    server,
    stored,
    tenant,
)
