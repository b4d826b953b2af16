"""The layout of the front matter: the zone above the first prose, its cells, the blocks of authors and affiliations.

Authors often stand in a grid of cells above a text of two columns. The zone ends where prose or the heading of an
abstract begins; within it, rows of cells are read from left to right, and each cell from top to bottom. A cell's lines
become one block for each list of names, each affiliation, each note.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from kag.sources.pdf.text.columns import Item, sorted_items
from kag.sources.pdf.text.front_features import ORGANIZATION, base_text, names_of
from kag.sources.pdf.text.lines import Line, shift_of
from kag.sources.pdf.text.titles import is_abstract

_PROSE_LINES, _PROSE_WORDS = 4, 25  # of a text that is no list of names and places
_SMALL = 0.7  # share of its longer words that begin with a small letter
_STEP = 1.7  # type sizes between two baselines of one text
_TITLE = 1.5  # points by which titles are larger than the text
_MOST = 2000  # lines of a page of text
_LOWEST = 0.75  # of the page: the zone ends above
_BREAK = 1.55  # type sizes between baselines from which two rows of cells are apart
_GAP = 6.0  # points between two cells at least
_BLANK = 0.5  # type sizes: a blank between words is as wide
_ADDRESS = re.compile(r"\S@\S|https?://")
_RUN_IN = re.compile(r"\W{0,4}(?:abstract|summary|zusammenfassung|resumen|résumé)\W{1,4}\w", re.I)
_OPEN = re.compile(r"(?:[,;&·•]|\band|\bund|\bAND|\b[A-Z]\.)$")
_GOES_ON = re.compile(r"(?:[,;&·•]|and\b|und\b|AND\b|[a-z])")
_PARTS = re.compile(r"\s*(?:[,;·•]|\b(?:and|AND|und)\b|&)\s*")
_MARK = re.compile(r"(?:[*∗†‡§¶‖#✉]|\(?\d{1,2}[.)]?\s|\(?[a-z]\)\s)")
_APART = 1.6  # type sizes between baselines from which two lines are of two blocks


def front_cut(lines: Sequence[Line], height: float, size: float) -> float | None:
    """Return the height at which the text of a first page begins, 0 if that is too low to be certain; None without any
    text.

    `size` is the type size of the body.
    """
    if len(lines) > _MOST:
        return None
    ordered = sorted(lines, key=lambda line: line.base)
    chains = _chains([line for line in ordered if line.size < size + _TITLE])
    starts = [line for line in ordered if _RUN_IN.match(line.text) or is_abstract(line.text)]
    starts += [chain[0] for chain in chains if _is_prose(chain)]
    if not starts:
        return None
    cut = min(line.rect.y0 for line in starts)
    return cut if cut < _LOWEST * height else 0.0


def _chains(ordered: Sequence[Line]) -> list[list[Line]]:
    """Lines of one size right below each other."""
    chains: list[list[Line]] = []
    for line in ordered:
        for chain in reversed(chains[-40:]):
            last = chain[-1]
            step = line.base - last.base
            overlap = min(last.rect.x1, line.rect.x1) - max(last.rect.x0, line.rect.x0)
            narrower = min(last.rect.width, line.rect.width)
            if 0.5 < step / line.size < _STEP and overlap > 0.5 * narrower and abs(last.size - line.size) < 0.3:
                chain.append(line)
                break
        else:
            chains.append([line])
    return chains


def _is_prose(chain: Sequence[Line]) -> bool:
    text = " ".join(line.text for line in chain[:8])
    words = re.findall(r"[^\W\d_]{4,}", text)
    if len(chain) < _PROSE_LINES or len(words) * 1.3 < _PROSE_WORDS or _ADDRESS.search(text):
        return False
    small = sum(1 for word in words if word[:1].islower())
    return small >= _SMALL * len(words)


def rows_of_cells(items: Sequence[Item]) -> list[list[Item]]:
    """The cells of a zone, row by row; what spans the zone is a row of one cell."""
    cells: list[list[Item]] = []
    group: list[Item] = []
    columns = 1
    for row in _rows(items):
        apart = group and row[0].rect.y0 - max(item.rect.y1 for item in group) > (_BREAK - 1.0) * _size(row)
        together = _columns([*group, *row])
        if group and (apart or len(together) < max(columns, len(_columns(row)))):
            cells += _columns(group)
            group, together = [], _columns(row)
        group += row
        columns = len(together)
    return [sorted_items(cell) for cell in cells + _columns(group)]


def _size(row: Sequence[Item]) -> float:
    return max(float(getattr(item, "size", 10.0)) for item in row)


def _rows(items: Sequence[Item]) -> list[list[Item]]:
    """Items on one height."""
    rows: list[list[Item]] = []
    for item in sorted(items, key=lambda one: one.rect.y0 + one.rect.y1):
        middle = (item.rect.y0 + item.rect.y1) / 2
        if rows and middle < max(one.rect.y1 for one in rows[-1]) - 0.25 * item.rect.height:
            rows[-1].append(item)
        else:
            rows.append([item])
    return rows


def _columns(items: Sequence[Item]) -> list[list[Item]]:
    """Items parted by blank strips from top to bottom."""
    if not items:
        return []
    ordered = sorted(items, key=lambda item: item.rect.x0)
    columns = [[ordered[0]]]
    right = ordered[0].rect.x1
    for before, item in pairwise(ordered):
        right = max(right, before.rect.x1)
        if item.rect.x0 - right > max(_GAP, _BLANK * min(_size([before]), _size([item]))):
            columns.append([])
        columns[-1].append(item)
    return columns


def front_groups(lines: Sequence[Line], role: str) -> list[tuple[str, list[Line]]]:
    """The blocks of some lines of one role in a column, each with its role.

    A line that names a person and, behind a comma, an organization becomes two lines.
    """
    pieces = [(role, line) for line in lines]
    if role == "author":
        pieces = [piece for line in lines for piece in split_line(line)]
    groups: list[tuple[str, list[Line]]] = []
    before: Line | None = None
    for own, line in pieces:
        last = groups[-1] if groups else None
        if last and before and last[0] == own and not _begins(before, line, own):
            last[1].append(line)
        else:
            groups.append((own, [line]))
        before = line
    return groups


def split_line(line: Line) -> list[tuple[str, Line]]:
    """Split a line of authors where its type changes or a comma separates a name and an organization."""
    if not ORGANIZATION.search(line.text):
        return [("author", line)]
    for n, (one, two) in enumerate(pairwise(line.words), start=1):
        changed = abs(one.size - two.size) > 0.4 or one.font[1:] != two.font[1:]
        if not two.spaced or not (changed or one.text.endswith(",")):
            continue
        head, rest = Line(line.words[:n]), Line(line.words[n:])
        named, parts = names_of(head)
        if named and named == parts and ORGANIZATION.search(rest.text):
            return [("author", head), ("affiliation", rest)]
    named, parts = names_of(line)
    return [("author" if 2 * named >= parts else "affiliation", line)]


def _begins(before: Line, line: Line, role: str) -> bool:
    """Whether a block begins with the second of two lines."""
    size = max(before.size, line.size)
    if role == "author":
        return _new_name(base_text(before), base_text(line))
    raised = shift_of(line.words[0], line) > 0
    far = line.base - before.base > _APART * size or line.base < before.base - 0.5 * size
    return raised or far or bool(_MARK.match(line.text)) or abs(before.size - line.size) > 0.4


def _new_name(before: str, line: str) -> bool:
    """Whether a line of names begins another list: no comma goes on, and both lines are whole names."""
    if _OPEN.search(before) or _GOES_ON.match(line):
        return False
    last, first = _PARTS.split(before)[-1], _PARTS.split(line)[0]
    return len(last.split()) > 1 and len(first.split()) > 1
