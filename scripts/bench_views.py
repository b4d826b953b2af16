"""Latency of the five views, and what a question costs before its first call, on a paper and on a book of papers."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from kag.rdf.namespaces import DOCO, KAG
from kag.rdf.published import PublishedGraph
from kag.read.paper import PaperGraph
from kag.read.views.views import Views, overview
from kag.values.content import ContentStore

BOOK = 1000  # pages
SHIFTED = {str(KAG.pageNumber), str(KAG.order), str(KAG.citationNumber)}


def views_report(runs: list[Path], calls: int = 400) -> str:
    """The figures of `runs` (run folders): the paper nearest to 10 pages, and all of them bound into 1,000 pages."""
    papers = sorted((PaperGraph.load(run) for run in runs), key=lambda paper: (abs(pages(paper) - 10), paper.id))
    ten = papers[0]
    if ten.path is None:
        raise ValueError("a paper without a folder")
    path = ten.path
    start = [cpu(lambda: Views(PaperGraph.load(path)).index) for _ in range(11)]
    lines = [
        f"## Views, CPU time, {calls} calls each, no pictures",
        "",
        f"A question's start on {pages(ten)} pages ({ten.id}): graph, sections and search index in "
        f"{statistics.median(start) * 1000:.0f} ms (median of {len(start)}).",
        "",
        "| view | pages | median ms | p99 ms | longest |",
        "|---|---|---|---|---|",
    ]
    for paper in (ten, bound(papers)):
        for name, times in latencies(paper, calls).items():
            p99 = sorted(times)[int(len(times) * 0.99)] * 1000
            middle, longest = statistics.median(times) * 1000, max(times) * 1000
            lines.append(f"| {name} | {pages(paper)} | {middle:.2f} | {p99:.2f} | {longest:.2f} |")
    return "\n".join([*lines, ""])


def latencies(paper: PaperGraph, calls: int) -> dict[str, list[float]]:
    """Seconds of CPU of each view, called on nodes and words drawn from the paper."""
    views, pick = Views(paper), random.Random(1)
    views.index, paper.mentions, paper.chain_of(paper.document), views.g_node_detail("ex:document")
    nodes, sections = [*paper.nodes], [*paper.sections]
    floats = [node.iri for node in paper.of_kind("Figure", "Table")]
    asked = queries(paper, pick)
    drawn: dict[str, Callable[[], object]] = {
        "g_section_content": lambda: views.g_section_content(pick.choice(sections)),
        "g_node_detail": lambda: views.g_node_detail(pick.choice(nodes)),
        "g_search": lambda: views.g_search(next(asked)),
        "g_search, 20 hits": lambda: views.g_search(next(asked), 20),
        "g_figure_info": lambda: views.g_figure_info(pick.choice(floats)),
        "g_node_refs": lambda: views.g_node_refs(pick.choice(nodes)),
        "g_node_refs of a section": lambda: views.g_node_refs(pick.choice(sections)),
    }
    times = {name: [cpu(call) for _ in range(calls)] for name, call in drawn.items() if floats or "figure" not in name}
    return times | {"overview": [cpu(lambda: overview(paper)) for _ in range(5)]}


def queries(paper: PaperGraph, pick: random.Random) -> Iterator[str]:
    """Questions in the paper's own words, some with conditions; without end."""
    texts = [node.plain.split() for node in paper.of_kind("Paragraph", "Caption") if len(node.text) > 80]
    forms = (
        "{}",
        "{}",
        "what is known of the {} and how was it found",
        '"{}"',
        "{} kind:caption",
        "{} section:results",
    )
    while True:
        words = pick.choice(texts)
        at = pick.randrange(len(words))
        yield pick.choice(forms).format(" ".join(words[at : at + pick.choice((1, 2, 4))]).replace('"', ""))


def bound(papers: list[PaperGraph]) -> PaperGraph:
    """The papers one behind the other, again from the first, as one document of 1,000 pages."""
    base = "http://la3d.local/kag/doc/book/"
    subjects: dict[str, dict[str, tuple[str, ...]]] = {}
    links: set[str] = set()
    contained: list[str] = []
    shift = part = 0
    while shift < BOOK:
        paper = papers[part % len(papers)]
        for subject in paper.graph:
            if subject == paper.document:
                continue
            properties = paper.graph.properties(subject)
            links |= {name for name in properties if paper.graph.is_link(name)}
            subjects[renamed(subject, paper, base, part)] = {
                name: tuple(
                    str(int(value) + shift * (1 if name == str(KAG.pageNumber) else 1000))
                    if name in SHIFTED
                    else renamed(value, paper, base, part)
                    if paper.graph.is_link(name)
                    else value
                    for value in values
                )
                for name, values in properties.items()
            }
        contained += [
            renamed(child, paper, base, part) for child in paper.graph.values(paper.document, str(KAG.contains))
        ]
        shift, part = shift + pages(paper), part + 1
    types = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    subjects[base + "document"] = {types: (str(DOCO.Document),), str(KAG.contains): tuple(sorted(contained))}
    return PaperGraph(PublishedGraph(subjects, frozenset(links | {types, str(KAG.contains)})), ContentStore(), "book")


def renamed(iri: str, paper: PaperGraph, base: str, part: int) -> str:
    return f"{base}v{part:03d}-{iri[len(paper.base) :]}" if iri.startswith(paper.base) else iri


def pages(paper: PaperGraph) -> int:
    return max(node.page for node in paper.nodes.values())


def cpu(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
