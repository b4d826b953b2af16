"""Edges that stand in the text: what a cell or a sentence names, what a chunk links to, and a document's own order.

They are never pruned. An edge's property `places` holds the spans (start, end) of the source's text that make it: the
rows or sentences to read together with its target.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kag.retrieval.chunk import Chunk, ChunkKind
from kag.retrieval.graph.entities import name_form
from kag.retrieval.graph.title_links import CELL_WORDS, Named, Row, Titles, table_rows
from kag.retrieval.property_graph.property_graph import Edge
from kag.text.search_text import tokens
from kag.text.sentences import sentences

CELL, MENTION, LINK, NEXT, PARENT = "cell_title", "mentions", "link", "next", "parent_child"
SCHEMA = "schema_edge"  # a link between two records: an edge of the graph that they are made of
REFERS = "refers_to"  # a link to a table or figure of the same paper (`kag.retrieval.graph.build`)
PAIRING = frozenset((CELL, MENTION, LINK, SCHEMA, REFERS))  # their ends say together what neither says alone

CONTEXT_WORDS = 8  # in a cell that is completed from around it
CONTEXT_LEAST, CONTEXT_MOST = 0.6, 2
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """Which of these edges are made. `context` completes cells from their row, `links` are a chunk's own."""

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
    """What a cell names, by all three ways; without `around` not by its context."""
    words = form.split()
    if not words:
        return
    yield from titles.equal(cell)
    if len(words) <= CELL_WORDS:
        yield from (named for named, _, _ in titles.within(words))
    if around is not None and len(words) <= CONTEXT_WORDS:
        yield from titles.context(frozenset(words), around, least=CONTEXT_LEAST, most=CONTEXT_MOST)


def _from_sentences(chunk: Chunk, titles: Titles) -> Iterator[Edge]:
    """What a text names, with the sentences that name it; its own document is left out."""
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
        yield from (Edge(names[0], other, PARENT) for other in names[1:])


def place_texts(chunk: Chunk, props: Mapping[str, Sequence[Span]]) -> tuple[str, ...]:
    """The stretches of the source's text that make an edge."""
    return tuple(chunk.text[start:end] for start, end in props.get("places", ()))
