"""Headings by how they are set: the file's outline first, then type and number.

What body text is set in is what most of it is set in; a heading is a short paragraph in a stronger type that stands
alone. Types in which standard parts of a paper are set ("Methods", "References") are heading types for certain; ranks of
types give levels where numbers do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kag.sources.pdf.lines import Line
from kag.text.section_titles import titles
from kag.values.types import Ground

MAX_LINES, MAX_LETTERS = 4, 220
_NUMBER = re.compile(
    r"^(?:(?:section|chapter|appendix|capítulo|kapitel)\s+)?"
    r"((?:\d{1,2}|[A-H])(?:\.\d{1,2}){1,4}\.?|\d{1,2}\.?|[A-H]\.|[IVX]{1,5}\.)(?:\s*[|:–—-])?\s+(?=[^\W\d_])",
    re.I,
)
_PARTS = titles("parts")
_ABSTRACTS = titles("abstracts")
_CAPTION = re.compile(r"^(?:supplementa\w+\s+)?(?:fig(?:ure|\.)?|table|tab\.|scheme|box|chart|algorithm)\s*S?\d", re.I)


class Type(NamedTuple):
    """How a line is set: what tells headings of one level from those of another."""

    size: float
    bold: bool
    italic: bool
    caps: bool
    font: str


@dataclass(frozen=True, slots=True)
class Level:
    """The level of a heading from 1, and what it rests on."""

    level: int
    ground: Ground


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of the file's own outline: level from 1, title, page from 1 (0: unknown)."""

    level: int
    title: str
    page: int


@dataclass(frozen=True, slots=True)
class Set:
    """A paragraph as set: its lines and its page."""

    page: int
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


def type_of(line: Line) -> Type:
    """The type of a line; capitals count where all its letters are."""
    letters = [char for char in line.text if char.isalpha()]
    caps = len(letters) >= 4 and all(char.isupper() for char in letters)
    return Type(round(line.size * 2) / 2, line.bold, line.italic, caps, line.font.name)


def body_type(lines: Sequence[Line]) -> Type:
    """The type in which most characters are set."""
    count: Counter[Type] = Counter()
    for line in lines:
        count[type_of(line)._replace(caps=False)] += len(line.text)
    return max(count, key=lambda key: (count[key], key)) if count else Type(10.0, False, False, False, "")


def find_headings(paragraphs: Sequence[Set], body: Type, outline: Sequence[OutlineEntry] = ()) -> dict[int, Level]:
    """The headings among some paragraphs in reading order, by place."""
    listed = _in_outline(paragraphs, outline)
    likely = [n for n, paragraph in enumerate(paragraphs) if n in listed or _may_be(paragraph, body)]
    sure = _sure_types(paragraphs, likely, body, listed)
    numbered = sum(1 for n in likely if depth_of(paragraphs[n].text) and type_of(paragraphs[n].lines[0]) in sure)
    chosen = [n for n in likely if n in listed or _is_heading(paragraphs, n, body, sure, numbered=numbered >= 3)]
    return _levels(paragraphs, chosen, listed, by_number=numbered >= 3)


def letters_of(text: str) -> str:
    """The letters and digits of a text in small ones, a number before it left out."""
    return "".join(char for char in _NUMBER.sub("", text).casefold() if char.isalnum())


def depth_of(text: str) -> int:
    """The depth that a heading's number says: 2 for "3.1"; 0 without one."""
    match = _NUMBER.match(text)
    return len([part for part in match[1].split(".") if part]) if match else 0


def is_standard(text: str) -> bool:
    """Whether a title is that of a standard part of papers."""
    words = " ".join(re.findall(r"[^\W_]+", _NUMBER.sub("", text).casefold()))
    return words in _STANDARD


def _plain(title: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", title.casefold()))


_STANDARD = frozenset(_plain(title) for title in (*_PARTS, *_ABSTRACTS))


def _in_outline(paragraphs: Sequence[Set], outline: Sequence[OutlineEntry]) -> dict[int, Level]:
    """The paragraphs that the outline lists: the same letters on the entry's page or right beside it, in order."""
    wanted = [entry for entry in outline if letters_of(entry.title)]
    places: dict[str, list[int]] = {}
    for n, paragraph in enumerate(paragraphs):
        if len(paragraph.lines) <= MAX_LINES:
            places.setdefault(letters_of(paragraph.text), []).append(n)
    found: dict[int, Level] = {}
    for entry in wanted:
        near = [
            n
            for n in places.get(letters_of(entry.title), ())
            if n not in found and (not entry.page or abs(paragraphs[n].page - entry.page) <= 1)
        ]
        if near:
            best = min(near, key=lambda n: (abs(paragraphs[n].page - entry.page), n))
            found[best] = Level(entry.level, "outline")
    # An outline that begins with the paper's title has everything one level below it.
    if found and len(found) * 2 >= len(wanted):
        lowest = min(level.level for n, level in found.items())
        return {n: Level(level.level - lowest + 1, "outline") for n, level in found.items()}
    return {}


def _may_be(paragraph: Set, body: Type) -> bool:
    """Whether a paragraph could be a heading by its length, words and type."""
    text = paragraph.text
    if len(paragraph.lines) > MAX_LINES or len(text) > MAX_LETTERS or _CAPTION.match(text):
        return False
    letters = sum(map(str.isalpha, text))
    if letters < 3 or letters < 0.5 * len(text.replace(" ", "")) or text.rstrip().endswith((",", ";")):
        return False
    first = _NUMBER.sub("", text).lstrip("\"'“‘([")[:1]
    if not first or first.islower() and not depth_of(text):
        return False
    return all(_stronger(type_of(line), body) for line in paragraph.lines) or (
        is_standard(text) and _apart(type_of(paragraph.lines[0]), body)
    )


def _apart(own: Type, body: Type) -> bool:
    return own._replace(caps=False) != body or own.caps


def _stronger(own: Type, body: Type) -> bool:
    """Whether a type stands out from the body's: larger, bolder, capitals, slanted, or another face as large."""
    if own.size > body.size + 0.9:
        return True
    if own.size < body.size - 1.6:
        return False
    stands_out = (own.bold and not body.bold) or own.caps or (own.italic and not body.italic)
    return stands_out or (own.font != body.font and own.size >= body.size)


def _sure_types(paragraphs: Sequence[Set], likely: Sequence[int], body: Type, listed: Mapping[int, Level]) -> set[Type]:
    """Types in which headings are set: those of standard parts, and of what the outline lists."""
    return {type_of(paragraphs[n].lines[0]) for n in likely if n in listed or is_standard(paragraphs[n].text)} - {body}


def _is_heading(paragraphs: Sequence[Set], n: int, body: Type, sure: set[Type], *, numbered: bool) -> bool:
    paragraph = paragraphs[n]
    own, text = type_of(paragraph.lines[0]), paragraph.text
    if own in sure:
        return not text.rstrip().endswith(".") or bool(depth_of(text)) or own.size > body.size or own.bold
    if is_standard(text):
        return True
    if depth_of(text) and _stronger(own, body):
        return not text.rstrip().endswith(".")
    if numbered:
        return False
    strong = (own.bold and not body.bold) or own.size > body.size + 0.9
    return strong and own.size >= body.size - 0.6 and not text.rstrip().endswith((".", ":"))


def _levels(
    paragraphs: Sequence[Set], chosen: Sequence[int], listed: Mapping[int, Level], *, by_number: bool
) -> dict[int, Level]:
    """A level for each heading: the outline's, its number's, that of its type's rank."""
    ranks = _ranks(paragraphs, chosen)
    found: dict[int, Level] = {}
    for n in chosen:
        text = paragraphs[n].text
        depth = depth_of(text) if by_number else 0
        if n in listed:
            found[n] = listed[n]
        elif depth:
            found[n] = Level(depth, "number")
        else:
            found[n] = Level(ranks[type_of(paragraphs[n].lines[0])], "size")
    return found


def _ranks(paragraphs: Sequence[Set], chosen: Sequence[int]) -> dict[Type, int]:
    """Levels of types: those of standard parts first, the others behind them by weight."""
    count: Counter[Type] = Counter()
    standard: Counter[Type] = Counter()
    for n in chosen:
        own = type_of(paragraphs[n].lines[0])
        count[own] += 1
        standard[own] += is_standard(paragraphs[n].text)
    top = {own for own in count if standard[own] >= 2} or {own for own in count if standard[own]}
    weight = {own: (own.size, own.caps, own.bold, not own.italic) for own in count}
    least = min((weight[own] for own in top), default=None)
    ranks: dict[Type, int] = {}
    if least is None:
        ordered = sorted(set(weight.values()), reverse=True)
        return {own: ordered.index(weight[own]) + 1 for own in count}
    below = sorted({weight[own] for own in count if weight[own] < least}, reverse=True)
    for own in count:
        ranks[own] = 1 if own in top or weight[own] >= least else below.index(weight[own]) + 2
    return ranks
