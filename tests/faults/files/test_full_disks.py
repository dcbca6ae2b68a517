"""Disks that are full: a real file system of 1 MiB under the spool, or under the blobs, of a server of its own."""

import os
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from service.files.conftest import MakeSettings
from service.files.people import Participant, document, participant, refused
from service.files.program import files_program

MOUNT: Final = 'mount -t tmpfs -o size=1m tmpfs "$1" && shift && exec "$@"'
TOO_LARGE: Final = document("One.", padding="x" * 3_000_000)


def serving_on_a_small_disk(folder: Path) -> Sequence[str]:
    """The command of a server to whom the folder is a file system of 1 MiB, which nobody else sees."""
    folder.mkdir()
    serve = [str(Path(sysconfig.get_path("scripts")) / "lattice-files"), "serve"]
    as_root = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["/usr/bin/unshare", "--mount", *as_root, "/bin/sh", "-c", MOUNT, "sh", str(folder), *serve]


async def test_an_upload_that_fills_the_spool_is_refused_and_the_next_one_finds_room(
    make_settings: MakeSettings, alice: Participant, tmp_path: Path
) -> None:
    """B-03, RJ-03: PEER_UNAVAILABLE, which is worth a repeat once others are done; nothing is left of it."""
    settings = make_settings(spool=tmp_path / "spool")
    async with (
        files_program(settings, tmp_path, serving_on_a_small_disk(settings.spool)) as program,
        participant(program.address, alice.identity, alice.workspace) as writer,
    ):
        refusal = await refused(writer.uploads(TOO_LARGE))
        assert (refusal.reason, refusal.metadata["peer"]) == ("PEER_UNAVAILABLE", "spool")
        assert await writer.feed() == []
        assert await writer.reads(await writer.has_file("Two.")) == "Two."
    assert "the spool" in (tmp_path / "files.log").read_text()


async def test_an_upload_that_fills_the_blob_store_is_refused_and_leaves_nothing_half_written(
    make_settings: MakeSettings, alice: Participant, tmp_path: Path
) -> None:
    """B-03: whole or not at all, on a full disk too; what is small still finds room."""
    blobs = tmp_path / "blobs"
    settings = make_settings(blobs_url=str(blobs), spool=tmp_path / "spool")
    async with (
        files_program(settings, tmp_path, serving_on_a_small_disk(blobs)) as program,
        participant(program.address, alice.identity, alice.workspace) as writer,
    ):
        refusal = await refused(writer.uploads(TOO_LARGE))
        assert (refusal.reason, refusal.metadata["peer"]) == ("PEER_UNAVAILABLE", "blobs")
        assert await writer.feed() == []
        seen_by_it = Path(f"/proc/{program.service.pid}/root") / blobs.relative_to("/")
        assert [it for it in seen_by_it.rglob("*") if it.is_file()] == []
        assert await writer.reads(await writer.has_file("Two.")) == "Two."
    assert "No space left on device" in (tmp_path / "files.log").read_text()
