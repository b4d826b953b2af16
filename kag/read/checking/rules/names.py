"""Words that come from nowhere: names and things of the claim that the evidence has not, though the question may."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.parts import Sides, is_same
from kag.read.checking.rules.words import Word, words

_KINDS = frozenset(("doi", "url", "isbn", "issn", "orcid", "id", "pdf"))  # of names, and none themselves
_SHORT = 2  # letters of what is no name
_FEWEST, _MUCH = 2, 0.4  # words, and their share, that a claim may not have from the question alone


def name_findings(sides: Sides) -> Iterator[Finding]:
    """Names of the claim that stand neither in the quotes nor in their places, nor beside them."""
    asked = {word.stem for word in words(sides.context.question) if word.stem}
    for word in sorted(set(sides.claim), key=lambda word: word.text):
        if word.stem in sides.known or not _is_named(word) or _is_near(word, sides):
            continue
        only = any(is_same(word.stem, other) for other in asked)
        where = "only in the question" if only else "neither in the evidence nor in the question"
        yield Finding("name", f"the name {word.text} is {where}", contradicts=False)


def beside_findings(sides: Sides) -> Iterator[Finding]:
    """A name that only stands beside a quote which has another one in its place."""
    around = sides.told(sides.around)
    beside = [
        word
        for word in sides.claim
        if _is_named(word) and word.stem in around - sides.known and not _is_spelt(word, sides)
    ]
    said = {word.stem for word in sides.claim}
    other = [
        word.text
        for part in sides.quoted
        for word in part.words
        if _is_named(word) and not sides.same.get(word.stem) and word.stem not in said
    ]
    if beside and other:
        yield Finding("name", f"the quotes do not speak of {beside[0].text}, but of {other[0]}")


def proper_findings(sides: Sides) -> Iterator[Finding]:
    """A proper name that stands nowhere near the quotes, which have another one that the claim has not."""
    near = (sides.around, sides.captions, *(part.words for part in sides.parts))
    known = sides.known | sides.told(word for text in near for word in text)
    sentences = (part.words for part in sides.quoted if not part.is_cell)
    other = [word.text for text in sentences for word in _proper(text) if not sides.same.get(word.stem)]
    for word in _proper(sides.claim):
        if other and word.stem not in known and not _is_spelt(word, sides):
            yield Finding("name", f"the quotes do not speak of {word.text}, but of {other[0]}")


def _proper(text: tuple[Word, ...]) -> Iterator[Word]:
    """The words with a capital that do not begin a sentence."""
    for before, word in pairwise(text):
        if (
            word.text[0].isupper()
            and word.text.isalpha()
            and word.carries
            and word.stem not in _KINDS
            and len(word.text) > _SHORT
            and not before.is_mark
        ):
            yield word


def asked_findings(sides: Sides) -> Iterator[Finding]:
    """A claim that has much of what it is about from the question alone."""
    asked = {word.stem for word in words(sides.context.question)}
    only = unknown(sides) & asked - {word.stem for word in sides.claim if word.is_name}
    if sides.context.count is None and len(only) >= _FEWEST and len(only) > _MUCH * len(sides.said):
        yield Finding("asked", f"what it is about is only in the question: {', '.join(sorted(only))}")


def share_known(sides: Sides) -> float:
    """The share of the claim's words that quotes and places have, 0 to 1; what was asked for does not count."""
    values = {word.stem for word in sides.claim if word.is_number}
    shown = sides.told(word for part in sides.quoted for word in part.words if word.is_number)
    wanted = (sides.said | values & shown) - {word.stem for word in words(sides.context.question)}
    return len(wanted & (sides.known | shown)) / len(wanted) if wanted else 1.0


def unknown(sides: Sides) -> frozenset[str]:
    """The claim's words that stand nowhere near its quotes."""
    return sides.said - sides.known - sides.told(sides.around)


def _is_named(word: Word) -> bool:
    return word.is_name and word.carries and word.stem not in _KINDS


def _is_near(word: Word, sides: Sides) -> bool:
    return word.stem in sides.told(sides.around) or _is_spelt(word, sides)


def _is_spelt(word: Word, sides: Sides) -> bool:
    """Whether a name is the first letters of words that are printed, or printed in several words: "IL 6"."""
    known = (sides.places, *(part.words for part in sides.quoted))
    initials = "".join(other.text[0] for part in sides.quoted for other in part.words if other.text[0].isalpha())
    if word.text.isupper() and word.text.isalpha() and word.text.lower() in initials.lower():
        return True
    parts = [re.sub(r"\W", "", part).lower() for part in re.split(r"[-/]", word.text)]
    joined = len(parts) > 1 and all(len(part) > _SHORT or part.isdigit() for part in parts)
    return any(word.stem in _squeezed(text) or (joined and _has_all(text, parts)) for text in known)


def _has_all(text: tuple[Word, ...], parts: Sequence[str]) -> bool:
    """Whether all parts of a joined name stand in a text: "VNB7-HX4" of "HX4-VNB7"."""
    said = {part.lower() for word in text for part in (word.text, word.stem, *re.split(r"[-/]", word.text))}
    return all(part in said for part in parts)


def _squeezed(text: tuple[Word, ...]) -> str:
    return "".join(
        word.stem if word.is_name else f"{word.text}{word.printed_unit}".lower() for word in text if word.stem
    )
