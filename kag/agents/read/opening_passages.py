"""The agent's opening: passages that search finds for the question.

The best passage is shown whole, the others as whole sentences or table rows, each behind the name of its node, so that
it can be quoted without another step. A figure, table or section that the question names is shown first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kag.qa.answering import named_parts
from kag.qa.checking.claim_check import short_forms
from kag.qa.paper import REFERS, Node, PaperGraph
from kag.qa.passage_ranking import Passage, rank_passages, words_not_printed
from kag.qa.passages import JOIN
from kag.qa.quote import find_quote
from kag.qa.views.view_bounds import between_words, excerpt
from kag.rdf.namespaces import KAG
from kag.text.plain import plain
from kag.text.sentences import sentences

FOUND = 12  # passages of one paper, as far as there is room
ROOM, ROOM_OF_MANY = 6_500, 4_500  # characters of all passages of one paper, and of several
SIZES = (1_500, 900, 900, 600)  # characters of the best passages; of all later ones the last
NAMED = 1_500  # characters of a figure, table or section that the question names
REFERRING = 2  # sentences shown that refer to it
LEAST = 0.3  # of the best score that a passage has to have
MANY, OTHERS = 300, 260  # passages among which other papers are looked for; characters of one passage of each
RANK = 60  # the constant of reciprocal rank fusion (Cormack et al., SIGIR 2009)

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of one node of a passage's text."""

    node: Node
    start: int
    end: int


def opening_passages(papers: Sequence[PaperGraph], question: str) -> str:
    """Search these papers for a question and its second wording; return the passages as lines, "" for none.

    Of several papers, lines name the paper, and each paper whose best passage is not far below the best one has a line.
    """
    several = len(papers) > 1
    ranking = _ranked(papers, question)[:FOUND]
    parts = [] if several else list(_parts_named(papers[0], question))
    already = {iri for _, nodes in parts for iri in nodes}
    by_id = {paper.id: paper for paper in papers}
    lines = [text for text, _ in parts]
    room, shown_papers = (ROOM_OF_MANY if several else ROOM) - sum(map(len, lines)), set[str]()
    for rank, passage in enumerate(passage for passage in ranking if already.isdisjoint(passage.nodes)):
        size = SIZES[min(rank, len(SIZES) - 1)]
        if room > size // 2:
            lines.append(shown_passage(by_id[passage.paper], passage, size, with_paper=several))
            shown_papers.add(passage.paper)
            room -= len(lines[-1])
    for passage in rank_passages(papers, question, MANY) if several else ():
        if passage.paper not in shown_papers and passage.score >= LEAST * ranking[0].score:
            lines.append(shown_passage(by_id[passage.paper], passage, OTHERS, with_paper=True))
            shown_papers.add(passage.paper)
    notes = list(_not_printed(papers, question))
    if room > ROOM // 2 and not several:
        abstract = list(_abstract(papers[0], {iri for passage in ranking for iri in passage.nodes}))
        notes += ["The abstract:", *abstract] if abstract else []
    return "\n".join([*(["Search finds:", *lines] if lines else []), *notes])


def _abstract(paper: PaperGraph, shown: set[str]) -> Iterator[str]:
    """The abstract, for a question whose words find little."""
    inside = [one.iri for one in paper.sections.values() if "Abstract" in one.types or one.title.lower() == "abstract"]
    nodes = dict.fromkeys(iri for section in inside for iri in paper.within(section) if iri not in shown)
    room = ROOM // 3
    for node in (paper.nodes[iri] for iri in nodes if paper.nodes[iri].text.strip()):
        words = quotable(node, *excerpt(node, 0, len(node.text), SIZES[1]))
        room -= len(words)
        if room < 0:
            break
        yield f"[{node.name} p{node.page}, Abstract] {words}"


def _not_printed(papers: Sequence[PaperGraph], question: str) -> Iterator[str]:
    nowhere = set.intersection(*(set(words_not_printed(paper, question)) for paper in papers)) if papers else set()
    if nowhere:
        yield f"Printed nowhere: {', '.join(sorted(nowhere))}."


def second_wording(paper: PaperGraph, question: str) -> str:
    """The question with the paper's own short forms written out and long forms shortened; "" where it has none.

    "How good is the RNN?" of a paper that prints "recurrent network (RNN)" gets the words "recurrent network".
    """
    forms = short_forms(paper)
    folded = f" {' '.join(_WORD.findall(question.lower()))} "
    added = [long for short, long in forms.items() if re.search(rf"(?<!\w){re.escape(short)}s?(?!\w)", question)]
    added += [short for short, long in forms.items() if f" {long.lower()} " in folded]
    return f"{question} {' '.join(added)}" if added else ""


def _ranked(papers: Sequence[PaperGraph], question: str) -> list[Passage]:
    """The passages that either wording finds, fused by rank, without those that score far below the best."""
    scores: dict[tuple[str, str], float] = {}
    passages: dict[tuple[str, str], Passage] = {}
    rankings = [rank_passages(papers, question, FOUND)]
    for paper in papers:
        if wording := second_wording(paper, question):
            rankings.append(rank_passages(paper, wording, FOUND))
    for ranking in rankings:
        for rank, passage in enumerate(ranking):
            key = passage.paper, passage.nodes[0]
            passages.setdefault(key, passage)
            scores[key] = scores.get(key, 0.0) + 1 / (RANK + rank)
    least = LEAST * max((passage.score for passage in passages.values()), default=0.0)
    ordered = (passages[key] for key in sorted(scores, key=lambda key: -scores[key]))
    return [passage for passage in ordered if passage.score >= least]


def shown_passage(paper: PaperGraph, passage: Passage, size: int, *, with_paper: bool = False) -> str:
    """A passage within about `size` characters behind the names of its nodes, and of its paper with `with_paper`."""
    where = f"{paper.id} " if with_paper else ""
    section = passage.section.rpartition(" > ")[2][:60]
    if passage.kind == "Table":
        return _table(
            paper, paper.nodes[passage.nodes[0]], size, where, section, passage.text[passage.start : passage.end]
        )
    start, end = _window(passage, size)
    lines = list[str]()
    for part in _parts(paper, passage):
        first, last = max(start, part.start), min(end, part.end)
        if first < last:
            place = f", {section}" if section and not lines else ""
            words = quotable(part.node, first - part.start, last - part.start)
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
    return quotable(node, start, end)


def _parts_named(paper: PaperGraph, question: str) -> Iterator[tuple[str, set[str]]]:
    """The figures, tables and sections that a question names, each with the nodes that it is shown of."""
    room = ROOM // 2
    for passage in named_parts(question, paper):
        lines = [shown_passage(paper, passage, min(NAMED, room))]
        described = [iri for iri in paper.targets(passage.nodes[0], KAG.describes) if iri in paper.nodes]
        lines += [line for iri in described for line in _referring(paper, paper.nodes[iri])]
        room -= sum(map(len, lines))
        if room < 0:
            return
        yield "\n".join(lines), {*passage.nodes, *described}


def _referring(paper: PaperGraph, node: Node) -> Iterator[str]:
    for iri in paper.sources(node.iri, REFERS)[:REFERRING]:
        host = paper.nodes[iri]
        for mention in [one for one in paper.mentions_in(iri) if node.iri in one.targets][:1]:
            start, end = excerpt(host, mention.start, mention.end)
            yield f"[{host.name} p{host.page}] {quotable(host, start, end)}"


def quotable(node: Node, start: int, end: int) -> str:
    """Characters of a node on one line, in plain words where these can be quoted from it."""
    text = node.text[start:end]
    choices = (" ".join(plain(text).split()), " ".join(text.split()))
    return next((words for words in choices if find_quote(node.text, words)), text.strip())
