"""Where content lies: a folder for each process, which never outlives the next one's start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from lattice_files.adapters.spool import open_spool

HOLDER = """
import sys
from pathlib import Path
from lattice_files.adapters.spool import open_spool

with open_spool(Path(sys.argv[1])) as folder:
    (folder / "document").write_bytes(b"secret")
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_a_folder_is_private_and_gone_when_its_process_is_done(tmp_path: Path) -> None:
    """B-06: also the root, which is made with all above it."""
    root = tmp_path / "data" / "spool"
    with open_spool(root) as folder:
        (folder / "document").write_bytes(b"secret")
        assert {it.stat().st_mode & 0o777 for it in (root, folder)} == {0o700}
    assert not folder.exists()


def test_only_what_a_process_left_behind_is_removed(tmp_path: Path) -> None:
    """B-06: what a killed one had, never what one that lives has, nor what is none of ours."""
    (tmp_path / "others").mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        held = Path(holder.stdout.readline().strip())
        with open_spool(tmp_path):
            assert (held / "document").exists()
        holder.kill()
    assert (held / "document").exists()
    with open_spool(tmp_path) as folder:
        assert list(tmp_path.glob("p-*")) == [folder]
    assert (tmp_path / "others").exists()


def test_a_folder_without_a_lock_was_left_by_a_start_that_was_killed(tmp_path: Path) -> None:
    """B-06."""
    (tmp_path / "p-half").mkdir()
    with open_spool(tmp_path) as folder:
        assert list(tmp_path.glob("p-*")) == [folder]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder to somebody else")
def test_the_folder_of_another_user_is_no_spool(tmp_path: Path) -> None:
    """B-06: in a folder for temporary files anybody may have made it first."""
    os.chown(tmp_path, 12345, -1)
    with pytest.raises(PermissionError), open_spool(tmp_path):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a link to somebody else")
def test_a_link_that_another_user_made_is_no_spool(tmp_path: Path) -> None:
    """B-06: it may lead to a folder of this user's, whose content would pass for what a dead server left."""
    own, link = tmp_path / "own", tmp_path / "link"
    (own / "p-letters").mkdir(parents=True)
    link.symlink_to(own)
    os.lchown(link, 12345, -1)
    with pytest.raises(PermissionError), open_spool(link):
        pass
    assert (own / "p-letters").is_dir()
