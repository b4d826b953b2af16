"""Uploads: a file's format is decided by its bytes; its name is displayed and never used as a path.

An archive is looked at before anything of it is written: how many members, how large they would be, how they are
called. Nothing of it may lie outside, be a link, or be called what is no plain name.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from kag.core.errors import SourceError
from kag.core.files import shown
from kag.serve.bounds import Bounds
from kag.serve.problems import Refusal
from kag.sources.names import safe_paper_id, stem_of

ARCHIVE = ".zip"
TEXTS = (".xml", ".nxml", ".tei", ".json", ".jsonl", ".md", ".mmd", ".doctags")
TAKES = ("PDF", "JATS or TEI (XML)", "converters' JSON", "Markdown", "a ZIP of a paper's folder")
_PIECE = 1 << 20
_HEAD = 4096
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._ ()+,-]{0,119}")
_DEEPEST = 6
_LINK = 0o120000


@dataclass(frozen=True, slots=True)
class Taken:
    """An uploaded file: its display name, its path, its SHA-256, and a name for its paper if that has no better one."""

    name: str
    path: Path
    sha256: str
    paper: str


def suffix_of(head: bytes, name: str) -> str:
    """Return a file's suffix by its first bytes; raises `Refusal` 415 for formats without papers.

    >>> suffix_of(b"%PDF-1.7 ...", "paper.exe"), suffix_of(b"<article>", "p.xml"), suffix_of(b"PK\\x03\\x04", "x")
    ('.pdf', '.xml', '.zip')
    """
    if b"%PDF-" in head[:1024]:
        return ".pdf"
    if head.startswith(b"PK\x03\x04"):
        return ARCHIVE
    wanted = Path(name.replace("\\", "/").rpartition("/")[2][-100:]).suffix.lower()
    if wanted in TEXTS and b"\0" not in head and head.strip():
        return wanted
    raise Refusal(415, f"{shown(name)[:120]} is nothing that a paper comes in", f"Send {', '.join(TAKES)}.")


def take_in(file: BinaryIO, name: str, folder: Path, bounds: Bounds) -> Taken:
    """Write an upload into a folder of its own; raises `Refusal` 413 and 415."""
    head = file.read(_HEAD)
    suffix = suffix_of(head, name)
    digest, size = hashlib.sha256(), 0
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / "incoming"
    with partial.open("wb") as out:
        for piece in _pieces(head, file):
            size += len(piece)
            if size > bounds.file:
                raise Refusal(413, f"a file may have {bounds.file // 1_000_000} MB", "Send it as several papers.")
            digest.update(piece)
            out.write(piece)
    name_shown = shown(name.replace("\\", "/").rpartition("/")[2])[:200] or "a file"
    paper = safe_paper_id(stem_of(name_shown)[:200] or f"paper-{digest.hexdigest()[:8]}")
    path = folder / f"{paper}{suffix}"
    partial.replace(path)
    return Taken(name_shown, path, digest.hexdigest(), paper)


def _pieces(head: bytes, file: BinaryIO) -> Iterator[bytes]:
    yield head
    while piece := file.read(_PIECE):
        yield piece


def unpack(archive: Path, target: Path, bounds: Bounds) -> None:
    """Unpack an uploaded archive; raises `SourceError` if it is damaged, too large or not plain."""
    try:
        with zipfile.ZipFile(archive) as opened:
            members = [one for one in opened.infolist() if not one.is_dir() and not _hidden(one.filename)]
            _require_plain(members, bounds)
            left = bounds.unpacked
            for member in members:
                left -= _write(opened, member, target, left)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError, ValueError, OSError) as error:
        raise SourceError(f"the archive cannot be unpacked: {error}", hint="Make it again, without a lock.") from error


def _hidden(name: str) -> bool:
    """Return whether an archive member is a hidden file of the packing program."""
    parts = name.split("/")
    return parts[0] == "__MACOSX" or parts[-1] in (".DS_Store", "Thumbs.db")


def _require_plain(members: list[zipfile.ZipInfo], bounds: Bounds) -> None:
    hint = "Pack the folder of one paper, its files called by letters, digits, dots and dashes."
    if len(members) > bounds.members:
        raise SourceError(f"the archive has {len(members)} files, at most {bounds.members} are taken", hint=hint)
    whole = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if whole > bounds.unpacked or whole > bounds.ratio * max(packed, 10_000):
        raise SourceError(f"the archive would be {whole} bytes large when it is unpacked", hint=hint)
    seen: set[str] = set()
    for member in members:
        parts = member.filename.split("/")
        if len(parts) > _DEEPEST or not all(_PART.fullmatch(part) and not part.endswith((".", " ")) for part in parts):
            raise SourceError(f"the archive holds {shown(member.filename)[:120]}, which is not a plain name", hint=hint)
        if (member.external_attr >> 16) & 0o170000 == _LINK:
            raise SourceError(f"the archive holds a link, {shown(member.filename)[:120]}", hint=hint)
        if member.flag_bits & 1:
            raise SourceError("the archive is locked", hint=hint)
        if member.filename.lower() in seen:
            raise SourceError(f"the archive holds {shown(member.filename)[:120]} twice", hint=hint)
        seen.add(member.filename.lower())


def _write(opened: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, most: int) -> int:
    """Write one member, without trusting the size in its header. Returns its bytes."""
    path = target.joinpath(*member.filename.split("/"))
    path.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with opened.open(member) as inside, path.open("xb") as out:
        while piece := inside.read(_PIECE):
            size += len(piece)
            if size > most:
                raise SourceError("the archive is larger than it says", hint="Make it again.")
            out.write(piece)
    return size
