"""Hits as a reader meets them: which paper, section and page, and a verbatim stretch that can be quoted.

What is shown of a hit is evidence in the sense of `kag.core.evidence`: `kag verify` would accept it as it stands.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from kag.core.evidence import Evidence
from kag.qa.found_place import Place
from kag.qa.paper import PaperGraph
from kag.qa.passages import Match, Passage, snippet
from kag.qa.quote import beginning, evidence, find_quote
from kag.rdf.namespaces import PAPERS
from kag.retrieval.chunking import Chunk, ChunkKind, Hit
from kag.retrieval.index import Index
from kag.retrieval.sparse import words_of
from kag.text.sentences import sentences
from kag.text.words import tokens


def located(hits: Iterable[Hit], query: str, index: Index, papers: Mapping[str, PaperGraph]) -> tuple[Place, ...]:
    """The hits with their places; only the papers of these hits are read."""
    with index.whole():
        weights = {word: _rarity(word, index) for word in words_of(query)}
        return tuple(_place(hit, index.chunks[hit.chunk], weights, papers) for hit in hits)


def short_name(chunk: str) -> str:
    """A chunk's id without what all of them begin with: "smith2020/b_p001_0004"."""
    return chunk.removeprefix(PAPERS)


def chunk_named(name: str, index: Index) -> str | None:
    """The chunk with an id, a short name, the name of a node that it covers, or a paper's name; None if none has.

    A paper stands for its first chunk, a node ("smith2020/ex:b_p001_0004") for the first chunk that covers it.
    """
    bare = name.strip().removeprefix("<").removesuffix(">").removeprefix(PAPERS)
    paper, _, local = bare.partition("/")
    node = f"{PAPERS}{paper}/{local.removeprefix('ex:')}"
    for known in (name.strip(), bare, node):
        if known in index.chunks:
            return known
    of_paper = index.of_document(paper)
    if not local:
        return of_paper[0] if of_paper else None
    return next((chunk for chunk in of_paper if node in index.chunks[chunk].sources), None)


def _rarity(word: str, index: Index) -> float:
    return math.log(1 + len(index.chunks) / (1 + index.sparse.frequency(word)))


def _place(hit: Hit, chunk: Chunk, weights: Mapping[str, float], papers: Mapping[str, PaperGraph]) -> Place:
    start, end = _telling(chunk.text, weights)
    shown = chunk.text[start:end]
    paper = papers.get(chunk.document)
    proof = _proof(paper, chunk, shown, weights) if paper else None
    node = proof.node if proof else next(iter(chunk.sources), "")
    return Place(
        chunk=chunk.id,
        score=hit.score,
        via=hit.via,
        paper=chunk.document,
        title=chunk.title,
        section=tuple(filter(None, chunk.topic.split(" > "))),
        page=proof.page if proof else first_page(chunk),
        node=node,
        kind=chunk.metadata.get("kind", str(chunk.kind)),
        text=proof.quote if proof else shown,
        evidence=proof,
    )


def first_page(chunk: Chunk) -> int | None:
    """The page that a chunk begins on, where it is known."""
    first = chunk.metadata.get("pages", "").partition(" ")[0]
    return int(first) if first.isdigit() else None


def _telling(text: str, weights: Mapping[str, float]) -> tuple[int, int]:
    """The stretch of a text with the weightiest words of a question."""
    found = [
        Match(token.start, token.end, token.text, weights[token.text])
        for token in tokens(text, stem=True)
        if token.text in weights
    ]
    _, start, end = snippet(Passage("", text), sorted(found))
    return start, end


def _proof(paper: PaperGraph, chunk: Chunk, shown: str, weights: Mapping[str, float]) -> Evidence | None:
    """The evidence for what is shown of a chunk, or for what comes nearest to it in the nodes that it covers.

    None where the paper has no such nodes: it is another version of it.
    """
    printed = {node: text for node in chunk.sources if node in paper.nodes and (text := paper.nodes[node].text).strip()}
    span = next(_spans(printed, chunk, shown, weights), None)
    if span:
        return evidence(paper, *span)
    return beginning(paper, next(iter(printed))) if printed else None


def _spans(
    printed: Mapping[str, str], chunk: Chunk, shown: str, weights: Mapping[str, float]
) -> Iterator[tuple[str, int, int]]:
    """Return the spans that nodes show: a stretch whole, else its most relevant line or sentence.

    A chunk joins paragraphs, rows and the parts of a continued sentence, so a stretch of it may lie in several nodes:
    then it is the most telling stretch of one of them. Of a table only rows of this chunk will do.
    """
    parts = {part for line in shown.split("\n") for part in (line, *(line[a:b] for a, b in sentences(line)))}
    ordered = sorted(parts, key=lambda part: (-_weight(part, weights), -len(part), part))
    yield from _quoted(printed, (shown, *ordered[:1]))
    if chunk.kind is not ChunkKind.TABLE:
        stretches = ((node, *_telling(text, weights)) for node, text in printed.items())
        yield from sorted(stretches, key=lambda span: -_weight(printed[span[0]][span[1] : span[2]], weights))
    yield from _quoted(printed, ordered[1:])


def _quoted(printed: Mapping[str, str], quotes: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    for quote in quotes:
        for node, text in printed.items():
            if span := find_quote(text, quote):
                yield node, *span


def _weight(text: str, weights: Mapping[str, float]) -> float:
    """Score a text's relevance to the request."""
    return sum(weights.get(word, 0.0) for word in sorted(set(words_of(text))))
