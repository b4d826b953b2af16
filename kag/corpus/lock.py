"""One writer of a corpus at a time: a lock on its marker file, which ends with the process that holds it.

The lock is asked for before anything of the corpus is opened, so a damaged store cannot let two in. Where a system has
no such locks, the one that the store of graphs takes holds alone. `writer.json` says who has it, for people.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from kag.core.errors import CorpusBusy, CorpusError, CorpusReadOnly
from kag.core.files import hint_for, open_regular, read_object, reason, write_whole
from kag.corpus.layout import Layout

try:
    import fcntl
except ImportError:  # only on POSIX systems
    fcntl = None  # type: ignore[assignment]

_STEP = 0.1  # seconds between looks at whether a writer is done
_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


@contextmanager
def alone(layout: Layout, patience: float = 0.0) -> Iterator[None]:
    """Be the one writer, for whom another is waited so many seconds.

    Raises `CorpusBusy` naming who it is, and `CorpusReadOnly` where nothing can be written.
    """
    deadline = time.monotonic() + patience
    with open_regular(layout.mark) as marker:
        while not _locked(marker):
            if time.monotonic() > deadline:
                raise busy(layout)
            time.sleep(_STEP)
        try:
            write_whole(layout.writer, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}) + "\n")
        except OSError as error:
            if error.errno in _READ_ONLY:
                hint = "It can be listed, searched and asked here; to change it, copy it to where you may write."
                raise CorpusReadOnly(f"{layout.root} cannot be written: {error.strerror}", hint=hint) from error
            raise CorpusError(f"{layout.root} cannot be written: {reason(error)}", hint=hint_for(error)) from error
        try:
            yield
        finally:
            layout.writer.unlink(missing_ok=True)


def at_work(layout: Layout) -> bool:
    """Whether somebody is writing the corpus now."""
    with open_regular(layout.mark) as marker:
        return not _locked(marker)


def busy(layout: Layout) -> CorpusBusy:
    """The error for one who has to wait."""
    hint = "Wait until it is done; reading is possible meanwhile."
    return CorpusBusy(f"{layout.root} is being written by {_holder(layout.writer)}", hint=hint)


def _locked(marker: BufferedReader) -> bool:
    """Take the lock; it goes when the file is closed."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(marker.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # this file system has no locks
        return True
    return True


def _holder(file: Path) -> str:
    try:
        row = read_object(file, 4096)
        return f"process {int(row['pid'])} on {str(row['host'])[:80]}"
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return "another process"
