"""Edges from the text: targets of cells and sentences, a chunk's links, and a document's order.

They are never pruned. An edge's property `places` holds the spans (start, end) of the source's text that make it: the
rows or sentences to read together with its target.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kag.retrieval.chunking import Chunk, ChunkKind
from kag.retrieval.graph.entities import LONGEST, name_form
from kag.retrieval.property_graph.elements import Edge
from kag.text.sentences import sentences
from kag.text.words import tokens

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
    """Titles of documents; each leads to the first chunk of its document."""

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
        """Return chunks whose title is this text, with or without its brackets."""
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
        """Return chunks whose title has all these words, and whose other title words are around: the best `most` of at
        least the score `least`, the share of the title that is found, weighted by rarity."""
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


CELL, MENTION, LINK, NEXT, PARENT = "cell_title", "mentions", "link", "next", "parent_child"
SCHEMA = "schema_edge"  # a link between two records: an edge of the graph that they are made of
REFERS = "refers_to"  # a link to a table or figure of the same paper (`kag.retrieval.graph.build`)
PAIRING = frozenset((CELL, MENTION, LINK, SCHEMA, REFERS))  # their ends say together what neither says alone

CONTEXT_WORDS = 8  # in a cell that is completed from around it
CONTEXT_LEAST, CONTEXT_MOST = 0.6, 2
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """Options of these edges. `context` completes cells from their row; `links` are a chunk's own links."""

    cells: bool = True
    context: bool = True
    mentions: bool = True
    links: bool = True
    structure: bool = True


def link_edges(chunks: Sequence[Chunk], options: LinkOptions = LinkOptions()) -> Iterator[Edge]:
    """All edges of these kinds between the chunks."""
    titles = Titles(chunks)
    by_id = {chunk.id: chunk for chunk in chunks}
    heads = {chunk.document or chunk.id: chunk.id for chunk in reversed(chunks)}
    for chunk in chunks:
        rows = table_rows(chunk)
        if options.cells and rows:
            yield from _from_cells(chunk, rows, titles, options.context)
        if options.mentions and chunk.kind is not ChunkKind.TABLE:
            yield from _from_sentences(chunk, titles)
        if options.links:
            targets = (by_id.get(name) or by_id.get(heads.get(name, "")) for name in chunk.links)
            yield from _from_links(chunk, rows, [target for target in targets if target and target.id != chunk.id])
    if options.structure:
        yield from _of_documents(chunks)


def _from_cells(chunk: Chunk, rows: Sequence[Row], titles: Titles, context: bool) -> Iterator[Edge]:
    best: dict[str, tuple[Named, str]] = {}
    places: dict[str, dict[Span, None]] = {}
    about = frozenset(f"{name_form(chunk.title)} {name_form(chunk.topic)}".split())
    for row in rows:
        forms = [name_form(cell) for cell in row.cells]
        around = about.union(*(form.split() for form in forms)) if context else frozenset()
        for column, (cell, form) in enumerate(zip(row.cells, forms, strict=True)):
            header = chunk.columns[column] if column < len(chunk.columns) else ""
            seen = around.union(name_form(header).split()) if context else None
            for named in _named_by(cell, form, titles, seen):
                if named.chunk == chunk.id:
                    continue
                places.setdefault(named.chunk, {})[row.start, row.end] = None
                if named.chunk not in best or named.score > best[named.chunk][0].score:
                    best[named.chunk] = named, cell
    for target, (named, cell) in best.items():
        props = {"places": tuple(places[target]), "cell": cell, "match": named.match}
        yield Edge(chunk.id, target, CELL, named.score, props)


def _named_by(cell: str, form: str, titles: Titles, around: frozenset[str] | None) -> Iterator[Named]:
    """Return the targets of a cell's names, by all three methods; without `around`, not by its context."""
    words = form.split()
    if not words:
        return
    yield from titles.equal(cell)
    if len(words) <= CELL_WORDS:
        yield from (named for named, _, _ in titles.within(words))
    if around is not None and len(words) <= CONTEXT_WORDS:
        yield from titles.context(frozenset(words), around, least=CONTEXT_LEAST, most=CONTEXT_MOST)


def _from_sentences(chunk: Chunk, titles: Titles) -> Iterator[Edge]:
    """Return the targets of a text's names, with the sentences that name them; its own document is left out."""
    found: dict[str, dict[Span, None]] = {}
    words = [token for token in tokens(chunk.text, wholes=False) if token.text != "s"]
    spans = sentences(chunk.text)
    at = 0
    for named, first, _ in titles.within([word.text for word in words]):
        start = words[first].start
        if not chunk.text[start].isupper() and not chunk.text[start].isdigit():
            continue  # a title that is an ordinary word
        while at + 1 < len(spans) and spans[at + 1][0] <= start:
            at += 1
        found.setdefault(named.chunk, {})[spans[at]] = None
    for target, places in found.items():
        if target != chunk.id:
            yield Edge(chunk.id, target, MENTION, 0.8, {"places": tuple(places)})


def _from_links(chunk: Chunk, rows: Sequence[Row], targets: Iterable[Chunk]) -> Iterator[Edge]:
    """A chunk's own links; in a table the place is the rows that have most of the target's title."""
    words = [(row, frozenset(name_form(" ".join(row.cells)).split())) for row in rows]
    for target in targets:
        title = frozenset(name_form(target.title).split())
        shared = [(len(title & known), row) for row, known in words]
        most = max((count for count, _ in shared), default=0)
        places = tuple((row.start, row.end) for count, row in shared if count == most and most)
        record = ChunkKind.RECORD
        yield Edge(
            chunk.id, target.id, SCHEMA if chunk.kind is target.kind is record else LINK, 1.0, {"places": places}
        )


def _of_documents(chunks: Iterable[Chunk]) -> Iterator[Edge]:
    """Each chunk to the next of its document, and a document's first chunk to all the others."""
    documents: dict[str, list[str]] = {}
    for chunk in chunks:
        if chunk.document:
            documents.setdefault(chunk.document, []).append(chunk.id)
    for names in documents.values():
        yield from (Edge(one, other, NEXT) for one, other in pairwise(names))
        yield from (Edge(names[0], name, PARENT) for name in names[1:])


def place_texts(chunk: Chunk, props: Mapping[str, Sequence[Span]]) -> tuple[str, ...]:
    """The stretches of the source's text that make an edge."""
    return tuple(chunk.text[start:end] for start, end in props.get("places", ()))
