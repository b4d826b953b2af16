"""Algorithms and program listings: the lines between the rules below or above a caption, or those in a typewriter face.

They are no tables, and their lines are no headings and no paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kag.sources.pdf.file.content import Rect
from kag.sources.pdf.floats.areas import around, meet, stacked
from kag.sources.pdf.floats.captions import Caption
from kag.sources.pdf.floats.figures import Figure
from kag.sources.pdf.floats.layout import Layout
from kag.sources.pdf.text.lines import Line

_LABEL = re.compile(r"(?:algorithm|algoritmo|algorithmus|listing|pseudocode)\b", re.I)
_NEAR = 20.0  # points between a caption and the rule or line with which its listing begins
_WIDE = 0.8  # of the column: how wide its rules are
_STEP = 2.2  # type sizes between the baselines of two lines of a program


def is_listing(caption: Caption) -> bool:
    """Whether a caption names an algorithm or a program."""
    return bool(_LABEL.match(caption.label))


def find_listing(caption: Caption, layout: Layout) -> Figure | None:
    """The listing of a caption, None where neither rules nor a typewriter face show one."""
    x0, x1 = layout.span(caption.rect)
    wide = [r for r in layout.rules if stacked(r, Rect(x0, 0, x1, 1)) > _WIDE * (x1 - x0)]
    others = [line for line in layout.lines if line not in caption.lines and x0 - 4 < line.rect.x0 < x1]
    below = [r for r in wide if r.y0 > caption.rect.y1 - 3]
    above = [r for r in reversed(wide) if r.y1 < caption.rect.y0 + 3]
    for rules, gap in (
        (below, below and below[0].y0 - caption.rect.y1),
        (above, above and caption.rect.y0 - above[0].y1),
    ):
        if len(rules) > 1 and gap < _NEAR:
            top, foot = sorted((rules[0].y1, rules[1].y1))
            inside = [line for line in others if top - 1 < (line.rect.y0 + line.rect.y1) / 2 < foot + 1]
            found = Rect(rules[0].x0, top, rules[0].x1, foot)
            if inside and not any(meet(found, text) for text in layout.prose):
                return Figure(found, tuple(inside))
    program = _program(caption, others)
    return Figure(around(line.rect for line in program), tuple(program)) if program else None


def _program(caption: Caption, lines: Sequence[Line]) -> list[Line]:
    """The lines in a typewriter face that follow on a caption."""
    found: list[Line] = []
    base = caption.lines[-1].base
    for line in sorted(lines, key=lambda line: line.base):
        if line.base <= caption.lines[-1].base:
            continue
        if not line.font.mono or line.base - base > max(_STEP * line.size, 0 if found else _NEAR):
            break
        found.append(line)
        base = line.base
    return found
