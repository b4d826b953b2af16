"""The flow of a paper: paragraphs and floats in reading order, and which paragraph goes on which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kag.sources.pdf.file.content import PageContent, Rect
from kag.sources.pdf.floats.regions import Region
from kag.sources.pdf.text.columns import Gutter, reading_order
from kag.sources.pdf.text.front import FRONT_PAGES
from kag.sources.pdf.text.front_layout import front_cut, front_groups, rows_of_cells
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.paragraphs import column_of, paragraphs, pitches, split_labels, split_number
from kag.sources.pdf.text.titles import is_abstract, is_part_of_text, is_standard
from kag.sources.pdf.text.typography import Paragraph, Type

_ENDS = re.compile(r"[.!?:;…][\"'”’)\]\d,–\s*†‡-]*$")
_BETWEEN = 12  # paragraphs of small type that may stand between two parts of one


Part = Paragraph | tuple[int, Region]
"""A paragraph, or a page and a region of it."""


@dataclass(frozen=True)
class Float:
    """A region as one thing to be placed on its page: its rectangle holds its caption and notes."""

    region: Region

    @cached_property
    def rect(self) -> Rect:
        parts = [line.rect for line in (*self.region.caption, *self.region.notes)]
        parts += [self.region.rect] if self.region.shown or not parts else []
        return Rect(
            min(r.x0 for r in parts), min(r.y0 for r in parts), max(r.x1 for r in parts), max(r.y1 for r in parts)
        )


@dataclass(frozen=True, slots=True)
class Flow:
    """Paragraphs and floats in reading order; `goes_on` gives for a paragraph the place of the one that it goes on.

    `labels` are the places of titles that stand in a line with their text: parts of a structured abstract. `columns`
    numbers the column that each part stands in.
    """

    parts: tuple[Part, ...]
    goes_on: Mapping[int, int]
    labels: frozenset[int] = frozenset()
    columns: tuple[int, ...] = ()


Column = tuple[int, list[Line | Float]]
"""A page, and what stands in one of its columns, from top to bottom."""


def columns_of(
    pages: Sequence[PageContent],
    lines: Sequence[Sequence[Line]],
    regions: Sequence[Sequence[Region]],
    usual: Sequence[Gutter],
    body: Type,
) -> list[Column]:
    """The columns of all pages in reading order; `usual` are the gutters that pages share."""
    columns: list[Column] = []
    front = True  # whether the text has not begun before this page
    for page, found, floats in zip(pages, lines, regions, strict=True):
        items: list[Line | Float] = [*found, *map(Float, floats)]
        cut = front_cut(found, page.height, body.size) if front and page.number <= FRONT_PAGES else None
        front = front and cut is None
        cut = cut or 0.0
        above = [item for item in items if item.rect.y0 + item.rect.y1 < 2 * cut]
        below = [item for item in items if item.rect.y0 + item.rect.y1 >= 2 * cut]
        ordered = rows_of_cells(above) + reading_order(below, page.width, usual)
        columns += [(page.number, column) for column in ordered]
    return columns


def flow_of(columns: Sequence[Column], body: Type, roles: Mapping[Line, str]) -> Flow:
    """Cut columns into paragraphs; a paragraph is of one role."""
    steps = pitches([[item for item in column if isinstance(item, Line)] for _, column in columns])
    placed = _with_labels(
        [one for at, (page, column) in enumerate(columns) for one in _placed(page, at, column, steps, roles)]
    )
    labels = frozenset(n for n, one in enumerate(placed) if one.label)
    return Flow(tuple(one.part for one in placed), _goes_on(placed, body), labels, tuple(one.column for one in placed))


@dataclass(frozen=True, slots=True)
class _Placed:
    """A part; whether it is a paragraph that begins a column or follows a float; its indent in type sizes."""

    part: Part
    column: int = 0
    first: bool = False
    indent: float = 0.0
    label: bool = False


def _placed(
    page: int, at: int, column: Sequence[Line | Float], steps: dict[float, float], roles: Mapping[Line, str]
) -> Iterator[_Placed]:
    own = [item for item in column if isinstance(item, Line)]
    whole = column_of(own) if own else None
    for run in _runs(column, roles):
        if isinstance(run, Float):
            yield _Placed((page, run.region), at)
            continue
        role = roles.get(run[0], "")
        if role in ("author", "affiliation", "contact"):
            for part, lines in front_groups(run, role):
                yield _Placed(Paragraph(page, tuple(lines), part), at)
            continue
        left = column_of(run).left
        for n, group in enumerate(paragraphs(run, steps, whole)):
            indent = (group[0].rect.x0 - left) / max(group[0].size, 1.0)
            yield _Placed(Paragraph(page, tuple(group), role), at, n == 0, indent)


def _with_labels(placed: list[_Placed]) -> list[_Placed]:
    """The parts, with titles cut off from their texts: numbered ones, and two or more of a structured abstract."""
    pages = [one.part.page for one in placed if isinstance(one.part, Paragraph)]
    early = [n for n, one in enumerate(placed) if isinstance(one.part, Paragraph) and one.part.page <= min(pages) + 1]
    cut: dict[int, list[_Placed]] = {}
    headed = False  # whether the heading of an abstract was met
    for n in early:
        part = placed[n].part
        if not isinstance(part, Paragraph):
            continue
        if len(part.lines) <= 2 and is_standard(part.text):
            if is_part_of_text(part.text):
                break
            headed = headed or is_abstract(part.text)
        pieces = split_labels(part) if headed else []
        if len(pieces) > 1:
            cut[n] = _cut_at(placed[n], pieces)
    if sum(piece.label for pieces in cut.values() for piece in pieces) < 2:
        cut = {}
    for n, one in enumerate(placed):
        if n not in cut and isinstance(one.part, Paragraph) and len(numbered := split_number(one.part)) > 1:
            cut[n] = _cut_at(one, numbered)
    return [one for n, whole in enumerate(placed) for one in cut.get(n, [whole])]


def _cut_at(whole: _Placed, pieces: Sequence[tuple[Paragraph, bool]]) -> list[_Placed]:
    """The pieces of a part; what the whole is to its column, the first of them is."""
    found = [replace(whole, part=piece, label=is_title, first=False, indent=0.0) for piece, is_title in pieces]
    return [replace(found[0], first=whole.first, indent=whole.indent), *found[1:]]


def _runs(column: Sequence[Line | Float], roles: Mapping[Line, str]) -> list[list[Line] | Float]:
    """The lines of a column between its floats, those of each role apart, and the floats."""
    runs: list[list[Line] | Float] = []
    for item in column:
        last = runs[-1] if runs else None
        if isinstance(item, Float):
            runs.append(item)
        elif isinstance(last, list) and roles.get(last[-1]) == roles.get(item):
            last.append(item)
        else:
            runs.append([item])
    return runs


def _goes_on(placed: Sequence[_Placed], body: Type) -> dict[int, int]:
    """For the first paragraph of a column the one that it goes on, if that is not at its end."""
    inside = [one for one in placed if isinstance(one.part, Paragraph) and not one.first and _is_body(one.part, body)]
    indented = sum(1 for one in inside if one.indent > 0.5) > 0.5 * len(inside)
    found: dict[int, int] = {}
    for n, one in enumerate(placed):
        part = one.part
        if not one.first or not isinstance(part, Paragraph) or not _is_body(part, body):
            continue
        nearby = range(n - 1, max(-1, n - 1 - _BETWEEN), -1)
        before = next((m for m in nearby if _is_text(placed[m].part, body)), None)
        earlier = None if before is None else placed[before].part
        if before is None or not isinstance(earlier, Paragraph) or not _is_body(earlier, body):
            continue
        if earlier.role != part.role:
            continue
        if _cut(earlier, part, one.indent, indented=indented):
            found[n] = before
    return found


def _is_text(part: Part, body: Type) -> bool:
    """Whether a part is running text: no float, footnote or other small print."""
    return isinstance(part, Paragraph) and part.lines[0].size > body.size - 0.6


def _is_body(part: Paragraph, body: Type) -> bool:
    return abs(part.lines[0].size - body.size) < 0.6 and not (part.lines[0].bold and part.lines[-1].bold)


def _cut(earlier: Paragraph, later: Paragraph, indent: float, *, indented: bool) -> bool:
    """Whether one paragraph was cut in two: by its words, or where new ones are set in and this one is not."""
    before, after = earlier.text.rstrip(), later.text.lstrip()
    if before.endswith("-") and after[:1].isalpha():
        return True
    ended = bool(_ENDS.search(before))
    if after[:1].islower() and indent < 0.5:
        return True
    if ended:
        full = len(earlier.lines) > 1 and abs(earlier.lines[-1].rect.x1 - earlier.lines[-2].rect.x1) < 2.0
        return indented and indent < 0.3 and full
    return indent < 0.5
