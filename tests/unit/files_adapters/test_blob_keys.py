"""Where blobs lie: one place for each workspace, whatever its ids."""

import hashlib
from pathlib import PurePosixPath

from hypothesis import given
from hypothesis import strategies as st
from lattice_files.adapters.blob_store import key_of
from lattice_files.domain.workspaces import WorkspaceKey

DIGEST = hashlib.sha256(b"words").hexdigest()

ids = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="/", exclude_categories=["Cs"]), min_size=1, max_size=200),
    st.text("aA.=~_- 0", min_size=1, max_size=6),  # where ids collide if they can
)


@given(tenant=ids, workspace=ids)
def test_a_key_has_seven_segments_that_every_store_can_name(tenant: str, workspace: str) -> None:
    """B-02, VO-08."""
    segments = PurePosixPath(key_of(WorkspaceKey(tenant=tenant, workspace=workspace), DIGEST)).parts
    assert (segments[0], segments[2], segments[4:]) == ("tenants", "workspaces", ("blobs", DIGEST[:2], DIGEST))
    assert all(len(it) <= 200 and it.isascii() and it == it.lower() and it.strip(". ") for it in segments)


@given(one=ids, other=ids)
def test_two_workspaces_never_share_a_key(one: str, other: str) -> None:
    """B-02, X-08: also on file systems that do not tell upper case from lower."""
    keys = {key_of(WorkspaceKey(tenant=it, workspace="main"), DIGEST).lower() for it in (one, other)}
    assert len(keys) == len({one, other})
