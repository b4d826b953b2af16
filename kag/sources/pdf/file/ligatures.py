"""Ligatures whose letters a file does not tell: "*e" where "The" is printed, "speci!c" for "specific".

A sign is taken for a ligature only where most words that it touches become common English words, several of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from kag.core.types import Repair
from kag.sources.pdf.file.content import PageContent, Word

_COMMON = {
    "Th": "The This These They There Their That Those Then Thus Therefore Though Than Three Through",
    "fi": "first find finding findings field fields five final specific specifically significant significantly identify"
    " identified identification defined definition modified classified benefit scientific confirmed figure profile",
    "fl": "flow fluid flux flat flexible influence influenced reflect reflected reflects inflammation flower",
    "ff": "effect effects effective different difference differences differ affect affected affects offer off diffuse",
    "ffi": "efficient efficiency coefficient coefficients sufficient difficult difficulty office affinity",
}
_FEWEST_WORDS, _FEWEST = 3, 5  # words that differ, and how often they stand there together
_EDGES = "()[]{}.,;:!?\"'“”‘’«»"
_PLAIN = re.compile(r"[\w\s.,;:'’‘\-–—/()\[\]<>=+±%]", re.ASCII)


def mended(pages: Sequence[PageContent]) -> tuple[list[PageContent], list[Repair]]:
    """The pages with such signs as letters, and what was done."""
    notes: list[Repair] = []
    stands_for = _ligatures(word.text for page in pages for word in page.words)
    if not stands_for:
        return list(pages), notes
    found = []
    for page in pages:
        words = tuple(_spelled(word, stands_for) for word in page.words)
        changed = sum(one is not other for one, other in zip(words, page.words, strict=True))
        if changed:
            signs = ", ".join(f"“{sign}” for “{letters}”" for sign, letters in sorted(stands_for.items()))
            notes.append(
                Repair(page.number, 0, f"signs in place of joined letters: {signs}", f"{changed} words mended")
            )
        found.append(replace(page, words=words) if changed else page)
    return found, notes


def _ligatures(words: Iterable[str]) -> dict[str, str]:
    """What each sign stands for, by all words of a paper."""
    by_sign: dict[str, Counter[str]] = {}
    for word in words:
        if word.isascii() and word.isalnum():
            continue
        for sign in {char for char in word if not char.isalnum() and not _PLAIN.match(char)} | ({"*", "!"} & {*word}):
            if _touches(sign).search(word):
                by_sign.setdefault(sign, Counter())[word.strip(_EDGES.replace(sign, ""))] += 1
    found = {}
    for sign, count in by_sign.items():
        for letters, common in _COMMON.items():
            known = {word: n for word, n in count.items() if word.replace(sign, letters) in common.split()}
            often = sum(known.values())
            if len(known) >= _FEWEST_WORDS and often >= max(_FEWEST, 0.4 * count.total()):
                found[sign] = letters
    return found


@cache
def _touches(sign: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(sign)}(?=[a-z])")


def _spelled(word: Word, stands_for: dict[str, str]) -> Word:
    """A word with letters for signs; each letter keeps the left edge of what it was printed as."""
    if stands_for.keys().isdisjoint(word.text):
        return word
    text, edges = word.text, list(word.edges)
    for sign, letters in stands_for.items():
        for hit in reversed(list(_touches(sign).finditer(text))):
            at = hit.start()
            text = text[:at] + letters + text[at + 1 :]
            if edges:
                edges[at : at + 1] = [edges[at]] * len(letters)
    return word if text == word.text else word._replace(text=text, edges=tuple(edges))
