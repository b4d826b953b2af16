"""`Desk`: where an agent reads. One paper through its views, or a shelf of papers through search and views."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kag.agents.read.read_prompts import CORPUS_TASK, READ_TASK
from kag.read.across.shelf import Shelf
from kag.read.paper import PaperGraph
from kag.read.views.corpus_views import CorpusViews
from kag.read.views.view_bounds import printable, shrunk, size
from kag.read.views.views import Views, overview
from kag.values.tool import Tool, toolset

ACTIONS = ("search_knowledge_graph", "expand_node", "graph_statistics")  # an export answers no question
MAX_BYTES = 6000  # of the list of papers that an agent is told


@dataclass(frozen=True, slots=True)
class Desk:
    """What an agent has before it: instructions, what it is told at first (`told` says what that is), its tools, and
    the papers (by id) that its claims are judged by."""

    task: str
    told: str
    overview: Mapping[str, Any]
    tools: tuple[Tool, ...]
    papers: Mapping[str, PaperGraph]


def paper_desk(paper: PaperGraph, tools: tuple[Tool, ...] = ()) -> Desk:
    """A desk with one paper, read through its views unless other tools are given."""
    return Desk(
        READ_TASK, "what the paper consists of", overview(paper), tools or toolset(Views(paper)), {paper.id: paper}
    )


def corpus_desk(shelf: Shelf, more: tuple[Tool, ...] = ()) -> Desk:
    """A desk with many papers: search over all of them, more tools of that kind, and the views of each paper."""
    from kag.read.views.search_tools import CorpusTools  # its packages are an extra that one paper does not need

    actions = (tool for tool in toolset(CorpusTools(shelf.index, shelf.library)) if tool.name in ACTIONS)
    tools = (*actions, *more, *toolset(CorpusViews(shelf.library)))
    return Desk(CORPUS_TASK, "which papers there are", shelf_overview(shelf), tools, shelf.library)


def shelf_overview(shelf: Shelf) -> dict[str, Any]:
    """How many papers there are and how the first are called, in at most 6,000 bytes.

    Returns {"papers": how many, "first": [{"paper": id, "title", "author": the first one's family name, "year"}],
    "left_out": how many are not named}.
    """
    rows: list[dict[str, Any]] = []
    room = MAX_BYTES - 100
    for one in shelf.papers:
        words = {"title": " ".join(one.title.split())[:160], "author": one.author, "year": one.year}
        row = shrunk({"paper": one.id, **{name: printable(text) for name, text in words.items() if text}}, 500)
        room -= size(row) + 2
        if room < 0:
            break
        rows.append(row)
    return {"papers": len(shelf.papers), "first": rows, "left_out": len(shelf.papers) - len(rows)}
