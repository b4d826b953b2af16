"""Rows that queries of an agent found, kept with their query, as evidence: the nodes of a row, or those it counts.

An agent names a result by the key that the tool gave it. A claim that states a number rests on as many nodes: those
that stand in the rows, or, of a query that counts, those that were counted, which a second query with one column more
names. So `kag verify` can count them again without the query.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kag.core.errors import KagError
from kag.core.evidence import Evidence
from kag.qa.paper import PaperGraph
from kag.qa.quote import beginning
from kag.rdf.namespaces import KAG, PAPERS

MOST_NODES = 500  # of one claim
MOST_RESULTS = 200  # that are kept

Texts = Sequence[Sequence[str]]
Count = Callable[[], "Sequence[str] | None"]
"""Of each row the IRIs of the nodes that it counts, joined by blanks; None for a query that counts nothing."""


@dataclass(frozen=True, slots=True)
class _Result:
    """The result of one query."""

    rows: Texts
    count: Count


@dataclass(slots=True)
class KeptRows:
    """The results of an agent's queries by key."""

    _results: dict[str, _Result] = field(default_factory=dict)

    def keep(self, query: str, rows: Texts, count: Count) -> str:
        """Keep what a query found; returns its key, which is the same for the same query."""
        key = f"q{hashlib.sha256(query.encode('utf-8', 'replace')).hexdigest()[:8]}"
        self._results[key] = _Result(rows, count)
        if len(self._results) > MOST_RESULTS:
            self._results.pop(next(iter(self._results)))
        return key

    def proofs(
        self, given: Mapping[str, object], papers: Mapping[str, PaperGraph]
    ) -> Sequence[tuple[Evidence, ...]] | str:
        """Return the evidence of {"query": key, "row": number}: the nodes in the row, in all rows without a number, or
        the nodes that they count. Or the fault of the reference."""
        result = self._results.get(str(given.get("query")))
        if result is None:
            return f'{str(given.get("query"))[:40]!r} is not a result; take "query" of what a query tool returned'
        place = given.get("row")
        numbers = [one for one in range(len(result.rows)) if place is None or (one == place and place is not True)]
        if not numbers:
            return f"there is no row {str(place)[:20]}; it has {len(result.rows)}, from 0 on"
        try:
            counted = result.count()
        except KagError as error:
            return f"what it counts cannot be named: {error.message}"
        sets = [[name for number in numbers for name in result.rows[number]]]
        sets += [[one for number in numbers for one in counted[number].split()]] if counted else []
        found = [tuple(dict.fromkeys(_printed(names, papers))) for names in sets]
        if not any(found):
            return "its rows name no nodes, and it counts none; select or count a variable that is a paper or a node"
        return [one[:MOST_NODES] for one in found if one]


def _printed(values: Sequence[str], papers: Mapping[str, PaperGraph]) -> Iterator[Evidence]:
    """Of each value that names a paper or a node the text that is printed of it."""
    for value in values:
        name, _, local = value.removeprefix(PAPERS).partition("/")
        paper = papers.get(name) if value.startswith(PAPERS) or not local else None
        node = _node(paper, value) if paper else ""
        if paper and node:
            yield beginning(paper, node)


def _node(paper: PaperGraph, value: str) -> str:
    """Return the printed node for a node or, for the paper itself, its title; "" if there is none."""
    iri = value.partition("#")[0]
    if iri in (paper.id, paper.document):
        titles = paper.of_kind("Title") or tuple(paper.nodes.values())[:1]
        return next((node.iri for node in titles if node.text.strip()), "")
    section = paper.sections.get(iri)
    iri = section.header if section else iri
    if iri in paper.nodes and not paper.nodes[iri].text.strip():
        caption = paper.caption_of(iri)
        return caption.iri if caption else ""
    if iri not in paper.nodes:  # a call-out, or something else that a printed node holds
        return next(iter(paper.sources(iri, KAG.hasMention)), "")
    return iri
