"""`named_papers`: which papers of a library a question names, and by which of its characters.

A paper is named by its id, its title, its first author and year, or words that only its title has ("the moss paper").
The reader of whole questions takes ids and titles; where a question is read in part, only a name that is `sure` counts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kag.qa.questions.naming import dated_people, split_people
from kag.qa.questions.words import Read, Words, called, lexicon, match_form, quotes, rule, split
from kag.text.words import stems

PAPERS = ("one", "many", "study", "other")
"""The rows of topics that are words for papers."""
_LONG = 6  # words of a title that names a paper without quotation marks
_LEAST = 12  # letters of a title; a shorter one ("Editorial") names nothing
_INNER = 4  # words of a title before "paper"
_JOINING = frozenset(
    {"the", "this", "these", "a", "an", "of", "in", "on", "by", "and", "or", "for", "with", "from", "to", "same"}
)


@dataclass(frozen=True, slots=True)
class KnownPaper:
    """A paper of a library by its names; `author` is the first author's family name, in small letters only."""

    id: str
    title: str = ""
    year: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class NamedPaper:
    """A paper (id) and the characters of a question that name it; `sure`: they could not be other words."""

    start: int
    end: int
    paper: str
    sure: bool = True


def printed_names(text: str, papers: Iterable[KnownPaper]) -> tuple[NamedPaper, ...]:
    """The ids and titles in a question, none that is part of a longer one, and none that several papers have."""
    known_papers = tuple(papers)
    return _clear([*_by_id(text, known_papers), *_by_title(text, known_papers)])[0]


def named_papers(text: str, papers: Iterable[KnownPaper]) -> tuple[NamedPaper, ...]:
    """All that surely names a paper, in order; nothing where one name fits several papers.

    >>> named_papers("How wide is the boat of Lima et al. (2019)?", [KnownPaper("ice", "On ice", "2019", "lima")])
    (NamedPaper(start=24, end=42, paper='ice', sure=True),)
    """
    known_papers = tuple(papers)
    words = Words(tuple(split(text)), many=True)
    found = [
        *_by_id(text, known_papers),
        *_by_title(text, known_papers),
        *_by_author(words, known_papers),
        *_by_words(words, known_papers),
    ]
    clear, is_clear = _clear([named_paper for named_paper in found if named_paper.sure])
    return clear if is_clear else ()


def _clear(found: Sequence[NamedPaper]) -> tuple[tuple[NamedPaper, ...], bool]:
    """The longest of names that overlap, in order, without those of several papers, and whether there are none such."""
    kept: dict[tuple[int, int], set[NamedPaper]] = {}
    for named_paper in sorted(found, key=lambda one: one.start - one.end):
        if not any(
            named_paper.start < end and start < named_paper.end
            for start, end in kept
            if (start, end) != (named_paper.start, named_paper.end)
        ):
            kept.setdefault((named_paper.start, named_paper.end), set()).add(named_paper)
    alone = [names.pop() for _, names in sorted(kept.items()) if len({named_paper.paper for named_paper in names}) == 1]
    return tuple(alone), len(alone) == len(kept)


def _by_id(text: str, papers: Iterable[KnownPaper]) -> Iterator[NamedPaper]:
    """Ids; one that could be a word is sure only in quotation marks or behind "paper"."""
    small = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)  # each stays in its place
    quoted = set(quotes(text))
    kinds = frozenset().union(*(lexicon().rows["topics", row] for row in PAPERS))
    for paper in papers:
        name = paper.id.lower()
        alone = any(char.isdigit() or char == "_" for char in name)
        for start in _places(name, small):
            end = start + len(name)
            if _is_apart(text, start, end):
                behind = small[max(0, start - 20) : start].split()[-1:]
                yield NamedPaper(
                    start, end, paper.id, alone or (start, end) in quoted or bool(kinds.intersection(behind))
                )


def _by_title(text: str, papers: Iterable[KnownPaper]) -> Iterator[NamedPaper]:
    """Titles, whole, or in quotation marks up to their colon."""
    folded, places = _folded(text)
    quoted = {_letters(text[start:end]): (start, end) for start, end in quotes(text)}
    for paper in papers:
        whole, main = _letters(paper.title), _letters(paper.title.partition(":")[0])
        if len(main) >= _LEAST and main in quoted:
            yield NamedPaper(*quoted[main], paper.id)
        for at in _places(whole, folded) if len(whole) >= _LEAST else ():
            start, end = places[at], places[at + len(whole) - 1] + 1
            if _is_apart(text, start, end):
                yield NamedPaper(start, end, paper.id, whole in quoted or len(paper.title.split()) >= _LONG)


def _by_author(words: Words, papers: Iterable[KnownPaper]) -> Iterator[NamedPaper]:
    """First authors with years."""
    written: dict[tuple[str, str], list[str]] = {}
    for known_paper in papers:
        written.setdefault((known_paper.author, known_paper.year), []).append(known_paper.id)
    for at in range(len(words.words)):
        for (names, year), end in dated_people(words, at):
            for paper in written.get((_letters(split_people(names)[0]), year), ()):
                yield _named(words, at, end, paper)


def _by_words(words: Words, papers: Iterable[KnownPaper]) -> Iterator[NamedPaper]:
    """ "The moss paper", where only one title has moss."""
    for at in range(len(words.words)):
        for (inner,), end in (
            *match_form(words, at, "the <inner> {topics.one}"),
            *match_form(words, at, "the <inner> study"),
        ):
            wanted = frozenset(stems(inner))
            found = [paper.id for paper in papers if wanted and wanted <= _stems(paper.title)]
            if len(found) == 1:
                yield _named(words, at, end, found[0])


@called("inner")
@rule
def _inner(words: Words, at: int) -> Iterator[Read[str]]:
    """Words of a title before what it is the title of, fewest first."""
    for end in range(at + 1, min(at + _INNER, len(words.words)) + 1):
        low = words.low(end - 1)
        joins = low in _JOINING or words.is_of("naming", "stop", end - 1) or words.of("ordinals", end - 1)
        if joins or not low[:1].isalnum() or words.is_of("glue", "adjective", end - 1):
            return
        yield " ".join(word.text for word in words.words[at:end]), end


def _named(words: Words, at: int, end: int, paper: str) -> NamedPaper:
    return NamedPaper(words.words[at].start, words.words[end - 1].end, paper)


def _places(part: str, text: str) -> Iterator[int]:
    at = text.find(part) if part else -1
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def _is_apart(text: str, start: int, end: int) -> bool:
    """Whether no word goes on before or behind."""
    return not any(char.isalnum() or char in "_-" for char in (*text[max(0, start - 1) : start], *text[end : end + 1]))


@lru_cache(maxsize=65536)
def _stems(title: str) -> frozenset[str]:
    return frozenset(stems(title))


@lru_cache(maxsize=65536)
def _letters(text: str) -> str:
    return _folded(text)[0]


def _folded(text: str) -> tuple[str, list[int]]:
    """Return letters and digits in lower case without accents, with their positions."""
    found = [
        (small, place)
        for place, char in enumerate(text)
        for small in unicodedata.normalize("NFKD", char).casefold()
        if small.isalnum()
    ]
    return "".join(char for char, _ in found), [place for _, place in found]
