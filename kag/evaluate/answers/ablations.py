"""What single parts are worth: the same questions on graphs and indexes that lack one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from kag.evaluate.answers.gold import Asked
from kag.evaluate.answers.plain_words import plainly
from kag.evaluate.answers.score import Maker, Marked, extractive, mark_spread, results
from kag.rdf.namespaces import DOCO, KAG, RDF
from kag.rdf.published import PublishedGraph
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.read.passages import passages
from kag.safety.workers import Executor

_TYPE = str(RDF.type)
_OWN = str(KAG.contains).removesuffix("contains")
# Of our own terms, those that enrichment adds; of others it adds all but the classes.
_ENRICHED = {str(term) for term in (KAG.refersTo, KAG.hasMention, KAG.authorList, KAG.startOffset, KAG.endOffset)}


def without_enrichment(paper: PaperGraph) -> PaperGraph:
    """The paper as the builder left it: no citations, cross-references, mentions, section types, parsed fields."""
    graph = paper.graph
    kept = {subject: _plain_properties(graph.properties(subject)) for subject in graph}
    links = {name for properties in kept.values() for name in properties if graph.is_link(name)}
    return PaperGraph(PublishedGraph(kept, frozenset(links)), paper.content, paper.id, paper.path)


def _plain_properties(properties: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    kept = {
        name: values
        for name, values in properties.items()
        if name == _TYPE or (name.startswith(_OWN) and name not in _ENRICHED)
    }
    if str(DOCO.Section) in kept.get(_TYPE, ()):
        kept[_TYPE] = (str(DOCO.Section),)
    return kept


def _plain_index(paper: PaperGraph) -> SearchIndex:
    return plainly(SearchIndex(passages(paper)))


SETTINGS: Mapping[str, Maker] = {
    "all": extractive,
    "no enrichment": partial(extractive, change=without_enrichment),
    "no search normalisation": partial(extractive, index=_plain_index),
}
"""The answerers that are compared: all of it, and without one part each."""


def ablations(
    golds: Iterable[Asked], papers: Mapping[str, PaperGraph], executor: Executor | None = None
) -> dict[str, tuple[Marked, ...]]:
    """The marks of each setting. Answers are verified against the whole graph in each."""
    golds = tuple(golds)
    return {name: mark_spread(golds, papers, maker, executor) for name, maker in SETTINGS.items()}


def rows(found: Mapping[str, Iterable[Marked]]) -> list[dict[str, Any]]:
    """One row a setting: exact by type, and what else was marked over all questions."""
    table = []
    for name, marks in found.items():
        by_type = results(marks)
        row: dict[str, Any] = {"setting": name}
        row |= {f"exact, {kind}": one.exact if one.known else None for kind, one in by_type.items()}
        whole = by_type["all"]
        recall = whole.recalls[-1] if whole.recalls else None
        row |= {"contained": whole.contained, "recall": recall, "hints": whole.hints, "abstained": whole.abstained}
        table.append(row | {"verified": whole.verified / whole.found if whole.found else None})
    return table
