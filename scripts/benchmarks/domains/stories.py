"""Score the persons and places that rules find in fiction (`story_litbank`).

A named person counts where one of the names of a character is printed for it in the annotation; `each once` also asks
that nobody is found twice. Names are compared from their first capital on: `the late John Astor` is John Astor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kag.evaluate.statistics import Counts
from kag.kgrag.story.cast import cast_of
from scripts.benchmarks.domains.counts import Tally, put, rows_of

PERSON, PLACES = frozenset({"PER"}), frozenset({"FAC", "GPE", "LOC"})
CLOSE = frozenset(".,;:!?)") | {"'s", "’s", "''", "n't", "n’t"}
LINKS = frozenset({"of", "the", "de", "van", "von", "der", "'s", "’s", ".", "la"})


def _running_text(sentences: Sequence[Sequence[str]]) -> str:
    """Join tokens as they are printed: no blank before a mark."""
    parts: list[str] = []
    for token in (token for sentence in sentences for token in sentence):
        if parts and token not in CLOSE and parts[-1] != "(":
            parts.append(" ")
        parts.append(token)
    return "".join(parts)


def reading(folder: Path) -> Tally:
    """Count persons and places."""
    tally: Tally = {}
    for row in rows_of(folder, "documents"):
        cast = cast_of(_running_text(row["sentences"]))
        people = [{_plain(name) for name in (one.name, *one.aliases)} for one in cast.characters]
        _named(tally, "named persons", row, people, PERSON)
        _named(tally, "named places", row, [{_plain(name)} for name in cast.places()], PLACES)
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
