"""Which way each word of a sentence may be made wider or narrower and the sentence stay true (natural logic).

    UP    "some [tall] dogs ran": a detail may be left out, and none be added
    DOWN  "no dogs ran [fast]": a detail may be added, and none be left out
    FLAT  "exactly three [tall] dogs ran": neither

"every" makes its noun DOWN and leaves the rest UP, "no" and "at most" make both DOWN, "most" makes its noun FLAT; a
denial turns what it reaches, and what is turned twice stands as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kag.read.checking.rules.lexicon import is_irregular
from kag.read.checking.rules.reach import denials_of
from kag.read.checking.rules.words import Word

UP, DOWN, FLAT = 1, -1, 0

_EVERY = frozenset(["every", "all", "each", "everyone", "everybody", "whoever", "anyone", "everything", "both"])
_FEW = frozenset(["few", "seldom", "rarely"])
_SINGULAR = frozenset(["every", "each", "no", "any"])
_BOUNDED = (("at", "most"), ("less", "than"), ("fewer", "than"), ("no", "more", "than"), ("up", "to"), ("under",))
_EXACTLY = frozenset(["exactly", "only", "precisely", "just"])
_IF = frozenset(["if", "whenever", "unless"])
_PREVENTING = frozenset(
    [
        "avoid",
        "avoids",
        "avoided",
        "avoiding",
        "prevent",
        "prevents",
        "prevented",
        "preventing",
        "doubt",
        "doubts",
        "doubted",
        "preclude",
        "precludes",
        "precluded",
        "forbid",
        "forbids",
        "forbade",
        "refuse",
        "refuses",
        "refused",
    ]
)
FINITE = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "did",
        "does",
        "do",
        "can",
        "could",
        "may",
        "might",
        "will",
        "should",
        "must",
        "would",
        "shall",
        "cannot",
    ]
)
WHO = frozenset(["who", "which", "that", "whose"])
LINKS = frozenset(
    ["of", "in", "from", "with", "at", "on", "for", "by", "under", "among", "between", "without", "to", "and", "or"]
)
_SUBORDINATE = frozenset(["after", "when", "before", "while", "because", "as", "if", "until", "that", "since", "to"])
BORDERS = frozenset([";", ":", ".", "?", "!", "|", "(", ")", ",", "but", "whereas", "while", "although", "because"])
_PLURALS = frozenset(["men", "women", "children", "people", "mice", "data", "bacteria", "criteria", "individuals"])


@dataclass(frozen=True, slots=True)
class _Turn:
    """The words from `start` to `end` are turned by `by`: DOWN turns them round, FLAT lets nothing through."""

    start: int
    end: int
    by: int


@lru_cache(maxsize=4096)
def polarity(text: tuple[Word, ...]) -> tuple[int, ...]:
    """UP, DOWN or FLAT for each word of a sentence.

    >>> from kag.read.checking.rules.words import words
    >>> polarity(words("Every wet dog ran home"))
    (1, -1, -1, 1, 1)
    """
    found = [UP] * len(text)
    for turn in _turns(text):
        for at in range(turn.start, min(turn.end, len(text))):
            found[at] *= turn.by
    return tuple(found)


def _turns(text: tuple[Word, ...]) -> Iterator[_Turn]:
    yield from (_Turn(one.start, one.end, DOWN) for one in denials_of(text))
    low = [word.text.lower() for word in text]
    for at, word in enumerate(low):
        before, then = low[at - 1] if at else "", low[at + 1] if at + 1 < len(low) else ""
        if word in _EVERY and before not in ("at", "not", "after") and then != "but":
            yield _Turn(at + 1, _verb(text, at + 1, singular=word in _SINGULAR), DOWN)
        elif word == "most" and before not in ("the", "at") and then != "of" and not then.endswith("ly"):
            yield _Turn(at + 1, _verb(text, at + 1, singular=False), FLAT)
        elif word in _EXACTLY and at + 1 < len(text) and (text[at + 1].is_number or word == "only"):
            yield _Turn(at + 1, _end(text, at + 1), FLAT)
        elif (word in _FEW and before != "a") or word in _PREVENTING | _IF:
            yield _Turn(at + 1, _end(text, at + 1), DOWN)
        elif length := _bound(text, low, at):
            yield _Turn(at + length, _end(text, at + length), DOWN)


def _bound(text: Sequence[Word], low: Sequence[str], at: int) -> int:
    """The words of a bound from above that begins here and has a count behind it: "at most five"; 0 for none."""
    if at and low[at - 1] in ("no", "not"):
        return 0  # "no fewer than five" is a bound from below
    for phrase in _BOUNDED:
        behind = at + len(phrase)
        if tuple(low[at:behind]) == phrase and behind < len(text) and text[behind].is_number:
            return len(phrase)
    return 0


def _end(text: Sequence[Word], start: int) -> int:
    """Where the clause ends that a word stands in."""
    return next((at for at in range(start, len(text)) if text[at].text.lower() in BORDERS), len(text))


def _verb(text: Sequence[Word], start: int, *, singular: bool) -> int:
    """Where what "every" counts ends: at the verb of its clause, or at the clause's end where none is seen."""
    verbs = [at for at in range(start + 1, _end(text, start)) if _is_verb(text, at, singular=singular)]
    if not verbs:
        return _plural(text, start) if not singular else _end(text, start)
    relative = any(text[at].text.lower() in WHO for at in range(start, verbs[0]))
    if len(verbs) > 1 and (relative or not _is_finite(text[verbs[0]])):
        between = {word.text.lower() for word in text[verbs[0] + 1 : verbs[1]]}
        if relative or not between & (_SUBORDINATE | {"and", "or"}):
            return verbs[1]
    return verbs[0]


def _plural(text: Sequence[Word], start: int) -> int:
    """Behind the first plural that no phrase goes on behind; the end of the clause where there is none."""
    for at in range(start, _end(text, start)):
        low = text[at].text.lower()
        if (low.endswith("s") and not low.endswith("ss")) or low in _PLURALS:
            then = text[at + 1].text.lower() if at + 1 < len(text) else ""
            return at + 1 if then not in LINKS | WHO and not then.endswith(("ing", "ed")) else _end(text, start)
    return _end(text, start)


def _is_finite(word: Word) -> bool:
    return word.text.lower() in FINITE


def _is_verb(text: Sequence[Word], at: int, *, singular: bool) -> bool:
    low, before = text[at].text.lower(), text[at - 1]
    if low in FINITE:
        return True
    if not (before.carries or before.text.lower() in WHO or before.text.endswith("ly")):
        return False
    if is_irregular(low) or (low.endswith("ed") and text[at].carries):
        return True
    return singular and low.endswith("s") and not low.endswith(("ss", "us", "is")) and text[at].carries
