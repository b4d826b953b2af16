"""`answer_content`: a question on what the text says, answered by the passage that says most on it."""

from __future__ import annotations

from kag.evidence import Answer, Claim
from kag.questions import Question
from kag.reading.paper import Paper
from kag.reading.quote import evidence
from kag.reading.search import SearchIndex
from kag.verify import claim_issues

MODE, LABEL = "extractive", "offline, no model"
CONFIDENCE = 0.3  # the passage that fits best is not the answer


def answer_content(question: Question, paper: Paper, index: SearchIndex) -> Answer:
    """The snippet of the first passage as the one claim; nothing when no word of the question is in the paper."""
    hits = index.search(question.text, 1).hits
    claims = []
    for hit in hits:
        node, start, end = hit.snippet
        if node in paper.nodes and end > start:
            place = evidence(paper, node, start, end)
            claims.append(Claim(place.quote, (place,), CONFIDENCE))
    kept = tuple(claim for claim in claims if not claim_issues(claim, {paper.id: paper}, question.text))
    return Answer(question.id, question.text, MODE, LABEL, kept, searches=(question.text,), papers=(paper.id,))
