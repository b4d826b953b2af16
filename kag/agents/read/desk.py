"""`Desk`: where an agent reads. One paper through its views, or a shelf of papers through search and views."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kag.agents.read.read_prompts import CORPUS_TASK, READ_TASK
from kag.read.across.shelf import Shelf
from kag.read.paper import PaperGraph
from kag.read.passage_ranking import rank_passages, words_not_printed
from kag.read.views.corpus_views import CorpusViews
from kag.read.views.view_bounds import printable
from kag.read.views.view_overview import outline
from kag.read.views.views import Views
from kag.values.tool import Tool, toolset

ACTIONS = ("search_knowledge_graph", "expand_node", "graph_statistics")  # an export answers no question
MAX_BYTES = 6000  # of the list of papers that an agent is told
FOUND, WIDE, WIDER = 6, 3, 250  # passages shown at first; of how many more than a snippet; characters on each side
SMALL = 1_000  # characters of a table that is shown whole


@dataclass(frozen=True, slots=True)
class Desk:
    """What an agent has before it: instructions, what it is shown at first, its tools, and the papers (by id) that
    its claims are judged by."""

    task: str
    overview: str
    tools: tuple[Tool, ...]
    papers: Mapping[str, PaperGraph]


def paper_desk(paper: PaperGraph, question: str, tools: tuple[Tool, ...] = ()) -> Desk:
    """A desk with one paper, read through its views unless other tools are given.

    What the words of the question find is shown at first: often that is where the answer is.
    """
    views = Views(paper)
    shown = "\n\n".join(part for part in (outline(paper), _found(paper, question)) if part)
    return Desk(READ_TASK, shown, tools or toolset(views), {paper.id: paper})


def _found(paper: PaperGraph, question: str) -> str:
    """The best passages for the question, with node, page and section; and its words that are nowhere in the paper."""
    best = [passage.evidence[0] for passage in rank_passages(paper, question, FOUND) if passage.evidence]
    lines = [_line(paper, one.node, one.start, one.end, WIDER if rank < WIDE else 0) for rank, one in enumerate(best)]
    nowhere = sorted(words_not_printed(paper, question))
    known = [f"Nowhere in the paper: {', '.join(nowhere)}."] if nowhere else []
    return "\n".join([*(["The question's words find:", *lines] if lines else []), *known])


def _line(paper: PaperGraph, iri: str, start: int, end: int, more: int) -> str:
    """A stretch of a node behind its name and place; a small table whole."""
    node, section = paper.nodes[iri], paper.section_of(iri)
    if node.kind == "Table" and len(node.text) <= SMALL:
        start, end = 0, len(node.text)
    else:
        start, end = widened(node.text, start, end, more)
    where = f", {section.title[:80]}" if section else ""
    words = "\n".join(" ".join(row.split()) for row in node.text[start:end].splitlines())
    return f"[{node.name} p{node.page}{where}] {words if node.kind == 'Table' else ' '.join(words.split())}"


def widened(text: str, start: int, end: int, more: int) -> tuple[int, int]:
    """A span with so many characters more on each side, cut between words."""
    first = 0 if start <= more else text.find(" ", start - more - 1, start) + 1 or start
    last = text.rfind(" ", end, end + more + 1) if end + more < len(text) else len(text)
    return first, last if last >= end else end


def corpus_desk(shelf: Shelf, more: tuple[Tool, ...] = ()) -> Desk:
    """A desk with many papers: search over all of them, more tools of that kind, and the views of each paper."""
    from kag.read.views.search_tools import CorpusTools  # its packages are an extra that one paper does not need

    actions = (tool for tool in toolset(CorpusTools(shelf.index, shelf.library)) if tool.name in ACTIONS)
    tools = (*actions, *more, *toolset(CorpusViews(shelf.library)))
    return Desk(CORPUS_TASK, shelf_overview(shelf), tools, shelf.library)


def shelf_overview(shelf: Shelf) -> str:
    """How many papers there are, and a line for each of the first: id, title, first author's family name, year; at
    most 6,000 bytes, the last line says how many are not named."""
    lines = [f"{len(shelf.papers)} papers"]
    room = MAX_BYTES - 100
    for one in shelf.papers:
        by = ", ".join(part for part in (one.author[:60], one.year[:10]) if part)
        line = printable(f"{one.id}: {' '.join(one.title.split())[:160]}{f' ({by})' if by else ''}")
        room -= len(line.encode("utf-8", "surrogatepass")) + 1
        if room < 0:
            break
        lines.append(line)
    left = len(shelf.papers) - len(lines) + 1
    return "\n".join([*lines, *([f"and {left} more"] if left else [])])
