"""Pages of the whole corpus: its papers, their citations as a graph, jobs, figures, settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from kag.qa.modes import MODES
from kag.serve.papers.neighbours import library
from kag.serve.papers.uploads import TAKES, TEXTS
from kag.serve.service import Service
from kag.serve.settings import RANGES

ROWS = 100
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
    """The list of papers, `ROWS` at a time."""
    words, year, order = first(query, "words"), first(query, "year"), first(query, "order") or "id"
    rows = service.rows(words, year, order)
    start = number(query, "from")
    years = Counter(paper.year for paper in service.reader.state.papers if paper.year)
    return {
        "rows": rows[start : start + ROWS],
        "total": len(rows),
        "start": start,
        "next": start + ROWS if start + ROWS < len(rows) else 0,
        "before": max(0, start - ROWS),
        "words": words,
        "year": year,
        "order": order,
        "years": sorted(years.items(), reverse=True),
        "held": len(service.reader.state.papers),
        "takes": TAKES,
        "accept": ",".join((".pdf", ".zip", *TEXTS)),
        "open_jobs": sum(job.open for job in service.journal.jobs()),
    }


def graph_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """Papers that cite one another."""
    found = library(service.reader.state)
    return {"paper": None, "graph": found, "source": "/api/v1/graph?most=500", "title": "Citations"}


def jobs_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """What is done, and what is still to do."""
    jobs = [service.pool.look(job.id) for job in service.journal.jobs()[:ROWS]]
    return {"jobs": jobs, "more": len(service.journal.jobs()) - len(jobs)}


def statistics_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """How much there is."""
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
