"""Chunking of unstructured text and tables, after SAGE (arXiv:2602.16964, section 2.1A).

A chunk of a text file names the file and its lines as its source.
"""

from __future__ import annotations

import math
import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, pairwise
from pathlib import Path

from kag.core.errors import SourceError
from kag.retrieval.vectors import Alike, by_words
from kag.text.sentences import sentences, stripped


class ChunkKind(StrEnum):
    """The three kinds of SAGE (arXiv:2602.16964, section 2.1A)."""

    DOCUMENT = "document"
    TABLE = "table"
    RECORD = "record"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of text that is retrieved as a whole.

    `document` is what it was cut from (a paper, a table), `sources` the graph nodes it covers, so that a hit leads
    back to page and box. `title` and `topic` say what it is about, `entities` the names in it, `columns` a table
    segment's headers; `links` name chunks or documents that it points to itself (schema edges).
    """

    id: str
    text: str
    kind: ChunkKind = ChunkKind.DOCUMENT
    document: str = ""
    title: str = ""
    topic: str = ""
    entities: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Query:
    """A question as it is searched for; `scope` limits it to these documents when it is not empty."""

    text: str
    scope: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved chunk; `via` is how: "seed", or an edge such as "table_doc from <chunk>"."""

    chunk: str
    score: float
    via: str = "seed"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A plan's results for a question: hits, seeds first, and notes that stand for compressed chunks."""

    hits: tuple[Hit, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)

    def merged(self, bundle: Bundle) -> Bundle:
        """Both bundles, this one's hits first; a chunk found twice stays where it was found first."""
        known = {hit.chunk for hit in self.hits}
        more = tuple(hit for hit in bundle.hits if hit.chunk not in known)
        return Bundle(self.hits + more, {**bundle.notes, **self.notes})


ROWS = 8  # of a table in one segment; SAGE takes 5 to 10
LEAST, MOST = 40, 180  # words of a chunk; a small model of sentence vectors reads about 190 words
WINDOW = 3  # sentences on each side of a place that are compared
PERCENTILE = 95.0  # of the differences between neighbours: a text is cut where they differ more


@dataclass(frozen=True, slots=True)
class Segment:
    """Rows `first` to `last` (exclusive) of a table; `text` is its header and those rows, cells joined by " | "."""

    text: str
    first: int
    last: int


def table_segments(header: Sequence[str], rows: Sequence[Sequence[str]], *, size: int = ROWS) -> tuple[Segment, ...]:
    """A table in pieces of `size` rows, each behind the header; a table without rows is its header alone.

    >>> [segment.text for segment in table_segments(["Site"], [["Upper"], ["Lower"], ["Delta"]], size=2)]
    ['Site\\nUpper\\nLower', 'Site\\nDelta']
    """
    lines = [_line(row) for row in rows]
    head = _line(header)
    starts = range(0, len(lines), size) if lines else (0,)
    return tuple(
        Segment("\n".join(filter(None, (head, *lines[at : at + size]))), at, min(at + size, len(lines)))
        for at in starts
    )


def semantic_chunks(
    text: str,
    alike: Alike = by_words,
    *,
    window: int = WINDOW,
    percentile: float = PERCENTILE,
    least: int = LEAST,
    most: int = MOST,
) -> tuple[tuple[int, int], ...]:
    """Return the spans of a text's chunks, cut at changes of topic; together they cover everything but blanks.

    The `window` sentences before each place between two sentences are compared with those behind it. The text is
    cut where they differ more than at `percentile` % of the places, and at the widest difference of what is
    longer than `most` words; nothing of less than `least` words is cut off. A sentence is never cut.
    """
    spans = sentences(text)
    if len(spans) < 2:
        return spans
    sizes = [len(text[start:end].split()) for start, end in spans]
    apart = _differences([text[start:end] for start, end in spans], alike, window)
    limit = _percentile(apart, percentile)
    wanted = [place for place in range(1, len(spans)) if apart[place - 1] > limit]
    wanted.sort(key=lambda place: -apart[place - 1])
    borders = _kept(wanted, [0, *accumulate(sizes)], least)
    parts = [part for ends in pairwise(borders) for part in _shortened(*ends, sizes, apart, least, most)]
    return tuple((spans[first][0], spans[last - 1][1]) for first, last in parts)


def pieces(text: str, most: int = MOST) -> tuple[tuple[int, int], ...]:
    """The spans of pieces of at most `most` words, of about one length, cut between sentences where it can be."""
    words = len(text.split())
    if words <= most:
        return stripped(text, 0, len(text))
    target = words / math.ceil(words / most)
    found: list[tuple[int, int]] = []
    size = 0
    for start, end in _short(text, most):
        count = len(text[start:end].split())
        if found and size + count <= most and size + count / 2 <= target:
            found[-1] = found[-1][0], end
            size += count
        else:
            found.append((start, end))
            size = count
    return tuple(found)


def _short(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Sentences, those of more than `most` words cut between words."""
    for start, end in sentences(text):
        words = [match.span() for match in re.finditer(r"\S+", text[start:end])]
        for at in range(0, len(words), most):
            last = min(at + most, len(words)) - 1
            yield start + words[at][0], start + words[last][1]


def _differences(texts: Sequence[str], alike: Alike, window: int) -> list[float]:
    """Return how much the text before each place differs from the text behind it, 0 to 2."""
    sides: list[str] = []
    for place in range(1, len(texts)):
        sides += [" ".join(texts[max(0, place - window) : place]), " ".join(texts[place : place + window])]
    return [1 - one for one in alike(sides)[::2]]


def _percentile(values: Sequence[float], percentile: float) -> float:
    """A percentile with linear interpolation between two values."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * percentile / 100
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _kept(wanted: Sequence[int], words: Sequence[int], least: int) -> list[int]:
    """The borders that leave `least` words on both sides, the first wanted first.

    `words` says how many words stand before each sentence.
    """
    borders = [0, len(words) - 1]
    for place in wanted:
        at = bisect(borders, place)
        if min(words[place] - words[borders[at - 1]], words[borders[at]] - words[place]) >= least:
            borders.insert(at, place)
    return borders


def _shortened(
    first: int, last: int, sizes: Sequence[int], apart: Sequence[float], least: int, most: int
) -> Iterator[tuple[int, int]]:
    """A part in pieces of at most `most` words where its sentences allow, each ending at its widest difference."""
    left = sum(sizes[first:last])
    while left > most and last - first > 1:
        cut, done, widest = first + 1, sizes[first], -math.inf
        size = 0
        for place in range(first + 1, last):
            size += sizes[place - 1]
            if size > most and widest > -math.inf:
                break
            if size >= least and left - size >= least and apart[place - 1] > widest:
                cut, done, widest = place, size, apart[place - 1]
        if widest == -math.inf:
            break
        yield first, cut
        first, left = cut, left - done
    yield first, last


def _line(cells: Sequence[str]) -> str:
    return " | ".join(" ".join(cell.split()) for cell in cells)


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
