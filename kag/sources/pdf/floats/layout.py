"""Evidence for figures and tables: a page's columns, its blocks of running text, its rules and its drawings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kag.sources.pdf.file.content import PageContent, Rect, around, shared, stacked
from kag.sources.pdf.text.columns import Gutter
from kag.sources.pdf.text.lines import Line, spacing
from kag.sources.pdf.text.typography import Type

_THIN = 2.5  # points: what is drawn thinner is a rule
_SHORT_RULE = 8.0
_TOUCH = 4.0  # points between pieces of one rule
_FULL = 0.6  # of a column: how wide running text is at least
_LETTERS = 28  # a line of running text has on average
_BELOW, _AGAIN = 1.75, 1.08  # distance of two baselines of a text, in type sizes, and in usual distances
_BESIDE = 12.0  # points between a gutter of the paper and the text of the column beside it


@dataclass(frozen=True, slots=True)
class Layout:
    """A page. `rules` are thin level lines, pieces put together, `bars` upright ones, `art` all else that is drawn.

    `drawn` is all of it, `pictures` what is surely no ornament of the text, `bands` are grounds, pieces put together.
    `text` are the rectangles of running text, `prose` those of them that fill a column in the body's type, `turned`
    those of words that do not run from left to right, `columns`
    are the text's columns as (left, right) from left to right.
    """

    width: float
    height: float
    lines: tuple[Line, ...]
    body: Type
    columns: tuple[tuple[float, float], ...]
    rules: tuple[Rect, ...]
    bars: tuple[Rect, ...]
    art: tuple[Rect, ...]
    drawn: tuple[Rect, ...]
    pictures: tuple[Rect, ...]
    bands: tuple[Rect, ...]
    text: tuple[Rect, ...]
    prose: tuple[Rect, ...]
    turned: tuple[Rect, ...]

    def span(self, rect: Rect) -> tuple[float, float]:
        """Return the extent of the columns of a rectangle, from the left edge of the first to the right one of the
        last."""
        own = [c for c in self.columns if shared(c[0], c[1], rect.x0, rect.x1) > min(12.0, 0.5 * rect.width)]
        own = own or [min(self.columns, key=lambda c: abs(c[0] + c[1] - rect.x0 - rect.x1))]
        return min(min(c[0] for c in own), rect.x0), max(max(c[1] for c in own), rect.x1)


def layout_of(page: PageContent, lines: Sequence[Line], body: Type, gutters: Sequence[Gutter]) -> Layout:
    """The layout of a page; `lines` are those without running heads."""
    drawn = [Rect(*made[1:]) for made in page.drawn if made.x1 - made.x0 > 0 or made.y1 - made.y0 > 0]
    level = [r for r in drawn if r.height < _THIN and r.width > _SHORT_RULE and r.width > 4 * r.height]
    upright = [r for r in drawn if r.width < _THIN and r.height > _SHORT_RULE]
    art = [r for r in drawn if r.height >= _THIN and r.width >= _THIN]
    columns = _columns(lines, page.width, gutters, body)
    blocks = _running(lines, body, columns)
    text = [around(line.rect for line in block) for block in blocks]
    prose = [rect for rect, block in zip(text, blocks, strict=True) if _is_prose(block, rect, body, columns)]
    pictures = [Rect(*made[1:]) for made in page.drawn if made.kind in ("image", "form")]
    bands = joined([r for r in art if r.height < 0.5 * page.height and r.width > 3 and r.height > 5])
    turned = [Rect(w.x0, w.y0, w.x1, w.y1) for w in page.turned]
    return Layout(
        page.width, page.height, tuple(lines), body, columns, tuple(joined(level)), tuple(upright),
        tuple(art), tuple(drawn), tuple(r for r in pictures if r in art), tuple(bands), tuple(text), tuple(prose),
        tuple(turned),
    )  # fmt: skip


def joined(rules: Iterable[Rect]) -> list[Rect]:
    """Level rules on one height that touch, as one: many files draw one piece for each cell."""
    found: list[Rect] = []
    for rule in sorted(rules, key=lambda r: (round(r.y0 + r.y1), r.x0)):
        last = found[-1] if found else None
        level = last and abs(last.y0 + last.y1 - rule.y0 - rule.y1) < 2.5 and abs(last.height - rule.height) < 2.5
        if last and level and rule.x0 - last.x1 < _TOUCH:
            found[-1] = Rect(last.x0, min(last.y0, rule.y0), max(last.x1, rule.x1), max(last.y1, rule.y1))
        else:
            found.append(rule)
    return sorted(found, key=lambda r: (r.y0, r.x0))


def _columns(
    lines: Sequence[Line], width: float, gutters: Sequence[Gutter], body: Type
) -> tuple[tuple[float, float], ...]:
    """The page's columns: cut at those gutters that few of its long lines cross, lines in the body's type if any."""
    wide = [line for line in lines if len(line.text) >= _LETTERS]
    as_body = [line for line in wide if abs(line.size - body.size) < 0.3 and line.font.name == body.font]
    long = [line.rect for line in (as_body if len(as_body) >= 5 else wide)]
    if not long:
        return ((0.08 * width, 0.92 * width),)
    left, right = min(r.x0 for r in long), max(r.x1 for r in long)
    for gutter in gutters:  # a column may hold nothing but floats: their captions show how wide it is
        if abs(gutter.x1 - left) < _BESIDE:
            left = min([left, *(line.rect.x0 for line in wide if line.rect.x1 < gutter.x0 + 3)])
        if abs(gutter.x0 - right) < _BESIDE:
            right = max([right, *(line.rect.x1 for line in wide if line.rect.x0 > gutter.x1 - 3)])
    best: list[Gutter] = []
    across = {g: sum(1 for r in long if r.x0 < g.x0 - 3 and r.x1 > g.x1 + 3) for g in set(gutters)}
    for gutter in sorted(across, key=lambda g: (across[g], -g.votes, g.x0)):
        apart = all(abs(gutter.middle - other.middle) > 0.15 * width for other in best)
        inside = left + 40 < gutter.middle < right - 40
        if apart and inside and across[gutter] <= 0.35 * len(long):
            best.append(gutter)
    cuts = sorted(best, key=lambda g: g.x0)
    return tuple(zip([left, *(g.x1 for g in cuts)], [*(g.x0 for g in cuts), right], strict=True))


def _is_prose(block: Sequence[Line], rect: Rect, body: Type, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a block of running text fills its column from edge to edge, in the body's type."""
    fills = any(abs(rect.x0 - left) < 14 and abs(rect.x1 - right) < 14 for left, right in columns)
    like = abs(block[0].size - body.size) < 0.3 and block[-1].font.name == body.font
    return fills and like and len(block) >= 2


def _running(lines: Sequence[Line], body: Type, columns: Sequence[tuple[float, float]]) -> list[list[Line]]:
    """Blocks of running text: lines below each other at one distance, nearly as wide as the column."""
    blocks: list[list[Line]] = []
    far = max(_BELOW, _AGAIN * spacing(lines, body.size))
    for line in sorted(lines, key=lambda one: (one.base, one.rect.x0)):
        for block in reversed(blocks[-40:]):
            if _continues(block[-1], line, far):
                block.append(line)
                break
        else:
            blocks.append([line])
    return [block for block in blocks if _is_running(block, body, columns, lines)]


def _continues(above: Line, line: Line, far: float) -> bool:
    """Whether a line goes on a block; `far` is the distance of baselines, in type sizes, from which it does not."""
    step = line.base - above.base
    size = max(above.size, line.size)
    return (
        0.7 * size < step < far * size
        and abs(above.size - line.size) < 0.06 * size
        and stacked(above.rect, line.rect) > 0.6 * min(above.rect.width, line.rect.width)
    )


def _is_running(
    block: Sequence[Line], body: Type, columns: Sequence[tuple[float, float]], lines: Sequence[Line]
) -> bool:
    rect = around(line.rect for line in block)
    own = max(columns, key=lambda c: shared(c[0], c[1], rect.x0, rect.x1))
    wide = own[1] - own[0]
    as_body = abs(block[0].size - body.size) < 0.6
    letters = sum(len(line.text) for line in block) / len(block)
    if rect.width < _FULL * wide or letters < _LETTERS * (1 if as_body else 1.15) * min(1.0, wide / 220):
        return False
    if len(block) < (2 if as_body else 3) and not (
        as_body and block[0].font.name == body.font and rect.width > 0.8 * wide and " " in block[0].text
    ):
        return False
    inside = [
        line
        for line in lines
        if line.rect.y0 < rect.y1 and line.rect.y1 > rect.y0 and shared(line.rect.x0, line.rect.x1, *own) > 3
    ]
    cells = sum(
        1
        for line in block
        if any(
            abs(other.base - line.base) < 0.3 * line.size and other is not line and _within(other.rect, own)
            for other in inside
        )
    )
    return cells <= 0.34 * len(block)


def _within(rect: Rect, column: tuple[float, float]) -> bool:
    return rect.x0 > column[0] - 3 and rect.x1 < column[1] + 3
