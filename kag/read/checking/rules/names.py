"""Words that come from nowhere: names and things of the claim that the evidence has not, though the question may."""

from __future__ import annotations

from collections.abc import Iterator

from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.parts import Sides, is_same
from kag.read.checking.rules.words import Word, words


def name_findings(sides: Sides) -> Iterator[Finding]:
    """Names of the claim that stand neither in the quotes nor in their places, nor beside them."""
    asked = {word.stem for word in words(sides.context.question) if word.stem}
    for word in sorted(set(sides.claim), key=lambda word: word.text):
        if word.stem in sides.known or not _is_named(word) or _is_near(word, sides):
            continue
        only = any(is_same(word.stem, other) for other in asked)
        where = "only in the question" if only else "neither in the evidence nor in the question"
        yield Finding("name", f"the name {word.text} is {where}", contradicts=False)


def share_known(sides: Sides) -> float:
    """The share of the claim's words that the quotes or their places have, 0 to 1."""
    return len(sides.known) / len(sides.said) if sides.said else 1.0


def unknown(sides: Sides) -> frozenset[str]:
    """The claim's words that stand nowhere near its quotes."""
    return sides.said - sides.known - sides.told(sides.around)


def _is_named(word: Word) -> bool:
    return word.is_name and word.carries


def _is_near(word: Word, sides: Sides) -> bool:
    return word.stem in sides.told(sides.around) or any(
        word.stem in _squeezed(part.words) for part in sides.quoted
    )


def _squeezed(text: tuple[Word, ...]) -> str:
    return "".join(word.text.lower() for word in text if word.stem)
