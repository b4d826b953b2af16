"""A stranger's file as bytes: a regular one of a size that a paper can have, or refused with what to do about it."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError
from kag.core.files import hint_for, parse_json, read_regular, shown
from kag.core.shapes import Shape, misfit

LARGEST_FILE = 64 * 1024 * 1024  # bytes; a thousand pages of text are about 5 MB

_HINTS = {
    errno.ELOOP: "Put a copy of the file in its place: a link may lead out of the paper's folder.",
    errno.EINVAL: "Put a file with the text in its place, or take it away.",
    errno.EFBIG: "Check that this is one paper; split it if it is more.",
}


@dataclass(frozen=True, slots=True)
class Source:
    """One file and its bytes."""

    name: str
    data: bytes
    path: str = ""


def load(path: Path, limit: int | None = None) -> Source:
    """Return a file's bytes; raises `SourceError` if it is not a regular file, is larger than `limit`, or cannot be
    read.

    The limit is `LARGEST_FILE` where none is given. The message begins with the path.
    """
    try:
        return Source(path.name, read_regular(path, LARGEST_FILE if limit is None else limit), str(path))
    except OSError as error:
        hint = _HINTS.get(error.errno or 0) or hint_for(error)
        raise SourceError(f"{shown(path)} {reason(error)}", hint=hint) from error


def reason(error: OSError) -> str:
    """Why a file was not read, as the end of a sentence that begins with its name."""
    problem = error.strerror or str(error)
    return problem if problem.startswith(("is ", "has ")) else f"cannot be read: {problem}"


def decode(source: Source) -> str:
    """The text of a file, its line ends as `\\n`; raises `SourceError` where it is not UTF-8."""
    try:
        text = source.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{shown(source.path or source.name)} is not UTF-8: byte {error.start} cannot be read",
            hint="Save the file as UTF-8.",
        ) from error
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def load_json(path: Path) -> tuple[Any, str]:
    """Load a JSON file; return its value and the SHA-256 of its bytes; raises `SourceError` if it cannot be read."""
    source = load(path)
    try:
        return parse_json(decode(source)), digest([source.data])
    except ValueError as error:
        problem = " ".join(str(error).split())[:200]
        hint = "Convert the paper again: the file was cut off or changed."
        raise SourceError(f"{shown(path)} is not valid JSON: {problem}", hint=hint) from error


def fitting(path: Path, value: Any, shape: Shape) -> Any:
    """The value; raises `SourceError` naming the file and the place where it has not the shape."""
    wrong = misfit(value, shape)
    if wrong:
        hint = "Convert the paper again, or say with --source what the file is."
        raise SourceError(f"{shown(path)}: {wrong}", hint=hint)
    return value


def digest(parts: Iterable[bytes]) -> str:
    """SHA-256 over some bytes, in order, each behind its length."""
    made = hashlib.sha256()
    for part in parts:
        made.update(f"{len(part)}\0".encode())
        made.update(part)
    return made.hexdigest()
