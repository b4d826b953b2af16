"""What lies outside of a run and must not get in, and special files that lead there."""

from __future__ import annotations

import hashlib
import os
import socket
import stat
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.papers import write_paper

SECRET = "kag-attack-secret-5e1f0c7a"
HUGE = 10 * 1024**3  # bytes of a file that takes no room


@dataclass(frozen=True, slots=True)
class Outside:
    """What must not get in: a secret text, a picture and a whole paper that hold it."""

    text: Path
    pictures: Path
    paper: Path

    @property
    def hashes(self) -> set[str]:
        """Of the pictures, by which they would be known among a paper's figures."""
        return {hashlib.sha256(path.read_bytes()).hexdigest() for path in self.pictures.iterdir()}

    @classmethod
    def make(cls, folder: Path) -> Outside:
        """Write them into a new folder."""
        pages = ((("text", "[[1, 2, 3, 4]]", f"The word is {SECRET}."),),)
        paper = write_paper(folder / "private", pages)
        (folder / "pictures").mkdir()
        (folder / "pictures" / "fig_page001_01.png").write_bytes(png(7, 5, SECRET.encode()))
        (folder / "secret.md").write_text(SECRET, encoding="utf-8")
        return cls(folder / "secret.md", folder / "pictures", paper)


def png(width: int, height: int, text: bytes = b"", rows: bytes | None = None) -> bytes:
    """A grey picture whose header says this size; `rows` are its pixels, `text` stands in a chunk of its own."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = zlib.compress((b"\0" + b"\x80" * width) * height if rows is None else rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = [chunk(b"IHDR", header), chunk(b"tEXt", b"k\0" + text), chunk(b"IDAT", pixels), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def special(path: Path, random: Random, outside: Outside) -> None:
    """Something that is no regular file."""
    kind = random.choice(["link", "link", "link", "pipe", "socket", "folder", "device"])
    if kind == "link":
        ends = ["/proc/self/environ", "/proc/version", "/dev/zero", "/dev/stdin", "/proc/kmsg", "/nowhere", path.name]
        path.symlink_to(random.choice([*ends, outside.text, outside.pictures / "fig_page001_01.png"]))
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        _socket(path)
    elif kind == "folder":
        path.mkdir()
    else:
        try:
            os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 5))  # gives zeros for ever
        except OSError:  # only root may make one
            path.mkdir()


def _socket(path: Path) -> None:
    """Bind from inside the folder: the name of a socket must be short."""
    before = os.open(".", os.O_RDONLY)
    try:
        os.chdir(path.parent)
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.fchdir(before)
        os.close(before)
