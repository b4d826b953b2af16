"""Guesses by rules for the fields of a reference: input of the labeller, which may overrule them.

Names are read from the front and numbers from the back; what is left is title and container. `clear` is how well the
style is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from kag.indexing.references.entry_titles import Titled, clean_container, container_behind, quoted_title, read_titles
from kag.indexing.references.imprint import cut_editors, cut_imprint
from kag.indexing.references.names import Names, group_name, read_names
from kag.indexing.references.place import YEAR, Place, read_place

_YEAR_AFTER_NAMES = re.compile(
    rf"[\s,.:]*[(\[](?P<year>{YEAR})[a-z]?(?:[,/;–-][^()]{{0,30}}?)?[)\]][\s.,:]*"
    rf"|(?:[\s,.]+|(?<=[\s,.]))(?P<bare>{YEAR})[a-z]?(?:[.,:]\s*|\s+)(?![\s\d(:;])"
    r"|[\s,.]*\(?(?:n\.\s?d\.|in press|forthcoming|submitted)[a-z]?\)?[\s.,:]+"
)
_UNREAD_NAMES = re.compile(rf"[^()\d:\"“]{{0,200}}\((?P<year>{YEAR})[a-z]?\)(?P<bare>)[.,:]?\s+(?=\S+\s\S+)")
_LOWER_WORD = re.compile(r"(?<!\S)[a-z]{2,}")
_TITLED = frozenset(("vancouver", "group", "glued", "eastern"))  # styles of names whose lists print titles
_TWICE = 512  # texts that are remembered: those of a list are read for their features first, then weighed
_CLEAR, _FAIR = 3, 1  # how far the second best reading of a title is behind


@dataclass(frozen=True, slots=True)
class Guess:
    """A field and its characters by rules; `clear` is the strength of the evidence: quoted, clear, fair or weak."""

    label: str
    start: int
    end: int
    clear: str


@lru_cache(_TWICE)
def leading_names(words: str) -> Names:
    """The names that a text starts with, or the group."""
    names = read_names(words)
    return names if names.people else group_name(words)


@lru_cache(_TWICE)
def guesses(words: str, names: Names) -> tuple[Guess, ...]:
    """Return the guesses for the text behind the names, on one line.

    >>> text = "Poe E. Ice on lakes. J Ice. 2001;3:4-5."
    >>> [(found.label, text[found.start : found.end]) for found in guesses(text, leading_names(text))]
    [('title', 'Ice on lakes'), ('journal', 'J Ice'), ('volume', '3'), ('pages', '4'), ('pages', '5')]
    """
    start, dated = _behind_year(words, names.end)
    body = words[start:]
    quoted = quoted_title(body, named=bool(names.people))
    behind = start + (quoted[1] if quoted else 0)
    place = read_place(words[behind:], dated=dated)
    head = words[behind:] if place.start < 0 else words[behind : behind + place.start]
    imprint = cut_imprint(head, placed=bool(place.volume), ended=bool(place.year))
    if quoted:
        titled = replace(container_behind(imprint.rest), title=quoted[0])
    else:
        comma = bool(names.people) and _runs_on(words, names.end, start, dated=dated)
        numbered = place.placed and not (imprint.publisher and not place.volume)
        titled = read_titles(imprint.rest, comma_style=comma, placed=numbered, bare=names.style not in _TITLED)
    found = list(_titles(words, start, titled))
    numbers = list(_numbers(words, behind, place))
    house = _found("publisher", words, imprint.publisher, start, len(words), "clear" if imprint.named else "weak")
    return (*found, *numbers, *house)


def _titles(words: str, start: int, titled: Titled) -> Iterator[Guess]:
    clear = "quoted" if titled.how == "quoted" else "clear" if titled.margin >= _CLEAR else "fair"
    clear = clear if clear != "fair" or titled.margin >= _FAIR else "weak"
    title = list(_found("title", words, titled.title, start, len(words), clear))
    yield from title
    _, container = cut_editors(titled.container) if titled.container else ((), "")
    name = clean_container(container)
    label = "book" if titled.how == "in" else "journal"
    yield from _found(label, words, name, title[0].end if title else start, len(words), clear)


def _numbers(words: str, offset: int, place: Place) -> Iterator[Guess]:
    if not place.placed:
        return
    start, end = offset + place.start, offset + place.end
    clear = "clear" if place.labelled or place.last else "fair"
    for label, value in (("volume", place.volume), ("issue", place.issue), ("pages", place.first)):
        for guess in _found(label, words, value, start, end, clear):
            yield guess
            start = guess.end
    yield from _found("pages", words, place.last, start, end, clear)


def _found(label: str, words: str, value: str, start: int, end: int, clear: str) -> Iterator[Guess]:
    """Return the first occurrence of a value between two places; none if it is absent."""
    at = words.find(value, start, end) if value else -1
    if at >= 0:
        yield Guess(label, at, at + len(value), clear)


def _runs_on(words: str, end: int, start: int, *, dated: bool) -> bool:
    """True when names and year end with a comma or nothing, so that the title may end with a comma too."""
    between = words[end:start]
    if dated:
        return "." not in between and (")" not in between or between.rstrip().endswith(","))
    return words[start:].lstrip().startswith(",") or words[:start].rstrip().endswith(",")


def _behind_year(words: str, end: int) -> tuple[int, bool]:
    """Return the start of the words behind the names and a following year, and whether there is such a year."""
    found = _YEAR_AFTER_NAMES.match(words, end)
    if not found and end:
        found = _UNREAD_NAMES.match(words, end)
        if found and len(_LOWER_WORD.findall(words, end, found.start("year"))) > 3:
            return end, False
    return (found.end(), bool(found["year"] or found["bare"])) if found else (end, False)
