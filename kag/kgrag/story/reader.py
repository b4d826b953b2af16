"""Plain sentences of a story as events: who goes where, takes, drops or gives what, and when.

Rules over words (`given/story_words.toml`), no model. What is not understood becomes no event: it is the reader's
to say so (`unread`), not to guess. Names are words with a capital; `he`, `she` and `it` are who or what was named last.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kag.kgrag.claims import sentences_of

NAME = r"(?:(?:Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord|Prince|Princess|King|Queen|Captain|Aunt|Uncle)\.? )?[A-Z][\w'’-]*(?: (?:of |the |de |van |von )?[A-Z][\w'’-]*)*"  # noqa: E501
SOMEBODY = rf"(?:{NAME}|[Hh]e|[Ss]he|[Tt]hey|(?:[Tt]he|[Aa]n?) \w+)"
ARTICLE = r"(?:(?:the|a|an|his|her|their|its|my|this|that|some) )?"
THING = rf"{ARTICLE}(?P<thing>it|[\w'’-]+(?: [\w'’-]+){{0,3}}?)"
INTO = "(?:to|into|toward|towards|inside)"
REST = r"(?: (?:there|again|back|too|from .+|with .+|on .+|in .+|at .+|and .+))?"
PRONOUNS = frozenset({"he", "she", "they"})
NO_THINGS = frozenset({"part", "place"})
"""What is taken in "took part in" and "took place at"."""
LONGEST = 400
"""Characters of a sentence that is read: what is longer says more than one thing."""


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """The meaning of a sentence. `kind` is "" if nothing was understood; `time` counts times of day, -1 without any."""

    sentence: str
    kind: str = ""
    actors: tuple[str, ...] = ()
    thing: str = ""
    place: str = ""
    receiver: str = ""
    time: int = -1


@cache
def _words() -> dict[str, list[str]]:
    """The words of the story, the longest first."""
    found = tomllib.loads((files("kag.kgrag") / "given" / "story_words.toml").read_text(encoding="utf-8"))
    return {key: value if key == "times" else sorted(value, key=len, reverse=True) for key, value in found.items()}


def verbs_of(kind: str) -> tuple[str, ...]:
    """The verbs of a kind: move, take, drop, give, be, hold."""
    return tuple(_words()[kind])


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The forms of sentences, in the order in which they are tried."""
    verbs = {kind: "|".join(re.escape(word).replace(r"\ ", " ") for word in words) for kind, words in _words().items()}
    who = rf"(?P<actors>{SOMEBODY}(?:(?:, | and |, and ){SOMEBODY})*)"
    somebody = rf"(?P<receiver>{SOMEBODY}|him|her|them)"
    ways = "back |off |away |up |down |over |straight |quickly |slowly |home "
    forms = (
        ("give", rf"{who} (?:{verbs['give']}) {THING} to {somebody}{REST}"),
        ("give", rf"{who} (?:{verbs['give']}) {somebody} {THING}{REST}"),
        ("hold", rf"{who} (?:{verbs['hold']}) {THING}{REST}"),
        ("be", rf"{who} (?:{verbs['be']}) (?:in|at|inside|by|near) {ARTICLE}(?P<place>[\w'’ -]+?)"),
        ("move", rf"{who} (?:{verbs['move']}) (?:{ways})*{INTO} {ARTICLE}(?P<place>[\w'’ -]+?){REST}"),
        ("take", rf"{who} (?:{verbs['take']}) {THING}(?: up)?{REST}"),
        ("drop", rf"{who} (?:{verbs['drop']}) {THING}(?: down| behind| away)?{REST}"),
    )
    return tuple((kind, re.compile(rf"{form}[.!]?\Z")) for kind, form in forms)


def read_sentences(sentences: Iterable[str]) -> Iterator[ReadSentence]:
    """Read each sentence in order; the persons and things named last are remembered."""
    last, last_thing = "", ""
    places: set[str] = set()
    for sentence in sentences:
        sentence_read = _read(sentence, last, last_thing, places)
        last, last_thing = (sentence_read.actors or (last,))[-1], sentence_read.thing or last_thing
        if sentence_read.place:
            places.add(sentence_read.place)
        yield sentence_read


def read_story(text: str) -> tuple[ReadSentence, ...]:
    """Read each sentence of a text."""
    return tuple(read_sentences(sentences_of(text)))


def _read(sentence: str, last: str, last_thing: str, places: set[str]) -> ReadSentence:
    """Read one sentence."""
    plain, time = _timed(" ".join(sentence.split()))
    if len(plain) <= LONGEST:
        for kind, pattern in _patterns():
            match = pattern.match(plain)
            if match is not None:
                return _sentence(sentence, kind, match, last, last_thing, places, time)
    return ReadSentence(sentence, time=time)


def _sentence(
    sentence: str, kind: str, match: re.Match[str], last: str, last_thing: str, places: set[str], time: int
) -> ReadSentence:
    numbers_in = match.groupdict()
    actors = tuple(_who(one, last) for one in re.split(r", and |, | and ", numbers_in["actors"]))
    thing, place = numbers_in.get("thing") or "", (numbers_in.get("place") or "").strip()
    thing = last_thing if thing == "it" else thing
    if kind == "drop" and thing in places:  # to leave a place is not to drop it
        kind, place, thing = "leave", thing, ""
    receiver = numbers_in.get("receiver") or ""
    receiver = last if receiver in ("him", "her", "them") else receiver
    if not all(actors) or thing in NO_THINGS:
        return ReadSentence(sentence, time=time)
    return ReadSentence(sentence, kind, actors, thing, place, receiver, time)


def _who(name: str, last: str) -> str:
    """A name, or whom a pronoun stands for."""
    if name.casefold() in PRONOUNS:
        return last
    article, _, rest = name.partition(" ")
    return rest if article.casefold() in ("the", "a", "an") and rest else name


def _timed(sentence: str) -> tuple[str, int]:
    """The sentence without the time of day that it names, and which of the times that is."""
    times = _words()["times"]
    for number, time in sorted(enumerate(times), key=lambda one: -len(one[1])):
        begin = re.match(rf"{time},? ", sentence, re.IGNORECASE)
        if begin is not None:
            return sentence[begin.end() :], number
        end = re.search(rf",? {time}(?=[.!]?\Z)", sentence, re.IGNORECASE)
        if end is not None:
            return sentence[: end.start()] + sentence[end.end() :], number
    return sentence, -1
