"""Files: a stranger's is read only where it is a regular one; ours are there as a whole, or as they were before.

What is being written has a name of its own, `.partial-<machine>-<process>-<name>`, beside where it shall stand; the
rename is what makes it exist. `clear_partials` removes those whose process is gone.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

LARGEST = 1024**3
"""Bytes of a file that are read at most where nothing smaller is said."""

_PARTIAL = re.compile(r"\.partial-(?P<machine>[0-9a-f]{6})-(?P<process>[0-9]+)-")
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_HINTS = {
    errno.ENOSPC: "The disk is full: make room, then give the command again.",
    errno.EDQUOT: "Your share of the disk is used up: make room, then give the command again.",
    errno.EFBIG: "The file would be larger than this system or its limits (`ulimit -f`) allow.",
    errno.EACCES: "Check the rights of the file and of the folders above it.",
    errno.EPERM: "Check the rights of the file and of the folders above it.",
    errno.EROFS: "The disk can only be read; write to another folder.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
    errno.ELOOP: "The symbolic links lead in a circle, or to where they must not be followed.",
    errno.ENOENT: "Check that the path exists, and that nothing else removes it meanwhile.",
    errno.ENOTDIR: "A part of the path is a file and no folder.",
    errno.EMFILE: "Too many files are open: raise the limit (`ulimit -n`) or use fewer workers.",
    errno.EIO: "The disk reports an error: check it, and the backups.",
}


def read_regular(path: Path, limit: int = LARGEST) -> bytes:
    """The bytes of a regular file of at most `limit` bytes.

    Raises `OSError` whose `strerror` says why not: also where the path is a symbolic link (which a stranger may have
    led anywhere), a device or a pipe (which may never end), or larger.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        opened = os.open(path, flags)
    except OSError as error:
        if path.is_symlink():
            raise OSError(errno.ELOOP, "is a symbolic link, and those are not followed", str(path)) from error
        raise
    with os.fdopen(opened, "rb") as file:
        about = os.fstat(opened)
        if not stat.S_ISREG(about.st_mode):
            kind = next((name for fits, name in _KINDS if fits(about.st_mode)), "something else")
            raise OSError(errno.EINVAL, f"is {kind} and no regular file", str(path))
        data = file.read(limit + 1) if about.st_size <= limit else b""
        if about.st_size > limit or len(data) > limit:
            size = max(about.st_size, len(data))
            raise OSError(errno.EFBIG, f"has {size} bytes, more than the {limit} that are read", str(path))
        return data


def read_object(path: Path, limit: int = LARGEST, *, exact: bool = False) -> dict[str, Any]:
    """The JSON object in a regular file; raises `OSError`, or `ValueError` where it holds something else.

    With `exact` also where readers may differ on what it says: a key that is there twice, NaN, Infinity.
    """
    strict: dict[str, Any] = {"object_pairs_hook": _each_once, "parse_constant": _no_number} if exact else {}
    try:
        value = json.loads(read_regular(path, limit).decode("utf-8"), **strict)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError(f"holds a JSON {type(value).__name__} where an object is expected")
    return value


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"has the key {key!r} twice")
        found[key] = value
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def own_folder(path: Path) -> bool:
    """Whether a path is a folder itself, and not a symbolic link to one."""
    return path.is_dir() and not path.is_symlink()


def partial_path(path: Path) -> Path:
    """Where that which shall stand at `path` is written by this process until it is whole."""
    digest = hashlib.sha256(path.name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return path.with_name(f".partial-{_machine()}-{os.getpid()}-{path.name[:40]}-{digest}")


def write_whole(path: Path, data: str | bytes) -> None:
    """Write a file in one step: it is there as a whole, or as it was before. Folders above it are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = partial_path(path)
    try:
        write_synced(partial, data)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    sync(path.parent)


def write_synced(path: Path, data: str | bytes) -> None:
    """Write a new file and wait until the disk has it; text as UTF-8, line ends as they are."""
    with path.open("wb") as out:
        out.write(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
        out.flush()
        os.fsync(out.fileno())


def sync(folder: Path) -> None:
    """Make renames inside a folder last, where the system can be asked to."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def clear_partials(folder: Path) -> int:
    """Remove what processes of this machine that are gone left half-written here; returns how many there were."""
    gone = [path for path in folder.glob(".partial-*") if _abandoned(path.name)]
    for path in gone:
        if own_folder(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(gone)


def hint_for(error: OSError) -> str:
    """What a person can do about an error of the system."""
    return _HINTS.get(error.errno or 0, "The system refused it; see the message.")


def _machine() -> str:
    """Six hex digits that tell this machine from others that write to the same disk."""
    return hashlib.sha256(socket.gethostname().encode("utf-8", "surrogatepass")).hexdigest()[:6]


def _abandoned(name: str) -> bool:
    found = _PARTIAL.match(name)
    return found is not None and found["machine"] == _machine() and not alive(int(found["process"]))


def alive(process: int) -> bool:
    """Whether a process of this machine is at work."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
