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
_LEAST = 4  # entries of a list without a heading
_DATED = 0.6  # of its entries have a year
_SURE = 0.8  # of the entries have a year where one without is none
_LABELLED = (*LABELS, "raised", "key")
_FORMS = ("bracket", "paren", "point", "raised")  # labels by which a list without a heading is found


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """The positions of a list in the flow, its entries, and lines there that belong to no entry."""

    places: tuple[int, ...]
    pieces: tuple[Piece, ...]
    rest: tuple[Paragraph, ...]
    form: str


def find_reference_lists(flow: Flow, headings: Set[int]) -> list[ReferenceList]:
    """The lists that can be cut into entries; `headings` are the places of headings."""
    headed = [
        reference_list
        for start in sorted(headings)
        if isinstance(part := flow.parts[start], Paragraph) and is_references(part.text)
        if (reference_list := _headed(flow, start, headings))
    ]
    taken = {place for one in headed for place in one.places}
    return sorted([*headed, *_unheaded(flow, taken)], key=lambda one: one.places)


def _paragraph(flow: Flow, place: int) -> Paragraph:
    part = flow.parts[place]
    assert isinstance(part, Paragraph)
    return part


def _headed(flow: Flow, start: int, headings: Set[int]) -> ReferenceList | None:
    """The list between a heading and the next one."""
    end = min((n for n in headings if n > start), default=len(flow.parts))
    inside = [n for n in range(start + 1, end) if isinstance(flow.parts[n], Paragraph)]
    inside = [*_labels_before(flow, start), *inside]
    return _read(flow, inside) if inside else None


def _labels_before(flow: Flow, start: int) -> list[int]:
    """Return positions before a heading of labels that are below it: a column of labels may be read before its text."""
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


def _read(flow: Flow, places: Sequence[int], size: float = 0.0) -> ReferenceList | None:
    """The list that fills the places of a flow, if it can be cut; its type size is that of most lines if not known."""
    lines = [
        (flow.columns[n], part.page, line) for n in places for part in [_paragraph(flow, n)] for line in part.lines
    ]
    size = size or median(line.size for _, _, line in lines)
    own = [item for item in lines if abs(item[2].size - size) <= _SAME_SIZE * size and not _is_page_number(item[2])]
    columns = _columns(own)
    starts = find_starts(columns)
    if starts is None:
        return None
    pieces = _without_tail(_kept(cut_at(columns, starts)), starts)
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
    columns: list[Column] = []
    for page, group in groupby(lines, key=lambda item: item[1]):
        columns += _of_page(page, list(group), form)
    return columns


def _of_page(page: int, items: Sequence[tuple[int, int, Line]], form: str) -> Iterator[Column]:
    """The columns of a page's lines by the labels of one form."""
    labels = sorted((line for _, _, line in items if label_of(line, form) is not None), key=lambda line: line.rect.x0)
    width = max(line.rect.x1 for _, _, line in items) - min(line.rect.x0 for _, _, line in items)
    edges: list[float] = []
    for line in labels:
        if not edges or line.rect.x0 - edges[-1] > _COLUMNS_APART * width:
            edges.append(line.rect.x0)
    by_edge: dict[float, list[Line]] = defaultdict(list)
    for _, _, line in items:
        before = [edge for edge in edges if edge <= line.rect.x0 + line.size]
        by_edge[before[-1] if before else (edges or [0.0])[0]].append(line)
    for edge in sorted(by_edge):
        yield Column(page, tuple(_down(by_edge[edge])))


def _down(lines: Sequence[Line]) -> list[Line]:
    """Lines from top to bottom, those on one baseline from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.base):
        if rows and line.base - rows[-1][0].base < _BESIDE * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda line: line.rect.x0)]


def _kept(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces without the lines that stand too far below an entry."""
    lines = [line for piece in pieces for line in piece.lines]
    steps = sorted(two.base - one.base for piece in pieces for one, two in pairwise(piece.lines))
    steps = [step for step in steps if step > 1]
    usual = median(steps) if steps else 1.2 * lines[0].size
    found: list[Piece] = []
    ended = False  # whether what belongs to the entry is over
    for piece in pieces:
        if not piece.begins and (ended or len(piece.lines) > _LONGEST):
            continue
        end = len(piece.lines)
        for n, (one, two) in enumerate(pairwise(piece.lines), start=1):
            if two.base - one.base > _BREAK * usual:
                end = n
                break
        ended = end < len(piece.lines)
        found.append(Piece(piece.page, piece.lines[:end], piece.begins))
    return found


def _without_tail(pieces: Sequence[Piece], starts: Starts) -> list[Piece]:
    """The pieces up to the last entry: text behind a list has no year."""
    entries = [n for n, piece in enumerate(pieces) if piece.begins]
    if not entries:
        return list(pieces)
    if starts.rule not in _LABELLED:
        entries = entries[: _last_dated(pieces, entries)]
    later = [n for n, piece in enumerate(pieces) if piece.begins and (not entries or n > entries[-1])]
    return list(pieces[: later[0]] if later and entries else pieces)


def _text(piece: Piece) -> str:
    return " ".join(line.text for line in piece.lines)


def _last_dated(pieces: Sequence[Piece], entries: Sequence[int]) -> int:
    """Return how many of the entries lie before the first undated one behind the last with names and a year."""
    ends = [*entries[1:], len(pieces)]
    texts = [" ".join(map(_text, pieces[n:end])) for n, end in zip(entries, ends, strict=True)]
    dated = [bool(_YEAR.search(text)) for text in texts]
    if sum(dated) < _SURE * len(dated):
        return len(entries)
    last = max((n for n, text in enumerate(texts) if dated[n] and begins_with_names(text)), default=len(entries) - 1)
    return next((n for n in range(last + 1, len(entries)) if not dated[n]), len(entries))


def _unheaded(flow: Flow, taken: Set[int]) -> list[ReferenceList]:
    """The lists without a heading: labels of one form that count through short texts most of which have a year."""
    places = [n for n, part in enumerate(flow.parts) if isinstance(part, Paragraph) and n not in taken]
    for form in _FORMS:
        lists: list[ReferenceList] = []
        for first in reversed([n for n in places if _first_label(flow, n, form)]):
            behind = min((one.places[0] for one in lists), default=len(flow.parts))
            if reference_list := _labelled(flow, [n for n in places if first <= n < behind], form):
                lists.append(reference_list)
        if lists:
            return lists
    return []


def _labelled(flow: Flow, places: Sequence[int], form: str) -> ReferenceList | None:
    """The list that begins at the first of some places: with labels of a form, in the type size of its first line."""
    by_line: Mapping[Line, int] = {line: n for n in places for line in _paragraph(flow, n).lines}
    reference_list = _read(flow, places, next(iter(by_line)).size)
    if not reference_list or not _reads_as_list(reference_list, form):
        return None
    lines = {line for piece in reference_list.pieces for line in piece.lines}
    kept = sorted({by_line[line] for line in lines})
    rest = tuple(
        Paragraph(part.page, left)
        for part in (_paragraph(flow, n) for n in kept)
        if (left := tuple(line for line in part.lines if line not in lines))
    )
    return ReferenceList(tuple(kept), reference_list.pieces, rest, form)


def _first_label(flow: Flow, place: int, form: str) -> bool:
    return any(label_of(line, form) == 1 for line in _paragraph(flow, place).lines)


def _reads_as_list(reference_list: ReferenceList, form: str) -> bool:
    entries: list[list[Line]] = []
    for piece in reference_list.pieces:
        if piece.begins:
            entries.append(list(piece.lines))
        elif entries:
            entries[-1] += piece.lines
    labelled = [entry for entry in entries if label_of(entry[0], form) is not None]
    dated = [entry for entry in labelled if any(_YEAR.search(line.text) for line in entry)]
    short = all(len(entry) <= _LONGEST for entry in labelled)
    return len(labelled) >= _LEAST and len(dated) >= _DATED * len(labelled) and short
