"""Run one app program, and end it with all that it started when its owner goes; a program of its own.

`python -I -S worker_guard.py FOLDER COMMAND...`, as the leader of a new session, with a pipe as
standard input. The owner holds the pipe's other end and never writes: when the owner ends, however it
ends, the system closes it. Then, or when the program has ended, the guard deletes the program's
folder, for documents may lie there, and kills its whole process group, so that nothing the program
started outlives it. Only what leaves the group escapes; to keep that in is a sandbox's work. On Linux
the program ends with the guard too, should only that be killed. It imports nothing of ours, so it
starts in milliseconds.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Final, Never

_PR_SET_PDEATHSIG: Final = 1


def main(folder: str, command: Sequence[str]) -> Never:
    """Run the command to its end, or to the owner's."""
    # SIGTERM goes to the group: the program drains and ends, then so does this one. It is handled, not
    # ignored, for programs inherit what is ignored.
    signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        program = subprocess.Popen(  # noqa: S603 - the deployment's own program
            command,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            preexec_fn=_end_with_guard,  # noqa: PLW1509 - there is no other thread yet
        )
    except OSError as error:
        sys.exit(f"cannot start {command[0]}: {error.strerror}")
    threading.Thread(target=_end_with_owner, args=[program], daemon=True).start()
    status = program.wait()
    if status != 0:
        print(f"{command[0]} ended with status {status}", file=sys.stderr, flush=True)  # noqa: T201 - the last word
    shutil.rmtree(folder, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)
    raise AssertionError("a killed process runs no further")


def _end_with_guard() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _end_with_owner(program: subprocess.Popen[bytes]) -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    program.kill()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
