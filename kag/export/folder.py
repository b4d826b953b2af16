"""A folder of files for other programs, whole or not there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from kag.core.errors import RunError
from kag.core.files import naming, own_folder, partial_path, read_regular, shown, sync, write_synced

Files = Mapping[str, str | bytes]
"""Files by their path in the folder, its parts names that every system can have."""


def write_folder(folder: Path, files: Files) -> None:
    """Make a folder in one step; one that holds just these files already is left alone.

    Raises `RunError` where something else is in the way, `OSError` where nothing can be written.
    """
    if os.path.lexists(folder):
        if own_folder(folder) and _holds(folder, files):
            return
        raise RunError(f"{shown(folder)} is in the way: it holds something else", hint="Remove it, or name another.")
    partial = partial_path(folder)
    try:
        with naming(folder):
            partial.mkdir(parents=True)
            for name, data in files.items():
                (partial / name).parent.mkdir(parents=True, exist_ok=True)
                write_synced(partial / name, data)
            partial.rename(folder)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    sync(folder.parent)


def _holds(folder: Path, files: Files) -> bool:
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not own_folder(path)}
    try:
        return there == set(files) and all(
            read_regular(folder / name) == (data.encode("utf-8") if isinstance(data, str) else data)
            for name, data in files.items()
        )
    except OSError:
        return False
