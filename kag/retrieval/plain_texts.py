"""Plain text files as chunks, cut where what is said changes; a chunk's source names its file and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from kag.core.errors import SourceError
from kag.retrieval.chunk import Chunk
from kag.retrieval.chunking import semantic_chunks
from kag.retrieval.meaning.similarity import Alike, by_words

SUFFIXES = (".md", ".txt")
_HEADING = re.compile(r"\s*# +(\S[^\n]*)")


def text_chunks(path: Path, alike: Alike = by_words) -> Iterator[Chunk]:
    """The chunks of a text file, or of all in a folder whose names end in .md or .txt (SAGE, section 2.1A).

    A file is a document under its path from the folder; its title is the heading it begins with, or that path. Raises
    `SourceError` where there are none, and for what is no text in UTF-8.
    """
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES)
    if not files:
        missing = "no text files" if path.exists() else "no such file or folder"
        raise SourceError(f"{path}: {missing}", hint="Give a text file, or a folder with .txt or .md files.")
    for file in files:
        yield from _chunks(file, file.name if file == path else file.relative_to(path).as_posix(), alike)


def _chunks(file: Path, name: str, alike: Alike) -> Iterator[Chunk]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise SourceError(f"{file}: {error}", hint="Give text files in UTF-8.") from error
    heading = _HEADING.match(text)
    title = heading[1] if heading else name
    for start, end in semantic_chunks(text, alike):
        first, last = (text.count("\n", 0, place) + 1 for place in (start, end))
        source = f"{name}#L{first}-L{last}"
        yield Chunk(f"{name}#{start}", text[start:end], document=name, title=title, sources=(source,))
