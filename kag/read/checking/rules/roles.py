"""Who and whom: whether what stands on the two sides of a word has changed places between claim and evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.lexicon import is_irregular, lexicon
from kag.read.checking.rules.parts import Part, Sides, is_same
from kag.read.checking.rules.words import Word

_BORDERS = frozenset((";", ":", ".", "?", "!", "|", "but", "whereas", "while", "although", "though", "however"))
_THAN = frozenset(("than", "versus", "vs"))
_OVER = frozenset(("above", "below"))
_AS_MANY = frozenset(
    ("many", "much", "often", "high", "large", "long", "old", "fast", "common", "likely", "great", "low", "few")
)
_BE = frozenset(["is", "are", "was", "were", "be", "been", "being"])
_EVEN = frozenset(
    [
        "between",
        "correl",
        "associ",
        "relat",
        "link",
        "interact",
        "similar",
        "differ",
        "compar",
        "combin",
        "and",
        "with",
        "both",
        "same",
        "equal",
    ]
)
_NOUN = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "in",
        "on",
        "at",
        "for",
        "from",
        "with",
        "by",
        "to",
        "this",
        "these",
        "that",
        "those",
        "its",
        "their",
        "our",
        "each",
        "no",
        "all",
        "both",
        "and",
        "or",
        "many",
        "more",
        "fewer",
    ]
)
_AFTER_NOUN = frozenset(
    [
        "of",
        "and",
        "or",
        "had",
        "has",
        "have",
        "may",
        "might",
        "can",
        "could",
        "will",
        "would",
        "did",
        "does",
        "do",
        "who",
        "which",
        "that",
    ]
)
_HELPING = frozenset(("to", "did", "does", "do", "may", "might", "can", "could", "will", "would", "should", "must"))
_PLURALS = frozenset(("mice", "men", "women", "people", "children", "bacteria", "data", "species", "they", "we"))
_LINKING = frozenset(("through", "via", "per", "against", "across", "without", "than", "like", "as", "many", "much"))
_CLAUSE = 9  # words behind a participle where its verb stands
_NEAR = 3  # words behind a verb where its "by" stands


def is_swapped(sides: Sides, at: int, part: Part, there: int, *, acting: bool = True) -> bool:
    """Whether what stands on the two sides of a word has changed places; a passive changes them, too.

    Where two are compared the sides are those of "than"; a word that is not `acting` has no others.
    """
    if not acting or any(than(text) is not None for text in (sides.claim, part.words)):
        here, other = than(sides.claim), than(part.words)
        return here is not None and other is not None and order_around(sides, here, part, other) < 0
    order = order_around(sides, at, part, there)
    return order < 0 if _is_passive(sides.claim, at) == _is_passive(part.words, there) else order > 0


def role_findings(sides: Sides) -> Iterator[Finding]:
    """Verbs whose two sides were exchanged. Words that stand on a scale are the matter of `directions`."""
    scales = lexicon().opposites
    for at, word in enumerate(sides.claim):
        if word.stem in _EVEN or (word.stem,) in scales or not _is_verb(sides.claim, at):
            continue
        places = [
            (part, there)
            for part in sides.quoted
            if not part.is_cell
            for there, other in enumerate(part.words)
            if other.stem and is_same(word.stem, other.stem)
        ]
        near = [(part, there) for part, there in places if any(map(sides.told, _around(part.words, there)))]
        if near and all(_is_verb(part.words, there) and is_swapped(sides, at, part, there) for part, there in near):
            yield Finding("roles", f"who and whom have changed places around {word.text!r}", contradicts=True)
            return


def order_around(sides: Sides, at: int, part: Part, there: int) -> int:
    """1 where the two sides of a word are the same in claim and evidence, -1 where exchanged, 0 if unclear."""
    left, right = _around(sides.claim, at)
    own = [frozenset(word.stem for word in side if word.carries) for side in (left, right)]
    told = [sides.told(side) for side in _around(part.words, there)]
    crossed = own[0] & (told[1] - told[0]), own[1] & (told[0] - told[1])
    straight = own[0] & (told[0] - told[1]), own[1] & (told[1] - told[0])
    return -1 if all(crossed) else 1 if all(straight) else 0


def than(text: Sequence[Word]) -> int | None:
    """Where the second of two that are compared begins; None where none are: "less than 3 g" is a bound."""
    for at, word in enumerate(text):
        low, behind = word.text.lower(), text[at + 1 : at + 2]
        if low in _OVER and behind and behind[0].text.lower() in ("that", "those"):
            return at
        if low == "than" and behind and behind[0].is_number:
            continue
        if low == "as" and behind and behind[0].text.lower() in _AS_MANY and (second := _second_as(text, at)):
            return second
        if low in _THAN or (
            low in ("compared", "relative", "opposed") and at + 1 < len(text) and text[at + 1].text in ("with", "to")
        ):
            return at
    return None


def _second_as(text: Sequence[Word], at: int) -> int | None:
    """Where "as ... B" begins, of "as many ... as B"; None where the clause ends without it."""
    for index in range(at + 1, len(text)):
        if text[index].is_mark:
            return None
        if text[index].text.lower() == "as":
            return index
    return None


def _is_verb(text: Sequence[Word], at: int) -> bool:
    """Whether a word stands where a verb does: behind "is", or behind no article, with something behind it."""
    word = text[at]
    if not word.carries or word.is_name or (at and word.text[0].isupper()) or word.text.lower() in _PLURALS:
        return False
    if word.text.endswith("ed") and _is_participle(text, at):
        return False
    low, before = word.text.lower(), text[at - 1].text.lower() if at else ""
    subject = text[at - 2].text.lower() if at > 1 and before.endswith("ly") else before  # "foxes quickly chase"
    behind = text[at + 1].text.lower() if at + 1 < len(text) else "."
    if before in _BE or (at > 1 and text[at - 2].text.lower() in _BE and before.endswith("ly")):
        return behind == "by"
    if not before or before in _NOUN or text[at - 1].is_number or text[at - 1].is_mark:
        return False
    is_plural = (subject.endswith("s") or subject in _PLURALS) and low not in _LINKING
    if not (low.endswith(("s", "ed")) or is_plural or before in _HELPING or is_irregular(low)):
        return False
    return (
        not behind.endswith("ed")
        and behind not in _BE
        and behind not in _AFTER_NOUN
        and bool(text[at + 1 : at + 2])
        and not text[at + 1].is_mark
    )


def _is_participle(text: Sequence[Word], at: int) -> bool:
    """Whether another verb follows in the clause, of which a word in "-ed" tells the subject: "mice fed oats died"."""
    for word in text[at + 1 : at + 1 + _CLAUSE]:
        if word.text.lower() in _BORDERS or word.text.lower() in (",", "and", "that", "which", "who"):
            return False
        if word.text.lower() in _BE or is_irregular(word.text):
            return True
    return False


def _is_passive(text: Sequence[Word], at: int) -> bool:
    """Whether a verb has its doer behind it, with "by"."""
    behind = text[at + 1 : at + 1 + _NEAR]
    by = next((index for index, word in enumerate(behind) if word.text.lower() == "by"), None)
    return by is not None and not any(word.carries and not word.text.endswith("ly") for word in behind[:by])


def _around(text: Sequence[Word], at: int) -> tuple[Sequence[Word], Sequence[Word]]:
    """The words of the clause before a place, and those behind it."""
    start = next((index + 1 for index in range(at - 1, -1, -1) if text[index].text.lower() in _BORDERS), 0)
    end = next((index for index in range(at + 1, len(text)) if text[index].text.lower() in _BORDERS), len(text))
    return text[start:at], text[at + 1 : end]
