"""`sqlite_hint`: what a person can do about an error of SQLite: most are the system's, and its file is whole."""

from __future__ import annotations

import errno
import os
import sqlite3

from kag.core.files import hint_for

_NUMBERS = {
    "SQLITE_FULL": errno.ENOSPC,
    "SQLITE_NOMEM": errno.ENOMEM,
    "SQLITE_READONLY": errno.EACCES,
    "SQLITE_CANTOPEN": errno.EACCES,
    "SQLITE_PERM": errno.EACCES,
}
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
_DISK = "The disk is full, or reports an error: make room or check it, then give the command again."


def sqlite_hint(error: sqlite3.Error | sqlite3.Warning, otherwise: str) -> str:
    """The hint for an error: the system's where it is that, else this one.

    >>> sqlite_hint(sqlite3.DatabaseError("file is not a database"), "Make it again.")
    'Make it again.'
    """
    name = str(getattr(error, "sqlite_errorname", ""))  # extended ones say more: SQLITE_IOERR_WRITE
    if name.startswith(_BUSY):
        return "Another process is writing it: give the command again when that has ended."
    if name.startswith("SQLITE_IOERR"):  # a memory map of a full disk, too
        return _DISK
    number = next((number for kind, number in _NUMBERS.items() if name.startswith(kind)), 0)
    return hint_for(OSError(number, os.strerror(number))) if number else otherwise
