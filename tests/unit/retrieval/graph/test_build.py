"""The graph follows its index: what goes, what comes, what waits."""

from __future__ import annotations

from collections import Counter

from kag.retrieval.chunking import Chunk, ChunkKind
from kag.retrieval.graph.build import Citation, chunk_graph, followed, waiting
from kag.retrieval.index import Index
from kag.retrieval.property_graph.elements import Graph

CITED = Citation("ice", "ice/r1", "snow")


def paper(name: str, *words: str) -> list[Chunk]:
    """Two paragraphs, a table that the first refers to, and an entry that it cites."""
    texts = [f"{words[0]} was measured.", f"{words[0]} {words[-1]} fell in winter."]
    text = [
        Chunk(f"{name}/p{n}", one, document=name, title=f"On {name}", sources=(f"{name}/n{n}",))
        for n, one in enumerate(texts)
    ]
    table = Chunk(f"{name}/t", "Site | Lost\nUpper | 3", ChunkKind.TABLE, name, f"On {name}", columns=("Site", "Lost"))
    entry = Chunk(f"{name}/e", f"Lima. {words[-1]}.", ChunkKind.RECORD, name, sources=(f"{name}/r1",))
    first = Chunk(**{**{key: getattr(text[0], key) for key in Chunk.__slots__}, "links": (table.id, entry.id)})
    return [first, text[1], table, entry]


def edges(graph: Graph) -> Counter[tuple[str, str, str]]:
    return Counter((edge.source, edge.label, edge.target) for edge in graph.edges)


def made(*papers: list[Chunk]) -> Index:
    return Index.build(chunk for chunks in papers for chunk in chunks)


ICE, SNOW, FOG = paper("ice", "Ice", "Rime"), paper("snow", "Snow", "Rime"), paper("fog", "Fog", "Dew")


def test_links_say_what_they_mean_and_citations_lead_across() -> None:
    found = edges(chunk_graph(made(ICE, SNOW, FOG), [CITED, Citation("ice", "ice/none", "snow")]))
    assert found["ice/p0", "cites", "ice/e"] == 1
    assert found["ice/p0", "refers_to", "ice/t"] == 1
    assert found["ice/e", "cites", "snow/p0"] == 1
    assert found["ice/e", "doc_doc", "snow/e"] == 1
    assert not any(label == "link" for _, label, _ in found)


def test_the_order_in_which_documents_came_does_not_matter() -> None:
    one, other = chunk_graph(made(ICE, SNOW, FOG), [CITED]), chunk_graph(made(FOG, SNOW, ICE), [CITED])
    assert list(one.edges) == list(other.edges)
    assert list(one.nodes) == list(other.nodes)


def test_a_removed_document_leaves_no_edge() -> None:
    index = made(ICE, SNOW, FOG)
    graph = chunk_graph(index, [CITED])
    gone = index.of_document("snow")
    index.delete(gone)
    after = followed(graph, index, gone, [])
    assert {node.id for node in after.nodes} == set(index.chunks)
    kept = {key: count for key, count in edges(graph).items() if not {key[0], key[2]} & set(gone)}
    assert edges(after) == kept
    assert waiting(after) == 0


def test_an_added_document_has_its_own_links_at_once_and_waits_for_likeness() -> None:
    index = made(ICE, FOG)
    graph = chunk_graph(index)
    index.add(SNOW)
    after = followed(graph, index, (), [CITED])
    new = edges(after) - edges(graph)
    assert new["snow/p0", "cites", "snow/e"] == 1
    assert new["snow/p0", "next", "snow/p1"] == 1
    assert new["ice/e", "cites", "snow/p0"] == 1
    assert not edges(graph) - edges(after)
    assert not any(label in ("doc_doc", "table_doc", "table_table") for _, label, _ in new)
    assert waiting(after) == len(SNOW)
    whole = chunk_graph(index, [CITED])
    assert edges(whole)["ice/e", "doc_doc", "snow/e"] == 1
    assert waiting(whole) == 0


def test_a_changed_document_loses_the_edges_of_its_old_text() -> None:
    index = made(ICE, SNOW)
    graph = chunk_graph(index, [CITED])
    index.delete(index.of_document("snow"))
    index.add(SNOW[:1])
    after = followed(graph, index, {chunk.id for chunk in SNOW}, [])
    assert [key for key in edges(after) if "snow" in key[0] + key[2]] == []
    assert waiting(after) == 1
