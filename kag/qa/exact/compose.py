"""Exact answers: questions on structure, bibliography, floats, cells or counts, read whole and evaluated surely.

A question of which one word is not understood, or one part cannot be answered so, has no exact answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kag.core.evidence import EXACT, Answer, Value, Verdict
from kag.indexing.enrich.crossref_finder import find_crossrefs
from kag.qa.checking.claim_check import with_sound_quotes
from kag.qa.exact.evaluate import Evaluator
from kag.qa.exact.facts import Found, nothing, plural
from kag.qa.exact.grid import loose_cell
from kag.qa.exact.labels import bare, printed
from kag.qa.exact.render_answer import tell
from kag.qa.exact.showing import noun_of
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question
from kag.qa.questions.papers import KnownPaper, named_papers
from kag.qa.questions.reader import Known, read_question
from kag.qa.questions.structured_query import Query

LABEL = "from the graph, no model"
_OTHER_WORK = re.compile(r"\bet al\b|\[\d|\b(?:reference|ref|citation|their|his|her)\b|\b(?:1[5-9]|20)\d\d\b", re.I)
_QUOTES = "\"'“”‘’«»"
CERTAIN = 0.9
"""Confidence of the evaluator from which an answer is exact; what is less sure is not answered."""
GRAPH = Verdict("supported", 1.0, "graph")
"""The verdict on claims of exact answers: asked again, the graph gives them again."""


def look_up(question: Question, paper: PaperGraph) -> Answer | None:
    """Return the exact answer to a question; None if it is not exact, or the evaluator is not certain."""
    text = _about_this_paper(question.text, paper)
    reading = read_question(text, Known(titles=_titles(paper)))
    evaluator = Evaluator(paper)
    found = [(query, tell(query, evaluator, text)) for query in reading.queries]
    parts = [(query, part) for query, part in found if part is not None]
    if not found:
        part = loose_cell(text, paper) or _absent_float(text, paper)
        parts = [(Query("cell"), part)] if part is not None else []
    if not parts or len(parts) < len(found):
        return None
    if any(claim.confidence < CERTAIN for _, part in parts for claim in part.claims):
        return None
    answer = compose(question, paper, parts)
    return None if answer.dropped else answer


def _absent_float(question: str, paper: PaperGraph) -> Found | None:
    """The figure or table that a question names by a number that no float of the paper has, and no text speaks of."""
    labels = find_crossrefs(question)
    if len(labels) != 1 or labels[0].kind not in ("figure", "table") or _OTHER_WORK.search(question):
        return None
    kind, number = labels[0].kind, labels[0].numbers[0]
    if not number.isdecimal() or len(labels[0].numbers) > 1:
        return None
    known = [node.number for node in paper.of_kind(kind.capitalize())]
    texts = (node.text for node in paper.nodes.values())
    mentioned = (one for text in texts if number in text for one in find_crossrefs(text) if one.kind == kind)
    if number in known or "" in known or any(number in one.numbers for one in mentioned):
        return None
    return nothing(f"{kind} {number}")


def _titles(paper: PaperGraph) -> tuple[str, ...]:
    """The headings of a paper as printed, and without their numbers."""
    return tuple({title: None for section in printed(paper) for title in (section.title, bare(section.title))})


def _about_this_paper(question: str, paper: PaperGraph) -> str:
    """The question with "this paper" in place of the paper's own id or title."""
    for name in reversed(named_papers(question, [KnownPaper(paper.id, paper.title)])):
        start, end = name.start, name.end
        while start and end < len(question) and question[start - 1] in _QUOTES and question[end] in _QUOTES:
            start, end = start - 1, end + 1
        question = f"{question[:start]}this paper{question[end:]}"
    return question


def compose(question: Question, paper: PaperGraph, parts: Sequence[tuple[Query, Found]]) -> Answer:
    """The parts as one answer; a claim that its evidence does not carry is left out and named."""
    claims = [claim for _, part in parts for claim in part.claims]
    if not any(query.each for query, _ in parts):  # of each of several things the very same may be told
        claims = list(dict.fromkeys(claims))
    kept, dropped = with_sound_quotes(claims, {paper.id: paper}, question.text)
    value = _value(parts) if not dropped else None
    searches = tuple(dict.fromkeys(search for _, part in parts for search in part.searches))
    if not kept and not searches:
        searches = ("sections, references and floats of the graph",)
    return Answer(
        id=question.id,
        question=question.text,
        mode=EXACT,
        label=LABEL,
        claims=tuple(replace(claim, verdict=GRAPH) for claim in kept),
        value=value,
        dropped=tuple(dropped),
        searches=searches,
        papers=(paper.id,),
    )


def _value(parts: Sequence[tuple[Query, Found]]) -> Value:
    """The answer as data: counts of several things by name, a list before its length, else that of the first part that
    found anything, since a value is what the claims tell. None where two counts have one name.
    """
    counts = [_counts(query, part) for query, part in parts]
    if len(parts) > 1 and all(counts):
        named = {name: number for count in counts for name, number in count.items()}
        if len(named) == sum(map(len, counts)):
            return named
    found = [part for _, part in parts if part.claims] or [part for _, part in parts]
    values = [part.value for part in found if part.value is not None]
    lists = [value for value in values if isinstance(value, list)]
    if len(values) == 2 and isinstance(values[0], int) and lists and len(lists[0]) == values[0]:
        return lists[0]
    mixed = values and isinstance(values[0], dict) and sum(map(bool, counts)) > 1
    return values[0] if values and not mixed else None


def _counts(query: Query, part: Found) -> dict[str, int]:
    """Return a part's counts by name; none if it is not a count."""
    value = part.value
    if isinstance(value, dict):
        return value
    counted = query.ask == "count" and isinstance(value, int) and all(claim.count == value for claim in part.claims)
    return {plural(noun_of(query), 2): value} if counted and isinstance(value, int) else {}
