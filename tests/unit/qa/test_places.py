"""Hits in their papers: what is shown is evidence, in the chunk that was found, or nothing is claimed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.evidence import text_hash
from kag.qa.chunks import articles, chunks, citations
from kag.qa.paper import PaperGraph
from kag.qa.places import chunk_named, located, short_name
from kag.retrieval.chunking import Chunk, Hit
from kag.retrieval.index import Index
from kag.retrieval.retrieve import search
from tests.unit.qa.test_chunks import read

BASE = "http://la3d.local/kag/doc/paper/"


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    return read(tmp_path_factory.mktemp("found"))


@pytest.fixture(scope="module")
def index(paper: PaperGraph) -> Index:
    return Index.build(chunks(paper))


def first(query: str, index: Index, paper: PaperGraph):
    found = search(index, query, plan="bm25", k=1, references=True)
    (place,) = located(found.hits, query, index, {"paper": paper})
    return place


@pytest.mark.parametrize(
    ("query", "kind", "text", "page", "section"),
    [
        ("earlier winters", "paragraph", "expected from earlier winters [2].", 2, ("1 Introduction",)),
        ("upper lost", "table", "Upper | 3", 2, ("2 Methods", "2.1 Sites")),
        ("Doe fog on rivers", "reference", "[3] Doe J. Fog on rivers.", 2, ("References",)),
        ("sensors lost in each month", "caption", "Fig. 1. Sensors lost in each month.", 1, ("1 Introduction",)),
    ],
)
def test_a_hit_is_shown_as_evidence(index, paper, query, kind, text, page, section) -> None:
    place = first(query, index, paper)
    proof = place.evidence
    assert (place.kind, place.page, place.section, place.via) == (kind, page, section, "seed")
    assert text in place.text
    node = paper.nodes[place.node]
    assert (proof.quote, proof.node, proof.page, proof.boxes) == (place.text, node.iri, node.page, node.boxes)
    assert node.text[proof.start : proof.end] == proof.quote
    assert proof.sha256 == text_hash(node.text)


def test_a_paper_that_is_not_at_hand_proves_nothing(index, paper) -> None:
    hits = search(index, "earlier winters", plan="bm25", k=1).hits
    (place,) = located(hits, "earlier winters", index, {})
    assert place.evidence is None
    assert "earlier winters" in place.text
    assert place.page == 1, "the page that the chunk begins on"


def test_a_chunk_of_another_version_is_not_proved_by_this_one(paper) -> None:
    other = Index.build([Chunk("x", "Moss grows.", document="paper", sources=(f"{BASE}b_p009_0009",))])
    (place,) = located([Hit("x", 1.0)], "moss", other, {"paper": paper})
    assert (place.evidence, place.text, place.page) == (None, "Moss grows.", None)


def test_chunks_have_many_names(index) -> None:
    head = index.of_document("paper")[0]
    merged = next(chunk for chunk in index.chunks.values() if len(chunk.sources) > 1)
    later = merged.sources[-1].removeprefix(BASE)
    assert chunk_named("paper", index) == head
    assert chunk_named(head, index) == head
    assert chunk_named(short_name(head), index) == head
    assert chunk_named(f"paper/ex:{later}", index) == chunk_named(f"paper/{later}", index) == merged.id
    assert chunk_named("other", index) is None
    assert chunk_named("paper/ex:nothing", index) is None


def test_citations_between_papers_of_a_folder(tmp_path: Path) -> None:
    from tests.unit.corpus.runs import make_run

    doi = "10.5555/ice.2019.7"
    runs = {
        "ice": make_run(tmp_path, "ice", doi=doi),
        "snow": make_run(tmp_path, "snow", cites=f"Lima A. Sensors under river ice. Rivers. 2019;9:1-12. doi:{doi}."),
    }
    papers = {name: PaperGraph.load(run) for name, run in runs.items()}
    ((document, node, cited),) = citations(papers.values())
    assert (document, cited) == ("snow", "ice")
    assert doi in papers["snow"].nodes[node].text
    known = articles(papers, citations(papers.values()))
    assert known["snow"].cites == (known["ice"].iri,)
    assert (known["ice"].doi, known["ice"].title) == (doi, "Sensors under river ice")
