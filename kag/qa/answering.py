"""Answer a question without a model: exactly from the graph, or else with the passages that may answer it.

    one paper      exact query over its graph          -> else passages of the paper
    many papers    exact query over all graphs         -> else passages of the papers that the question names, or of all

Passages are places to look. They are never called an answer, and no passage found never means "the paper does not say".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kag.core.evidence import PASSAGES, Answer, Passage
from kag.indexing.enrich.crossref_finder import find_crossrefs
from kag.qa.exact.compose import look_up
from kag.qa.library import Shelf
from kag.qa.paper import Node, PaperGraph, Section
from kag.qa.questions.file import Question
from kag.qa.questions.papers import named_papers
from kag.text.words import content_words

if TYPE_CHECKING:
    from kag.qa.passage_ranking import Reader

LABEL = "no model"
SHOWN = 5  # passages of an answer
READ_PAPERS = 8  # of a collection, whose passages are ranked for a question
_CHUNKS = 60  # of a collection's index that name these papers

Exact = Callable[[Question], Answer | None]


def answer(question: Question, paper: PaperGraph, reader: Reader | None = None) -> Answer:
    """The exact answer of one paper, or else its best passages; `reader` ranks them again where it is given."""
    exact = look_up(question, paper)
    if exact is not None:
        return exact
    from kag.qa.passage_ranking import rank_passages  # numpy, which exact answers do without

    named = named_parts(question.text, paper)
    ranked = rank_passages(paper, question.text, SHOWN, reader=reader)
    return _of_passages(question, _distinct(named, ranked), (paper.id,))


def answer_across(question: Question, shelf: Shelf, exact: Exact, reader: Reader | None = None) -> Answer:
    """The exact answer of all graphs, or else the best passages: of the papers that the question names, or of any."""
    found = exact(question)
    if found is not None:
        return found
    named = [name.paper for name in named_papers(question.text, shelf.papers)]
    if len(named) == 1:
        return answer(question, shelf.library[named[0]], reader)
    near, notes = (named, ()) if named else nearest_papers(question.text, shelf)
    from kag.qa.passage_ranking import rank_passages  # numpy, which exact answers do without

    ranked = rank_passages([shelf.library[name] for name in near], question.text, SHOWN, reader=reader)
    return _of_passages(question, ranked, tuple(dict.fromkeys(passage.paper for passage in ranked)), notes)


def nearest_papers(question: str, shelf: Shelf) -> tuple[Sequence[str], tuple[str, ...]]:
    """The papers of a collection whose chunks its index finds first, by the best plan that it allows; and notes on what
    it did without."""
    from kag.retrieval.chunking import Query
    from kag.retrieval.plan import retrieve
    from kag.retrieval.presets import preset
    from kag.retrieval.retrieve import reachable, usable

    query = Query(" ".join(content_words(question)) or question)
    index, notes = reachable(shelf.index, query)
    with index.whole():
        plan = preset(usable("", index)[0], index, _CHUNKS)
        hits = retrieve(query, index, plan).hits
        papers = dict.fromkeys(index.chunks[hit.chunk].document for hit in hits)
    return tuple(papers)[:READ_PAPERS], notes


def _distinct(named: Sequence[Passage], ranked: Sequence[Passage]) -> list[Passage]:
    """The parts that a question names, and behind them the ranked passages that are not among them."""
    first = {node for passage in named for node in passage.nodes}
    return [*named, *(passage for passage in ranked if first.isdisjoint(passage.nodes))][: max(SHOWN, len(named))]


def _of_passages(
    question: Question, passages: Sequence[Passage], papers: tuple[str, ...], notes: tuple[str, ...] = ()
) -> Answer:
    return Answer(
        id=question.id,
        question=question.text,
        mode=PASSAGES,
        label=LABEL,
        passages=tuple(passages),
        searches=(" ".join(content_words(question.text)) or question.text,),
        papers=papers,
        notes=notes,
    )


MAX_PARAGRAPHS = 4  # of a section that is shown
_RUN_IN = 60  # characters in which a paragraph names its own topic: "Funding. This work ..."
_TEXT = ("Paragraph", "Footnote", "List", "ListItem")


@dataclass(frozen=True, slots=True)
class _Part:
    """`asked` is how questions name it, `types` are DEO classes of such sections, `titles` what headings call it."""

    asked: re.Pattern[str]
    types: frozenset[str]
    titles: re.Pattern[str]


def _part(asked: str, types: str, titles: str) -> _Part:
    words = re.compile(rf"\b(?:{titles})", re.I)
    return _Part(re.compile(rf"\b(?:{asked})", re.I), frozenset(types.split()), words)


_PARTS = (
    _part(
        r"fund(?:ed|ing|ers?)\b|financ\w+ support|grants?\b|who paid|sponsor", "",
        r"funding|financial (?:support|disclosure)|grants?\b|support\b|acknowledge?ments?",
    ),
    _part(
        r"(?:data|code|software|scripts?|materials?)\b.{0,30}\b(?:availab|access|shared?\b|found\b|deposit|public|download)"
        r"|where (?:is|are|can).{0,30}\b(?:data|code|software)\b|\bavailability\b", "",
        r"(?:data|code|software|material).{0,20}(?:availab|access|sharing|statement|deposition)|availability|accession",
    ),
    _part(r"limitations?\b|limits of (?:the|this)|weakness|shortcoming", "", r"(?:study |strengths and )?limitation"),
    _part(r"ethic\w*|informed consent|irb\b|approv(?:ed|al) by", "", r"ethic|consent|institutional review"),
    _part(
        r"(?:conflicts?|competing|declared?) (?:of )?interests?|disclosures?\b", "",
        r"(?:conflicts?|competing|declaration).{0,8} (?:of )?interest|disclosure",
    ),
    _part(r"contributions? of (?:the |each )?authors?|author contributions?|who (?:wrote|contributed)", "",
          r"authors?['’]? contribution|contributions? of authors|credit authorship"),
    _part(r"acknowledge?ments?|who (?:is|are|do they) thank", "Acknowledgements", r"acknowledge?ment"),
    _part(r"conclu(?:de|sions?)\b|take-?home|bottom line", "Conclusion", r"conclu|summary and outlook"),
    _part(
        r"future (?:work|research|directions?)|next steps?", "FutureWork", r"future (?:work|research|direction)|outlook"
    ),
    _part(r"supplement\w+|supporting inf", "SupplementaryInformationDescription", r"supplement|supporting info"),
    _part(
        r"abstract\b|summari[sz]e|summary of (?:the|this)|what is (?:the|this) (?:paper|study|article) about",
        "Abstract", r"abstract|summary$",
    ),
)  # fmt: skip


def named_parts(question: str, paper: PaperGraph) -> tuple[Passage, ...]:
    """The figures, tables and sections that a question names, as passages in the order of the question."""
    from kag.qa.passage_ranking import node_passage  # numpy, which exact answers do without

    floats = [passage for node in _floats(question, paper) for passage in (node_passage(paper, node),) if passage]
    if floats:
        return tuple(floats)
    for part in _PARTS:
        if part.asked.search(question):
            nodes = _nodes(part, paper)
            return tuple(passage for node in nodes for passage in (node_passage(paper, node),) if passage)
    return ()


def _floats(question: str, paper: PaperGraph) -> Iterator[Node]:
    """Return the figures and tables that a question names by number; a figure by its caption."""
    for label in find_crossrefs(question):
        numbered = {node.number.lower(): node for node in reversed(paper.of_kind(label.kind.capitalize()))}
        for node in (numbered[number.lower()] for number in label.numbers if number.lower() in numbered):
            yield node if label.kind == "table" and node.text.strip() else paper.caption_of(node.iri) or node


def _nodes(part: _Part, paper: PaperGraph) -> list[Node]:
    """The paragraphs of a part's sections by title; else those that begin with its name; else of sections by type."""
    titled = [section for section in paper.sections.values() if part.titles.match(_bare(section.title))]
    nodes = [node for section in titled for node in _contents(section, paper)]
    nodes = nodes or [
        node
        for node in paper.nodes.values()
        if node.kind in _TEXT and part.titles.match(_bare(node.plain[:_RUN_IN])) and _is_run_in(node.plain)
    ]
    typed = [section for section in paper.sections.values() if not part.types.isdisjoint(section.types)]
    nodes = nodes or [node for section in typed for node in _contents(section, paper)]
    return nodes[:MAX_PARAGRAPHS]


def _contents(section: Section, paper: PaperGraph) -> Iterator[Node]:
    chains = paper.chains
    yield from (
        paper.nodes[iri] for iri in paper.within(section.iri) if iri in chains and paper.nodes[iri].kind in _TEXT
    )


def _bare(title: str) -> str:
    """A title without its number and marks."""
    return re.sub(r"^(?:[\W_]|\d|[IVX]+\.)+", "", title)


def _is_run_in(text: str) -> bool:
    """Whether a paragraph begins with a run-in heading: a few words before a stop, a colon or a dash."""
    return bool(re.match(r"[\W\d]*(?:\w+['’]?[ -]){0,4}\w+\s?[.:–—]", text))
