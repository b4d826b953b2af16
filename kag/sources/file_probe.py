"""`Look`: what is seen of a file without reading it, by which its kind is known."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from kag.core.files import open_regular, own_file

AHEAD = 256 * 1024  # bytes of a file's beginning that are looked at, and
BEHIND = 16 * 1024  # of its end: what a program says of itself may stand there

_ROOT = re.compile(
    rb"\s*+(?>(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^\[<>]|\[[^\]]*+\])*+>)\s*+)*+<([A-Za-z_][\w.:-]*)", re.S
)


@dataclass(frozen=True, slots=True)
class Look:
    """A file's name in small letters, its beginning and its end (without a byte order mark)."""

    name: str
    head: bytes
    tail: bytes = b""

    def says(self, *words: bytes) -> bool:
        """Whether each of some words is found in what was seen."""
        return all(word in self.head or word in self.tail for word in words)

    def opens(self, *marks: bytes) -> bool:
        """Whether the file begins with one of some marks, blanks aside."""
        return self.head.lstrip().startswith(marks)

    @property
    def root(self) -> str:
        """The name of the root element of XML, without its prefix; "" where it is none."""
        found = _ROOT.match(self.head[: AHEAD // 4]) if self.opens(b"<") else None
        return found[1].decode("ascii", "replace").rpartition(":")[2] if found else ""


def look_at_file(path: Path) -> Look | None:
    """A look at a regular file; None where it is none, or cannot be read."""
    if not own_file(path):
        return None
    try:
        with open_regular(path) as file:
            head = file.read(AHEAD)
            end = file.seek(0, os.SEEK_END)
            file.seek(max(end - BEHIND, len(head)))
            tail = file.read(BEHIND)
    except OSError:
        return None
    return Look(path.name.lower(), head.removeprefix(b"\xef\xbb\xbf"), tail)
