"""`answer_content`: a question on what the text says, answered by the sentences that say most on it.

Without a model nothing is put into other words: a claim is a sentence as printed. When no sentence has enough of
what is asked, the answer is that the paper does not say, with the words that were looked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import TypeVar

from kag.questions.file import Question
from kag.rdf.namespaces import KAG
from kag.read.checking.verify import supported, told_once
from kag.read.extract.asking import GLUE, Asked, asked, parts_of
from kag.read.extract.extremes import extreme, is_superlative
from kag.read.extract.ranking import WEIGHTS, Scored, Weights, rank
from kag.read.extract.values import value_in
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.read.quote import evidence
from kag.text.plain import plain
from kag.values.evidence import Answer, Claim

MODE, LABEL = "extractive", "offline, no model"

# Fitted on half of the articles of COVID-QA: below FIT the best sentence is on something else (8 % of the questions
# that the article answers, 83 % of those of another article); the logistic tells how often the best sentence is right.
FIT = 0.35
_SLOPE_FIT, _SLOPE_MARGIN, _INTERCEPT = 0.7, 0.98, -1.38
_WIDEST = 3.0  # a margin above this says no more
_HIGHEST = 0.89  # a ranked sentence is never as sure as a look-up in the graph

CLAIMS = 3
_CLOSE = 0.9  # of the best score: as good an answer
_MORE = 0.6  # of the best score, for a sentence that has what the ones before it lack
_SMALL = 1500  # characters of a table that is given whole
_ROWS = " / "
_LEAST = 0.15  # confidence of a sentence that is not the first


Sure = tuple[Scored, float]  # a sentence and how sure it is, 0 to 1
Choose = Callable[[Sequence[Scored]], Sequence[Scored]]  # of ranked sentences those to answer with
_T = TypeVar("_T")


def answer_content(question: Question, paper: PaperGraph, index: SearchIndex) -> Answer:
    """One to three sentences of the paper, the likeliest first, a caption with its table; none when it does not say.

    A question of several parts has a sentence or more for each part that is answered.

    `index` is over `passages(paper)`. A value is given where the question asks for a number or date and the first
    sentence has exactly one, or where it asks for the largest or smallest of values with one unit.
    """
    parts = parts_of(question.text)
    needs = [asked(part, question.text) for part in parts]
    found = [best_of(part, need, index) for part, need in zip(parts, needs, strict=True)]
    value = found[0][1] if len(found) == 1 or is_superlative(parts[0]) else ""
    claims = (claims_of(one, sure, paper, index) for one, sure in in_turn([sentences for sentences, _ in found]))
    carried, dropped = supported(chain.from_iterable(claims), {paper.id: paper}, question.text)
    kept = told_once(carried)
    return Answer(
        id=question.id,
        question=question.text,
        mode=MODE,
        label=LABEL,
        claims=kept,
        value=value if value and any(value in claim.text for claim in kept[:1]) else None,
        dropped=dropped,
        searches=tuple(" ".join(need.content) or part for part, need in zip(parts, needs, strict=True)),
        papers=(paper.id,),
    )


def best_of(question: str, need: Asked, index: SearchIndex, weights: Weights = WEIGHTS) -> tuple[tuple[Sure, ...], str]:
    """The sentences to answer with, each with how sure it is, and the value asked for as printed, or "".

    Nothing when no sentence has enough of the question.
    """
    return picked(question, need, rank(need, index, weights), index)


def picked(
    question: str,
    need: Asked,
    ranked: Sequence[Scored],
    index: SearchIndex,
    *,
    least: float = FIT,
    choose: Choose | None = None,
) -> tuple[tuple[Sure, ...], str]:
    """`best_of` sentences that are ranked already: those that `choose` takes when the first has a fit of `least`."""
    if not ranked or not _says_it(ranked[0], need, least):
        return (), ""
    chosen = list((choose or select)(ranked))
    top = extreme(question, ranked, index) if is_superlative(question) else None
    if top:
        chosen = [top.sentence, *(one for one in chosen if one != top.sentence)][:CLAIMS]
        value = top.quantity.surface
    else:
        value = value_in(index.passages[chosen[0].number].text[chosen[0].start : chosen[0].end], question, need)
    sure = [(one, confidence(ranked, one)) for one in chosen]
    return (sure[0], *(pair for pair in sure[1:] if pair[1] >= _LEAST)), plain(value)


def in_turn(found: Sequence[Sequence[_T]], most: int = CLAIMS) -> list[_T]:
    """What was found first for each part, then the seconds, up to as many as an answer has claims."""
    turns = [one for turn in zip_longest(*found) for one in turn if one is not None]
    return turns[: max(most, len(found))]


def _says_it(one: Scored, need: Asked, least: float) -> bool:
    """Whether a sentence has enough of a question that says what it is about, and something of what is counted."""
    tells = max(need.words.values(), default=0.0) > GLUE
    return tells and one.fit >= least and not (need.counted and need.counted.isdisjoint(one.words))


def select(ranked: Sequence[Scored]) -> tuple[Scored, ...]:
    """The best sentence, and up to two more: nearly as good, or good and with words of the question it lacks."""
    chosen = [ranked[0]]
    known = set(ranked[0].words)
    for one in ranked[1:]:
        share = one.score / ranked[0].score
        if len(chosen) == CLAIMS or share < _MORE:
            break
        if share >= _CLOSE or one.words - known:
            chosen.append(one)
            known |= one.words
    return tuple(chosen)


def confidence(ranked: Sequence[Scored], one: Scored) -> float:
    """How likely a sentence holds the answer, 0 to 1: by its fit and how far it is ahead of the next, or behind."""
    rival = next((other for other in ranked if other != one), None)
    margin = min(one.score - rival.score, _WIDEST) if rival else _WIDEST
    odds = _SLOPE_FIT * one.fit + _SLOPE_MARGIN * margin + _INTERCEPT
    return round(min(1 / (1 + math.exp(-odds)), _HIGHEST), 2)


def claims_of(one: Scored, sure: float, paper: PaperGraph, index: SearchIndex) -> Iterator[Claim]:
    """A sentence as a claim; the table that it is the caption of says the rest, where it is small.

    A sentence that a column or page cuts has evidence for each of its parts, a row for its column heads as well.
    """
    passage = index.passages[one.number]
    spans = list(passage.places(one.start, one.end))
    is_row = passage.kind == "table"
    if is_row:
        first = next((other for other in index.passages if other.id == f"{spans[0][0]}#0"), passage)
        spans = list(dict.fromkeys([*first.places(0, len(first.text)), *spans]))
    places = tuple(evidence(paper, *span) for span in spans)
    yield Claim((_ROWS if is_row else " ").join(plain(place.quote) for place in places), places, sure)
    if passage.kind == "caption":
        yield from _tables(spans[0][0], sure, paper)


def _tables(caption: str, sure: float, paper: PaperGraph) -> Iterator[Claim]:
    """The small tables that a caption describes, each whole."""
    for iri in paper.targets(caption, KAG.describes):
        node = paper.nodes.get(iri)
        if node and node.kind == "Table" and 0 < len(node.text) <= _SMALL:
            rows = _ROWS.join(plain(row) for row in node.text.splitlines() if row.strip())
            yield Claim(rows, (evidence(paper, iri),), sure)
