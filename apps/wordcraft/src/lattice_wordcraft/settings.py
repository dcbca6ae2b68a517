"""What the worker can be told, by LATTICE_WORDCRAFT_… or the table `[wordcraft]`."""

from datetime import timedelta

from lattice_chassis.settings import Duration, ServerSettings
from pydantic import Field


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
    page_time_limit: Duration = timedelta(seconds=18)
    """How long drawing a page may take."""
    max_file_bytes: int = Field(default=50 * 2**20, ge=1)
    """The largest file that is opened, in bytes."""
    macros: bool = False
    """Whether documents with macros are opened; macros are kept byte for byte and never run."""
