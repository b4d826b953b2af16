"""The reference lists of a PDF: where they are in the flow, their columns, their entries, and what is none of these.

A list is found by its heading or, where none stands above it, by labels that count through entries with years.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

from kag.sources.pdf.text.entries import (
    LABELS,
    Column,
    Piece,
    Starts,
    begins_with_names,
    cut_at,
    find_starts,
    label_of,
    labels_of,
)
from kag.sources.pdf.text.flow import Flow
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.titles import is_references
from kag.sources.pdf.text.typography import Paragraph

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_COLUMNS_APART = 0.25  # of the width of the lines of a page: labels of two columns stand so far apart
_BESIDE = 0.3  # type sizes between the baselines of a label and of its text
_SAME_SIZE = 0.08  # share by which sizes within a list differ at most
_BREAK = 1.8  # usual distances of baselines from which an entry does not go on
_LONGEST = 15  # lines that an entry has at most where no heading says that it is one
_MOST_HEADINGS = 6  # behind a list's own that may be lines of entries
_LEAST = 4  # entries of a list without a heading
_DATED = 0.6  # of its entries have a year
_SURE = 0.8  # of the entries have a year where one without is none
_LABELLED = (*LABELS, "raised", "key")
_FORMS = ("bracket", "paren", "point", "raised")  # labels by which a list without a heading is found


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """The places in the flow that a list fills, its entries, and the lines in these places that are no entry's."""

    places: tuple[int, ...]
    pieces: tuple[Piece, ...]
    rest: tuple[Paragraph, ...]
    form: str


def find_reference_lists(flow: Flow, headings: Set[int]) -> list[ReferenceList]:
    """The lists that can be cut into entries; `headings` are the places of headings."""
    headed = [
        found
        for start in sorted(headings)
        if isinstance(part := flow.parts[start], Paragraph) and is_references(part.text)
        if (found := _headed(flow, start, headings))
    ]
    taken = {place for one in headed for place in one.places}
    return sorted([*headed, *_unheaded(flow, taken)], key=lambda one: one.places)


def _paragraph(flow: Flow, place: int) -> Paragraph:
    part = flow.parts[place]
    assert isinstance(part, Paragraph)
    return part


def _headed(flow: Flow, start: int, headings: Set[int]) -> ReferenceList | None:
    """The list between a heading and the next one."""
    ends = [*sorted(n for n in headings if n > start), len(flow.parts)]
    before = _labels_before(flow, start)
    found = None
    for end in ends[:_MOST_HEADINGS]:
        inside = [*before, *(n for n in range(start + 1, end) if isinstance(flow.parts[n], Paragraph))]
        more = _read(flow, inside) if inside else None
        if found and (more is None or not _goes_on(found, more)):
            break
        found = more
        if found is None or found.form not in _FORMS:
            break
    return found


def _goes_on(found: ReferenceList, more: ReferenceList) -> bool:
    """Whether a list goes on behind what was taken for a heading: its labels count on there."""
    count = [sum(piece.begins for piece in one.pieces) for one in (found, more)]
    return more.form == found.form and count[1] > count[0] and more.pieces[: len(found.pieces) - 1] == found.pieces[:-1]


def _labels_before(flow: Flow, start: int) -> list[int]:
    """Places before a heading of labels that stand below it: a column of labels may be read before its text."""
    heading = _paragraph(flow, start)
    found: list[int] = []
    for n in range(start - 1, -1, -1):
        part = flow.parts[n]
        if not isinstance(part, Paragraph) or part.page != heading.page or part.lines[0].base < heading.lines[0].base:
            break
        if not all(_is_label(line) for line in part.lines):
            break
        found.insert(0, n)
    return found


def _is_label(line: Line) -> bool:
    """Whether a line holds a label and nothing else."""
    text = line.text.strip()
    alone = any(match.end() == len(text) for form in LABELS.values() if (match := form.match(text)))
    return alone or (text.endswith("]") and label_of(line, "key") is not None)


def _read(flow: Flow, places: Sequence[int]) -> ReferenceList | None:
    """The list that fills the places of a flow, if it can be cut."""
    lines = [
        (flow.columns[n], part.page, line) for n in places for part in [_paragraph(flow, n)] for line in part.lines
    ]
    size = median(line.size for _, _, line in lines)
    own = [item for item in lines if abs(item[2].size - size) <= _SAME_SIZE * size and not _is_page_number(item[2])]
    columns = _columns(own)
    starts = find_starts(columns)
    if starts is None:
        return None
    pieces = _without_tail(_kept(cut_at(columns, starts), starts), starts)
    kept = {line for piece in pieces for line in piece.lines}
    rest = [
        Paragraph(part.page, left)
        for n in places
        for part in [_paragraph(flow, n)]
        if (left := tuple(line for line in part.lines if line not in kept))
    ]
    return ReferenceList(tuple(places), tuple(pieces), tuple(rest), starts.rule) if pieces else None


def _is_page_number(line: Line) -> bool:
    return line.text.strip().isdecimal() and len(line.text.strip()) < 4 and line.size == line.words[0].size


def _columns(lines: Sequence[tuple[int, int, Line]]) -> list[Column]:
    """The columns of a list in reading order, from lines with their column in the flow and their page.

    Labels show where columns begin: their texts may stand in a column of their own in the flow, and lines of two
    columns may be read across. Without labels the columns are those of the flow.
    """
    labelled = labels_of([line for _, _, line in lines])
    if labelled is None:
        return [
            Column(page, tuple(line for _, _, line in group))
            for (_, page), group in groupby(lines, key=lambda item: (item[0], item[1]))
        ]
    form = labelled.rule
    found: list[Column] = []
    for page, group in groupby(lines, key=lambda item: item[1]):
        found += _of_page(page, list(group), form)
    return found


def _of_page(page: int, items: Sequence[tuple[int, int, Line]], form: str) -> Iterator[Column]:
    """The columns of a page's lines by the labels of one form."""
    labels = sorted((line for _, _, line in items if label_of(line, form) is not None), key=lambda line: line.rect.x0)
    width = max(line.rect.x1 for _, _, line in items) - min(line.rect.x0 for _, _, line in items)
    edges: list[float] = []
    for line in labels:
        if not edges or line.rect.x0 - edges[-1] > _COLUMNS_APART * width:
            edges.append(line.rect.x0)
    edges = sorted([*edges, *_without_labels(items, form, edges)])
    by_edge: dict[float, list[Line]] = defaultdict(list)
    for _, _, line in items:
        before = [edge for edge in edges if edge <= line.rect.x0 + line.size]
        by_edge[before[-1] if before else (edges or [0.0])[0]].append(line)
    for edge in sorted(by_edge):
        yield Column(page, tuple(_down(by_edge[edge])))


def _without_labels(items: Sequence[tuple[int, int, Line]], form: str, edges: Sequence[float]) -> list[float]:
    """The left edges of columns that only hold the rest of an entry: no label stands beside one of their lines."""
    found = []
    labels = [line for _, _, line in items if label_of(line, form) is not None]
    for _, group in groupby(items, key=lambda item: item[0]):
        lines = [line for _, _, line in group]
        left = min(line.rect.x0 for line in lines)
        if any(label_of(line, form) is not None for line in lines):
            continue
        near = [label for label in labels if label.rect.x1 <= left + 1 and label.rect.x0 in _last_before(edges, left)]
        beside = [n for n in lines if any(abs(n.base - label.base) < _BESIDE * n.size for label in near)]
        crossed = any(label.rect.x0 < left + 1 and label.rect.x1 > left + 10 for label in labels)
        if not beside and not crossed:
            found.append(left)
    return found


def _last_before(edges: Sequence[float], x: float) -> tuple[float, ...]:
    return tuple(edge for edge in edges if edge <= x)


def _down(lines: Sequence[Line]) -> list[Line]:
    """Lines from top to bottom, those on one baseline from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.base):
        if rows and line.base - rows[-1][0].base < _BESIDE * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda line: line.rect.x0)]


def _kept(pieces: Sequence[Piece], starts: Starts) -> list[Piece]:
    """The pieces without the lines that stand too far below an entry, or left of where the list's entries hang."""
    lines = [line for piece in pieces for line in piece.lines]
    steps = sorted(two.base - one.base for piece in pieces for one, two in pairwise(piece.lines))
    steps = [step for step in steps if step > 1]
    usual = median(steps) if steps else 1.2 * lines[0].size
    inner = _hangs(pieces) if starts.rule in _LABELLED else 0.0
    found: list[Piece] = []
    ended = False  # whether what belongs to the entry is over
    for piece in pieces:
        if not piece.begins and (ended or len(piece.lines) > _LONGEST):
            continue
        end = len(piece.lines)
        for n, (one, two) in enumerate(pairwise(piece.lines), start=1):
            outside = inner > 0 and two.rect.x0 < piece.lines[0].rect.x0 + inner / 2 and two.base > one.base + 1
            if two.base - one.base > _BREAK * usual or (outside and piece.begins):
                end = n
                break
        ended = end < len(piece.lines)
        found.append(Piece(piece.page, piece.lines[:end], piece.begins))
    return found


def _hangs(pieces: Sequence[Piece]) -> float:
    """How far the lines of entries are set in behind their first one; 0 where they are not."""
    inside = [
        line.rect.x0 - piece.lines[0].rect.x0
        for piece in pieces
        if piece.begins
        for line in piece.lines[1:]
        if line.base > piece.lines[0].base + 1
    ]
    step = median(inside) if inside else 0.0
    return step if step > 3 and sum(1 for width in inside if width > step / 2) >= 0.9 * len(inside) else 0.0


def _without_tail(pieces: Sequence[Piece], starts: Starts) -> list[Piece]:
    """The pieces up to the last entry: biographies begin in bold, other text behind a list has no year."""
    entries = [n for n, piece in enumerate(pieces) if piece.begins]
    if not entries:
        return list(pieces)
    bold = [n for n in entries if pieces[n].lines[0].words[0].font.bold]
    if len(bold) <= 0.3 * len(entries):
        while entries and entries[-1] in bold and _is_biography(pieces[entries[-1]]):
            entries.pop()
    if starts.rule not in _LABELLED:
        entries = entries[: _last_dated(pieces, entries)]
    later = [n for n, piece in enumerate(pieces) if piece.begins and (not entries or n > entries[-1])]
    return list(pieces[: later[0]] if later and entries else pieces)


def _is_biography(piece: Piece) -> bool:
    return len(piece.lines) > _LONGEST // 2 or not _YEAR.search(_text(piece))


def _text(piece: Piece) -> str:
    return " ".join(line.text for line in piece.lines)


def _last_dated(pieces: Sequence[Piece], entries: Sequence[int]) -> int:
    """How many of the entries lie before the first without a year behind the last that has names and a year."""
    ends = [*entries[1:], len(pieces)]
    texts = [" ".join(map(_text, pieces[n:end])) for n, end in zip(entries, ends, strict=True)]
    dated = [bool(_YEAR.search(text)) for text in texts]
    if sum(dated) < _SURE * len(dated):
        return len(entries)
    last = max((n for n, text in enumerate(texts) if dated[n] and begins_with_names(text)), default=len(entries) - 1)
    return next((n for n in range(last + 1, len(entries)) if not dated[n]), len(entries))


def _unheaded(flow: Flow, taken: Set[int]) -> list[ReferenceList]:
    """The list without a heading, if there is one: labels that count through short texts most of which have a year."""
    places = [n for n, part in enumerate(flow.parts) if isinstance(part, Paragraph) and n not in taken]
    by_line: Mapping[Line, int] = {line: n for n in places for line in _paragraph(flow, n).lines}
    for form in _FORMS:
        first = next((n for n in reversed(places) if _first_label(flow, n, form)), None)
        if first is None:
            continue
        inside = [n for n in places if n >= first]
        found = _read(flow, inside)
        if found and _reads_as_list(found, form):
            used = {by_line[line] for piece in found.pieces for line in piece.lines}
            kept = tuple(n for n in found.places if n in used)
            lines = {line for piece in found.pieces for line in piece.lines}
            rest = tuple(
                Paragraph(part.page, left)
                for n in kept
                for part in [_paragraph(flow, n)]
                if (left := tuple(line for line in part.lines if line not in lines))
            )
            return [ReferenceList(kept, found.pieces, rest, form)]
    return []


def _first_label(flow: Flow, place: int, form: str) -> bool:
    return any(label_of(line, form) == 1 for line in _paragraph(flow, place).lines)


def _reads_as_list(found: ReferenceList, form: str) -> bool:
    entries: list[list[Line]] = []
    for piece in found.pieces:
        if piece.begins:
            entries.append(list(piece.lines))
        elif entries:
            entries[-1] += piece.lines
    labelled = [entry for entry in entries if label_of(entry[0], form) is not None]
    dated = [entry for entry in labelled if any(_YEAR.search(line.text) for line in entry)]
    short = all(len(entry) <= _LONGEST for entry in labelled)
    return len(labelled) >= _LEAST and len(dated) >= _DATED * len(labelled) and short
