"""Sentences of a part of the paper, for questions that name the part and nothing else: its limits, funding, aims."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from kag.read.extract.asking import own_words
from kag.read.extract.fragments import is_statement, whole_sentences
from kag.read.extract.kinds import Kind, named_in
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from kag.text.search_text import stems

SENTENCES, WHOLE = 3, 8  # sentences of a part, and paragraphs of one that is given as a whole
OWN, FIRST, BESIDE = 0.95, 0.93, 0.9  # how sure of a part's own section, its first words, likely others
ANYWHERE, TWICE = 0.3, 0.75  # of another place that has one phrase of what is needed, or two
_TITLES = 6  # passages among which the title stands
_TEXT = frozenset({"paragraph", "footnote", "list", "listitem"})
_BEHIND = frozenset(
    {"acknowledgements", "bibliography", "authorcontribution", "data", "frontmatter", "glossary", "appendix"}
)
LED, _SHORT = 4, 16  # sentences from one that leads to the others, and words that it has at most
_SECTIONS = 7  # that an overview has a sentence of
_LEADS = re.compile(r"\w+ \w+.*:\s*$", re.S)  # "It has three limits:", behind which they follow
_SPAN = re.compile(
    r"\b(?:sub)?(?:section|appendix|chapter|annex)s?\s(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[ivx]{1,5}\b|[a-h](?:\.\d{1,2})?\b)"
)


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, `passage.text[start:end]` of the passage with that number, and how sure it is that it answers."""

    number: int
    start: int
    end: int
    sure: float


def part(question: str, kind: Kind, index: SearchIndex) -> tuple[Told, ...]:
    """Sentences of the part that a question asks for; none where it says more, or where the paper has none."""
    if _beside_title(question, kind, index):
        return ()
    own = list(_within(kind.places, index)) if kind.places else []
    if kind.whole:
        return tuple(Told(number, 0, len(index.passages[number].text), OWN) for number in own[:WHOLE])
    if not own and kind.last:
        own = list(_concluding(index))
    if own:
        first = [Told(*span, FIRST) for span in _spans(own, index)][:SENTENCES]
        telling = _telling(kind, own, index, OWN)
        return telling if telling and not kind.last else _in_order([*first[:1], *telling, *first[1:]])
    return _telling(kind, list(_within(kind.beside, index)), index, BESIDE) or _telling(
        kind, list(_prose(index)), index, ANYWHERE
    )


def _beside_title(question: str, kind: Kind, index: SearchIndex) -> bool:
    """Whether a question says more than the kind and what the paper's title names: "funding of NemoGB"."""
    title = {stem for passage in index.passages[:_TITLES] if passage.kind == "title" for stem in stems(passage.text)}
    return any(title.isdisjoint(stems(word)) for word in own_words(question, kind))


def _in_order(told: Sequence[Told]) -> tuple[Told, ...]:
    """Sentences in reading order, each once, as many as a part has."""
    kept: dict[tuple[int, int], Told] = {}
    for one in told:
        if len(kept) < SENTENCES:
            kept.setdefault((one.number, one.start), one)
    return tuple(kept[place] for place in sorted(kept))


def overview(question: str, kind: Kind, index: SearchIndex) -> tuple[Told, ...]:
    """The main sentence of each section of the top level, in reading order."""
    if _beside_title(question, kind, index):
        return ()
    sections: dict[str, list[int]] = {}
    for number in _prose(index):
        passage = index.passages[number]
        if passage.path and _BEHIND.isdisjoint(role.lower() for role in passage.roles):
            sections.setdefault(passage.sections[0], []).append(number)
    found = [main_sentences(numbers, index, 1 if place else 2) for place, numbers in enumerate(sections.values())]
    return tuple(chain.from_iterable(found))[:_SECTIONS]


def section(question: str, kind: Kind, index: SearchIndex) -> tuple[Told, ...]:
    """The main sentences of the section that a question names, by number or by all words of its title."""
    named = _named(question, kind, index)
    numbers = [number for number in _prose(index) if named in index.passages[number].sections]
    return main_sentences(numbers, index, 2) if named else ()


def main_sentences(numbers: Sequence[int], index: SearchIndex, most: int) -> tuple[Told, ...]:
    """The sentences that have most of the words that a section has most often, its first one first among equals."""
    spans = list(_spans(numbers, index))
    words = [set(stems(index.passages[number].text[start:end])) for number, start, end in spans]
    counts = Counter(word for one in words for word in one if len(word) > 3)

    def central(at: int) -> float:
        told = sum(math.log1p(counts[word] - 1) for word in words[at] if counts[word] > 1)
        return told / math.sqrt(len(words[at]) + 8) * (1.3 if not at else 1.0)

    whole = [at for at, (number, _, end) in enumerate(spans) if index.passages[number].text[end - 1] in '.?!)”"']
    best = sorted(whole, key=lambda at: (-round(central(at), 6), at))[:most]
    return tuple(Told(*spans[at], FIRST) for at in sorted(best))


def _named(question: str, kind: Kind, index: SearchIndex) -> str:
    """The section that a question names; "" for none, or where it asks for more than what the section is about."""
    titles = {passage.sections[-1]: passage.path[-1] for passage in index.passages if passage.path and passage.sections}
    for passage in index.passages:
        titles |= dict(zip(passage.sections[-len(passage.path) :], passage.path, strict=False)) if passage.path else {}
    numbered = _SPAN.search(question.lower())
    if numbered:
        wanted = numbered["number"].rstrip(".")
        mark = rf"(?:appendix |section |chapter |annex )?{re.escape(wanted)}(?:[.):]?\s|[.):]?$)"
        hits = [iri for iri, title in titles.items() if re.match(mark, title.lower())]
        return hits[0] if len(hits) == 1 else ""
    wanted_words = {stem for word in own_words(question, kind) for stem in stems(word)}
    same = [iri for iri, title in titles.items() if wanted_words and wanted_words == _title_words(title, kind)]
    near = [iri for iri, title in titles.items() if wanted_words and wanted_words <= _title_words(title, kind)]
    hits = same or near
    return hits[0] if len(hits) == 1 else ""


def _title_words(title: str, kind: Kind) -> set[str]:
    return {stem for word in own_words(re.sub(r"^[\W\d.]+", "", title), kind) for stem in stems(word)}


def _within(names: frozenset[str], index: SearchIndex) -> Iterator[int]:
    """The running text of sections that are so called, or of this type."""
    for number in _prose(index):
        passage = index.passages[number]
        if any(named_in(names, (), title) for title in passage.path) or named_in(names, passage.roles, ""):
            yield number


def _prose(index: SearchIndex) -> Iterator[int]:
    return (number for number, passage in enumerate(index.passages) if _is_prose(passage))


def _is_prose(passage: Passage) -> bool:
    return passage.kind in _TEXT


def _spans(numbers: Iterable[int], index: SearchIndex) -> Iterator[tuple[int, int, int]]:
    for number in numbers:
        passage = index.passages[number]
        for start, end in whole_sentences(number, index):
            if is_statement(passage.text[start:end], passage.kind) or _LEADS.search(passage.text, start, end):
                yield number, start, end


def _leads(kind: Kind, span: tuple[int, int, int], index: SearchIndex) -> bool:
    """Whether a short sentence says that what the kind is about follows."""
    number, start, end = span
    text = index.passages[number].text[start:end]
    return kind.lead is not None and len(text.split()) <= _SHORT and bool(kind.lead.search(text))


def _concluding(index: SearchIndex) -> Iterator[int]:
    """What an abstract concludes: the paragraph that begins so; the last one of several, where none does."""
    abstract = list(_within(frozenset({"abstract"}), index))
    said = [number for number in abstract if index.passages[number].text.lstrip("*_# ").lower().startswith("conclu")]
    return iter(said or (abstract[-1:] if len(abstract) > 2 else ()))


def _telling(kind: Kind, numbers: Sequence[int], index: SearchIndex, sure: float) -> tuple[Told, ...]:
    """The sentences that print most of what the kind needs, in reading order."""
    if kind.has is None:
        return ()
    spans = list(_spans(numbers, index))
    led = next((at for at in range(len(spans) - 1, -1, -1) if _leads(kind, spans[at], index)), None)
    if led is not None:
        return tuple(Told(*span, sure) for span in spans[led : led + LED])
    hits = []
    for place, (number, start, end) in enumerate(spans):
        said = {match[0].lower() for match in kind.has.finditer(index.passages[number].text, start, end)}
        if said:
            more = TWICE if sure == ANYWHERE and len(said) > 1 else sure
            hits.append((len(said), place, Told(number, start, end, more)))
    hits.sort(key=lambda hit: (-hit[0], -hit[1] if kind.last else hit[1]))
    best = [hit for hit in hits if 2 * hit[0] >= hits[0][0]][:SENTENCES]
    return tuple(told for _, _, told in sorted(best, key=lambda hit: hit[1]))
