"""What the worker can be told, by LATTICE_WORDCRAFT_… or the table `[wordcraft]`."""

from datetime import timedelta

from lattice_chassis.settings import Duration, ServerSettings
from pydantic import Field

from lattice_wordcraft.rendering.choice import Choice


class WordCraftSettings(ServerSettings, section="wordcraft"):
    """The worker's settings. The address comes from whoever starts it."""

    engine_hosts: int = Field(default=1, ge=1, le=16)
    """How many documents the engine works on at a time; further ones wait."""
    jobs_per_host: int = Field(default=50, ge=1)
    """After how many documents an engine host is replaced, since its memory only grows."""
    memory_per_host: int = Field(default=512 * 2**20, ge=1)
    """Beyond how many bytes in memory an engine host is replaced once its document is done."""
    program_memory: int = Field(default=1536 * 2**20, ge=64 * 2**20)
    """Beyond how many bytes in memory an engine host or a renderer is killed at once."""
    program_file_bytes: int = Field(default=256 * 2**20, ge=64 * 2**20)
    """The largest file that an engine host or a renderer may write."""
    unconfined: bool = False
    """Whether the worker starts where this machine can confine no program: only where all documents are trusted."""
    job_time_limit: Duration = timedelta(seconds=18)
    """How long a job may take in all, from its bytes to its answer: less than files waits for one."""
    engine_time_limit: Duration = timedelta(seconds=18)
    """How long the engine may work on a document."""
    renderer: Choice = "auto"
    """What draws pages: `libreoffice`, `rdocx`, or `auto`, which is LibreOffice where it works and else rdocx."""
    page_time_limit: Duration = timedelta(seconds=18)
    """How long drawing a page may take, with waiting for a place."""
    drawing_programs: int = Field(default=2, ge=1, le=16)
    """How many programs draw at a time; further calls wait."""
    page_cache_bytes: int = Field(default=32 * 2**20, ge=0)
    """The most bytes of page images that are kept in memory, for the tenant they were drawn for."""
    pdf_cache_bytes: int = Field(default=64 * 2**20, ge=0)
    """The most bytes of PDFs that are kept in memory, likewise; only LibreOffice makes any."""
    max_file_bytes: int = Field(default=50 * 2**20, ge=1)
    """The largest file that is opened, in bytes."""
    macros: bool = False
    """Whether documents with macros are opened; macros are kept byte for byte and never run."""
