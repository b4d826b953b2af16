"""Questions that no paper answers, made from natural ones: what is asked for is put in another thing's place.

Of a question that its paper answers one noun is taken out, and the noun of a question on another paper is put in, which
this paper prints in no form, nor another word for the same: "which bees live in the reservoir" of a paper on sensors.
`asked` swaps the very thing asked for, `named` a thing that the question is about. All is mechanical and
the same each time: a question's donors are tried from a place that its hash gives.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kag.evaluate.answers.natural import CONFIDENT, Natural
from kag.evaluate.answers.score import Ask
from kag.questions.file import Question
from kag.read.extract.asking import parts_of, weight_of
from kag.read.extract.kinds import asked_kinds
from kag.read.extract.unknown import is_printed
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex

HOWS = ("asked", "named")
_VERB = r"(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)"
_ASKED = re.compile(
    rf"\b(?:which|what|how many)\s+(?!{_VERB}\b|to\b|should\b)(?P<what>[a-z]+(?:[ -][a-z]+){{0,2}}?)"
    rf"(?=\s+(?:of|in|on|at|for|to|from|by|with|between|among|{_VERB}|\w+ed|used|took|gave|live|kept|made)\b)"
    rf"|\bwhat (?:is|was|are|were) the (?P<of>[a-z]+(?:[ -][a-z]+){{0,2}}?)(?= (?:of|in|on|at|for|to|from|between)\b)",
    re.I,
)
_NAMED = re.compile(
    r"\b(?:the|an?|of|in|for|with|from|between|among) (?P<what>[a-z]+)(?<!ed)"
    rf"(?=\s*[?.]?$|,|\s+(?:of|in|on|at|for|from|with|by|to|and|or|than|{_VERB})\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Swapped:
    """A question with one noun exchanged: `how` is one of HOWS, `noun` what was put in."""

    question: Question
    paper: str
    half: str
    how: str
    noun: str


@dataclass(frozen=True, slots=True)
class SwapMark:
    """What became of one: `confidence` is that of the first claim, 0 of silence, which is right."""

    asked: Swapped
    confidence: float


def swapped(questions: Iterable[Natural], indexes: Mapping[str, SearchIndex]) -> tuple[Swapped, ...]:
    """All that can be made from questions of one part that have an answer, on the papers that have an index."""
    first = [one for one in questions if one.gold and not one.wording and one.paper in indexes]
    first = [one for one in first if len(parts_of(one.text)) == 1]  # else the other part has an answer
    return tuple(one for how in HOWS for one in _swaps(first, indexes, how))


def put_swapped(items: Iterable[Swapped], papers: Mapping[str, PaperGraph], ask: Ask) -> tuple[SwapMark, ...]:
    """The exchanged questions answered."""
    answers = ((one, ask(one.question, papers[one.paper])) for one in items)
    return tuple(SwapMark(one, answer.claims[0].confidence if answer.claims else 0.0) for one, answer in answers)


def swap_rows(found: Iterable[SwapMark]) -> list[dict[str, Any]]:
    """For each way of exchange: how many were asked, and the share left unanswered, or answered with confidence."""
    found = tuple(found)
    groups = ((how, [one for one in found if one.asked.how == how]) for how in HOWS)
    return [
        {
            "exchanged": how,
            "asked": len(group),
            "silent": sum(not one.confidence for one in group) / len(group),
            "answered, confident": sum(one.confidence > CONFIDENT for one in group) / len(group),
        }
        for how, group in groups
        if group
    ]


def _swaps(questions: Sequence[Natural], indexes: Mapping[str, SearchIndex], how: str) -> Iterator[Swapped]:
    pattern = _ASKED if how == "asked" else _NAMED
    found = [(one, *spot) for one in questions if (spot := _noun(one.text, pattern))]
    donors = [
        (one.paper, noun)
        for one, start, end in found
        if _is_thing(noun := one.text[start:end].lower()) and indexes[one.paper].forms(noun)
    ]
    for one, start, end in found:
        at = _hash(one.text) % (len(donors) or 1)
        strange = (
            noun for paper, noun in (*donors[at:], *donors[:at])
            if paper != one.paper and noun.endswith("s") == one.text[start:end].endswith("s")
            and not is_printed(noun, indexes[one.paper])
        )  # fmt: skip
        noun = next(strange, "")
        if noun:
            text = f"{one.text[:start]}{noun}{one.text[end:]}"
            yield Swapped(Question(f"{one.id}.{how}", text), one.paper, one.half, how, noun)


def _noun(text: str, pattern: re.Pattern[str]) -> tuple[int, int] | None:
    """The place of the last word of the first phrase that a pattern finds and that tells something."""
    for match in pattern.finditer(text):
        start, end = match.span("what") if match["what"] else match.span("of")
        words = [*re.finditer(r"[A-Za-z]+", text[start:end])]
        if words and weight_of(words[-1][0].lower()) == 1 and len(words[-1][0]) > 3:
            return start + words[-1].start(), start + words[-1].end()
    return None


def _is_thing(noun: str) -> bool:
    """Whether a noun names a thing: not one that asks for a kind of answer, which other words may give ("year")."""
    return not any(True for _ in asked_kinds(f"what {noun}")) and not any(True for _ in asked_kinds(f"how {noun}"))


def _hash(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)
