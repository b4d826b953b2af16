"""How lines and paragraphs are set: types, and what is known of headings before levels are given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from kag.core.types import Ground
from kag.sources.pdf.text.lines import Line


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
    """An entry of the file's own outline: level from 1, title, page from 1 (0: unknown), height on it in points."""

    level: int
    title: str
    page: int
    y: float | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph as set: its lines and its page, and what it is of the front matter, if anything."""

    page: int
    lines: tuple[Line, ...]
    role: str = ""

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


@lru_cache(maxsize=8192)
def type_of(line: Line) -> Type:
    """The type of a line; capitals count where all its letters are. It is asked many times of the lines of a paper."""
    caps = line.text.isupper() and sum(map(str.isalpha, line.text)) >= 4
    # Small capitals are set in two sizes, and the larger is the line's.
    size = max(word.size for word in line.words if any(map(str.isalpha, word.text))) if caps else line.size
    return Type(round(size * 2) / 2, line.bold, line.italic, caps, line.font.name)


def body_type(lines: Sequence[Line]) -> Type:
    """The type in which most characters are set; the largest of those set often, since lists are set smaller."""
    count: Counter[Type] = Counter()
    for line in lines:
        count[type_of(line)._replace(caps=False)] += len(line.text)
    if not count:
        return Type(10.0, bold=False, italic=False, caps=False, font="")
    most = max(count.values())
    return max((key for key in count if count[key] >= 0.25 * most), key=lambda key: (key.size, count[key], key))
