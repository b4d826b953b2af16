"""Pages of the whole corpus: its papers, their citations as a graph, jobs, figures, settings, search, SPARQL."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kag.core.errors import KagError
from kag.qa.modes import MODES
from kag.retrieval.facets import DEEP, FACETS, HEADINGS, chosen
from kag.retrieval.presets import PRESETS
from kag.serve.home import RANGES
from kag.serve.jobs.journal import Job, stamp
from kag.serve.papers.neighbours import MOST, library
from kag.serve.papers.reading import SearchPage, Wanted, find
from kag.serve.papers.uploads import TAKES, TEXTS
from kag.serve.problems import as_refusal
from kag.serve.service import Service

ROWS = 50  # papers on a page of the list
LISTED = 100  # jobs on the page of jobs
RECENT = 900.0  # seconds for which the library shows a job that has ended
ENDED = 4  # of these at most
ORDERS = (("id", "Name"), ("title", "Title"), ("year", "Year"), ("cited", "Citations"), ("pages", "Pages"))
Query = Mapping[str, list[str]]
Names = Mapping[str, str]


def first(query: Query, name: str) -> str:
    """The first value of a field, "" where it is not given."""
    return (query.get(name) or [""])[0]


def number(query: Query, name: str, most: int = 10**6) -> int:
    """A whole number of a field; 0 where it is none."""
    text = first(query, name)
    return min(int(text), most) if text.isascii() and text.isdecimal() and len(text) < 9 else 0


def papers_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """The list of papers, `ROWS` at a time; an empty library does not show that its search index is built."""
    words, year, order = first(query, "words"), first(query, "year"), first(query, "order") or "id"
    rows = service.rows(words, year, order)
    start = number(query, "from")
    papers = service.reader.state.papers
    years = Counter(paper.year for paper in papers if paper.year)
    jobs = [job for job in _of_now(service.journal.jobs()) if papers or job.kind != "populate"]
    return {
        "rows": [(row, service.reader.front(row.id)) for row in rows[start : start + ROWS]],
        "total": len(rows),
        "start": start,
        "next": start + ROWS if start + ROWS < len(rows) else 0,
        "before": max(0, start - ROWS),
        "words": words,
        "year": year,
        "order": order,
        "orders": ORDERS,
        "years": sorted(years.items(), reverse=True),
        "held": len(papers),
        "takes": TAKES,
        "accept": ",".join((".pdf", ".zip", *TEXTS)),
        **_jobs(service, jobs),
    }


def _of_now(jobs: Sequence[Job]) -> list[Job]:
    """The jobs that are open, and the last few that have ended a short while ago."""
    ended = [job for job in jobs if job.ended > stamp(time.time() - RECENT)][:ENDED]
    return [job for job in jobs if job.open or job in ended][:ROWS]


def _jobs(service: Service, jobs: Sequence[Job]) -> dict[str, Any]:
    return {"jobs": [service.job_row(job) for job in jobs], "open_jobs": any(job.open for job in jobs)}


def graph_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """Papers that cite one another."""
    neighbourhood = library(service.reader.state)
    return {
        "paper": None,
        "graph": neighbourhood,
        "source": "/api/v1/graph",
        "asked": {"most": MOST},
        "wider": None,
        "title": "Citations",
    }


def jobs_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """Running and waiting jobs."""
    jobs = service.journal.jobs()
    return {**_jobs(service, jobs[:LISTED]), "more": len(jobs) - LISTED}


def statistics_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """Counts of papers and their parts."""
    found = service.statistics()
    tables = {name: found.pop(name) for name in ("years", "kinds", "edges") if name in found}
    return {
        "numbers": found,
        "tables": tables,
        "most": {name: max(one.values(), default=0) for name, one in tables.items()},
    }


def settings_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """The settings with their ranges."""
    from kag.retrieval.presets import PRESETS

    return {
        "settings": service.settings,
        "ranges": RANGES,
        "plans": PRESETS,
        "modes": MODES,
        "models": service.models,
        "started_with": service.started_with,
    }


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


def _shown(found: SearchPage) -> list[tuple[str, list[tuple[str, int]], list[tuple[str, int]]]]:
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
