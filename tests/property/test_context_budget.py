"""Whatever is in graph and passages, a bundle's text is never over its budget, and says no more than its parts."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kag.kgrag.context.build import RagQuery, build_context
from kag.kgrag.context.passages import EVERYTHING, Passage, VectorHit, Wanted
from kag.kgrag.context.slice import KgRagConfig
from kag.kgrag.context.tokens import ESTIMATE, Counter, counter
from kag.kgrag.facade import DomainGraph
from kag.retrieval.property_graph.engine import GraphEngine

TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=120).filter(str.strip)
LETTERS = Counter("letters", len)
JUMPY = Counter("more together than apart", lambda text: len(text) + text.count("\n") ** 2)


class Pile:
    """Passages that are all found."""

    project = "p"

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._passages = list(passages)

    def add(self, passages: Iterable[Passage]) -> None:
        self._passages += passages

    def delete(self, ids: Iterable[str]) -> None:
        self._passages = []

    def search(self, text: str, wanted: Wanted = EVERYTHING, k: int = 8) -> tuple[VectorHit, ...]:
        return tuple(VectorHit(one.id, one.text, 1.0) for one in self._passages[:k])


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    names=st.lists(TEXT, min_size=1, max_size=12),
    pairs=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11), st.sampled_from(["knows", "owns"])), max_size=20),
    texts=st.lists(TEXT, max_size=8),
    question=st.one_of(TEXT, st.just("Which thing knows it?")),
    budget=st.integers(0, 400),
    most=st.integers(1, 12),
    by=st.one_of(st.sampled_from([ESTIMATE, LETTERS, JUMPY]), st.builds(counter)),
)
def test_a_bundle_is_never_over_its_budget(names, pairs, texts, question, budget, most, by) -> None:
    graph = DomainGraph(GraphEngine())
    for place, name in enumerate(names):
        graph.graph.create_node("Thing", {"name": name}, f"t{place}")
    for source, target, label in pairs:
        if source < len(names) and target < len(names):
            graph.graph.create_edge(label, f"t{source}", f"t{target}")
    client = Pile(Passage(f"p{place}", text) for place, text in enumerate(texts))
    query = RagQuery(f"{question} {names[0]}", ("t0",), max_tokens=budget)
    bundle = build_context(query, KgRagConfig(max_nodes=most), graph, client=client, tokens=by)
    assert by.count(bundle.text) == bundle.tokens <= budget
    assert len(bundle.kg_slice.nodes) <= most
    told = {part.id for part in bundle.parts if part.kind == "edge"}
    assert {edge.id for edge in bundle.kg_slice.edges} == told
    assert {hit.id for hit in bundle.passages} == {part.id for part in bundle.parts if part.kind == "passage"}
    assert all("\n" not in part.line for part in bundle.parts)
    assert sum(bundle.left_out.values()) >= 0
    again = build_context(query, KgRagConfig(max_nodes=most), graph, client=client, tokens=by)
    assert again == bundle
