"""`answer_across`: a question put to many papers, without a model.

    the paper that is named -> exactly, from all graphs -> the sentences of any paper, and of what they cite

A question about one paper is answered as that paper's own questions are. A question about the papers that cite one, or
that one cites, is put to these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from kag.questions.file import Question
from kag.questions.reader import Known, read_question
from kag.questions.topics import Topic, read_topic
from kag.questions.wish import AnyOf, Condition, Name, Wish
from kag.read.across.shelf import Shelf
from kag.read.across.text_answer import answer_cited_for, answer_content, answer_each
from kag.read.checking.verify import supported
from kag.read.extract.asking import asked
from kag.read.extract.content import LABEL, MODE
from kag.read.paper import PaperGraph
from kag.read.said.answers import answer_said
from kag.values.evidence import Answer

PRINT = "sections, references and floats of the graphs"
Extract = Callable[[Question, PaperGraph], Answer]
Exact = Callable[[Question], Answer | None]


def rules(extract: Extract, exact: Exact, *, follow: bool = True) -> Callable[[Question, Shelf], Answer]:
    """`answer_across` with all but the question and the shelf given."""
    return lambda question, shelf: answer_across(question, shelf, extract, exact, follow=follow)


def answer_across(question: Question, shelf: Shelf, extract: Extract, exact: Exact, *, follow: bool = True) -> Answer:
    """The answer of the papers together. `extract` asks one paper, `exact` all graphs (None: not such a question).

    Without `follow` citations in the papers found are not followed.
    """
    topic = read_topic(question.text, shelf.papers)
    match topic:
        case Topic(Wish(where=(Condition("is", name=Name(paper)),)), text):
            return _as_asked(extract(replace(question, text=text), shelf.library[paper]), question, shelf)
    found = answer_said(question, shelf.library) or exact(question)
    if found is not None:
        return found
    reading = read_question(question.text, Known(papers=shelf.papers, many=True))
    if reading.of_print or any(wish.each for wish in reading.wishes):  # a sentence that shares its words is no answer
        return Answer(question.id, question.text, MODE, LABEL, searches=(PRINT,))
    return (_of_topic(question, topic, shelf) if topic else None) or answer_content(question, shelf, follow=follow)


def _of_topic(question: Question, topic: Topic, shelf: Shelf) -> Answer | None:
    """What the papers around one say, works that are cited for something, or papers one by one; None for no topic."""
    match topic.wish:
        case Wish(where=(Condition("cites", Wish(where=(Condition(name=Name(paper)),))),)):
            return _of_scope(question, topic.text, shelf, shelf.citing(paper), f"papers here that cite {paper}", paper)
        case Wish("paper", (Condition("cited in", Wish(where=(Condition(name=Name(paper)),))),)):
            return _of_scope(
                question, topic.text, shelf, shelf.cited_by(paper), f"papers here that {paper} cites", paper
            )
        case Wish("work", (Condition(of=Wish(where=(Condition(name=Name(said)),))),)):
            return answer_cited_for(question, said, shelf)
        case Wish(where=(*scope, Condition("text", name=Name(said)))):
            need = asked(said, topic.text)
            if 1.0 not in asked(said).words.values():
                return None  # no word says what it is about
            return answer_each(question, said, need, shelf, _named(scope), lists=topic.wish.each is None)
    return None


def _named(scope: Iterable[Condition | AnyOf]) -> tuple[str, ...]:
    """The papers that conditions name: one of these is meant."""
    parts = [part for one in scope if isinstance(one, AnyOf) for part in one.conditions]
    return tuple(part.name.text for part in parts if isinstance(part, Condition) and part.name)


def _of_scope(question: Question, text: str, shelf: Shelf, scope: frozenset[str], what: str, paper: str) -> Answer:
    """What some of the papers say."""
    if not scope:
        return Answer(question.id, question.text, MODE, LABEL, searches=(what,), papers=(paper,))
    return _as_asked(answer_content(replace(question, text=text), shelf, scope, follow=False), question, shelf)


def _as_asked(given: Answer, question: Question, shelf: Shelf) -> Answer:
    """The answer to the question in its own words; a claim that does not hold under these is left out."""
    kept, lost = supported(given.claims, shelf.library, question.text)
    value = given.value if not lost else None
    searches = given.searches or (question.text,)
    return replace(
        given, question=question.text, claims=kept, value=value, dropped=(*given.dropped, *lost), searches=searches
    )
