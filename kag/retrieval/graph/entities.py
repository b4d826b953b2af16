"""Names in a text by rule: capitalised runs, acronyms, quoted titles, chemicals and genes. No model is asked.

Where a model should name them instead, whoever needs an `Extractor` takes one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from kag.text.words import tokens

Extractor = Callable[[str], Sequence[str]]
"""The names in a text, in the order in which they first appear, as printed."""

LONGEST = 10  # words in a name, and in an acronym's long form

_ARTICLES = ("the ", "a ", "an ")
_PLAIN = r"(?:[a-z]{1,62}+ )++"  # a stretch of words that are no names, looked at only within one
_PIECE = re.compile(_PLAIN + r"|[^\W_](?:[\w.'’&/+-]{0,60}[\w+])?|[.!?:;,()\[\]|\"“”«»\n]")
_QUOTED = re.compile(r"[“\"«]([^“”\"«»\n]{3,100})[”\"»]")
_INSIDE = frozenset(("of", "the", "for", "de", "la", "le", "du", "des", "van", "von", "der", "di", "da", "del", "&"))
_OPENING_WORDS = """
    about after all also although an another any are as at because before both but by can could did do does during
    each every few first for from had has have he her here his how however i if in is it its later many most no not
    on one only or other our she since so some such that their then there these they this those thus to under until
    was we were what when where whether which while who whom whose why will with within would you your
"""
_OPENERS = frozenset(_OPENING_WORDS.split())  # that begin a sentence, and no name
_SHORT = re.compile(r"\(\s?([A-Z][A-Za-z0-9-]{1,9})\s?\)")
_ENDS = frozenset(".!?:;|\n")


@lru_cache(maxsize=1 << 16)
def name_form(name: str) -> str:
    """A name as names are compared: words in the form of `search_text`, without a leading article or possessive.

    >>> name_form("The Queen’s Gambit")
    'queen gambit'
    """
    words = " ".join(token.text for token in tokens(name, wholes=False) if token.text != "s")
    bare = next((words.removeprefix(article) for article in _ARTICLES if words.startswith(article)), words)
    return bare or words


def entities(text: str) -> tuple[str, ...]:
    """Return the names in a text, each once, ignoring differences of form. Numbers are not names."""
    found: dict[str, str] = {}
    for name in (*(match[1].strip() for match in _QUOTED.finditer(text)), *_capitalised(text)):
        form = name_form(name)
        if any(char.isalpha() for char in form) and len(form) > 1:
            found.setdefault(form, name)
    return tuple(found.values())


def acronyms(text: str) -> tuple[tuple[str, str], ...]:
    """Return abbreviations in brackets with their expansions: ("RNA", "ribonucleic acid").

    The long form begins with the short one's first letter and has its letters in order. Schwartz and Hearst, "A
    Simple Algorithm for Identifying Abbreviation Definitions" (2003).
    """
    found: dict[str, str] = {}
    for match in _SHORT.finditer(text):
        before = text[max(0, match.start() - 150) : match.start()].rstrip()
        long = _long_form(match[1], before)
        if long:
            found.setdefault(match[1], long)
    return tuple(found.items())


def _long_form(short: str, before: str) -> str:
    """The shortest end of `before` that has the letters of `short` in order, the first one at a word's beginning."""
    letters = [char.lower() for char in short if char.isalnum()]
    at = len(before)
    for number, letter in enumerate(reversed(letters), start=1):
        at -= 1
        first = number == len(letters)
        while at >= 0 and not (before[at].lower() == letter and (not first or _begins_word(before, at))):
            at -= 1
        if at < 0:
            return ""
    long = before[at:]
    words = len(long.split())
    return long if 1 < words <= min(LONGEST, 2 * len(letters)) and not _ENDS & set(long) else ""


def _begins_word(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()


def _capitalised(text: str) -> Iterator[str]:
    """Runs of words that begin with a capital, with small words inside; one alone only where no sentence begins."""
    run: list[tuple[str, bool]] = []  # words, and whether a sentence may begin with them
    opening = True
    for piece in _PIECE.findall(text):
        if piece[-1] == " ":
            inside = list(takewhile(_INSIDE.__contains__, piece.split())) if run else []
            run += [(word, False) for word in inside]
            if run and len(inside) < piece.count(" "):
                yield from _named(run)
                run = []
            opening = False
            continue
        if _is_name(piece) or (run and piece.lower() in _INSIDE):
            run.append((piece, opening))
            opening = False
            continue
        if run:
            yield from _named(run)
            run = []
        opening = piece in _ENDS
    yield from _named(run)


def _is_name(word: str) -> bool:
    """Whether a word alone looks like a name: a capital first, or capitals or digits among letters (mRNA, p53, CO2)."""
    if word[0].isupper():
        return True
    if (word.islower() and word.isalpha()) or not word[0].isalnum():
        return False
    letters = any(char.isalpha() for char in word)
    return (letters and any(char.isupper() for char in word[1:])) or (word[0].isalpha() and word[-1].isdigit())


def _named(run: list[tuple[str, bool]]) -> Iterator[str]:
    words = list(run)
    while words and words[0][1] and words[0][0].lower() in _OPENERS:
        words.pop(0)
    while words and words[-1][0].lower() in _INSIDE:
        words.pop()
    if not words or len(words) > LONGEST:
        return
    (first, opening), alone = words[0], len(words) == 1
    plain = first[1:].islower() or len(first) == 1
    if alone and plain and (opening or len(first) < 3):
        return
    yield " ".join(word for word, _ in words).rstrip(".")
