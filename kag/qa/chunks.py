"""From the graph of a paper to the chunks that are searched: the only file that knows both.

Each chunk lists the nodes it covers, so that a hit leads back to page and box. Everything printed is in a chunk,
but for section titles, which are the `topic` of what stands below them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kag.qa.paper import CITES, REFERS, Node, PaperGraph
from kag.qa.passages import Passage, passages
from kag.qa.printed_table import stored_cells
from kag.rdf.namespaces import BIRO, FABIO, KAG, PRISM
from kag.retrieval.chunking import MOST, Chunk, ChunkKind, pieces, table_segments
from kag.retrieval.graph.build import Citation
from kag.retrieval.hits_json_ld import Article
from kag.text.plain import plain

Entities = Callable[[str], Sequence[str]]

SMALL = 60  # words; a shorter paragraph joins its neighbour: alone it says too little to be found
CLIPPED = 40  # words of its caption that a table's later segments repeat
_ALONE = frozenset(("caption", "reference", "footnote"))


@dataclass(frozen=True, slots=True)
class _Piece:
    """Passages that become one chunk, or one of the parts of a long one."""

    text: str
    passages: tuple[Passage, ...]

    @property
    def words(self) -> int:
        return len(self.text.split())


def chunks(paper: PaperGraph, entities: Entities | None = None) -> tuple[Chunk, ...]:
    """The chunks of a paper in reading order; `entities` finds the names in a text.

    Paragraphs are whole, with their continuations; those under 60 words join a neighbour of the same section, those
    over 180 words are cut between sentences into about equal parts. A caption is a chunk, with its figure among its
    nodes; a table is one for each 8 rows, behind its caption and header; so are a footnote and a reference each.
    `links` are the chunks that a chunk's call-outs point to.
    """
    found: list[Chunk] = []
    merged: list[_Piece] = []
    tables: set[str] = set()
    for passage in passages(paper):
        if passage.kind == "table":
            name = passage.parts[0].node
            if name not in tables:
                found += _text_chunks(paper, merged)
                found += _table_chunks(paper, paper.nodes[name], passage)
                merged = []
            tables.add(name)
        elif passage.kind != "sectiontitle" and not _of_table(paper, passage):
            _join(merged, passage)
    found += _text_chunks(paper, merged)
    named = [replace(chunk, entities=tuple(entities(chunk.text))) for chunk in found] if entities else found
    return _linked(paper, sorted(named, key=lambda chunk: paper.place(chunk.sources[0])))


def citations(papers: Iterable[PaperGraph]) -> tuple[Citation, ...]:
    """The references of papers that lead to another of them: both name the same work."""
    known = {paper.id: paper for paper in papers}
    own = {
        work: name for name, paper in known.items() if (work := paper.graph.value(paper.document, str(KAG.realizes)))
    }
    return tuple(
        Citation(name, node.iri, own[work])
        for name, paper in known.items()
        for node in paper.of_kind("BibliographicReference")
        if own.get(work := paper.graph.value(node.iri, str(BIRO.references)), name) != name
    )


def articles(papers: Mapping[str, PaperGraph], cited: Iterable[Citation] = ()) -> dict[str, Article]:
    """Return the JSON-LD metadata of papers by id."""
    cites: dict[str, set[str]] = {}
    for citation in cited:
        cites.setdefault(citation.document, set()).add(papers[citation.cited].document)
    return {
        name: Article(
            paper.document,
            paper.title,
            paper.graph.value(paper.document, str(FABIO.hasPublicationYear)),
            paper.graph.value(paper.document, str(PRISM.doi)),
            tuple(sorted(cites.get(name, ()))),
        )
        for name, paper in papers.items()
    }


def _of_table(paper: PaperGraph, passage: Passage) -> bool:
    """Whether a passage is the caption of a table that has words: it is read with the table."""
    described = paper.targets(passage.parts[0].node, KAG.describes) if passage.kind == "caption" else ()
    return any(paper.nodes[iri].kind == "Table" and paper.nodes[iri].text.strip() for iri in described)


def _join(merged: list[_Piece], passage: Passage) -> None:
    """Put a passage behind the last piece where both belong together and one of them is small."""
    here = _Piece(plain(passage.text), (passage,))
    last = merged[-1] if merged else None
    alone = passage.kind in _ALONE or last is None or last.passages[-1].kind in _ALONE
    if (
        last is not None
        and not alone
        and last.passages[-1].sections == passage.sections
        and min(last.words, here.words) < SMALL
        and last.words + here.words <= MOST
    ):
        merged[-1] = _Piece(f"{last.text}\n{here.text}", (*last.passages, passage))
    else:
        merged.append(here)


def _text_chunks(paper: PaperGraph, merged: Sequence[_Piece]) -> Iterator[Chunk]:
    for piece in merged:
        first = piece.passages[0]
        nodes = [part.node for passage in piece.passages for part in passage.parts]
        nodes += [iri for node in nodes if first.kind == "caption" for iri in paper.targets(node, KAG.describes)]
        kind = ChunkKind.RECORD if first.kind == "reference" else ChunkKind.DOCUMENT
        for number, (start, end) in enumerate(pieces(piece.text)):
            yield _chunk(paper, first, number, piece.text[start:end], kind, nodes)


def _table_chunks(paper: PaperGraph, table: Node, passage: Passage) -> Iterator[Chunk]:
    caption = paper.caption_of(table.iri)
    words = caption.plain if caption else table.label
    header, rows = _grid(paper, table)
    nodes = [table.iri, *((caption.iri,) if caption else ())]
    for number, segment in enumerate(table_segments(header, rows)):
        shown = " ".join(words.split()[:CLIPPED]) if number else words
        text = "\n".join(filter(None, (shown, segment.text)))
        yield replace(_chunk(paper, passage, number, text, ChunkKind.TABLE, nodes), columns=tuple(filter(None, header)))


def _grid(paper: PaperGraph, table: Node) -> tuple[list[str], list[list[str]]]:
    """A table's header and rows in plain words: from its stored cells, else from its lines."""
    stored, details = stored_cells(paper, table)
    if stored is None:
        lines = [[plain(cell) for cell in line.split(" | ")] for line in table.text.splitlines() if line.strip()]
        return (lines[0], lines[1:]) if len(lines) > 1 else ([], lines)
    rows = [[plain(str(cell)) for cell in row] for row in stored]
    columns: list[list[str]] = details.get("columns", [])
    begin: int = details.get("header_rows", 0)
    return [plain(" ".join(path)) for path in columns] if begin else [], rows[begin:]


def _chunk(paper: PaperGraph, passage: Passage, number: int, text: str, kind: ChunkKind, nodes: Sequence[str]) -> Chunk:
    """A chunk named by its first node, and by its number where it is not the first of that node."""
    name = passage.parts[0].node
    return Chunk(
        id=f"{name}#{number}" if number else name,
        text=text,
        kind=kind,
        document=paper.id,
        title=paper.title,
        topic=" > ".join(passage.path),
        sources=tuple(dict.fromkeys(nodes)),
        metadata={
            "kind": passage.kind,
            "pages": " ".join(str(page) for page in dict.fromkeys(paper.nodes[node].page for node in nodes)),
            **({"roles": " ".join(dict.fromkeys(passage.roles))} if passage.roles else {}),
        },
    )


def _linked(paper: PaperGraph, found: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """The chunks with what their nodes cite and refer to, where that is in another chunk."""
    chunk_of: dict[str, str] = {}
    for chunk in found:
        for node in chunk.sources:
            chunk_of.setdefault(node, chunk.id)
    return tuple(
        replace(chunk, links=tuple(name for name in dict.fromkeys(links) if name != chunk.id))
        for chunk, links in ((chunk, _pointed(paper, chunk, chunk_of)) for chunk in found)
    )


def _pointed(paper: PaperGraph, chunk: Chunk, chunk_of: dict[str, str]) -> Iterator[str]:
    for node in chunk.sources:
        for target in paper.targets(node, CITES, REFERS):
            if target in chunk_of:
                yield chunk_of[target]
