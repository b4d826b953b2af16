"""Which paper of a shelf a question names, and whether it asks of that paper, of those citing it, or of those it cites.

A paper is named by its id, its title, its first author and year, or words that only its title has ("the moss paper").
A name that fits several papers names none: then the question is put to all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from kag.read.across.shelf import Shelf, Volume
from kag.read.exact.naming import QUOTE
from kag.text.search_text import stems

Relation = Literal["itself", "citing", "cited"]

_LONG = 6  # words of a title that names a paper without quotation marks
_SHORTEST = 12  # letters of a title; a shorter one ("Editorial") names nothing
_KIND = r"(?:papers?|articles?|stud(?:y|ies)|works?|publications?|preprints?|reviews?|reports?)"
_BEFORE = re.compile(
    rf"(?:\b(?:the|this|that)\s+)?(?:\b{_KIND}\s+)?(?:\b(?:titled|entitled|called|named|with the (?:title|id))\s+)?"
    r"[\"“«‘'`(]?$",
    re.I,
)
_BEHIND_KIND = re.compile(rf"\b{_KIND}\s$")
_AFTER = re.compile(r"(?:[.,]?[\"”»’'`)])?")
_AUTHOR_YEAR = re.compile(
    r"(?<![\w'’-])(?P<name>[^\W\d_]++(?:[-'’][^\W\d_]++)*+)"
    r"(?:\s+(?:et al\.?|and (?:colleagues|co-workers|others)|(?:and|&)\s+[^\W\d_][\w'’-]*))?(?:['’]s?)?"
    r"(?:\s+\(|,\s*|\s+(?:in\s+)?)(?P<year>(?:19|20)\d\d)\b\)?"
)
_INNER = r"(?!(?:the|this|that|these|an?|of|in|on|by|and|or|for|with|from|to|first|second|same|other|whole)\b)[\w-]+\s+"
_THE_PAPER = re.compile(rf"\bthe\s+(?P<words>(?:{_INNER}){{1,4}}?)(?:paper|article|preprint|publication|study)\b", re.I)
_HERE = "this paper"
_CITING = re.compile(rf"\b(?:the\s+)?{_KIND}\s+(?:(?:that|which)\s+)?(?:cites?|citing|cited)\s+{_HERE}\b", re.I)
_CITED = re.compile(
    rf"\b(?:the\s+)?{_KIND}\s+(?:(?:that|which)\s+)?(?:(?:(?:is|are|was|were)\s+)?cited\s+(?:by|in)\s+{_HERE}\b"
    rf"|{_HERE}\s+cites?\b)",
    re.I,
)
_CITES_IT = re.compile(rf"\bcit(?:e|es|ed|ing)\s+{_HERE}\b|\b{_HERE}\s+(?:(?:is|was|been)\s+(?:\w+\s+)?)?cited\b", re.I)
_CITED_FOR = re.compile(
    rf"\s*what\s+(?:did|does|do)\s+(?:the\s+)?{_KIND}\s+(?:(?:that|which)\s+)?(?:(?:is|are|was|were)\s+)?cited\s+"
    r"(?:for|on|about)\s+(?P<topic>.{3,400}?)\s+(?:find|say|show|report|conclude|state|measure)"
    r"(?:\s+(?:on|about) (?:it|this))?\s*[?.]*",
    re.I | re.S,
)


@dataclass(frozen=True, slots=True)
class Naming:
    """The paper that a question names (id), what is asked of, and the question with "this paper" in its place."""

    paper: str
    relation: Relation
    question: str


def named(question: str, shelf: Shelf) -> Naming | None:
    """The one paper that a question names; None when it names none or several."""
    found = find(question, shelf.volumes)
    if found is None or several(question, shelf.volumes)[0]:
        return None
    paper, text = found
    for relation, pattern in (("citing", _CITING), ("cited", _CITED)):
        if pattern.search(text):
            return Naming(paper, relation, " ".join(pattern.sub("they", text, count=1).split()))  # type: ignore[arg-type]
    return None if _CITES_IT.search(text) else Naming(paper, "itself", text)


def cited_for(question: str) -> str:
    """What the works are cited for that a question asks about; "" when it asks about no such works.

    >>> cited_for("What did the work cited for the strength of ice find?")
    'the strength of ice'
    """
    match = _CITED_FOR.fullmatch(question)
    return match["topic"] if match else ""


def find(question: str, volumes: Iterable[Volume]) -> tuple[str, str] | None:
    """The id of the one paper that is named, and the question with "this paper" where it was; None if not one.

    >>> find("How wide is the boat of Lima et al. (2019)?", [Volume("ice", "On ice", "2019", "lima")])
    ('ice', 'How wide is the boat of this paper?')
    """
    for names in _WAYS:
        places = {volume.id: span for volume, span in names(question, volumes)}
        if len(places) == 1:
            ((paper, (start, end)),) = places.items()
            before = _BEFORE.search(question, max(0, start - 60), start)
            after = _AFTER.match(question, end)
            first, last = before.start() if before else start, after.end() if after else end
            return paper, f"{question[:first]}{_HERE}{question[last:]}"
        if places:
            return None
    return None


def several(question: str, volumes: Iterable[Volume]) -> tuple[tuple[str, ...], str]:
    """The ids of the papers that are named where they are two or more, as they come, and the question without names.

    >>> several("Compare the ice in frost_1 and frost_2", [Volume("frost_1"), Volume("frost_2")])
    (('frost_1', 'frost_2'), 'Compare the ice in and')
    """
    known = tuple(volumes)
    spans: dict[tuple[int, int], set[str]] = {}
    for names in _WAYS:
        for volume, (start, end) in names(question, known):
            if not any(start < last and first < end for first, last in spans if (first, last) != (start, end)):
                spans.setdefault((start, end), set()).add(volume.id)
    papers = tuple(dict.fromkeys(min(spans[span]) for span in sorted(spans)))
    if len(papers) < 2 or any(len(ids) > 1 for ids in spans.values()):
        return (), question
    for start, end in sorted(spans, reverse=True):
        question = f"{question[:start]} {question[end:]}"
    return papers, " ".join(question.split())


_Named = tuple[Volume, tuple[int, int]]  # a paper and the characters of the question that name it


def _by_id(question: str, volumes: Iterable[Volume]) -> Iterator[_Named]:
    """Papers whose id stands in the question; one that could be a word only in quotation marks or behind "paper"."""
    small = question.lower()
    for volume in volumes:
        at = small.find(volume.id.lower()) if volume.id else -1
        end = at + len(volume.id)
        if at < 0 or _is_word(small[max(0, at - 1) : at]) or _is_word(small[end : end + 1]):
            continue
        alone = any(char.isdigit() or char == "_" for char in volume.id)
        quoted = small[at - 1 : at] in tuple("\"“«‘'`") and small[end : end + 1] in tuple("\"”»’'`")
        if alone or quoted or _BEHIND_KIND.search(small, max(0, at - 20), at):
            yield volume, (at, end)


def _is_word(char: str) -> bool:
    return char.isalnum() or char in ("_", "-")


def _by_title(question: str, volumes: Iterable[Volume]) -> Iterator[_Named]:
    """Papers whose title stands in the question: whole, or in quotation marks up to its colon."""
    text, places = _folded(question)
    quoted = {
        _folded(match[match.lastgroup])[0]: match.span(match.lastgroup)
        for match in QUOTE.finditer(question)
        if match.lastgroup
    }
    found: list[_Named] = []
    for volume in volumes:
        whole, main = (_letters(title) for title in (volume.title, volume.title.partition(":")[0]))
        at = text.find(whole) if len(whole) >= _SHORTEST else -1
        if at >= 0 and (whole in quoted or len(volume.title.split()) >= _LONG):
            found.append((volume, (places[at], places[at + len(whole) - 1] + 1)))
        elif len(main) >= _SHORTEST and main in quoted:
            found.append((volume, quoted[main]))
    spans = {span for _, span in found}
    for volume, span in found:
        if not any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans):
            yield volume, span


def _by_author(question: str, volumes: Iterable[Volume]) -> Iterator[_Named]:
    """Papers of the first authors and years in the question."""
    matches = list(_AUTHOR_YEAR.finditer(question))
    for volume in volumes:
        for match in matches if volume.author else ():
            if _letters(match["name"]) == volume.author and match["year"] == volume.year:
                yield volume, match.span()


def _by_words(question: str, volumes: Iterable[Volume]) -> Iterator[_Named]:
    """Papers that words of their titles point to: "the moss paper", where only one title has moss."""
    matches = [(match, _title_words(match["words"])) for match in _THE_PAPER.finditer(question)]
    for match, words in matches:
        found = [volume for volume in volumes if words and words <= _title_words(volume.title)]
        if len(found) == 1:
            yield found[0], match.span()


_WAYS = (_by_id, _by_title, _by_author, _by_words)


@lru_cache(maxsize=65536)
def _title_words(title: str) -> frozenset[str]:
    return frozenset(stems(title))


@lru_cache(maxsize=65536)
def _letters(text: str) -> str:
    return _folded(text)[0]


def _folded(text: str) -> tuple[str, list[int]]:
    """Letters and digits in small form without accents, and where each stood."""
    found = [
        (small, place)
        for place, char in enumerate(text)
        for small in unicodedata.normalize("NFKD", char).casefold()
        if small.isalnum()
    ]
    return "".join(char for char, _ in found), [place for _, place in found]
