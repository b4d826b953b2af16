"""The flow of a paper: paragraphs and floats in reading order, and which paragraph goes on which."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kag.sources.pdf.columns import Gutter, reading_order
from kag.sources.pdf.content import PageContent, Rect
from kag.sources.pdf.headings import Paragraph, Type
from kag.sources.pdf.lines import Line
from kag.sources.pdf.paragraphs import column_of, paragraphs, pitches
from kag.sources.pdf.regions import Region

_ENDS = re.compile(r"[.!?:;…][\"'”’)\]\d,–\s*†‡-]*$")
_BETWEEN = 12  # paragraphs of small type that may stand between two parts of one


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
    """Paragraphs and floats in reading order; `goes_on` gives for a paragraph the place of the one that it goes on."""

    parts: tuple[Paragraph | tuple[int, Region], ...]
    goes_on: Mapping[int, int]


def flow_of(
    pages: Sequence[PageContent],
    lines: Sequence[Sequence[Line]],
    regions: Sequence[Sequence[Region]],
    usual: Sequence[Gutter],
    body: Type,
) -> Flow:
    """Put the lines and regions of all pages in order, and cut the lines into paragraphs."""
    columns: list[tuple[int, list[Line | Float]]] = []
    for page, found, floats in zip(pages, lines, regions, strict=True):
        items: list[Line | Float] = [*found, *map(Float, floats)]
        columns += [(page.number, column) for column in reading_order(items, page.width, usual)]
    usual_steps = pitches([[item for item in column if isinstance(item, Line)] for _, column in columns])
    parts: list[Paragraph | tuple[int, Region]] = []
    heads: list[bool] = []  # whether a paragraph begins a column, or follows a float
    indents: list[float] = []  # of the first line, in type sizes
    for page, column in columns:
        for run in _runs(column):
            if isinstance(run, Float):
                parts.append((page, run.region))
                heads.append(False)
                indents.append(0.0)
                continue
            left = column_of(run).left
            for n, group in enumerate(paragraphs(run, usual_steps)):
                parts.append(Paragraph(page, tuple(group)))
                heads.append(n == 0)
                indents.append((group[0].rect.x0 - left) / max(group[0].size, 1.0))
    return Flow(tuple(parts), _goes_on(parts, heads, indents, body))


def _runs(column: Sequence[Line | Float]) -> list[list[Line] | Float]:
    """The lines of a column between its floats, and these."""
    runs: list[list[Line] | Float] = []
    for item in column:
        if isinstance(item, Float):
            runs.append(item)
        elif runs and isinstance(runs[-1], list):
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def _goes_on(
    parts: Sequence[Paragraph | tuple[int, Region]], heads: Sequence[bool], indents: Sequence[float], body: Type
) -> dict[int, int]:
    """For the first paragraph of a column the one that it goes on, if that is not at its end."""
    inside = [
        n for n, part in enumerate(parts) if isinstance(part, Paragraph) and not heads[n] and _is_body(part, body)
    ]
    indented = sum(1 for n in inside if indents[n] > 0.5) > 0.5 * len(inside)
    found: dict[int, int] = {}
    for n, part in enumerate(parts):
        if not heads[n] or not isinstance(part, Paragraph) or not _is_body(part, body):
            continue
        before = next(
            (m for m in range(n - 1, max(-1, n - 1 - _BETWEEN), -1) if _is_text(parts[m], body)),
            None,
        )
        if before is None:
            continue
        earlier = parts[before]
        if (
            isinstance(earlier, Paragraph)
            and _is_body(earlier, body)
            and _cut(earlier, part, indents[n], indented=indented)
        ):
            found[n] = before
    return found


def _is_text(part: Paragraph | tuple[int, Region], body: Type) -> bool:
    """Whether a part is no float, no footnote and no other small print."""
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
