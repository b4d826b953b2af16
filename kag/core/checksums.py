"""Checksums of a folder's files in one file next to it: any changed byte is detected.

They tell damage, not intent: who can change the files can change their checksums too. Kinds and sizes are compared
whenever a folder is opened, which costs little; all bytes only when somebody asks for it.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kag.core.files import open_regular, read_regular, sync, write_synced

NAME = "checksums.json"

Sums = Mapping[str, tuple[int, str]]
"""Size and SHA-256 of each file, by its path in the folder, parted by "/"."""


def seal(folder: Path, known: Path | None = None) -> None:
    """Write the checksums of a folder that is complete, and wait until the disk has all of it.

    A file that is the same one (a hard link) in `known`, another folder that was sealed, is not read: it has the
    checksum that it had there, so that damage which came since is not sealed with it.
    """
    before = (_sums(known) or {}) if known else {}
    old = dict(_files(known)) if known and before else {}
    sums: dict[str, tuple[int, str]] = {}
    for name, about in _files(folder):
        same = name in before and name in old and os.path.samestat(old[name], about)
        sums[name] = before[name] if same else _sum(folder / name, wait=True)
    write_synced(folder / NAME, _packed(sums))
    for inner in sorted({(folder / name).parent for name in sums} | {folder}):
        sync(inner)


def changed(folder: Path) -> tuple[str, ...]:
    """Return the files whose kind or size has changed since sealing; without checksums only those that are not regular
    files."""
    sums = _sums(folder)
    if sums is None:
        return (NAME,)
    found = dict(_files(folder))
    bad = {name for name, about in found.items() if not stat.S_ISREG(about.st_mode)}
    bad.update(name for name, (size, _) in sums.items() if name not in found or found[name].st_size != size)
    return tuple(sorted(bad))


def damaged(folder: Path) -> tuple[str, ...]:
    """Return the files whose bytes have changed since sealing; the checksum file itself if it is missing or damaged."""
    sums = _sums(folder)
    if not sums:
        return (NAME,)
    bad = set(changed(folder))
    return tuple(sorted(bad | {name for name in sums.keys() - bad if not _is(folder / name, sums[name][1])}))


def _sums(folder: Path) -> Sums | None:
    """The checksums of a folder, none where it was never sealed; None where they are damaged themselves."""
    try:
        data = read_regular(folder / NAME)
        rows: Any = json.loads(data)["files"]
        sums = {str(name): (int(size), str(digest)) for name, (size, digest) in rows.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return sums if _packed(sums) == data and all(map(_inside, sums)) else None


def _packed(sums: Sums) -> bytes:
    """Return the checksum file's content, with the checksum of itself."""
    rows = {name: list(row) for name, row in sorted(sums.items())}
    digest = hashlib.sha256(json.dumps(rows).encode()).hexdigest()
    return (json.dumps({"files": rows, "sha256": digest}, indent=0) + "\n").encode()


def _inside(name: str) -> bool:
    """Whether a name is that of a file in the folder or in one of its folders."""
    return bool(name) and "\0" not in name and not {"", ".", ".."}.intersection(name.split("/"))


def _files(folder: Path, begin: str = "") -> Iterator[tuple[str, os.stat_result]]:
    """Return all files in a folder and its subfolders except the checksum file; links are not followed."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir(follow_symlinks=False):
                yield from _files(folder / entry.name, f"{begin}{entry.name}/")
            elif begin or entry.name != NAME:
                yield f"{begin}{entry.name}", entry.stat(follow_symlinks=False)


def _sum(path: Path, *, wait: bool = False) -> tuple[int, str]:
    """Size and hash of a file; with `wait` the disk has it then."""
    with open_regular(path) as file:
        if wait:
            os.fsync(file.fileno())
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return os.fstat(file.fileno()).st_size, digest


def _is(path: Path, digest: str) -> bool:
    try:
        return _sum(path)[1] == digest
    except OSError:
        return False
