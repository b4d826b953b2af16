"""Which chunks a text names: titles found in table cells and sentences, whole, within, or with the help of a row.

A table of results says "Rome" where it means the match in Rome: a title that holds all words of the cell, and whose
other words stand in the same row, in the column's header or in the table's title, is what the cell points to.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kag.retrieval.chunk import Chunk, ChunkKind
from kag.retrieval.graph.entities import LONGEST, name_form

EQUAL, WITHIN, CONTEXT = "equal", "within", "context"
COMMON = 2000  # titles that share a cell's rarest word, above which the word says too little
CELL_WORDS = 60  # longer cells are prose
_BRACKETS = re.compile(r"\s*\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Named:
    """A chunk that a text names: how (`equal`, `within` or `context`) and how surely, 0 to 1."""

    chunk: str
    match: str
    score: float


class Titles:
    """Titles of documents; each stands for the first chunk of its document."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._whole: dict[str, dict[str, None]] = {}
        self._longest: dict[str, int] = {}  # words in a title, by its first word
        self._words: dict[str, frozenset[str]] = {}
        self._having: dict[str, set[str]] = {}
        heads = {chunk.document or chunk.id: chunk for chunk in reversed(tuple(chunks)) if chunk.title}
        for chunk in reversed(heads.values()):
            self._add(chunk)
        known = Counter(word for words in self._words.values() for word in words)
        self._weight = {word: math.log(1 + len(self._words) / count) for word, count in known.items()}

    def _add(self, chunk: Chunk) -> None:
        form = name_form(chunk.title)
        for key in filter(None, (form, name_form(_BRACKETS.sub("", chunk.title)))):
            self._whole.setdefault(key, {})[chunk.id] = None
            words = key.split()
            self._longest[words[0]] = max(self._longest.get(words[0], 0), min(len(words), LONGEST))
        self._words[chunk.id] = frozenset(form.split())
        for word in self._words[chunk.id]:
            self._having.setdefault(word, set()).add(chunk.id)

    def equal(self, text: str) -> Iterator[Named]:
        """Chunks whose title is this text; without what stands in brackets counts too."""
        for key in dict.fromkeys((name_form(text), name_form(_BRACKETS.sub("", text)))):
            for chunk in self._whole.get(key, ()):
                yield Named(chunk, EQUAL, 1.0)

    def within(self, words: Sequence[str]) -> Iterator[tuple[Named, int, int]]:
        """Chunks whose title is a run of these words, the longest first found, and where the run begins and ends.

        A title of one word must be long or rare enough not to be a word like others.
        """
        at = 0
        while at < len(words):
            for end in range(min(at + self._longest.get(words[at], 0), len(words)), at, -1):
                key = " ".join(words[at:end])
                if key in self._whole and (end - at > 1 or (len(key) > 3 and not key.isdigit())):
                    for chunk in self._whole[key]:
                        yield Named(chunk, WITHIN, 0.8), at, end
                    at = end - 1
                    break
            at += 1

    def context(self, words: frozenset[str], around: frozenset[str], *, least: float, most: int) -> Iterator[Named]:
        """Chunks whose title has all these words, and whose other words stand around: the best `most` of at least
        the score `least`, which is the share of the title that is found, rare words counting more.
        """
        lists = sorted((self._having.get(word, set()) for word in words), key=len)
        if not lists or not lists[0] or len(lists[0]) > COMMON:
            return
        found = []
        for chunk in lists[0].intersection(*lists[1:]):
            title = self._words[chunk]
            weight = sum(self._weight[word] for word in sorted(title))
            score = sum(self._weight[word] for word in sorted(title & (words | around))) / weight
            if score >= least:
                found.append((-score, chunk))
        for score, chunk in sorted(found)[:most]:
            yield Named(chunk, CONTEXT, -score)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table chunk: its cells, and its place in the chunk's text."""

    cells: tuple[str, ...]
    start: int
    end: int


def table_rows(chunk: Chunk) -> tuple[Row, ...]:
    """The rows of a table chunk, a line each behind the line of its headers, cells joined by " | "."""
    if chunk.kind is not ChunkKind.TABLE:
        return ()
    rows, at = [], 0
    for line in chunk.text.split("\n"):
        cells = tuple(cell.strip() for cell in line.split(" | "))
        rows.append(Row(cells, at, at + len(line)))
        at += len(line) + 1
    header = tuple(" ".join(column.split()) for column in chunk.columns)
    first = next((number for number, row in enumerate(rows) if row.cells == header), -1)
    return tuple(rows[first + 1 :])
