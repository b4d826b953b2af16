"""What becomes of things where nobody acts: water flows into the sea, a seed becomes a plant, ice melts.

Rules over verbs, sentence by sentence, for texts in which no person is named. What moves where, what comes to be and
what is gone: a thing is the words before or behind the verb; what `it` is, is the thing named last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from kag.domains.story.prose.tokens import words
from kag.text.sentences import sentences

ChangeKind = Literal["create", "destroy", "move"]
LEAD = frozenset(
    {"the", "a", "an", "this", "that", "these", "those", "some", "any", "all", "more", "most", "many", "much", "then",
     "now", "finally", "next", "first", "its", "their", "also", "often", "sometimes", "usually", "other", "new", "can",
     "will", "may", "slowly", "quickly", "eventually", "later", "again", "once", "there", "each", "every", "both"}
)  # fmt: skip
STOP = frozenset(
    {"of", "from", "in", "on", "at", "by", "with", "for", "to", "into", "onto", "through", "and", "or", "that", "which",
     "when", "as", "because", "so", "if", "until", "while", "where", "is", "are", "was", "were", "has", "have", "it",
     "they", "them", "out", "up", "down", "over", "under", "around", "back", "away", "off", "than", "but", "not"}
)  # fmt: skip
PRONOUNS = frozenset({"it", "they", "them", "this"})
WHERE = re.compile(r"\b(?:into|onto|to|in|on|through|toward|towards|out of|inside|over|across)\s+")
BREAK = re.compile(r",|;|:|\b(?:and|then|when|as|that|which|because|while|where|until|but|so)\b")
MOST_WORDS = 4


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a thing, and where it moves; the characters of its sentence."""

    kind: ChangeKind
    thing: str
    place: str
    start: int
    end: int


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The verbs of each kind, the longest first."""
    table: Mapping[str, list[str]] = words()["things"]
    return tuple(
        (kind, re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(verbs, key=len, reverse=True)))})\b"))
        for kind, verbs in table.items()
    )


def changes_of(text: str) -> tuple[Change, ...]:
    """The changes that a text tells of, in order; each once a sentence."""
    found: list[Change] = []
    last = ""
    for start, end in sentences(text):
        told = tuple(dict.fromkeys(_changes(text[start:end].lower().rstrip(" .!?"), last)))
        found += [Change(kind, thing, place, start, end) for kind, thing, place in told]
        last = next((thing for _, thing, _ in told), "") or _subject(text[start:end].lower()) or last
    return tuple(found)


def _subject(sentence: str) -> str:
    """What a sentence begins with, if that is a thing."""
    return _phrase(sentence.split())


def _changes(sentence: str, last: str) -> Iterator[tuple[ChangeKind, str, str]]:
    """The changes of a sentence: what each of its verbs does to what stands before or behind it."""
    taken: list[tuple[int, int]] = []
    for kind, form in _forms():
        for match in form.finditer(sentence):
            if any(start <= match.start() < end for start, end in taken):
                continue
            before, behind = _before(sentence[: match.start()], last), _phrase(sentence[match.end() :].split())
            behind = last if not behind and sentence[match.end() :].split()[:1] in (["it"], ["them"]) else behind
            told = tuple(_told(kind, before, behind, _place(sentence[match.end() :])))
            if told:
                taken.append(match.span())
            yield from told


def _told(kind: str, before: str, behind: str, place: str) -> Iterator[tuple[ChangeKind, str, str]]:
    if kind == "turn" and before and behind:
        yield "destroy", before, ""
        yield "create", behind, ""
    elif kind == "made" and before:
        yield "create", before, ""
    elif kind == "makes" and (behind or before):
        yield "create", behind or before, ""
    elif kind == "lost" and before and not behind:
        yield "destroy", before, ""
    elif kind == "loses" and behind:
        yield "destroy", behind, ""
    elif kind == "moves" and before and not (behind and not place):
        yield "move", before, place
    elif kind == "carries" and behind:
        yield "move", behind, place


def _before(part: str, last: str) -> str:
    """The thing that stands before a verb."""
    clause = BREAK.split(part)[-1].split() or part.split()
    while clause and clause[0] in LEAD | {"in", "on", "at", "after", "during"}:
        clause = clause[1:]
    if clause and clause[0] in PRONOUNS:
        return last
    return _phrase(clause) or (last if not clause else "")


def _phrase(given: list[str]) -> str:
    """The thing that some words begin with."""
    while given and given[0] in LEAD:
        given = given[1:]
    kept: list[str] = []
    for word in given:
        bare = word.strip(",;:()\"'")
        if bare in STOP or not bare or not bare[0].isalpha() or bare.endswith("ly") or len(kept) == MOST_WORDS:
            break
        kept.append(bare)
        if word[-1] in ",;:":
            break
    return " ".join(kept)


def _place(part: str) -> str:
    """Where something goes: the words behind the first `to`, `into`, `through`."""
    match = WHERE.search(part)
    return _phrase(part[match.end() :].split()) if match else ""
