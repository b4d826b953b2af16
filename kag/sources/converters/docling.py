"""`read_docling`: docling's own JSON, a tree of items in reading order with boxes in points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kag.core.types import Box, Cell, Table
from kag.sources.boxes import Sheets
from kag.sources.draft import Draft, Parsed
from kag.sources.flow import Flow, table_draft
from kag.sources.loading import fitting, load_json
from kag.sources.outline import ITEM
from kag.sources.pictures import Gallery
from kag.sources.reading import Reading
from kag.sources.tables import Loose, lay_out

_ITEM = {"label": str, "text?": str, "orig?": str, "level?": int, "prov?": [{"page_no": int}], "children?": [dict]}
_FLOAT = {"label": str, "prov?": [{"page_no": int}], "captions?": [dict], "footnotes?": [dict], "children?": [dict]}
_CELL = {"text": str, "start_row_offset_idx": int, "start_col_offset_idx": int}
_SHAPE = {
    "body": {"children": [dict]},
    "texts": [_ITEM],
    "tables?": [{**_FLOAT, "data": {"table_cells": [_CELL]}}],
    "pictures?": [_FLOAT],
    "groups?": [{"children": [dict]}],
    "pages?": dict,
}
_LABELS = {
    "title": "title", "section_header": "sub_title", "caption": "caption", "footnote": "footnote",
    "formula": "equation", "list_item": ITEM, "page_header": "page_header", "page_footer": "page_footer",
    "reference": "reference", "code": "code",
}  # fmt: skip
_DEEPEST = 60
_MOST_CELLS = 1000  # rows or columns


def read_docling(path: Path, reading: Reading) -> Parsed:
    """Read a paper from docling's JSON; raises `SourceError` for an invalid file."""
    data, sha256 = load_json(path)
    flow = Flow.of(path)
    walk = _Walk(fitting(path, data, _SHAPE), flow.sheets, flow.gallery)
    for number, page in (data.get("pages") or {}).items():
        size = page.get("size") if isinstance(page, dict) else None
        if isinstance(size, dict) and str(number).isdecimal():
            walk.sheets.size(int(number), size.get("width"), size.get("height"))
    flow.drafts = list(walk.all())
    return flow.parsed("docling", sha256, in_points=True)


@dataclass(slots=True)
class _Walk:
    """State of reading one document; `page` is that of the previous item, for items without one."""

    data: dict[str, Any]
    sheets: Sheets
    gallery: Gallery
    page: int = 1
    seen: set[str] = field(default_factory=set)
    captions: dict[str, str] = field(default_factory=dict)  # caption -> float
    notes: set[str] = field(default_factory=set)

    def all(self) -> Iterator[Draft]:
        """Yield every item once: the body in reading order, then items outside it."""
        for kind in ("tables", "pictures"):
            for n, item in enumerate(self.data.get(kind) or ()):
                own = f"#/{kind}/{n}"
                self.captions |= dict.fromkeys(_refs(item.get("captions")), own)
                self.notes.update(_refs(item.get("footnotes")))
        yield from self._children(self.data["body"], 0)
        for kind in ("texts", "tables", "pictures"):
            for n in range(len(self.data.get(kind) or ())):
                yield from self._item(f"#/{kind}/{n}", 0)

    def _children(self, item: dict[str, Any], depth: int) -> Iterator[Draft]:
        for ref in _refs(item.get("children")):
            yield from self._item(ref, depth + 1)

    def _item(self, ref: str, depth: int) -> Iterator[Draft]:
        """An item and what is below it; one that was met already, or that is not there, is nothing."""
        kind, item = self._find(ref)
        if item is None or ref in self.seen or depth > _DEEPEST:
            return
        self.seen.add(ref)
        if kind == "groups":
            yield from self._group(item, depth)
        elif kind == "texts":
            yield from self._text(ref, item)
            yield from self._children(item, depth)
        else:
            yield from self._float(ref, item, depth)

    def _find(self, ref: str) -> tuple[str, dict[str, Any] | None]:
        _, _, rest = ref.partition("#/")
        kind, _, number = rest.partition("/")
        items = self.data.get(kind) if kind in ("texts", "tables", "pictures", "groups") else None
        at = int(number) if number.isdecimal() and len(number) < 9 else -1
        return kind, items[at] if isinstance(items, list) and 0 <= at < len(items) else None

    def _group(self, group: dict[str, Any], depth: int) -> Iterator[Draft]:
        """A group's items; those of an inline one are the runs of one paragraph."""
        drafts = list(self._children(group, depth))
        if group.get("label") != "inline" or not drafts:
            yield from drafts
            return
        runs = [
            f" \\( {draft.text[2:-2].strip()} \\) " if draft.label == "equation" else draft.text for draft in drafts
        ]
        text = " ".join(" ".join(runs).split(" ")).strip()
        boxes = tuple(dict.fromkeys(box for draft in drafts for box in draft.boxes))
        yield Draft(drafts[0].page, "text", text, boxes, key=drafts[0].key)

    def _text(self, ref: str, item: dict[str, Any]) -> Iterator[Draft]:
        text = item.get("text") or item.get("orig") or ""
        layer, label = item.get("content_layer", "body"), item["label"]
        marker = item.get("marker")
        if item.get("enumerated") and isinstance(marker, str) and marker and not text.startswith(marker):
            text = f"{marker} {text}"
        if label == "formula" and text:
            text = f"\\[ {text} \\]"
        kind = _LABELS.get(label, "text")
        if ref in self.captions:
            kind = "caption"
        elif ref in self.notes:
            kind = "footnote"
        elif layer != "body" and kind not in ("page_header", "page_footer"):
            kind = "page_header" if layer == "furniture" else "metadata"
        page, boxes = self._place(item)
        level = item.get("level", 1) if kind == "sub_title" else 0
        yield Draft(page, kind, text, boxes, key=ref, level=level, caption_of=self.captions.get(ref, ""))

    def _float(self, ref: str, item: dict[str, Any], depth: int) -> Iterator[Draft]:
        """A table or picture, its caption and notes, and the words that are printed inside of a picture."""
        page, boxes = self._place(item)
        data = item.get("data") if "data" in item else None
        table = _table(data["table_cells"]) if isinstance(data, dict) and "table_cells" in data else None
        if table is not None:
            yield table_draft(page, table, boxes, ref)
        else:
            yield Draft(page, "image", "", boxes, key=ref)
            image = item.get("image")
            self.gallery.add(page, boxes, image.get("uri") if isinstance(image, dict) else None)
        for other in (*_refs(item.get("captions")), *_refs(item.get("footnotes"))):
            yield from self._item(other, depth + 1)
        for draft in self._children(item, depth):
            printed_inside = draft.label in ("text", ITEM, "sub_title") and not draft.caption_of
            yield Draft(draft.page, "figure_text", draft.text, draft.boxes, key=draft.key) if printed_inside else draft

    def _place(self, item: dict[str, Any]) -> tuple[int, tuple[Box, ...]]:
        """Page and boxes; an item that goes on on the next page has its boxes of the first."""
        prov = item.get("prov") or ()
        if prov:
            self.page = max(prov[0]["page_no"], 1)
        boxes: list[Box] = []
        for one in prov:
            rect = one.get("bbox")
            if one["page_no"] == self.page and isinstance(rect, dict):
                sides = [rect.get(side) for side in ("l", "t", "r", "b")]
                boxes += self.sheets.boxes(self.page, sides, up=rect.get("coord_origin") == "BOTTOMLEFT")
        return self.page, tuple(boxes)


def _refs(listed: object) -> list[str]:
    """The references in a list of `{"$ref": "#/texts/3"}`."""
    rows = listed if isinstance(listed, list) else []
    found = (row.get("$ref", row.get("cref")) if isinstance(row, dict) else None for row in rows)
    return [ref for ref in found if isinstance(ref, str)]


def _table(cells: list[dict[str, Any]]) -> Table:
    """The table of cells that know their places; cells that claim one place are laid out one behind the other."""
    placed: dict[int, dict[int, dict[str, Any]]] = {}
    for cell in cells:
        row, column = cell["start_row_offset_idx"], cell["start_col_offset_idx"]
        placed.setdefault(min(max(row, 0), _MOST_CELLS), {}).setdefault(column, cell)
    if sum(map(len, placed.values())) < len(cells) or not _apart(placed):
        rows: dict[int, list[Loose]] = {}
        for cell in cells:
            rows.setdefault(cell["start_row_offset_idx"], []).append(Loose(cell["text"], 1, 1, _head(cell)))
        return lay_out(rows[row] for row in sorted(rows))
    made = tuple(
        Cell(cell["text"], row, column, _span(cell, "row"), _span(cell, "col"), _head(cell))
        for row, columns in sorted(placed.items())
        for column, cell in sorted(columns.items())
    )
    return Table(
        made,
        max((cell.row + cell.row_span for cell in made), default=0),
        max((cell.column + cell.column_span for cell in made), default=0),
    )


def _apart(placed: dict[int, dict[int, dict[str, Any]]]) -> bool:
    """Whether no two cells overlap, and none lies far outside."""
    taken: set[tuple[int, int]] = set()
    for row, columns in placed.items():
        for column, cell in columns.items():
            height, width = _span(cell, "row"), _span(cell, "col")
            if not 0 <= column < _MOST_CELLS or height * width > _MOST_CELLS:
                return False
            places = {(row + y, column + x) for y in range(height) for x in range(width)}
            if places & taken:
                return False
            taken |= places
    return True


def _span(cell: dict[str, Any], way: str) -> int:
    span = cell.get(f"{way}_span", 1)
    return min(max(span, 1), _MOST_CELLS) if isinstance(span, int) else 1


def _head(cell: dict[str, Any]) -> bool:
    return bool(cell.get("column_header"))
