"""Reading untrusted files safely, and writing files atomically.

What is being written has a name of its own, `.partial-<machine>-<process>-<name>`, beside where it shall stand; the
rename is what makes it exist. `clear_partials` removes those whose process is gone.
"""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import re
import shutil
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.core.errors import SourceError

if TYPE_CHECKING:
    import sqlite3

LARGEST = 1024**3
"""Bytes of a file that are read at most where nothing smaller is said."""

_PARTIAL = re.compile(r"\.partial-(?P<machine>[0-9a-f]{6})-(?P<process>[0-9]+)-")
_NO_WORDS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
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
    errno.EISDIR: "The path is a folder: give the name of a file.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
    errno.ELOOP: "The symbolic links lead in a circle, or to where they must not be followed.",
    errno.ENOMEM: "There is not enough memory: give fewer papers at a time, or use fewer workers.",
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
    with open_regular(path) as file:
        about = os.fstat(file.fileno())
        data = file.read(about.st_size + 1) if about.st_size <= limit else b""
        if len(data) > about.st_size:  # it grows
            data += file.read(limit + 1 - len(data))
        size = max(about.st_size, len(data))
        if size > limit:
            raise OSError(errno.EFBIG, f"has {size} bytes, more than the {limit} that are read", str(path))
        return data


def source_bytes(path: Path, limit: int = LARGEST) -> bytes:
    """Read a file that the user names; raises `SourceError`."""
    try:
        return read_regular(path, limit)
    except OSError as error:
        raise SourceError(about(path, error), hint=hint_for(error)) from error


def source_text(path: Path, limit: int = LARGEST) -> str:
    """Read a text that the user names, as UTF-8 with or without a mark; raises `SourceError`."""
    return text_of_source(source_bytes(path, limit), path)


def text_of_source(data: bytes, path: Path) -> str:
    """Decode what `source_bytes` returned for `path`; raises `SourceError`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{shown(path)} is not UTF-8", hint="Save it as UTF-8.") from error


def open_regular(path: Path) -> BufferedReader:
    """A regular file, open for reading; raises `OSError` as `read_regular` does."""
    _refuse(path, os.lstat(path))
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file: BufferedReader = open(os.open(path, flags), "rb")  # noqa: SIM115  # it is returned
    try:
        _refuse(path, os.fstat(file.fileno()))  # again, of what was opened: it may have been put there meanwhile
    except OSError:
        file.close()
        raise
    return file


def _refuse(path: Path, about: os.stat_result) -> None:
    """Raise `OSError` unless the path is a regular file."""
    if stat.S_ISLNK(about.st_mode):
        raise OSError(errno.ELOOP, "is a symbolic link, and those are not followed", str(path))
    if not stat.S_ISREG(about.st_mode):
        kind = next((name for fits, name in _KINDS if fits(about.st_mode)), "something else")
        raise OSError(errno.EINVAL, f"is {kind} and no regular file", str(path))


def read_object(path: Path, limit: int = LARGEST, *, exact: bool = False) -> dict[str, Any]:
    """The JSON object in a regular file; raises `OSError`, or `ValueError` where it holds something else.

    With `exact` also where readers may differ on what it says: a key that is there twice.
    """
    return parse_object(read_regular(path, limit).decode("utf-8"), exact=exact)


def parse_object(text: str, *, exact: bool = False) -> dict[str, Any]:
    """The JSON object that a text is; raises `ValueError` for all else.

    So it does for what cannot be written again: numbers that are none, halves of characters, nests that are too deep;
    with `exact` for a key that is there twice.
    """
    value = parse_json(text, exact=exact)
    if not isinstance(value, dict):
        raise ValueError(f"holds a JSON {type(value).__name__} where an object is expected")
    return value


def parse_json(text: str, *, exact: bool = False) -> Any:
    """`parse_object` for any JSON value."""
    try:
        value = (_EXACT if exact else _DECODER).decode(text)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    if "\\ud" in text or "\\uD" in text:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a JSON number")
    return number


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"has the key {key!r} twice")
        found[key] = value
    return found


_DECODER = json.JSONDecoder(parse_constant=_finite, parse_float=_finite)
_EXACT = json.JSONDecoder(parse_constant=_finite, parse_float=_finite, object_pairs_hook=_each_once)


def own_folder(path: Path) -> bool:
    """Whether a path is a folder itself, and not a symbolic link to one; False where that cannot be known."""
    return _is_itself(path, stat.S_ISDIR)


def own_file(path: Path) -> bool:
    """The same for a regular file."""
    return _is_itself(path, stat.S_ISREG)


def _is_itself(path: Path, kind: Callable[[int], bool]) -> bool:
    try:
        return kind(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def shown(path: Path | str) -> str:
    r"""A path or name as words on one line, which can be written as UTF-8: all else in it is written out.

    >>> shown("b\udcff\n.md")
    'b\\udcff\\u000a.md'
    """
    return _NO_WORDS.sub(lambda found: f"\\u{ord(found[0]):04x}", str(path))


def partial_path(path: Path) -> Path:
    """Return the path at which this process writes `path` until it is complete."""
    digest = hashlib.sha256(path.name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return path.with_name(f".partial-{_machine()}-{os.getpid()}-{path.name[:40]}-{digest}")


def write_whole(path: Path, data: str | bytes) -> None:
    """Write a file in one step: it is there as a whole, or as it was before. Folders above it are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = partial_path(path)
    try:
        with naming(path):
            write_synced(partial, data)
            partial.replace(path)
    except BaseException:
        with suppress(OSError):  # where nothing can be written nothing can be removed: the first error is to be told
            partial.unlink()
        raise
    sync(path.parent)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an error of the system name the file that was to be written: where a disk is full it names none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def write_output(path: Path, text: str) -> None:
    """Write a file that a person named: as `write_whole` does, but links are followed, and devices written to."""
    target = path.resolve() if path.is_symlink() else path
    if target.exists() and not target.is_file():
        with naming(target):
            target.write_text(text, encoding="utf-8", newline="\n")
    else:
        clear_partials(target.parent)
        write_whole(target, text)


def append_line(path: Path, line: str) -> None:
    """Append a line to one of our files, creating it if needed; a half-written last line of a killed process is
    completed.

    Many processes may do so at a time. Raises `OSError`, also where the path is a symbolic link.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with naming(path), os.fdopen(os.open(path, flags, 0o644), "rb+", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(end - 1, 0))
        broken = file.read(1) not in (b"", b"\n")
        left = b"\n" * broken + line.encode("utf-8", "surrogatepass") + b"\n"
        while left:  # a disk that gets full takes the first bytes without an error
            left = left[file.write(left) :]


def write_synced(path: Path, data: str | bytes) -> None:
    """Write a new file and wait until the disk has it; text as UTF-8, line ends as they are."""
    with naming(path), path.open("wb") as out:
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
    """Remove half-written files of ended processes of this machine; return their number."""
    gone = [path for path in folder.glob(".partial-*") if _abandoned(path.name)]
    for path in gone:
        if own_folder(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(gone)


def remove_inside(home: Path, path: Path) -> None:
    """Remove a folder, file or link strictly inside `home`; a missing one is no error.

    Raises `OSError` where it lies elsewhere or a symbolic link is on the way: nothing outside is ever removed.
    """
    steps = path.relative_to(home).parts if path.is_relative_to(home) else ()
    if not steps or ".." in steps:
        raise OSError(errno.EINVAL, f"does not lie inside {home}, and is not removed", str(path))
    if any(home.joinpath(*steps[:count]).is_symlink() for count in range(1, len(steps))):
        raise OSError(errno.ELOOP, "is reached by a symbolic link, and is not removed", str(path))
    if own_folder(path):
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def reason(error: OSError) -> str:
    """Return the system's message with its file."""
    words = error.strerror or str(error) or type(error).__name__
    return f"{shown(os.fsdecode(error.filename))}: {words}" if isinstance(error.filename, str | bytes) else words


def about(path: Path | str, error: OSError) -> str:
    """Return the system's message about a file, which is named once: "draft.txt: No such file or directory"."""
    name, words = shown(path), reason(error)
    return words if words.startswith(f"{name}: ") else f"{name}: {words}"


def hint_for(error: OSError) -> str:
    """Return a hint for an error of the system, or of a library that reports one without a number."""
    if error.errno is None:
        return "A library failed at it: look at the file, and whether there is memory enough (`--paper-mb`)."
    return _HINTS.get(error.errno, "The system refused it; see the message.")


def _machine() -> str:
    """Return six hex digits that identify this machine among others that write to the same disk."""
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


_SQLITE_NUMBERS = {
    "SQLITE_FULL": errno.ENOSPC,
    "SQLITE_NOMEM": errno.ENOMEM,
    "SQLITE_READONLY": errno.EACCES,
    "SQLITE_CANTOPEN": errno.EACCES,
    "SQLITE_PERM": errno.EACCES,
}
_SQLITE_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
_SQLITE_DISK = "The disk is full, or reports an error: make room or check it, then give the command again."


def sqlite_hint(error: sqlite3.Error | sqlite3.Warning, otherwise: str) -> str:
    """The hint for an error: the system's where it is that, else this one.

    >>> import sqlite3
    >>> sqlite_hint(sqlite3.DatabaseError("file is not a database"), "Make it again.")
    'Make it again.'
    """
    name = str(getattr(error, "sqlite_errorname", ""))  # extended ones say more: SQLITE_IOERR_WRITE
    if name.startswith(_SQLITE_BUSY):
        return "Another process is writing it: give the command again when that has ended."
    if name.startswith("SQLITE_IOERR"):  # a memory map of a full disk, too
        return _SQLITE_DISK
    number = next((number for kind, number in _SQLITE_NUMBERS.items() if name.startswith(kind)), 0)
    return hint_for(OSError(number, os.strerror(number))) if number else otherwise
