"""What the service can be told: `LATTICE_FILES_…` or the table `[files]`."""

import shutil
import sys
from pathlib import Path
from typing import Final

from lattice_chassis.postgres.listen import POLL
from lattice_chassis.settings import Length, PeerAddress, ServiceSettings
from lattice_chassis.transport import ChannelTls
from pydantic import BaseModel, ConfigDict, Field, PositiveInt

from lattice_files.adapters.integrations import CHECK_LIMIT
from lattice_files.adapters.spool import default_root
from lattice_files.adapters.worker_answers import AnswerLimits
from lattice_files.adapters.worker_pool import PoolLimits
from lattice_files.adapters.worker_process import AppProgram
from lattice_files.domain.limits import Limits
from lattice_files.domain.policies import WritePolicy
from lattice_files.service.feed import WatchLimits

_LIMITS: Final = Limits()
_POOL: Final = PoolLimits()
_WATCH: Final = WatchLimits()


class AppSettings(BaseModel):
    """An app of the deployment."""

    model_config = ConfigDict(extra="forbid")

    name: str
    """What the app calls itself, such as `wordcraft`; another app behind the command stops the start."""
    command: tuple[str, ...] = Field(min_length=1)
    """The worker's program and arguments; a bare name is looked for beside this Python, then on the path."""

    def program(self) -> AppProgram:
        """How its workers are started."""
        name, *arguments = self.command
        beside = shutil.which(name, path=str(Path(sys.executable).parent))
        return AppProgram(command=(beside or name, *arguments))


WORDCRAFT: Final = AppSettings(name="wordcraft", command=("lattice-wordcraft",))
"""The first app [I-02]."""


class FilesSettings(ServiceSettings, section="files"):
    """Settings of the files service."""

    blobs_url: str
    """Where blobs are kept: `file://`, `s3://`, `gs://`, `az://`, or the path of a folder."""
    integrations: PeerAddress | None = None
    """The address of integrations; unset, every app is on in every workspace."""
    integrations_limit: Length = CHECK_LIMIT
    """How long a write waits for the answer of integrations before it is refused [MP-33]."""
    peer_tls: ChannelTls | None = None
    """What integrations must show to be believed, and what is shown to it; unset, all goes plainly."""
    apps: tuple[AppSettings, ...] = (WORDCRAFT,)
    """The apps whose workers this service starts."""
    app_slots: PositiveInt = _POOL.slots
    """How many calls each app serves at once."""
    app_start_limit: Length = _POOL.start_limit
    """How long a worker may take from its start until it describes its app."""
    app_time_limit: Length = _POOL.call_limit
    """How long one call to an app may take."""
    spool: Path = Field(default_factory=default_root)
    """Where content lies while a call needs it: a folder that is made if need be, and that servers may share."""
    write_policies: dict[str, WritePolicy] = Field(default_factory=dict)
    """What agents' writes of native kinds become: `direct`, as for kinds not named, or `propose`."""
    kinds: frozenset[str] | None = None
    """The kinds that may be created; unset, any that is registered or that an app serves."""
    agents_accept: bool = False
    """Whether agents may accept proposals of changes that policy makes them propose."""
    file_bytes: PositiveInt = _LIMITS.file_bytes
    """The largest file, in bytes, whether it is sent or an app makes it."""
    storage_quota: PositiveInt | None = _LIMITS.storage_quota
    """The most bytes that a tenant's files may take up with all their versions; unset, any number [SE-06]."""
    spool_quota: PositiveInt = _LIMITS.spool_quota
    """The most bytes that the calls of one tenant may have one process spool at once; a largest file must fit."""
    batch_commands: PositiveInt = _LIMITS.batch_commands
    """The most commands of one edit."""
    batch_bytes: PositiveInt = _LIMITS.batch_bytes
    """The most bytes that the arguments of one edit may take together."""
    check_out: Length = _LIMITS.check_out
    """How long a check-out lasts, and from when it is extended."""
    check_out_total: Length = _LIMITS.check_out_total
    """How long one check-out may last with all its extensions."""
    late_check_in: Length = _LIMITS.late_check_in
    """How long after its end a check-out may still be checked in."""
    edit: Length = _LIMITS.edit
    """How long one edit may take in all."""
    edit_lease: Length = _LIMITS.edit_lease
    """How long an edit's lease lasts should it never be released; more than `edit`."""
    commit: Length = _LIMITS.commit
    """How long one transaction may take, its wait for the workspace included."""
    slot: Length = _LIMITS.slot
    """How long a call waits for a free worker."""
    collection_grace: Length = _LIMITS.collection_grace
    """How long a blob stays that nothing names; a write that takes longer than that is refused."""
    watch_page: PositiveInt = _WATCH.page
    """Changes that a watch reads at once."""
    watch_backlog: PositiveInt = _WATCH.backlog
    """Changes that may wait for the reader of a watch before it is cut off."""
    watch_progress: Length = _WATCH.progress
    """After how long without a change a watch sends a mark."""
    watch_poll: Length = POLL
    """After how long a watch looks for changes without having been told of any."""

    def limits(self) -> Limits:
        """The figures; ValueError where they contradict each other."""
        return Limits(**{name: getattr(self, name) for name in vars(_LIMITS)})

    def watch_limits(self) -> WatchLimits:
        """How watches behave."""
        return WatchLimits(page=self.watch_page, backlog=self.watch_backlog, progress=self.watch_progress)

    def pool_limits(self) -> PoolLimits:
        """How many workers each app has, how long a call to one may take, and how large a file it may make."""
        answers = AnswerLimits(native=self.file_bytes)
        return PoolLimits(
            slots=self.app_slots, start_limit=self.app_start_limit, call_limit=self.app_time_limit, answers=answers
        )
