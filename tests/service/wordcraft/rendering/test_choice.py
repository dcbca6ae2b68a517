"""Which renderer draws: decided when the worker starts, and part of the app's version."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice_wordcraft.main import EX_CONFIG
from lattice_wordcraft.rendering.cache import Cache
from lattice_wordcraft.rendering.choice import chosen
from lattice_wordcraft.rendering.jobs import Jobs
from lattice_wordcraft.rendering.libreoffice import LibreOffice, NoLibreOffice
from lattice_wordcraft.sandbox.rooms import Rooms
from service.wordcraft.rendering.conftest import PATIENCE
from service.wordcraft.worker import left_in, running_worker

pytestmark = pytest.mark.documents


@pytest.fixture
def jobs(rooms: Rooms) -> Jobs:
    return Jobs(rooms, size=1, time_limit=PATIENCE)


@pytest.fixture
def pdfs() -> Cache[bytes]:
    return Cache(len, tenant=lambda: "acme", max_bytes=0)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that alone is searched for LibreOffice."""
    monkeypatch.setattr("shutil.which", lambda name: str(tmp_path / name) if (tmp_path / name).exists() else None)
    return tmp_path


async def test_libreoffice_draws_where_it_is_installed(
    jobs: Jobs, pdfs: Cache[bytes], libreoffice: LibreOffice
) -> None:
    """N-15: nearest to Word."""
    assert (await chosen("auto", jobs, pdfs)).name == libreoffice.name
    assert libreoffice.name.removeprefix("libreoffice-")[0].isdigit()


async def test_rdocx_draws_where_libreoffice_is_missing(jobs: Jobs, pdfs: Cache[bytes], elsewhere: Path) -> None:
    """N-15: a clean machine renders too."""
    assert (await chosen("auto", jobs, pdfs)).name.startswith("rdocx-")


async def test_rdocx_draws_where_libreoffice_does_not_start(jobs: Jobs, pdfs: Cache[bytes], elsewhere: Path) -> None:
    """N-15: an installation that is not whole is none."""
    (elsewhere / "soffice").touch()
    assert (await chosen("auto", jobs, pdfs)).name.startswith("rdocx-")
    (elsewhere / "soffice.bin").write_text("no program")
    (elsewhere / "soffice.bin").chmod(0o755)
    assert (await chosen("auto", jobs, pdfs)).name.startswith("rdocx-")
    with pytest.raises(NoLibreOffice):
        await chosen("libreoffice", jobs, pdfs)


async def test_a_setting_chooses_rdocx_and_the_version_says_so(worker_command: list[str]) -> None:
    """B-01: images are cached by the version, so those of two renderers are never mixed up."""
    async with running_worker(worker_command, LATTICE_WORDCRAFT_RENDERER="rdocx") as worker:
        assert "+rdocx-" in (await worker.stub.Describe(app_pb.DescribeRequest())).version


async def test_a_worker_without_the_renderer_that_it_was_told_to_use_does_not_start(
    worker_command: list[str], tmp_path: Path
) -> None:
    """N-15: it would draw other pages than whoever set it expects."""
    for program in ("true", "bwrap"):
        (tmp_path / program).symlink_to(f"/usr/bin/{program}")
    with TemporaryDirectory(prefix="worker-") as name:
        environment = {
            "PATH": str(tmp_path),
            "HOME": name,
            "TMPDIR": name,
            "LATTICE_WORDCRAFT_UNCONFINED": "true",
            "LATTICE_WORDCRAFT_RENDERER": "libreoffice",
        }
        process = await asyncio.create_subprocess_exec(
            *worker_command, "--socket", str(Path(name, "app.sock")), env=environment, stderr=asyncio.subprocess.PIPE
        )
        _, told = await process.communicate()
        assert process.returncode == EX_CONFIG
        assert b"there is no soffice" in told
        assert left_in(name) == set()
