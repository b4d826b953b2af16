"""Rank the passages of one or more papers for a question, without a language model.

A small linear model (`passage_ranking.json`, made by `scripts/benchmarks/train_passages.py`) weighs what can be
computed of a passage: BM25 over English stems (Robertson and Zaragoza 2009), how much of the question its best sentence
prints, words of its heading, neighbouring words, and how near its words are to those of the question by word vectors.
Where vectors of a network are kept with the run, or a `Reader` (a cross-encoder) reads the best passages part by part,
the same model weighs these too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Protocol

import numpy as np

from kag.core.content import ContentStore
from kag.core.evidence import Passage
from kag.core.files import parse_object, write_whole
from kag.indexing.run import GRAPH, read_file
from kag.qa.paper import Node, PaperGraph
from kag.qa.passage_features import FEATURES, PassageIndex, Query, index_of, paper_index, rarities
from kag.qa.passages import Unit, passage_units
from kag.qa.quote import evidence
from kag.rdf.published import PublishedGraph
from kag.retrieval.word_vectors import Array
from kag.text.words import content_words, stems


class PassageVectors:
    """Adds the vectors of its passages to a run; what `kag.indexing.batch` calls for each paper."""

    def prepare(self) -> None:
        """Load the model once, for all processes that are made from this one; raises `MissingExtra`."""
        from kag.retrieval.embedders import vector_files

        vector_files([""], b"")

    def files(self, files: Mapping[str, str | bytes]) -> dict[str, bytes]:
        """Return the files to add to a run with these files; raises `MissingExtra`."""
        from kag.retrieval.embedders import vector_files

        turtle = files[GRAPH]
        graph = turtle if isinstance(turtle, bytes) else turtle.encode()
        paper = PaperGraph(PublishedGraph.parse(graph), ContentStore())
        return vector_files([text for parts in index_of(paper).parts for text in parts], graph)

    def add_to(self, run: Path) -> bool:
        """Add the vectors to a run; False where it has those of its graph. Raises `MissingExtra` and `RunError`."""
        if index_of(PaperGraph.load(run)).vectors is not None:
            return False
        for name, data in self.files({GRAPH: read_file(run, GRAPH)}).items():
            write_whole(run / name, data)
        return True


__all__ = ["Passage", "Reader", "node_passage", "rank_passages", "words_not_printed"]

REREAD, NEAREST = 25, 15  # passages that a reader reads: the best by words, and by vectors
ADDED = 60  # passages nearest by vectors that are ranked though they print no word of the question


class Reader(Protocol):
    """Reads a question and texts together: how well each answers it, as log-odds."""

    @property
    def name(self) -> str: ...
    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float]: ...


def rank_passages(
    papers: PaperGraph | Sequence[PaperGraph], question: str, limit: int = 10, *, reader: Reader | None = None
) -> list[Passage]:
    """Return the best passages for a question, best first; equal scores stay in reading order."""
    indexes = [index_of(paper) for paper in ((papers,) if isinstance(papers, PaperGraph) else papers)]
    query = Query.of(question)
    rarity = rarities(indexes, query)
    near = _nearest(indexes, question)
    candidates = [candidate for index in indexes for candidate in _candidates(index, query, rarity, near)]
    if reader is not None:
        candidates = _read(question, candidates, reader)
    if near or reader is not None:
        kind = "_".join(filter(None, ("reader" if reader is not None else "words", "vectors" if near else "")))
        weights = _weights()[kind]
        candidates = [replace(candidate, score=float(np.array(candidate.known) @ weights)) for candidate in candidates]
    candidates.sort(key=lambda one: -one.score)
    return [_marked(candidate, rarity) for candidate in candidates[:limit]]


def words_not_printed(paper: PaperGraph, question: str) -> list[str]:
    """Return the content words of a question that the paper prints nowhere, in any form with the same stem."""
    printed = index_of(paper).printed
    return [word for word in content_words(question) if not printed.intersection(stems(word))]


def node_passage(paper: PaperGraph, node: Node) -> Passage | None:
    """Return a node as a passage: a paragraph with what continues it, or a table's first rows; None without words."""
    own = [passage for passage in paper_index(paper).passages if any(part.node == node.iri for part in passage.parts)]
    if node.kind == "Table":
        caption = paper.caption_of(node.iri)
        own += (passage for passage in paper_index(paper).passages if caption and passage.id == caption.iri)
    unit = next((one for one in passage_units(paper, own, least=1) if one.nodes[0] == node.iri or len(own) == 1), None)
    return _passage(paper, unit, (unit.body, len(unit.text)), 0.0) if unit else None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit of an index with its score by the model.

    `printed` says how much of the question it prints; `known` are its score by words, the cosine of its nearest vector
    and a reader's score, as far as there are any.
    """

    index: PassageIndex
    number: int
    score: float
    printed: float
    known: tuple[float, ...]


def _candidates(
    index: PassageIndex, query: Query, rarity: Mapping[str, float], near: Mapping[int, Array]
) -> list[Candidate]:
    """The units that print a word of the question, and those nearest to it by vectors."""
    rows = index.features(query, rarity)
    scores = rows @ _weights()["words"]
    found = rows[:, FEATURES.index("covered")] > 0
    printed = rows[:, FEATURES.index("bm25")] + rows[:, FEATURES.index("best_sentence")]
    cosines = near.get(id(index))
    if cosines is not None:
        found[np.argsort(-cosines, kind="stable")[:ADDED]] = True
    elif near:
        cosines = np.zeros(len(rows))
    columns = [scores] if cosines is None else [scores, cosines]
    return [
        Candidate(
            index, number, float(scores[number]), float(printed[number]), tuple(float(c[number]) for c in columns)
        )
        for number in np.flatnonzero(found).tolist()
    ]


def _nearest(indexes: Iterable[PassageIndex], question: str) -> dict[int, Array]:
    """The cosine of each unit's nearest part, by the id of its index, for papers whose vectors are kept."""
    kept = [(index, index.vectors) for index in indexes if index.vectors is not None]
    if not kept:
        return {}
    from kag.retrieval.embedders import question_vector

    wanted = question_vector(question)
    if wanted is None:
        return {}
    found = {}
    for index, rows in kept:
        starts = np.cumsum([0, *(len(parts) for parts in index.parts[:-1])])
        found[id(index)] = np.maximum.reduceat(rows @ wanted, starts)
    return found


def _read(question: str, candidates: Sequence[Candidate], reader: Reader) -> list[Candidate]:
    """The best candidates by words, and by vectors, with the score of a reader for the part that it finds best."""
    by_words = sorted(candidates, key=lambda one: -one.score)[:REREAD]
    by_vectors = sorted(
        (candidate for candidate in candidates if len(candidate.known) > 1), key=lambda one: -one.known[1]
    )[:NEAREST]
    chosen = {(id(candidate.index), candidate.number): candidate for candidate in (*by_words, *by_vectors)}
    parts = [candidate.index.parts[candidate.number] for candidate in chosen.values()]
    scores = iter(reader(question, [text for texts in parts for text in texts]))
    return [
        replace(candidate, known=(*candidate.known, max(float(next(scores)) for _ in texts)))
        for candidate, texts in zip(chosen.values(), parts, strict=True)
    ]


@cache
def _weights() -> dict[str, Array]:
    """The weights of the model by what is known of a passage: words, vectors, a reader's score."""
    text = files("kag.qa").joinpath("passage_ranking.json").read_text(encoding="utf-8")
    return {name: np.array(list(weights.values())) for name, weights in parse_object(text)["weights"].items()}


def _marked(candidate: Candidate, rarity: Mapping[str, float]) -> Passage:
    """A candidate as a passage, its best sentence or row marked."""
    assert candidate.index.paper is not None
    mark = candidate.index.marked(candidate.number, rarity)
    return _passage(candidate.index.paper, candidate.index.units[candidate.number], mark, candidate.printed)


def as_passage(unit: Unit, paper: str = "") -> Passage:
    """A unit as a passage without a mark."""
    return Passage(paper, unit.nodes, unit.kind, " > ".join(unit.section), unit.page, unit.text, 0, 0)


def _passage(paper: PaperGraph, unit: Unit, mark: tuple[int, int], score: float) -> Passage:
    proof = tuple(evidence(paper, *place) for place in unit.places(*mark))
    return replace(as_passage(unit, paper.id), start=mark[0], end=mark[1], score=round(score, 4), evidence=proof)
