"""How questions name people, works by who wrote them and when, and journals: words with capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kag.qa.questions.links import Thing, named
from kag.qa.questions.structured_query import Condition, Name, Query
from kag.qa.questions.words import Read, Words, called, rule, said

NAMES = 10  # words of the names in a label, or of a journal's
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d[a-z]?|n\.\s?d\.?", re.I)
_OTHERS = ("al", "colleagues", "co-workers", "coworkers", "others")
_SMALL = ("of", "the", "and", "for", "in", "on", "&")


@rule
def labelled(words: Words, at: int) -> Iterator[Read[Thing]]:
    """ "Kay et al. (2009a)", "Okafor and Lind 2011", "the work cited as Kay, 2009"."""
    work = (
        "the|a|an? {kinds} that|which|is|are|was* cited|referenced|quoted|labelled|labeled|abbreviated* as|by|of|from?"
    )
    starts = {end for (kind,), end in said(words, at, work) if kind in ("work", "paper", "reference")}
    start = max((*starts, words.skip(at, "the", "a", "an")))
    for (names, said_year), end in dated_people(words, start):
        yield Thing(_label(words, names, said_year)), end


@rule
def dated_people(words: Words, at: int) -> Iterator[Read[tuple[str, str]]]:
    """Names with a year: "Kay et al. (2009a)", "Okafor and Lind 2011"."""
    for names, end in _people(words, at) if not words.of("months", at) else ():
        year = words.skip(end, ",", "(", *(("in", "from", "'s") if words.many else ()))
        if _YEAR.fullmatch(words.text(year)):
            yield (names, words.text(year)), words.skip(year + 1, ")")


def _label(words: Words, names: str, year: str) -> Query:
    """A label is looked up as a whole in one paper; in a library it says who wrote the work and when."""
    if not words.many:
        return named("reference", f"{names} {year}", "label")
    number = int(re.sub(r"\D", "", year) or 0)
    first, *more = (Name(one, "label") for one in split_people(names))
    wrote = (Condition("first author", name=first), *(Condition("author", name=one) for one in more))
    return Query("work", (*wrote, Condition("year", low=number, high=number)))


def split_people(names: str) -> list[str]:
    """The persons of "Kay, Lee and Poe et al."."""
    bare = re.sub(r"\bet al\b\.?|\band (?:colleagues|co-?workers|others)$", "", names)
    parts = re.split(r"\s*(?:,|\band\b|&)\s*", bare)
    return [part.strip() for part in parts if len(part.strip(" .")) > 1] or [names]


def _people(words: Words, at: int) -> Iterator[Read[str]]:
    """Words that may be names of people: capitals, particles between them, "and", "et al."; the most first."""
    found: list[tuple[str, int]] = []
    names, end = "", at
    while end < at + NAMES and not words.mark(end):
        text, low = words.text(end), words.low(end)
        capital = text[:1].isupper() and low not in ("which", "what", "how")
        if (
            not capital
            and low != ","
            and low not in (*_OTHERS, "and", "&")
            and not words.is_of("naming", "particles", end)
        ):
            break
        if low in (",", "and", "&", *_OTHERS) and not names:
            break
        names += text if low == "," else f" {'al.' if low == 'al' else text}"
        end += 1
        if capital or low in _OTHERS:
            found.append((names.strip(), end))
    yield from reversed(found)


@called("authors")
@rule
def authors(words: Words, at: int) -> Iterator[Read[tuple[Condition, ...]]]:
    """ "Kay and Lee", "van den Berg", "Kay et al." as authors of something, each of them."""
    if words.low(at) not in ("the", "of", "for", "et"):
        for names, end in _people(words, at):
            yield tuple(Condition("author", name=Name(one, "label")) for one in split_people(names)), end


@rule
def venue(words: Words, at: int) -> Iterator[Read[tuple[Condition, ...]]]:
    """ "in Nature", "in the journal Ice and Snow"."""
    if words.low(at) not in ("in", "from"):
        return
    start = words.skip(at + 1, "the")
    journal = end = words.skip(start, "journal", "periodical", "magazine")
    while end < journal + NAMES and not words.mark(end):
        capital = words.text(end)[:1].isupper()
        if not capital and (end == journal or words.low(end) not in _SMALL):
            return
        end += 1
        if capital and (journal > start or not words.of("roles", journal)):
            name = " ".join(word.text for word in words.words[journal:end])
            yield (Condition("venue", name=Name(name)),), end
