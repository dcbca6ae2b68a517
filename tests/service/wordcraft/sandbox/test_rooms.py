"""What is taken out of a room once its programs have ended."""

import os
from pathlib import Path

import pytest
from lattice_wordcraft.sandbox.confinement import Unconfined
from lattice_wordcraft.sandbox.rooms import Rooms

pytestmark = pytest.mark.documents


def test_only_a_plain_file_of_the_room_is_taken(tmp_path: Path) -> None:
    """SE-07: a program may leave a link to what it could not read itself, or a pipe that never ends."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    with Rooms(confinement=Unconfined(), folder=tmp_path).room() as room:
        room.put("kept/answer", b"12345")
        (room.path / "link").symlink_to(secret)
        os.mkfifo(room.path / "pipe")
        assert room.take("kept/answer", limit=5) == b"12345"
        assert [room.take(name, limit=5) for name in ("link", "pipe", "kept", "missing")] == [None] * 4
        assert room.take("kept/answer", limit=4) is None
    assert not room.path.exists()
