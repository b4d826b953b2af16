"""The offline graph: what cells and sentences name, documents' own order, and likeness."""

from __future__ import annotations

import numpy as np
import pytest

from kag.retrieval.chunking import Chunk, ChunkKind
from kag.retrieval.graph.build import DOC_DOC, TABLE_DOC, TABLE_TABLE, GraphOptions, likeness_edges, sage_graph
from kag.retrieval.graph.entities import acronyms, entities, name_form
from kag.retrieval.graph.links import CELL, LINK, MENTION, NEXT, PARENT, SCHEMA, LinkOptions, link_edges
from kag.retrieval.property_graph.elements import Edge
from tests.growth import linear

TABLE = Chunk(
    "t#0",
    "Ice Cup 1998 | Finals\nCity | Winner\nUpper Norrland | Ana Lima\nFrost (town) / Rime | Norrland\nDelta | 1998",
    ChunkKind.TABLE,
    document="t",
    title="Ice Cup 1998",
    topic="Finals",
    columns=("City", "Winner"),
    links=("p5",),
)
ALL = LinkOptions()
NO_LINKS = LinkOptions(cells=False, context=False, mentions=False, links=False, structure=False)
PASSAGES = (
    Chunk("p1", "Ana Lima is a skater who won the Ice Cup 1998.", document="p1", title="Ana Lima"),
    Chunk("p2", "Frost is a town.", document="p2", title="Frost"),
    Chunk("p3", "It was held in spring.", document="p3", title="Delta at the Ice Cup 1998"),
    Chunk("p4", "Rime is a band.", document="p4", title="Rime (band)"),
    Chunk("p5", "A marsh. It is wet. Ana Lima was born there.", document="p5", title="Great Marsh"),
)


def edges(label: str, options: LinkOptions = ALL, chunks: tuple[Chunk, ...] = (TABLE, *PASSAGES)) -> list[Edge]:
    return [edge for edge in link_edges(chunks, options) if edge.label == label]


def test_cells_point_to_titles_with_their_rows() -> None:
    found = {edge.target: edge for edge in edges(CELL)}
    assert {name: edge.props["match"] for name, edge in found.items()} == {
        "p1": "equal",
        "p2": "within",
        "p4": "within",
        "p3": "context",
    }
    places = [TABLE.text[start:end] for start, end in found["p2"].props["places"]]
    assert places == ["Frost (town) / Rime | Norrland"]
    assert found["p3"].props["cell"] == "Delta"


def test_without_context_a_cell_must_print_the_title() -> None:
    assert {edge.target for edge in edges(CELL, LinkOptions(context=False))} == {"p1", "p2", "p4"}


def test_sentences_point_to_titles() -> None:
    found = {(edge.source, edge.target): edge for edge in edges(MENTION)}
    assert set(found) == {("p1", "t#0"), ("p5", "p1")}
    ((start, end),) = found["p5", "p1"].props["places"]
    assert PASSAGES[4].text[start:end].strip() == "Ana Lima was born there."


def test_own_links_are_kept_and_can_be_switched_off() -> None:
    assert [(edge.source, edge.target) for edge in edges(LINK)] == [("t#0", "p5")]
    assert edges(LINK, LinkOptions(links=False)) == []


def test_a_link_to_a_document_goes_to_its_first_chunk() -> None:
    chunks = (Chunk("a", "x", links=("d", "nowhere")), Chunk("d#0", "y", document="d"), Chunk("d#1", "z", document="d"))
    assert [edge.target for edge in edges(LINK, chunks=chunks)] == ["d#0"]


def test_chunks_of_a_document_are_in_order_under_its_first() -> None:
    chunks = tuple(Chunk(f"d#{number}", "x", document="d") for number in range(3))
    assert [(edge.source, edge.target) for edge in edges(NEXT, chunks=chunks)] == [("d#0", "d#1"), ("d#1", "d#2")]
    assert [(edge.source, edge.target) for edge in edges(PARENT, chunks=chunks)] == [("d#0", "d#1"), ("d#0", "d#2")]
    assert edges(NEXT, LinkOptions(structure=False), chunks) == []


def random_chunks(count: int) -> tuple[list[Chunk], np.ndarray]:
    rng = np.random.default_rng(5)
    words = [f"word{number}" for number in range(30)]
    chunks = [
        Chunk(
            f"c{number}",
            " ".join(rng.choice(words, 6)),
            ChunkKind.TABLE if number % 3 == 0 else ChunkKind.DOCUMENT,
            title=str(rng.choice(words)),
            entities=tuple(map(str, rng.choice(words, 3))),
            columns=tuple(map(str, rng.choice(words, 2))) if number % 3 == 0 else (),
        )
        for number in range(count)
    ]
    vectors = rng.normal(size=(count, 8)).astype(np.float32)
    return chunks, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("count", [2, 4, 6])
def test_a_small_corpus_has_an_edge_of_likeness(count: int) -> None:
    chunks, vectors = random_chunks(3 * count)
    pairs = [(chunk, row) for chunk, row in zip(chunks, vectors, strict=True) if chunk.kind is ChunkKind.DOCUMENT][
        :count
    ]
    found = list(likeness_edges([chunk for chunk, _ in pairs], np.array([abs(row) for _, row in pairs])))
    assert found


def test_links_between_records_are_edges_of_their_schema() -> None:
    record = ChunkKind.RECORD
    chunks = (Chunk("gene", "BRCA1", record, links=("disease",)), Chunk("disease", "Cancer", record))
    assert [(edge.source, edge.target) for edge in edges(SCHEMA, chunks=chunks)] == [("gene", "disease")]


def test_each_chunk_keeps_its_nearest_only_and_edges_say_why() -> None:
    chunks, vectors = random_chunks(60)
    kept = list(likeness_edges(chunks, vectors, GraphOptions(share=0.0, nearest=1)))
    assert {edge.label for edge in kept} == {DOC_DOC, TABLE_TABLE, TABLE_DOC}
    assert len([edge for edge in kept if edge.label == DOC_DOC]) <= 40
    edge = next(edge for edge in kept if edge.label == TABLE_TABLE)
    assert set(edge.props["scores"]) == {"column", "topic", "entity"}
    by_id = {chunk.id: chunk for chunk in chunks}
    named = {name for end in (edge.source, edge.target) for name in (*by_id[end].entities, *by_id[end].columns)}
    assert set(edge.props["shared"]) <= named


def test_a_signal_can_be_switched_off_and_likeness_too() -> None:
    chunks, vectors = random_chunks(30)
    entity = list(likeness_edges(chunks, vectors, GraphOptions(signals=frozenset(["entity"]))))
    assert entity
    assert all(set(edge.props["scores"]) == {"entity"} for edge in entity)
    assert not list(sage_graph(chunks, vectors, GraphOptions(NO_LINKS, likeness=False)).edges)


def test_the_graph_is_the_same_each_time_and_needs_no_vectors() -> None:
    chunks, _ = random_chunks(30)
    one, other = (list(sage_graph(chunks).edges) for _ in range(2))
    assert one == other
    assert any(edge.label == DOC_DOC for edge in one)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The ice on the Lena River broke in May.", ("Lena River", "May")),
        ("We saw that TNF-α and p53 fell; CO2 rose.", ("TNF-α", "p53", "CO2")),
        ("However, it failed. We saw 12 of 40 in 1999.", ()),
        ("She sang “Songs of the Ice” in Oslo.", ("Songs of the Ice", "Oslo")),
        ("The University of Upper Ice and the Lena River", ("The University of Upper Ice", "Lena River")),
        ("Lena River | Lena River’s ice", ("Lena River",)),
        ("A talk on the Bank of the old north and Oslo of the", ("Bank", "Oslo")),
        ("The Bank of the river " + "a" * 80 + " Rio de la Plata of", ("The Bank", "Rio de la Plata")),
        ("", ()),
    ],
)
def test_entities(text: str, names: tuple[str, ...]) -> None:
    assert entities(text) == names


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("The Queen’s Gambit", "queen gambit"),
        ("Élan  Vital", "elan vital"),
        ("TNF-α", "tnf alpha"),
        ("The", "the"),
        ("", ""),
    ],
)
def test_name_form(name: str, form: str) -> None:
    assert name_form(name) == form


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("by reverse osmosis (RO) alone", (("RO", "reverse osmosis"),)),
        ("a heat shock protein ( HSP ) and later HSP", (("HSP", "heat shock protein"),)),
        ("see the right plate (Q)", ()),
        ("we met them. Old sites (WMO)", ()),
        ("(AB) alone", ()),
    ],
)
def test_acronyms(text: str, pairs: tuple[tuple[str, str], ...]) -> None:
    assert acronyms(text) == pairs


HOSTILE = [
    "A" * 60_000,
    "“" * 60_000,
    "A of " * 20_000,
    "(A" * 30_000,
    "a.b" * 30_000,
    "a" * 60_000,
    "A " + "of " * 30_000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_takes_linear_time(text: str) -> None:
    assert linear(entities, text)
    assert linear(acronyms, text)
