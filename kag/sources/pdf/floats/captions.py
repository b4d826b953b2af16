"""Captions: where one begins, by its label and how it is set, and which lines go on with it.

A sentence of the text may begin a line with "Figure 3", too. What tells a caption is a mark behind the number, or a
label in another type than the text's, or a label that stands alone; and that no line of the same paragraph is above it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from kag.sources.labels import CONTINUED, FIGURES_ELSEWHERE, TABLES_ELSEWHERE
from kag.sources.pdf.file.content import Rect, Word, around, shared, stacked
from kag.sources.pdf.text.columns import Gutter
from kag.sources.pdf.text.lines import Line, spacing
from kag.sources.pdf.text.typography import Type

Kind = Literal["figure", "table"]

_FIGURES = (
    r"Fig(?:ure|\.)?|FIG(?:URE|\.)?|F\s?I\s?G\s?U\s?R\s?E|Scheme|SCHEME|Chart|CHART|Plate|PLATE|Photo|Graph|Map|Diagram"
    r"|Illustration|Image|Algorithm|ALGORITHM|Listing|Exhibit|Video|Movie"
    r"|Figura|FIGURA|Gr[áa]fic[oa]|Ilustraci[óo]n|Imagen|Esquema|Algoritmo|Abbildung|Abb\.|Bild|Schema|Sch[ée]ma|Graphique"
)
_TABLES = r"Table|TABLE|T\s?A\s?B\s?L\s?E|Tab\.|Tabla|TABLA|Cuadro|Tabelle|Tab(?:leau|ela)|TABLEAU|Quadro|Box|BOX"
_BEFORE = r"(?:(?:Supplementa(?:ry|l)|SUPPLEMENTARY|Extended\s+Data|Supporting|Additional|Online|Appendix|Web)\s+)?"
_NUMBER = r"(?:[A-Z]{0,2}[.-]?\d{1,3}(?:[.–-]\d{1,3}){0,2}[a-zA-Z]?(?![\w%])|[IVXL]{1,6}(?!\w)|[A-H](?!\w))"
_AGAIN = rf"(?:(?i:{CONTINUED})\b[\s.:,–—-]{{1,4}}(?:of\s)?)?"
_LABEL = re.compile(
    rf"(?P<label>{_AGAIN}{_BEFORE}(?:(?P<table>{_TABLES}|(?i:{TABLES_ELSEWHERE}))|(?:{_FIGURES}|(?i:{FIGURES_ELSEWHERE})))\s*\.?\s*(?P<number>{_NUMBER}))"
)
_CONTINUED = re.compile(rf"[\s.:,(\[–—-]{{0,4}}(?:{CONTINUED})\b", re.I)
_MARK = re.compile(r"\s*(?:[.:|।]|[-–—](?=\s))\s*")
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")
_ENDS = re.compile(r"[.!?:;][\"'”’)\]\d,–*†‡§\s-]*$")
_SAME = 0.06  # share by which sizes in one caption differ
_NEAR = 1.75  # distance of baselines, in type sizes, of a caption's first two lines
_ABOVE = 1.6  # and of a line and the one above it in its paragraph
_USUAL = 1.45  # distance of baselines, in type sizes, up to which a text is set as usual
_PITCH = 1.18  # and in the distance of the lines before for all others
_UNDER_LABEL = 2.2  # distance of baselines, in type sizes, of a label that stands alone and its caption
_UNDER_TITLED = 3.2  # and of one whose caption is slanted, as APA's are
_MOST_LINES = 60


@dataclass(frozen=True)
class Caption:
    """A caption's lines from top to bottom; `box` means that it names a text box, not a picture or a table."""

    kind: Kind
    lines: tuple[Line, ...]
    label: str
    box: bool = False

    @cached_property
    def rect(self) -> Rect:
        return around(line.rect for line in self.lines)


def find_captions(
    lines: Sequence[Line], body: Type, gutters: Sequence[Gutter], rules: Sequence[Rect] = ()
) -> list[Caption]:
    """The captions of a page, from top to bottom. `rules` are its thin level lines: a caption does not cross one."""
    ordered = sorted(lines, key=lambda line: (line.base, line.rect.x0))
    labelled = [line for line in ordered if _LABEL.match(line.text)]
    wider = max(1.0, spacing(lines, body.size) / _USUAL) if labelled else 1.0
    starts = [line for line in labelled if _begins(line, ordered, body, wider)]
    taken: set[int] = {id(line) for line in starts}
    captions = []
    for start in starts:
        grown = _grow(start, ordered, body, gutters, rules, taken, wider)
        if any(_LEADERS.search(line.text) for line in grown):
            continue  # a list of figures
        taken |= {id(line) for line in grown}
        match = _LABEL.match(start.text)
        if match:
            kind: Kind = "table" if match["table"] else "figure"
            box = (match["table"] or "").casefold() == "box"
            captions.append(Caption(kind, tuple(grown), match["label"], box))
    return captions


def _begins(line: Line, ordered: Sequence[Line], body: Type, wider: float) -> bool:
    """Whether a line with a label at its start begins a caption; `wider` is how much wider than usual lines are set."""
    match = _LABEL.match(line.text)
    if not match:
        return False
    rest = line.text[match.end() :]
    mark = _MARK.match(rest)
    behind = rest[mark.end() :] if mark else rest.strip()
    label = _label_words(line, match.end())
    apart = any(_differs(word, body) for word in label) or match["label"].split()[0].isupper()
    apart = apart or label[0].font.name not in (body.font, line.words[-1].font.name)
    above = _above(line, ordered, wider)
    if _CONTINUED.match(rest):
        return above is None or _opens(line, above, apart)
    if not behind:
        return _opens(line, above, apart) and (bool(mark) or apart or abs(line.size - body.size) > 0.4 or above is None)
    if mark:
        return (apart or not behind[0].islower()) and _opens(line, above, apart)
    if behind[0] in ",;)]":
        return False
    if behind[0].islower() and not (apart and re.match(r"[a-z]\b", behind)):
        return False
    return (apart or abs(line.size - body.size) > 0.4) and _opens(line, above, apart)


def _label_words(line: Line, end: int) -> list[Word]:
    """The words that the first `end` characters of a line are printed in."""
    found: list[Word] = []
    at = 0
    for n, word in enumerate(line.words):
        at += (word.spaced and n > 0) + 0
        if at >= end:
            break
        found.append(word)
        at += len(word.text)
    return found


def _differs(word: Word, body: Type) -> bool:
    """Whether a word is bold or slanted where the body is not."""
    font = word.font
    return any(map(str.isalpha, word.text)) and ((font.bold and not body.bold) or (font.italic and not body.italic))


def _above(line: Line, ordered: Sequence[Line], wider: float) -> Line | None:
    """The line that a paragraph with this line in it would have before it."""
    near = [
        other
        for other in ordered
        if other is not line
        and 0.5 * line.size < line.base - other.base < _ABOVE * wider * max(line.size, other.size)
        and stacked(other.rect, line.rect) > 0.3 * min(other.rect.width, line.rect.width)
    ]
    return max(near, key=lambda other: other.base, default=None)


def _opens(line: Line, above: Line | None, apart: bool) -> bool:
    """Whether no paragraph goes on with the line."""
    if above is None or abs(above.size - line.size) > _SAME * line.size:
        return True
    if apart and not above.font.bold and line.words[0].font.bold and _ENDS.search(above.text):
        return True
    return bool(_ENDS.search(above.text)) or (above.font != line.font and apart)


def _grow(
    start: Line,
    ordered: Sequence[Line],
    body: Type,
    gutters: Sequence[Gutter],
    rules: Sequence[Rect],
    taken: set[int],
    wider: float = 1.0,
) -> list[Line]:
    """The caption's lines: its first row, and rows that follow in the same type at the same distance."""
    free = [line for line in ordered if line is start or id(line) not in taken]
    row = _row(start, free, gutters)
    lines = list(row)
    pitch = 0.0
    while len(lines) < _MOST_LINES:
        bare = len(lines) == len(row) and bool(_LABEL.fullmatch(start.text.strip().rstrip(".:|")))
        last, extent = around(line.rect for line in row), around(line.rect for line in lines)
        base, size = max(line.base for line in row), row[0].size
        if pitch > _NEAR * size and _ENDS.search(row[-1].text) and last.x1 < extent.x1 - 2 * size:
            break  # where lines stand far apart a caption's short last one ends it
        near = _NEAR * (1.0 if _ENDS.search(row[-1].text) else wider)
        most = (_UNDER_LABEL if bare else near) * size if not pitch else max(_PITCH * pitch, pitch + 1.0)

        def reach(line: Line, size: float = size, most: float = most, bare: bool = bare) -> float:
            titled = bare and line.font.italic and not body.italic
            return _UNDER_TITLED * size if titled else most

        below = [line for line in free if line not in lines and 0.5 * size < line.base - base <= reach(line)]
        below = [line for line in below if _in_column(line, extent, () if bare else gutters)]
        if not below:
            break
        first = min(below, key=lambda line: (line.base, line.rect.x0))
        following = _row(first, [line for line in below if line.rect.x0 >= first.rect.x0 - 1], gutters)
        others = [line for line in below if abs(line.base - first.base) < 2 and line not in following]
        if others or not _goes_on(first, row[0], extent, body, bare=bare):
            break
        if _ruled_off(last, first.rect, rules):
            break
        if not bare:
            pitch = first.base - base
        lines += following
        row = following
    return lines


def _row(first: Line, free: Sequence[Line], gutters: Sequence[Gutter]) -> list[Line]:
    """A line and the pieces right of it on its baseline, as far as words go."""
    row = [first]
    bare = bool(_LABEL.fullmatch(first.text.strip().rstrip(".:|")))
    for line in sorted(free, key=lambda line: line.rect.x0):
        end = max(one.rect.x1 for one in row)
        gap = line.rect.x0 - end
        far = (3.0 if bare and len(row) == 1 else 1.5) * first.size
        level = abs(line.base - first.base) < 0.2 * first.size and abs(line.size - first.size) < 0.12 * first.size
        if line is first or not level or not -first.size < gap < far:
            continue
        if gap > 0 and any(end - 2 <= gutter.middle <= line.rect.x0 + 2 for gutter in gutters):
            continue
        row.append(line)
    return row


def _in_column(line: Line, extent: Rect, gutters: Sequence[Gutter]) -> bool:
    """Whether a line is under the caption, and not across the gutter from it."""
    if shared(line.rect.x0, line.rect.x1, extent.x0, extent.x1) <= 0:
        return False
    for gutter in gutters:
        own = extent.x1 <= gutter.x1 + 2 or extent.x0 >= gutter.x0 - 2
        if own and line.rect.x0 < gutter.x0 - 2 and line.rect.x1 > gutter.x1 + 2:
            return False
    return True


def _goes_on(line: Line, last: Line, extent: Rect, body: Type, *, bare: bool) -> bool:
    if _LABEL.match(line.text) and line.words[0].font.bold:
        return False
    if bare:
        return abs(line.size - last.size) < 0.35 * last.size
    if abs(line.size - last.size) > _SAME * last.size:
        return False
    if abs(last.size - body.size) > 0.4 and abs(line.size - body.size) < 0.25:
        return False
    middle = abs(line.rect.x0 + line.rect.x1 - extent.x0 - extent.x1) < 6
    return line.rect.x0 > extent.x0 - 1.5 * last.size or middle


def _ruled_off(above: Rect, below: Rect, rules: Sequence[Rect]) -> bool:
    """Whether there is a rule between two lines."""
    return any(
        above.y0 + 0.6 * above.height < (rule.y0 + rule.y1) / 2 < below.y0 + 0.5 * below.height
        and stacked(rule, above) > 0.5 * min(above.width, below.width)
        for rule in rules
    )
