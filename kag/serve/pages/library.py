"""Pages of the whole corpus: its papers, their citations as a graph, jobs, figures, settings."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kag.qa.modes import MODES
from kag.serve.jobs.journal import Job, stamp
from kag.serve.papers.neighbours import MOST, library
from kag.serve.papers.uploads import TAKES, TEXTS
from kag.serve.service import Service
from kag.serve.settings import RANGES

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
