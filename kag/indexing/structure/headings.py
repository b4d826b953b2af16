"""Headings and their possible depths, by their numbers and their words.

Without numbers the standard parts of a paper (Introduction, Methods, ...) are top-level and other headings lie below.
`kag.indexing.structure.nesting` decides what that leaves open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from kag.core.types import Block
from kag.indexing.structure.nesting import Clue, best_depths
from kag.indexing.structure.titles import (
    is_abstract,
    is_abstract_label,
    is_back_matter,
    is_part,
    letters_of,
    number_depths,
    section_numbers,
)
from kag.sources.labels import HEADINGS

MAX_HEADING = 300  # characters
_OF_METHODS = frozenset({"methods", "method", "methodology", "procedures", "experimental"})
_OF_RESULTS = frozenset({"results", "findings"})
HEIGHT_NOISE = 3.0  # thousandths of the page: how much the heights of boxes round lines of one size vary


@dataclass(frozen=True, slots=True)
class Printed:
    """A heading as printed: whether it directly follows another, and the words under it."""

    block: Block
    adjacent: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with its place in the outline: `depth` 1 is a top-level section."""

    block: Block
    number: str
    depth: int


def is_heading(block: Block) -> bool:
    """Whether the OCR set this block as a heading, and its words could be one."""
    if not (block.label in HEADINGS or (block.heading_level and block.label == "text")):
        return False
    words = re.search(r"[^\W\d_]{2}|(?:\b[^\W\d_]\s){3}", block.plain)  # letters may be spaced: "A B S T R A C T"
    return bool(words) and len(block.plain) <= MAX_HEADING and not block.table


def printed_headings(headings: Sequence[Block], blocks: Sequence[Block]) -> list[Printed]:
    """Return each heading with whether it directly follows another, and the text under it."""
    place = {block.id: n for n, block in enumerate(blocks)}
    starts = [place[block.id] for block in headings]
    ends = [*starts[1:], len(blocks)]
    return [
        Printed(
            block,
            n > 0 and starts[n] == starts[n - 1] + 1,
            " ".join(under.plain for under in blocks[starts[n] + 1 : ends[n]] if under.label == "text"),
        )
        for n, block in enumerate(headings)
    ]


def outline(headings: Sequence[Printed]) -> tuple[Heading, ...]:
    """Rank headings that come in reading order."""
    numbers = section_numbers([heading.block.plain for heading in headings])
    by_number = are_numbered(numbers)
    places = [_Place(depths) for depths in _by_number(headings, numbers)] if by_number else _by_part(headings)
    places = [
        _Place((heading.block.heading_level,)) if heading.block.ground else place
        for heading, place in zip(headings, places, strict=True)
    ]
    clues = [
        Clue(heading.block.plain, place.depths, heading.adjacent, heading.text, place.role)
        for heading, place in zip(headings, places, strict=True)
    ]
    return tuple(
        Heading(heading.block, number if by_number else "", depth)
        for heading, number, depth in zip(headings, numbers, best_depths(clues), strict=True)
    )


def are_numbered(numbers: Sequence[str]) -> bool:
    """Whether a paper numbers its headings, by the number of each ("" for none): at least two and a third have one."""
    numbered = sum(1 for number in numbers if number)
    return numbered >= 2 and numbered * 3 >= len(numbers)


@dataclass(frozen=True, slots=True)
class _Place:
    """The depths that are possible for a heading, and the role of its title (see `Clue`)."""

    depths: tuple[int, ...]
    role: str = ""


def _by_number(headings: Sequence[Printed], numbers: Sequence[str]) -> list[tuple[int, ...]]:
    """Possible depths by number; standard parts without one are top-level.

    Other headings without number lie below the numbered one before them; before the first number and
    behind the last they are top-level, but for the parts of a structured abstract and for one that stands
    right under another heading.
    """
    last = max(n for n, number in enumerate(numbers) if number)
    depths = number_depths(numbers)
    in_abstract = _abstract_labels(headings)
    possible: list[tuple[int, ...]] = []
    inside = 0  # depth for an unnumbered heading between numbered ones
    for n, heading in enumerate(headings):
        if numbers[n]:
            inside = depths[n] + 1
            possible.append((depths[n],))
        elif in_abstract[n]:
            possible.append((2,))
        elif is_part(heading.block.plain) or not inside:
            possible.append((1,))
        elif n > last:
            possible.append((1, 2) if heading.adjacent else (1,))
        else:
            possible.append((inside, inside + 1))
    return possible


def _by_part(headings: Sequence[Printed]) -> list[_Place]:
    """Possible depths by part: standard parts are top-level; in a paper with the usual ones, others mostly lie
    below."""
    in_abstract = _abstract_labels(headings)
    parts = _top_parts(headings, in_abstract)
    role = _role_of_others([heading.block for heading in headings], parts)
    behind = _behind_the_text([heading.block.plain for heading in headings])
    places = []
    divided = False  # whether the part before is one that has subsections in most papers
    for n, (part, label) in enumerate(zip(parts, in_abstract, strict=True)):
        if part:
            divided = bool({*letters_of(headings[n].block.plain).split()} & (_OF_METHODS | _OF_RESULTS))
        if label:
            places.append(_Place((2,)))
        elif part or not n:
            places.append(_Place((1,)))
        elif role:
            places.append(_Place((1, 2, 3, 4), "behind" if behind[n] else "below" if divided else role))
        else:
            places.append(_Place((1, 2, 3)))
    return places


def _behind_the_text(titles: Sequence[str]) -> list[bool]:
    """Return the headings behind a closing one ("Funding") and before a part of another kind."""
    found, behind = [], False
    for title in titles:
        behind = is_back_matter(title) or (behind and not is_part(title))
        found.append(behind)
    return found


def _top_parts(headings: Sequence[Printed], in_abstract: Sequence[bool]) -> list[bool]:
    """Return the headings that are top-level by their words: standard parts.

    Where the parts are set in capitals, so is all that is top-level; a part between them that is not lies below
    ("DISCUSSION", "Conclusion", "REFERENCES").
    """
    parts = [is_part(heading.block.plain) for heading in headings]
    capitals = {n for n, part in enumerate(parts) if part and not in_abstract[n] and _upper(headings[n].block)}
    if len(capitals) < 3:
        return parts
    between = range(min(capitals), max(capitals))
    return [
        (n in capitals or _in_capitals(headings[n].block)) if n in between else part for n, part in enumerate(parts)
    ]


def _in_capitals(block: Block) -> bool:
    """Several whole words in capitals: no name of a gene, no abbreviation."""
    return _upper(block) and len(re.findall(r"[^\W\d_]{5,}", block.plain)) >= 2


def _abstract_labels(headings: Sequence[Printed]) -> list[bool]:
    """Return the headings that are parts of the structured abstract before them.

    Each label comes once, the first right under "Abstract".
    """
    seen: set[str] | None = None
    found: list[bool] = []
    for n, heading in enumerate(headings):
        label = letters_of(heading.block.plain)
        may_be = is_abstract_label(heading.block.plain)
        if n and heading.adjacent and may_be and is_abstract(headings[n - 1].block.plain):
            seen = {label}
        elif seen is not None and may_be and label not in seen and label != "introduction":
            seen.add(label)
        else:
            seen = None
        found.append(seen is not None)
    return found


def _role_of_others(headings: Sequence[Block], parts: Sequence[bool]) -> str:
    """Return the role of headings that are not standard parts (see `Clue.role`); "" if unknown.

    In a paper with methods and results they are subsections; with one of these, or a discussion alone, mostly.
    """
    standard = [block for block, part in zip(headings, parts, strict=True) if part]
    others = [block for block, part in zip(headings, parts, strict=True) if not part]
    if not standard or not others:
        return ""
    if all(_upper(block) for block in standard) and not any(_upper(block) for block in others):
        return "below"
    words = {word for block in standard for word in letters_of(block.plain).split()}
    if words & _OF_METHODS and words & _OF_RESULTS:
        return "below"
    if words & {"results", "methods", "discussion"}:
        return "perhaps below"
    return "below" if _smaller(_heights(others), _heights(standard)) else ""


def _heights(headings: Sequence[Block]) -> list[float]:
    return [_line_height(block) for block in headings if block.boxes]


def _smaller(heights: Sequence[float], others: Sequence[float]) -> bool:
    """Whether the first are smaller on average by more than the noise of boxes explains (two standard errors)."""
    if not heights or not others:
        return False
    error = HEIGHT_NOISE * (1 / len(heights) + 1 / len(others)) ** 0.5
    return bool(mean(others) - mean(heights) > 2 * error)


def _upper(block: Block) -> bool:
    return block.plain.upper() == block.plain


def _line_height(block: Block) -> float:
    """Height of a printed line in thousandths of the page, 0 without a box; more lines where the words need them."""
    if not block.boxes:
        return 0.0
    box = block.boxes[0]
    lines = max(1, round(len(block.plain) * 9 / max(box.width, 1)))
    return box.height / lines
