"""Answer a question without a model: exactly from the graph, or else with the passages that may answer it.

    one paper      exact query over its graph          -> else passages of the paper
    many papers    exact query over all graphs         -> else passages of the papers that the question names, or of all

Passages are places to look. They are never called an answer, and no passage found never means "the paper does not say".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kag.core.evidence import PASSAGES, Answer, Passage
from kag.qa.across.paper_collection import Shelf
from kag.qa.exact.compose import look_up
from kag.qa.named_parts import named_parts
from kag.qa.paper import PaperGraph
from kag.qa.passage_ranking import Reader, rank_passages
from kag.qa.questions.file import Question
from kag.qa.questions.papers import named_papers
from kag.text.stop_words import content_words

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
    ranked = rank_passages([shelf.library[name] for name in near], question.text, SHOWN, reader=reader)
    return _of_passages(question, ranked, tuple(dict.fromkeys(passage.paper for passage in ranked)), notes)


def nearest_papers(question: str, shelf: Shelf) -> tuple[Sequence[str], tuple[str, ...]]:
    """The papers of a collection whose chunks its index finds first, by the best plan that it allows; and notes on what
    it did without."""
    from kag.retrieval.chunk import Query
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
