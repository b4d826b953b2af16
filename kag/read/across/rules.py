"""`answer_across`: a question put to many papers, without a model.

    the paper that is named -> exactly, from all graphs -> the sentences of any paper, and of what they cite

A question about one paper is answered as that paper's own questions are. A question about the papers that cite one, or
that one cites, is put to these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kag.questions.file import Question
from kag.read.across.each import read_each
from kag.read.across.naming import cited_for, named
from kag.read.across.shelf import Shelf
from kag.read.across.text_answer import answer_cited_for, answer_content, answer_each
from kag.read.checking.verify import supported
from kag.read.paper import Paper
from kag.values.evidence import Answer

Extract = Callable[[Question, Paper], Answer]
Exact = Callable[[Question], Answer | None]


def rules(extract: Extract, exact: Exact, *, follow: bool = True) -> Callable[[Question, Shelf], Answer]:
    """`answer_across` with all but the question and the shelf given."""
    return lambda question, shelf: answer_across(question, shelf, extract, exact, follow=follow)


def answer_across(question: Question, shelf: Shelf, extract: Extract, exact: Exact, *, follow: bool = True) -> Answer:
    """The answer of the papers together. `extract` asks one paper, `exact` all graphs (None: not such a question).

    Without `follow` citations in the papers found are not followed.
    """
    naming = named(question.text, shelf)
    if naming and naming.relation == "itself":
        given = extract(replace(question, text=naming.question), shelf.library[naming.paper])
        return _as_asked(given, question, shelf)
    found = exact(question)
    if found is not None:
        return found
    if naming is None:
        return _of_many(question, shelf, follow)
    scope = shelf.citing(naming.paper) if naming.relation == "citing" else shelf.cited_by(naming.paper)
    if not scope:
        return _none_here(question, naming.paper, naming.relation)
    given = answer_content(replace(question, text=naming.question), shelf, scope, follow=False)
    return _as_asked(given, question, shelf)


def _of_many(question: Question, shelf: Shelf, follow: bool) -> Answer:
    """A question that names no one paper: on what works are cited for, on papers one by one, or on what any says."""
    topic = cited_for(question.text)
    if topic:
        return answer_cited_for(question, topic, shelf)
    each = read_each(question.text, shelf.volumes)
    return answer_each(question, each, shelf) if each else answer_content(question, shelf, follow=follow)


def _as_asked(given: Answer, question: Question, shelf: Shelf) -> Answer:
    """The answer to the question in its own words; a claim that does not hold under these is left out."""
    kept, lost = supported(given.claims, shelf.library, question.text)
    value = given.value if not lost else None
    searches = given.searches or (question.text,)
    return replace(
        given, question=question.text, claims=kept, value=value, dropped=(*given.dropped, *lost), searches=searches
    )


def _none_here(question: Question, paper: str, relation: str) -> Answer:
    what = f"papers here that cite {paper}" if relation == "citing" else f"papers here that {paper} cites"
    return Answer(question.id, question.text, "extractive", "offline, no model", searches=(what,), papers=(paper,))
