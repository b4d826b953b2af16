"""How well rules read stories: persons, places and speakers in fiction.

A named person is found where one of the names of somebody read is printed of it in the annotation; `each once` asks
also that nobody is found twice. Of names only what has a capital is compared: `the late John Astor` is John Astor. A
speech is right where a name, or the place at which the speaker is named, is the annotated speaker's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.evaluate.statistics import Counts
from kag.kgrag.story.prose.cast import Cast, cast_of, with_speakers
from kag.kgrag.story.prose.speech import Speech
from scripts.benchmarks.domains.counts import Tally, put, rows_of

PERSON, PLACES = frozenset({"PER"}), frozenset({"FAC", "GPE", "LOC"})
CLOSE = frozenset(".,;:!?)") | {"'s", "’s", "''", "n't", "n’t"}
LINKS = frozenset({"of", "the", "de", "van", "von", "der", "'s", "’s", ".", "la"})


@dataclass(frozen=True, slots=True)
class Printed:
    """A document as running text, and the character at which each token begins."""

    text: str
    places: Mapping[tuple[int, int], int]

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> Printed:
        """Tokens set as they are printed: no blank before a mark."""
        parts, places, at = list[str](), dict[tuple[int, int], int](), 0
        for number, sentence in enumerate(sentences):
            for place, token in enumerate(sentence):
                if parts and token not in CLOSE and parts[-1] != "(":
                    parts.append(" ")
                    at += 1
                places[number, place] = at
                parts.append(token)
                at += len(token)
        return cls("".join(parts), places)

    def span(self, one: Mapping[str, Any]) -> tuple[int, int]:
        """The characters of a mention or quote."""
        last = self.places[one["end_sentence"], one["end"] - 1]
        return self.places[one["sentence"], one["start"]], self.places.get((one["end_sentence"], one["end"]), last + 1)


def reading(folder: Path) -> Tally:
    """Persons, places and speakers in fiction (story_litbank)."""
    tally: Tally = {}
    for row in rows_of(folder, "documents"):
        printed = Printed.of(row["sentences"])
        cast = with_speakers(cast_of(printed.text))
        people = [{_plain(name) for name in (one.name, *one.aliases)} for one in cast.characters]
        _named(tally, "named persons", row, people, PERSON)
        _named(tally, "named places", row, [{_plain(name)} for name in cast.places()], PLACES)
        if row["quotes"]:
            put(tally, "speakers", row["id"], _speakers(row, printed, cast))
    return dict(sorted(tally.items()))


def _plain(name: str) -> str:
    """A name as it is compared."""
    name = name.replace("’", "'").replace(" 's", "'s").casefold()
    return re.sub(r"^(?:the|old|little|young|poor|dear|good) ", "", name)


def _bare(name: str) -> str:
    """Of a mention what begins and ends with a capital."""
    words = name.split()
    while words and not words[0][:1].isupper():
        words.pop(0)
    kept: list[str] = []
    for word in words:
        if not word[:1].isupper() and word not in LINKS:
            break
        kept.append(word)
    while kept and not kept[-1][:1].isupper():
        kept.pop()
    return " ".join(kept) or name


def _names(entity: Mapping[str, Any]) -> set[str]:
    return {_plain(one) for mention in entity["mentions"] for one in (mention["text"], _bare(mention["text"]))}


def _named(tally: Tally, what: str, row: Mapping[str, Any], found: Sequence[set[str]], types: frozenset[str]) -> None:
    """What is named, found at all and found once; those annotated without a name are told apart."""
    entities = [one for one in row["entities"] if one["type"] in types]
    gold = [_names(one) for one in entities if one["name"]]
    wrong = [one for one in found if not any(one & other for other in gold)]
    right = sum(any(one & other for one in found) for other in gold)
    put(tally, what, row["id"], (right, len(wrong), len(gold) - right))
    unnamed = [_names(one) for one in entities]
    worse = sum(not any(one & other for other in unnamed) for one in wrong)
    put(tally, f"{what}, those without a name not counted", row["id"], (right, worse, len(gold) - right))
    put(tally, f"{what}, each once", row["id"], _once(found, gold))


def _once(found: Sequence[set[str]], gold: Sequence[set[str]]) -> Counts:
    """Each of one side with one of the other, those that share most first."""
    pairs = [(len(a & b), i, j) for i, a in enumerate(found) for j, b in enumerate(gold) if a & b]
    mine, theirs = set[int](), set[int]()
    for _, i, j in sorted(pairs, key=lambda pair: (-pair[0], *pair[1:])):
        if i not in mine and j not in theirs:
            mine.add(i)
            theirs.add(j)
    return len(mine), len(found) - len(mine), len(gold) - len(theirs)


def _speakers(row: Mapping[str, Any], printed: Printed, cast: Cast) -> Counts:
    """Speeches whose speaker is right, wrong, or not told."""
    entities = {one["id"]: one for one in row["entities"]}
    names = {one.name: {_plain(name) for name in (one.name, *one.aliases)} for one in cast.characters}
    right = wrong = missing = 0
    for quote in row["quotes"]:
        said = _at(cast.speeches, printed.span(quote))
        if said is None or not said.speaker:
            missing += 1
            continue
        named = names.get(said.speaker, _called(said.speaker)) & _names(entities[quote["speaker"]])
        good = bool(named) or _placed(row["entities"], printed, said.place) == quote["speaker"]
        right, wrong = right + good, wrong + (not good)
    return right, wrong, wrong + missing


def _called(speaker: str) -> set[str]:
    """The ways to call one who has no name."""
    noun = speaker.removeprefix("the ")
    return {_plain(speaker)} | {f"{word} {noun}" for word in ("a", "an", "my", "his", "her", "this", "that", "their")}


def _at(speeches: Iterable[Speech], span: tuple[int, int]) -> Speech | None:
    """The speech that has most of the characters of a quote."""
    shared = [(min(one.end, span[1]) - max(one.start, span[0]), -one.start, one) for one in speeches]
    best = max(shared, key=lambda found: found[:2], default=None)
    return best[2] if best and best[0] > 0 else None


def _placed(entities: Iterable[Mapping[str, Any]], printed: Printed, place: int) -> Any:
    """Whose shortest mention, by name or noun, covers a character."""
    found = []
    for entity in entities:
        for mention in entity["mentions"]:
            start, end = printed.span(mention)
            if start <= place < end and (mention["form"] != "PRON" or mention["text"] == "I"):
                found.append((end - start, entity["id"]))
    return min(found)[1] if found else None
