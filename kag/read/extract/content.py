"""`answer_content`: a question on what the text says, answered by the sentences that say most on it.

Without a model nothing is put into other words: a claim is a sentence as printed. When no sentence is sure enough,
there is no claim: the nearest passages are named as such, and where there are none either, the paper does not say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import TypeVar

from kag.questions.file import Question
from kag.read.checking.verify import supported, told_once
from kag.read.extract.asking import GLUE, Asked, asked, parts_of
from kag.read.extract.claims import claims_of
from kag.read.extract.compounds import settled
from kag.read.extract.doubts import asks_outright, has_kind
from kag.read.extract.leaning import with_neighbours
from kag.read.extract.premise import false_number, without_given, without_strange_numbers
from kag.read.extract.ranking import WEIGHTS, Scored, Weights, rank
from kag.read.extract.reckoning.by_years import by_years
from kag.read.extract.reckoning.extremes import asks_which, extreme, is_superlative
from kag.read.extract.reckoning.terms import is_only_terms
from kag.read.extract.replies import reply
from kag.read.extract.reread import reread
from kag.read.extract.sure import as_guess, confidence
from kag.read.extract.unknown import absent, strange
from kag.read.extract.values import value_in
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.text.plain import plain
from kag.values.evidence import FALSE, NEAREST, Answer, Claim, Dropped, Value

MODE, LABEL = "extractive", "offline, no model"
SURE = 0.9

# Fitted on half of the articles of COVID-QA: below FIT the best sentence is on something else (8 % of the questions
# that the article answers, 83 % of those of another article).
FIT = 0.35
SILENT = 0.35  # confidence below which nothing is answered; what is below a half is told as doubtful
OPEN = 0.2  # the same for a question that no number, day or name has to answer: many a sentence may
ABSENT = 0.4  # of a question's words, by weight: where as many are nowhere in the paper, it says nothing on it
_UNTOLD = 0.6  # of its confidence is left to a sentence without the number that the question takes for granted

CLAIMS = 3
_MORE = 0.6  # of the best score, for a sentence that may have what the first lacks
_LEAST = 0.2  # confidence of a sentence that is not the first
_NEAR = 3  # passages that are named where nothing is answered
_COUNTED_IN = 10  # sentences among which the one with the number of what is counted goes first
_NO_VALUE = frozenset({"date", "person", "place"})  # kinds of answer that no measured value is
_PASSABLE = 0.15  # fit of a passage that is near at all


Sure = tuple[Scored, float]  # a sentence and how sure it is, 0 to 1
Choose = Callable[[Sequence[Scored]], Sequence[Scored]]  # of ranked sentences those to answer with
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Part:
    """What one part of a question comes to."""

    claims: tuple[Claim, ...] = ()
    value: Value = None
    searches: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()


def answer_content(question: Question, paper: PaperGraph, index: SearchIndex, around: str = "") -> Answer:
    """One to three sentences of the paper, the likeliest first, a caption with its table; none when it does not say.

    A question of several parts has a sentence or more for each part that is answered. `around` is the question that
    this one is a part of. What was nearest where nothing is sure enough stands in `dropped`.

    `index` is over `passages(paper)`. A value is given where the question asks for a number or date and the first
    sentence has exactly one, where it asks yes or no, or for the largest or smallest of values with one unit.
    """
    parts = parts_of(question.text)
    found = [_one_part(part, around or question.text, paper, index) for part in parts]
    value = found[0].value if len(found) == 1 or is_superlative(parts[0]) else None
    claims = in_turn([one.claims for one in found], max(CLAIMS, *(len(one.claims) for one in found)))
    carried, dropped = supported(claims, {paper.id: paper}, question.text)
    kept = told_once(carried)
    near = tuple(chain.from_iterable(one.dropped for one in found))
    return Answer(
        id=question.id,
        question=question.text,
        mode=MODE,
        label=LABEL,
        claims=kept,
        value=value if value and any(str(value) in claim.text for claim in kept[:1]) else None,
        dropped=(*dropped, *near),
        searches=tuple(dict.fromkeys(chain.from_iterable(one.searches for one in found))),
        papers=(paper.id,),
    )


def _one_part(part: str, around: str, paper: PaperGraph, index: SearchIndex) -> _Part:
    """What is found for one part of a question: by its kind, else by ranked sentences."""
    need = settled(without_strange_numbers(asked(part, around), index), index)
    search = (" ".join(need.content) or part,)
    dated = by_years(part, paper)
    if dated is not None:
        return _Part(dated.claims, dated.value, search)
    if strange(asked(part), index):
        return _Part(searches=search, dropped=tuple(_nearest(rank(need, index), need, index)))
    denied = _otherwise(part, around, paper, index)
    if denied is not None:
        return denied
    told = reply(part, around, paper, index)
    if told is not None and all(
        claim.confidence >= SILENT and not is_only_terms(part, claim) for claim in told.claims[:1]
    ):
        return _Part(told.claims, told.value, told.searches or search)
    ranked = reread(rank(need, index), need, index)
    found, value = picked(part, need, ranked, index) if absent(need, index) < ABSENT else ((), "")
    least = _least(need)
    if not found or found[0][1] < least:
        return _Part(searches=search, dropped=tuple(_nearest(ranked, need, index)))
    claims = [
        claim for one, sure in found for claim in claims_of(with_neighbours(one, need, index), sure, paper, index)
    ]
    asked_number, said = false_number(part, claims[0].text)
    if asked_number and said:
        return _Part(_told(claims), None, search, (Dropped(asked_number, f"{FALSE}: {said}"),))
    if asked_number:
        claims = [replace(claim, confidence=round(claim.confidence * _UNTOLD, 2)) for claim in claims]
    if claims[0].confidence < least or is_only_terms(part, claims[0]) or asks_outright(need):
        return _Part(searches=search, dropped=tuple(_nearest(ranked, need, index)))
    return _Part(_told(claims), value or None, search)


def _least(need: Asked) -> float:
    """The confidence from which a sentence answers."""
    return SILENT if need.needed is not None and need.needed.must else OPEN


def _told(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    return tuple(replace(claim, confidence=as_guess(claim.confidence)) for claim in claims)


def _otherwise(part: str, around: str, paper: PaperGraph, index: SearchIndex) -> _Part | None:
    """What the paper says in the place of a number that a question takes for granted and no good sentence prints."""
    bare = without_given(asked(part, around))
    if bare is None:
        return None
    ranked = rank(bare, index)
    near = [one for one in ranked[:_COUNTED_IN] if one.score >= _MORE * ranked[0].score and one.fit >= FIT]
    for one in near:
        claims = list(claims_of(one, confidence(ranked, one, bare, index), paper, index))[:1]
        number, said = false_number(part, claims[0].text)
        if not number:
            return None
        if said and claims[0].confidence >= SILENT:
            return _Part(_told(claims), None, (" ".join(bare.content),), (Dropped(number, f"{FALSE}: {said}"),))
    return None


def said_by(found: Iterable[Sure], need: Asked, paper: PaperGraph, index: SearchIndex) -> list[Claim]:
    """Sentences as claims, with the neighbours that they lean on; what stands in one already is not told again."""
    told: list[Scored] = []
    claims: list[Claim] = []
    for one, sure in found:
        whole = with_neighbours(one, need, index)
        if not any(it.number == one.number and it.start <= one.start and one.end <= it.end for it in told):
            told.append(whole)
            claims += claims_of(whole, sure, paper, index)
    return claims


def _nearest(ranked: Sequence[Scored], need: Asked, index: SearchIndex) -> Iterator[Dropped]:
    """The passages nearest to a question that nothing answers, each with its page."""
    tells = max(need.words.values(), default=0.0) > GLUE
    near = [one for one in ranked if tells and one.fit >= _PASSABLE][:_NEAR]
    for one in near:
        passage = index.passages[one.number]
        page = f" (page {passage.pages[0]})" if passage.pages else ""
        yield Dropped(plain(passage.text[one.start : one.end]), f"{NEAREST}{page}")


def best_of(question: str, need: Asked, index: SearchIndex, weights: Weights = WEIGHTS) -> tuple[tuple[Sure, ...], str]:
    """The sentences to answer with, each with how sure it is, and the value asked for as printed, or "".

    Nothing when no sentence has enough of the question, or none is sure enough.
    """
    found, value = picked(question, need, rank(need, index, weights), index)
    if strange(need, index):
        return (), ""
    return (found, value) if found and found[0][1] >= SILENT else ((), "")


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
    ranked = _of_kind(ranked, need, index)
    chosen = list((choose or select)(ranked))
    sure = [(one, confidence(ranked, one, need, index)) for one in chosen]
    value = _value_of(chosen[0], need, index)
    measured = _NO_VALUE.isdisjoint(kind.name for kind in need.kinds)
    top = extreme(question, ranked, index) if is_superlative(question) and measured else None
    if top:  # as sure as the sentence that is nearest to the topic
        sure = [(top.sentence, sure[0][1]), *(pair for pair in sure if pair[0] != top.sentence)][:CLAIMS]
        value = "" if asks_which(question) else top.quantity.surface
    if value and sure[0][1] >= SURE:  # the value asked for needs no other sentence
        return (sure[0],), plain(value)
    others = (pair for pair in sure[1:] if pair[1] >= _LEAST and (_is_row(sure[0], index) or not _is_row(pair, index)))
    return (sure[0], *others), plain(value)


def _is_row(one: Sure, index: SearchIndex) -> bool:
    """Whether it is the row of a table, which explains no sentence."""
    return index.passages[one[0].number].kind == "table"


def _value_of(one: Scored, need: Asked, index: SearchIndex) -> str:
    return value_in(index.passages[one.number].text[one.start : one.end], need)


def _of_kind(ranked: Sequence[Scored], need: Asked, index: SearchIndex) -> Sequence[Scored]:
    """The sentences with those before all others that have what an answer of this kind must have, if one is good."""
    if need.needed is None or not need.needed.must:
        return ranked
    near = [one for one in ranked[:_COUNTED_IN] if one.score >= _MORE * ranked[0].score]
    having = [one for one in near if need.counted and _value_of(one, need, index)]
    having = having or (
        [] if has_kind(ranked[0], index.passages[ranked[0].number]) else [one for one in near if one.has_kind]
    )
    return [*having, *(one for one in ranked if one not in having)] if having else ranked


def in_turn(found: Sequence[Sequence[_T]], most: int = CLAIMS) -> list[_T]:
    """What was found first for each part, then the seconds, up to as many as an answer has claims."""
    turns = [one for turn in zip_longest(*found) for one in turn if one is not None]
    return turns[: max(most, len(found))]


def _says_it(one: Scored, need: Asked, least: float) -> bool:
    """Whether a sentence has enough of a question that says what it is about, and something of what is counted."""
    tells = max(need.words.values(), default=0.0) > GLUE
    return tells and one.fit >= least and not (need.counted and need.counted.isdisjoint(one.words))


def select(ranked: Sequence[Scored]) -> tuple[Scored, ...]:
    """The best sentence, and up to two more that are good beside it: what the first lacks may stand there."""
    near = (one for one in ranked[1:CLAIMS] if one.score >= _MORE * ranked[0].score)
    return (ranked[0], *near)
