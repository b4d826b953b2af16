"""Rank the passages of one or more papers for a question, without a model.

A passage is what a reader takes in at once: a paragraph with its continuations, a caption, a footnote, or the rows of
a table below its caption and header. Reference list entries and headings are context, not passages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from kag.read.paper import PaperGraph
from kag.read.passage_index import Ranking, SearchIndex
from kag.read.passages import Passage as Unit
from kag.read.passages import passages as units_of
from kag.text.plain import plain
from kag.text.sentences import sentences
from kag.text.stop_words import content_words

MAX_ROWS = 12  # rows of a table that are shown
_SKIPPED = frozenset(("reference", "sectiontitle", "title", "listofauthors", "listoforganizations"))
_INDEXES: WeakKeyDictionary[PaperGraph, SearchIndex] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Passage:
    """A ranked passage: `text[start:end]` is the sentence or table row that matches the question best.

    `nodes` are the IRIs of the graph nodes that print the text, `kind` is a class's local name ("Paragraph",
    "Caption", "Table", "Footnote"), `section` the titles from the top joined by " > ", `page` the first page.
    """

    paper: str
    nodes: tuple[str, ...]
    kind: str
    section: str
    page: int
    text: str
    start: int
    end: int
    score: float


def rank_passages(papers: PaperGraph | Sequence[PaperGraph], question: str, limit: int = 10) -> list[Passage]:
    """Return the best passages for a question, best first; equal scores stay in reading order."""
    found: list[Passage] = []
    for paper in (papers,) if isinstance(papers, PaperGraph) else papers:
        found += _ranked(paper, question, limit)
    return sorted(found, key=lambda passage: -passage.score)[:limit]


def words_not_printed(paper: PaperGraph, question: str) -> list[str]:
    """Return the content words of a question that the paper prints nowhere, in any form with the same stem."""
    index = _index(paper)
    return [word for word in content_words(question) if not index.forms(word)]


def _index(paper: PaperGraph) -> SearchIndex:
    if paper not in _INDEXES:
        _INDEXES[paper] = SearchIndex(units_of(paper))
    return _INDEXES[paper]


def _ranked(paper: PaperGraph, question: str, limit: int) -> Iterable[Passage]:
    index = _index(paper)
    ranking = index.rank(" ".join(content_words(question)) or question)
    shown: set[str] = set()
    for number in ranking.order:
        unit = index.passages[number]
        node = unit.parts[0].node
        if unit.kind in _SKIPPED or node in shown:
            continue
        shown.add(node)
        yield _table(paper, index, ranking, number) if unit.kind == "table" else _text(paper, index, ranking, number)
        if len(shown) == limit:
            return


def _text(paper: PaperGraph, index: SearchIndex, ranking: Ranking, number: int) -> Passage:
    unit = index.passages[number]
    start, end = _best_sentence(index, ranking, number)
    nodes = tuple(part.node for part in unit.parts)
    text = unit.text.replace("\n", " ")
    return _passage(paper, unit, nodes, text, (start, end), ranking.scores[number])


def _table(paper: PaperGraph, index: SearchIndex, ranking: Ranking, number: int) -> Passage:
    """The rows of a table around the best one, below its caption and column names."""
    unit = index.passages[number]
    node = paper.nodes[unit.parts[0].node]
    rows = [at for at, other in enumerate(index.passages) if other.kind == "table" and other.parts[0].node == node.iri]
    head = [at for at in rows if index.passages[at].names_columns] or rows[:1]
    body = sorted((at for at in rows if at not in head), key=lambda at: (-ranking.scores.get(at, 0.0), at))
    caption = paper.caption_of(node.iri)
    lines = [plain(caption.text) if caption else node.label, *(index.passages[at].text for at in head)]
    text, mark = "\n".join(filter(None, lines)), (0, 0)
    for at in sorted(body[:MAX_ROWS]):
        start = len(text) + 1
        text = f"{text}\n{index.passages[at].text}"
        mark = (start, len(text)) if at == number else mark
    nodes = (node.iri, caption.iri) if caption else (node.iri,)
    return _passage(paper, unit, nodes, text, mark if mark[1] else (0, len(text)), ranking.scores[number])


def _best_sentence(index: SearchIndex, ranking: Ranking, number: int) -> tuple[int, int]:
    """The sentence that prints the most of what was looked for, by weight."""
    words = list(index.wording(number))
    spans = sentences(index.passages[number].text) or ((0, len(index.passages[number].text)),)

    def weight(span: tuple[int, int]) -> float:
        return sum(
            {word: ranking.wanted.get(word, 0.0) for start, _, word in words if span[0] <= start < span[1]}.values()
        )

    return max(spans, key=weight)


def _passage(
    paper: PaperGraph, unit: Unit, nodes: tuple[str, ...], text: str, mark: tuple[int, int], score: float
) -> Passage:
    return Passage(
        paper=paper.id,
        nodes=nodes,
        kind=paper.nodes[nodes[0]].kind,
        section=" > ".join(unit.path),
        page=unit.pages[0] if unit.pages else 0,
        text=text,
        start=mark[0],
        end=mark[1],
        score=round(score, 4),
    )
