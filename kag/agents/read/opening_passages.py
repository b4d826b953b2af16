"""What an agent is shown before its first step: the passages that search finds for the question.

The best passage is shown whole, the others as whole sentences or table rows, each behind the name of its node, so that
it can be quoted without another step. A figure or table that the question names is shown first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kag.read.paper import REFERS, Node, PaperGraph
from kag.read.passage_ranking import Passage, rank_passages, words_not_printed
from kag.read.passages import JOIN
from kag.read.views.excerpts import between_words, excerpt
from kag.read.views.view_names import Names
from kag.search.graph.entities import acronyms
from kag.text.sentences import sentences
from kag.values.errors import InvalidOperation

FOUND = 12  # passages of one paper, as far as there is room
ROOM = 6_500  # characters of all passages
SIZES = (1_500, 900, 900, 600)  # characters of the best passages; of all later ones the last
FLOAT = 1_500  # characters of a figure or table that the question names
REFERRING = 2  # sentences shown that refer to it
OTHERS = 260  # characters of the best passage of a paper that has none among the best
RANK = 60  # the constant of reciprocal rank fusion (Cormack et al., SIGIR 2009)

_WORD = re.compile(r"[^\W_]+")
_FLOAT_NAME = re.compile(r"\b(?:fig(?:ure)?|table|scheme|chart|box)s?\.?\s*[A-Z]?\d{1,3}(?:-s\d+)?", re.I)


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of one node of a passage's text."""

    node: Node
    start: int
    end: int


def opening_passages(papers: Sequence[PaperGraph], question: str) -> str:
    """What search finds for a question and for its second wording in these papers, as lines; "" for nothing.

    Of several papers each has its best passage, and lines name their paper.
    """
    several = len(papers) > 1
    found = _ranked(papers, question)
    floats = [] if several else list(_named_floats(papers[0], question))
    named = {iri for _, iris in floats for iri in iris}
    by_name = {paper.id: paper for paper in papers}
    lines = [text for text, _ in floats]
    room, seen = ROOM, set[str]()
    for rank, passage in enumerate(one for one in found if not named & set(one.nodes)):
        first = passage.paper not in seen
        size = SIZES[min(rank, len(SIZES) - 1)]
        if rank >= FOUND or room < size // 2:
            size = OTHERS if several and first else 0
        if size:
            line = shown_passage(by_name[passage.paper], passage, size, named=several)
            lines.append(line)
            seen.add(passage.paper)
            room -= len(line)
    unknown = list(_unknown(papers, question))
    if room > ROOM // 2 and not several:
        unknown += _abstract(papers[0], {iri for one in found for iri in one.nodes})
    return "\n".join([*(["Search finds:", *lines] if lines else []), *unknown])


def _abstract(paper: PaperGraph, shown: set[str]) -> Iterator[str]:
    """The abstract, for a question whose words find little."""
    inside = [one.iri for one in paper.sections.values() if "Abstract" in one.types or one.title.lower() == "abstract"]
    nodes = dict.fromkeys(iri for section in inside for iri in paper.within(section) if iri not in shown)
    room = ROOM // 3
    for node in (paper.nodes[iri] for iri in nodes if paper.nodes[iri].text.strip()):
        words = " ".join(node.text[slice(*excerpt(node, 0, len(node.text), SIZES[1]))].split())
        room -= len(words)
        if room < 0:
            break
        yield f"[{node.name} p{node.page}, Abstract] {words}"


def _unknown(papers: Sequence[PaperGraph], question: str) -> Iterator[str]:
    nowhere = set.intersection(*(set(words_not_printed(paper, question)) for paper in papers)) if papers else set()
    if nowhere:
        yield f"Printed nowhere: {', '.join(sorted(nowhere))}."


def second_wording(paper: PaperGraph, question: str) -> str:
    """The question with the paper's own short forms written out and long forms shortened; "" where it has none.

    "How good is the RNN?" of a paper that prints "recurrent network (RNN)" gets the words "recurrent network".
    """
    texts = (node.text for node in paper.nodes.values() if "(" in node.text and node.kind != "BibliographicReference")
    pairs = {short: long for text in texts for short, long in acronyms(text)}
    folded = f" {' '.join(_WORD.findall(question.lower()))} "
    added = [long for short, long in pairs.items() if re.search(rf"(?<!\w){re.escape(short)}s?(?!\w)", question)]
    added += [short for short, long in pairs.items() if f" {long.lower()} " in folded]
    return f"{question} {' '.join(added)}" if added else ""


def _ranked(papers: Sequence[PaperGraph], question: str) -> list[Passage]:
    """The passages that either wording finds, fused by rank; each paper's own best ones are among them."""
    scores: dict[tuple[str, str], float] = {}
    known: dict[tuple[str, str], Passage] = {}
    rankings = [rank_passages(papers, question, FOUND)]
    if len(papers) > 1:
        rankings += [rank_passages(paper, question, 1) for paper in papers]
    for paper in papers:
        if wording := second_wording(paper, question):
            rankings.append(rank_passages(paper, wording, FOUND))
    for ranking in rankings:
        for rank, passage in enumerate(ranking):
            key = passage.paper, passage.nodes[0]
            known.setdefault(key, passage)
            scores[key] = scores.get(key, 0.0) + 1 / (RANK + rank)
    return [known[key] for key in sorted(scores, key=lambda key: -scores[key])]


def shown_passage(paper: PaperGraph, passage: Passage, size: int, *, named: bool = False) -> str:
    """A passage within about `size` characters behind the names of its nodes, and of its paper where `named`."""
    where = f"{paper.id} " if named else ""
    section = passage.section.rpartition(" > ")[2][:60]
    if passage.kind == "Table":
        return _table(
            paper, paper.nodes[passage.nodes[0]], size, where, section, passage.text[passage.start : passage.end]
        )
    start, end = _window(passage, size)
    lines = []
    for part in _parts(paper, passage):
        first, last = max(start, part.start), min(end, part.end)
        if first < last:
            place = f", {section}" if section and not lines else ""
            words = " ".join(part.node.text[first - part.start : last - part.start].split())
            lines.append(f"[{where}{part.node.name} p{part.node.page}{place}] {words}")
    return "\n".join(lines)


def _window(passage: Passage, size: int) -> tuple[int, int]:
    """The sentences around the best one that fit; the text whole where it does."""
    if len(passage.text) <= size:
        return 0, len(passage.text)
    if passage.end - passage.start > size:
        return between_words(passage.text, passage.start, passage.start + size)
    spans = sentences(passage.text)
    best = next((at for at, (_, end) in enumerate(spans) if end > passage.start), 0)
    first = last = best
    while True:
        wider = [
            (low, high)
            for low, high in ((first, last + 1), (first - 1, last))
            if low >= 0 and high < len(spans) and spans[high][1] - spans[low][0] <= size
        ]
        if not wider:
            return spans[first][0], spans[last][1]
        first, last = min(wider, key=lambda one: max(best - one[0], one[1] - best))


def _parts(paper: PaperGraph, passage: Passage) -> Iterator[_Part]:
    at = 0
    for iri in passage.nodes:
        node = paper.nodes[iri]
        yield _Part(node, at, at + len(node.text))
        at += len(node.text) + len(JOIN)


def _table(paper: PaperGraph, node: Node, size: int, where: str, section: str, best: str) -> str:
    """A table's caption, its first row, and its rows within `size` characters, those around the best one first."""
    caption = paper.caption_of(node.iri)
    place = f", {section}" if section else ""
    head = f"[{where}{caption.name} p{caption.page}{place}] {_first_sentences(caption, 400)}\n" if caption else ""
    rows = [" ".join(row.split()) for row in node.text.splitlines() if row.strip()] or [""]
    wanted = " ".join(best.split())
    at = rows.index(wanted) if wanted in rows else 0
    room, kept = size - len(rows[0]), {0}
    for number in sorted(range(1, len(rows)), key=lambda number: (abs(number - at), number)):
        room -= len(rows[number]) + 1
        if room < 0:
            break
        kept.add(number)
    left = len(rows) - len(kept)
    more = f"\n({left} of {len(rows)} rows not shown: g_figure_info)" if left else ""
    text = "\n".join(rows[number] for number in sorted(kept))
    return f"{head}[{where}{node.name} p{node.page}{'' if head else place}] {text}{more}"


def _first_sentences(node: Node, size: int) -> str:
    start, end = excerpt(node, 0, min(size // 2, len(node.text)), size)
    return " ".join(node.text[start:end].split())


def _named_floats(paper: PaperGraph, question: str) -> Iterator[tuple[str, set[str]]]:
    """The figures and tables that a question names, each with the nodes that it is shown of."""
    names = Names(paper)
    for match in dict.fromkeys(_FLOAT_NAME.findall(question)):
        try:
            node = names.float_(re.sub(r"(?i)^([a-z]+?)s?\b", r"\1", match))
        except InvalidOperation:
            continue
        caption = paper.caption_of(node.iri)
        iris = {node.iri, *((caption.iri,) if caption else ())}
        if node.kind == "Table":
            yield _table(paper, node, FLOAT, "", "", ""), iris
            continue
        lines = [f"[{caption.name} p{caption.page}] {_first_sentences(caption, FLOAT)}"] if caption else []
        lines += list(_referring(paper, node))
        if lines:
            yield "\n".join(lines), iris


def _referring(paper: PaperGraph, node: Node) -> Iterator[str]:
    for iri in paper.sources(node.iri, REFERS)[:REFERRING]:
        host = paper.nodes[iri]
        for mention in [one for one in paper.mentions_in(iri) if node.iri in one.targets][:1]:
            start, end = excerpt(host, mention.start, mention.end)
            yield f"[{host.name} p{host.page}] {' '.join(host.text[start:end].split())}"
