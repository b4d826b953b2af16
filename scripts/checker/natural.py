"""Pairs of a claim that people told in other words than its evidence: a word is made another in either or in both.

Where it is so in both, the claim is borne as before; in one of them, it is not. Neither of them tells by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from scripts.checker.alter import TURN, denied
from scripts.checker.pairs import Pair

_WORD = re.compile(r"(?<![\w-])[A-Za-z][\w-]{3,}(?![\w-])")
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:\.\d+)?(?![\w.]*\w)")
_LITTLE = """this that these those with from were have been which when where their there than then also both between
during after before such other more most less into over under while using used only each some many"""
_EMPTY = frozenset(_LITTLE.split())


def quads(
    claim: str,
    evidence: str,
    how: str,
    doc: str,
    random: Random,
    opposite: Mapping[str, list[str]],
    pool: Sequence[str],
    most: int,
) -> Iterator[Pair]:
    """Up to `most` times three pairs: not borne twice, and borne."""
    changes = [*_numbers(claim, evidence, random), *_turned(claim, evidence, opposite, random)]
    random.shuffle(changes)
    others = [*_replaced(claim, evidence, pool, random), *_exchanged(claim, evidence, random)]
    random.shuffle(others)
    for change in (changes[: most - 1] + others)[:most]:
        one, two = _put(claim, change), _put(evidence, change)
        if one == claim or two == evidence:
            continue
        yield Pair(evidence, one, supported=False, how=f"{how} claim", doc=doc)
        yield Pair(two, claim, supported=False, how=f"{how} evidence", doc=doc)
        yield Pair(two, one, supported=True, how=f"{how} both", doc=doc)
    if random.random() < 0.3 and (said := denied(claim, random)):
        yield Pair(evidence, said, supported=False, how=f"{how} denied", doc=doc)
        yield Pair(evidence, claim, supported=True, how=how, doc=doc)


def _put(text: str, change: Mapping[str, str]) -> str:
    if not change:
        return text
    pattern = "|".join(sorted(map(re.escape, change), key=len, reverse=True))

    def other(found: re.Match[str]) -> str:
        new = change[found[0].lower()]
        return new[:1].upper() + new[1:] if found[0][0].isupper() and found[0][1:].islower() else new

    return re.sub(rf"(?<![\w-])(?:{pattern})(?![\w-]|\.\d)", other, text, flags=re.I)


def _shared(claim: str, evidence: str) -> list[str]:
    known = {word.lower() for word in _WORD.findall(evidence)}
    return sorted({word.lower() for word in _WORD.findall(claim)} & known - _EMPTY)


def _numbers(claim: str, evidence: str, random: Random) -> Iterator[dict[str, str]]:
    known = set(_NUMBER.findall(evidence))
    for number in sorted(set(_NUMBER.findall(claim)) & known):
        at = random.randrange(len(number.replace(".", ""))) if "." not in number else 0
        digit = random.choice([one for one in "123456789" if one != number[at]])
        yield {number: number[:at] + digit + number[at + 1 :]}


def _turned(claim: str, evidence: str, opposite: Mapping[str, list[str]], random: Random) -> Iterator[dict[str, str]]:
    for word in _shared(claim, evidence):
        if word in TURN or word in opposite:
            yield {word: TURN.get(word) or random.choice(opposite[word])}


def _replaced(claim: str, evidence: str, pool: Sequence[str], random: Random) -> Iterator[dict[str, str]]:
    for word in _shared(claim, evidence):
        fit = [
            one
            for one in random.sample(pool, min(60, len(pool)))
            if one[-2:] == word[-2:] and one != word and one not in evidence.lower()
        ]
        if fit:
            yield {word: random.choice(fit)}


def _exchanged(claim: str, evidence: str, random: Random) -> Iterator[dict[str, str]]:
    words = _shared(claim, evidence)
    random.shuffle(words)
    for one, two in zip(words[::2], words[1::2], strict=False):
        if (one[-1] == "s") == (two[-1] == "s") and one[-2:] != "ly" and two[-2:] != "ly":
            yield {one: two, two: one}
