"""`read_doctags`: docling's DocTags, one tag an item, places as `<loc_N>` in five hundredths of the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

from kag.core.types import Box, Table
from kag.sources.boxes import Sheets
from kag.sources.draft import Draft, Parsed
from kag.sources.flow import Flow, table_draft
from kag.sources.loading import decode, digest, load
from kag.sources.outline import ITEM
from kag.sources.reading import Reading
from kag.sources.tables import Loose, lay_out

_TOKEN = re.compile(r"<(/?)([a-z][a-z0-9_-]{0,40})>")
_LOC = re.compile(r"loc_([0-9]{1,4})$")
_GRID = (500.0, 500.0)
_DEEPEST = 20
_LABELS = {
    "text": "text", "paragraph": "text", "title": "title", "caption": "caption", "footnote": "footnote",
    "formula": "equation", "page_header": "page_header", "page_footer": "page_footer", "list_item": ITEM,
    "code": "code", "reference": "reference", "picture": "image", "chart": "image", "otsl": "table", "table": "table",
}  # fmt: skip
_CELLS = frozenset({"fcel", "ecel", "ched", "rhed", "srow", "lcel", "ucel", "xcel"})
_GO_ON = frozenset({"lcel", "ucel", "xcel"})  # places that the cell to the left, above, or both covers
_HEADING = re.compile(r"section_header_level_([1-9])$")


@dataclass(slots=True)
class _Item:
    """An item that is open: what was read of it."""

    label: str
    level: int = 0
    key: str = ""
    places: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    rows: list[list[tuple[str, str]]] = field(default_factory=lambda: [[]])


def read_doctags(path: Path, reading: Reading) -> Parsed:
    """A paper from DocTags; a tag that is not known stays in the text. Raises `SourceError`."""
    source = load(path)
    flow = Flow.of(path)
    flow.drafts = list(_drafts(decode(source), flow.sheets))
    return flow.parsed("doctags", digest([b"doctags", source.data]))


def _drafts(text: str, sheets: Sheets) -> Iterator[Draft]:
    page, opened, at, count = 1, list[_Item](), 0, 0
    for token in _TOKEN.finditer(text):
        words, at = text[at : token.start()], token.end()
        closing, tag = bool(token[1]), token[2]
        yield from _words(words, opened, page)
        heading = _HEADING.match(tag)
        label = "sub_title" if heading else _LABELS.get(tag)
        if tag == "page_break":
            page += 1
        elif label and not closing and len(opened) < _DEEPEST:
            count += 1
            opened.append(_Item(label, int(heading[1]) if heading else 0, f"#{count}"))
        elif label and opened:
            yield from _closed(opened.pop(), opened, page, sheets)
        elif opened and (place := _LOC.match(tag)):
            opened[-1].places.append(int(place[1]))
        elif opened and tag in _CELLS:
            opened[-1].rows[-1].append((tag, ""))
        elif opened and tag == "nl":
            opened[-1].rows.append([])
    yield from _words(text[at:], opened, page)
    while opened:
        yield from _closed(opened.pop(), opened, page, sheets)


def _words(words: str, opened: list[_Item], page: int) -> Iterator[Draft]:
    """Words between two tags: of the open item, of its last cell, or, where nothing is open, a text."""
    if not words.strip():
        return
    if not opened:
        yield Draft(page, "text", unescape(words.strip()))
    elif opened[-1].rows[-1]:
        tag, before = opened[-1].rows[-1][-1]
        opened[-1].rows[-1][-1] = (tag, before + words)
    else:
        opened[-1].words.append(words)


def _closed(item: _Item, opened: list[_Item], page: int, sheets: Sheets) -> Iterator[Draft]:
    text = unescape(" ".join("".join(item.words).split())) if item.label != "code" else unescape("".join(item.words))
    boxes = _boxes(item.places, page, sheets)
    holder = next((one.key for one in reversed(opened) if one.label in ("image", "table")), "")
    if item.label == "table" or any(item.rows):
        yield table_draft(page, _table(item.rows), boxes, item.key, text)
        return
    if item.label == "equation" and text:
        text = f"\\[ {text} \\]"
    caption_of = holder if item.label == "caption" else ""
    label = "figure_text" if holder and item.label in ("text", ITEM) else item.label
    yield Draft(page, label, text, boxes, key=item.key, level=item.level, caption_of=caption_of)


def _boxes(places: list[int], page: int, sheets: Sheets) -> tuple[Box, ...]:
    """Four places are a box; a text that goes on in the next column has more than one."""
    found: list[Box] = []
    for at in range(0, len(places) - 3, 4):
        found += sheets.boxes(page, places[at : at + 4], of=_GRID)
    return tuple(found)


def _table(rows: list[list[tuple[str, str]]]) -> Table:
    """Cells with their spans: `<lcel>` widens the cell to its left, `<ucel>` makes the one above higher."""
    listed = [row for row in rows if row]
    loose: list[list[Loose]] = []
    for y, row in enumerate(listed):
        made = []
        for x, (tag, words) in enumerate(row):
            if tag in _GO_ON and not words.strip():
                continue
            width = _run((row[at] for at in range(x + 1, len(row))), "lcel")
            below = (listed[at] for at in range(y + 1, len(listed)))
            height = _run((other[x] if x < len(other) else ("", "") for other in below), "ucel")
            made.append(Loose(unescape(" ".join(words.split())), 1 + height, 1 + width, tag == "ched"))
        loose.append(made)
    return lay_out(loose)


def _run(cells: Iterable[tuple[str, str]], tag: str) -> int:
    """Return the number of cells in a row that continue a span and are empty."""
    count = 0
    for kind, words in cells:
        if kind != tag or words.strip():
            break
        count += 1
    return count
