"""Pages that search: by words with facets, and by SPARQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kag.core.errors import KagError
from kag.retrieval.faceted import DEEP
from kag.retrieval.facets import FACETS, HEADINGS, chosen
from kag.retrieval.presets import PRESETS
from kag.serve.pages.library import Names, Query, first, number
from kag.serve.papers.search import FoundPlaces, Wanted, find
from kag.serve.problems import as_refusal
from kag.serve.service import Service

REACH = {"k": 100, "k_prime": 100, "hops": 3}  # numbers of a search, with the largest of each
AT_ONCE = 8  # values of a facet that are seen without a click
EXAMPLES = (
    (
        "Papers with title and year",
        "SELECT ?paper ?title ?year WHERE {\n  GRAPH ?paper {\n"
        "    ?document a fabio:ResearchPaper ; dcterms:title ?title .\n"
        "    OPTIONAL { ?document fabio:hasPublicationYear ?year }\n  }\n}\nORDER BY ?paper\nLIMIT 100",
    ),
    (
        "Tables with their captions",
        "SELECT ?paper ?number ?caption WHERE {\n  GRAPH ?paper {\n"
        "    ?table a doco:Table ; kag:floatNumber ?number .\n"
        "    ?node kag:describes ?table ; kag:mainText ?caption .\n  }\n}\nORDER BY ?paper ?number\nLIMIT 100",
    ),
    (
        "Which sections cite most",
        "SELECT ?paper ?title (COUNT(?entry) AS ?cited) WHERE {\n  GRAPH ?paper {\n"
        "    ?section kag:containsAsHeader ?heading ; kag:contains ?paragraph .\n"
        "    ?heading kag:mainText ?title .\n    ?paragraph cito:cites ?entry .\n  }\n}\n"
        "GROUP BY ?paper ?title\nORDER BY DESC(?cited)\nLIMIT 20",
    ),
    (
        "References without a DOI",
        "SELECT ?paper ?number ?text WHERE {\n  GRAPH ?paper {\n"
        "    ?entry a deo:BibliographicReference ; kag:citationNumber ?number ; kag:citationText ?text .\n"
        "    FILTER NOT EXISTS { ?entry prism:doi ?doi }\n  }\n}\nORDER BY ?paper ?number\nLIMIT 100",
    ),
    (
        "How many nodes of each kind",
        "SELECT ?kind (COUNT(?node) AS ?nodes) WHERE {\n  GRAPH ?paper { ?node a ?kind }\n}\n"
        "GROUP BY ?kind\nORDER BY DESC(?nodes)\nLIMIT 50",
    ),
)
"""Queries to begin with, by name. The prefixes of the graphs need no declaration."""


def search_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """Search results, with facets that narrow them."""
    words, start, count = first(query, "query"), number(query, "from", DEEP), service.settings.hits
    values: dict[str, Any] = {"query": words, "chosen": {}, "found": None, "start": start, "problem": None}
    values |= {"count": count, "headings": HEADINGS, "plans": PRESETS, "reach": dict[str, str]()}
    try:
        reach = {name: number(query, name, most) for name, most in REACH.items()}
        plan = first(query, "plan")
        values["reach"] = {name: str(value) for name, value in {"plan": plan, **reach}.items() if value}
        picked = chosen((name, value) for name in FACETS for value in query.get(name, []) if value.strip())
        values["chosen"] = picked
        if not words.strip():
            return values
        wanted = Wanted(words, plan, picked, k=reach["k"], k_prime=reach["k_prime"], hops=reach["hops"])
        found = find(service.reader, wanted, service.settings, start, count)
        return {**values, "found": found, "chosen": found.chosen, "facets": _shown(found)}
    except KagError as error:
        return {**values, "problem": as_refusal(error, service.home.root)}


def _shown(found: FoundPlaces) -> list[tuple[str, list[tuple[str, int]], list[tuple[str, int]]]]:
    """Facets that can be chosen, each with the values that are seen at once (all that are chosen), and the others."""
    rows = []
    for name, counts in found.facets.items():
        picked = found.chosen.get(name, ())
        first = [row for number, row in enumerate(counts.items()) if number < AT_ONCE or row[0] in picked]
        if counts:
            rows.append((name, first, [row for row in counts.items() if row not in first]))
    return rows


def sparql_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """A query and its rows."""
    text = first(query, "query")
    values: dict[str, Any] = {"query": text or EXAMPLES[0][1], "examples": EXAMPLES, "table": None, "problem": None}
    if text.strip():
        try:
            values["table"] = service.sparql(text)
        except KagError as error:
            values["problem"] = as_refusal(error, service.home.root)
    return values
