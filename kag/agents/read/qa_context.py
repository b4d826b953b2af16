"""What an agent has to answer a question with: instructions, an opening, tools, and the papers that prove claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kag.agents.read.opening_passages import opening_passages
from kag.agents.read.prompts import CORPUS_TASK, READ_TASK
from kag.core.tool import Tool, toolset
from kag.qa.across.paper_collection import Shelf
from kag.qa.paper import PaperGraph
from kag.qa.views.corpus_views import CorpusViews
from kag.qa.views.view_bounds import printable
from kag.qa.views.view_overview import outline
from kag.qa.views.views import Views

ACTIONS = ("search_knowledge_graph", "expand_node")  # of many papers; the others answer no question
MAX_BYTES = 1_600  # of the list of papers
OPENED = 12  # papers whose passages are shown at first


@dataclass(frozen=True, slots=True)
class QaContext:
    """What an agent answers from: `task` and `tools` never change, `overview` only with the paper, `opening` with the
    question; its claims are judged by `papers` (by id)."""

    task: str
    overview: str
    opening: str
    tools: tuple[Tool, ...]
    papers: Mapping[str, PaperGraph]


def paper_context(paper: PaperGraph, question: str, tools: tuple[Tool, ...] = ()) -> QaContext:
    """One paper, read through its views and `tools` besides."""
    offered = tools or toolset(Views(paper))
    return QaContext(READ_TASK, outline(paper), opening_passages([paper], question), offered, {paper.id: paper})


def papers_context(shelf: Shelf, question: str, more: tuple[Tool, ...] = ()) -> QaContext:
    """Many papers: search over all of them, more tools of that kind, and the views of each paper."""
    from kag.qa.views.search_tools import CorpusTools  # its packages are an extra that one paper does not need

    actions = (tool for tool in toolset(CorpusTools(shelf.index, shelf.library)) if tool.name in ACTIONS)
    tools = (*actions, *toolset(CorpusViews(shelf.library)), *more)
    papers = [shelf.library[name] for name in _nearest(shelf, question)]
    return QaContext(CORPUS_TASK, papers_overview(shelf), opening_passages(papers, question), tools, shelf.library)


def _nearest(shelf: Shelf, question: str) -> list[str]:
    """The papers that search finds for a question; all of them where they are few."""
    from kag.retrieval.retrieve import search

    names = [paper.id for paper in shelf.papers]
    if len(names) <= OPENED:
        return names
    hits = search(shelf.index, question, k=5 * OPENED).hits
    found = dict.fromkeys(shelf.index.chunks[hit.chunk].document for hit in hits)
    return [name for name in found if name in shelf.library][:OPENED]


def papers_overview(shelf: Shelf) -> str:
    """How many papers there are, and a line for each of the first: id, title, first author's family name, year; at
    most 1,600 bytes; the last line says how many are not named."""
    lines = [f"{len(shelf.papers)} papers"]
    room = MAX_BYTES - 100
    for one in shelf.papers:
        by = ", ".join(part for part in (one.author[:60], one.year[:10]) if part)
        line = printable(f"{one.id}: {' '.join(one.title.split())[:100]}{f' ({by})' if by else ''}")
        room -= len(line.encode("utf-8", "surrogatepass")) + 1
        if room < 0:
            break
        lines.append(line)
    left = len(shelf.papers) - len(lines) + 1
    return "\n".join([*lines, *([f"and {left} more"] if left else [])])
