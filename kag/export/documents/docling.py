"""`to_docling`: a paper as docling's JSON, for the many programs that take it; `kag index` reads it back.

Texts are as the graph has them, LaTeX kept, one item for each printed block, with its page and boxes. The graph knows
boxes in thousandths of a page, so pages are told to be 1000 by 1000.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from kag.export.documents.manuscript import Display, Entry, Float, Item, Links, Manuscript, Paragraph, Section, Text
from kag.export.documents.markup import sound
from kag.read.paper import Node
from kag.values.types import Table

_LABELS = {"note": "footnote", "title": "title"}
_KINDS = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif"}
_SIDE = 1000.0
_BODY, _FURNITURE = "#/body", "#/furniture"

Json = dict[str, Any]


def to_docling(paper: Manuscript, pictures: Links) -> str:
    """The paper as docling's JSON; `pictures` are where its pictures lie."""
    return json.dumps(_Document(paper, pictures).whole(), ensure_ascii=False, indent=1) + "\n"


class _Document:
    def __init__(self, paper: Manuscript, pictures: Links) -> None:
        self._paper, self._pictures = paper, pictures
        self._texts: list[Json] = []
        self._tables: list[Json] = []
        self._figures: list[Json] = []
        self._children: list[Json] = []
        self._pages: set[int] = set()

    def whole(self) -> Json:
        paper = self._paper
        if paper.title:
            self._text(paper.title.node, "title")
        self._items(paper.front)
        self._items(paper.body)
        return {
            "schema_name": "DoclingDocument",
            "version": "1.8.0",
            "name": paper.paper,
            "furniture": _root(_FURNITURE, []),
            "body": _root(_BODY, self._children),
            "groups": [],
            "texts": self._texts,
            "pictures": self._figures,
            "tables": self._tables,
            "key_value_items": [],
            "form_items": [],
            "pages": {str(n): {"size": {"width": _SIDE, "height": _SIDE}, "page_no": n} for n in sorted(self._pages)},
        }

    def _items(self, items: Iterable[Item]) -> None:
        for item in items:
            if isinstance(item, Section):
                if item.title:
                    self._text(item.title.node, "section_header", level=min(item.level, 100))
                self._items(item.items)
            elif isinstance(item, Paragraph):
                for part in item.parts:
                    self._part(part)
            elif isinstance(item, Display):
                self._part(item)
            elif isinstance(item, Entry):
                self._text(item.node, "reference")
            else:
                self._float(item)

    def _part(self, part: Text | Display) -> None:
        if isinstance(part, Text):
            self._text(part.node, _LABELS.get(part.role, "text"))
            return
        tag = rf" \tag{{{part.number}}}" if part.number else ""
        self._text(part.node, "formula", words=part.latex + tag)

    def _text(self, node: Node, label: str, *, words: str = "", level: int = 0, of: str = "") -> Json:
        """Add a text; returns the reference to it."""
        text = sound(words or node.text)
        if label in ("title", "section_header"):
            text = text.lstrip("# ")
        item = {**self._item("texts", self._texts, node, label, of), "orig": text, "text": text}
        if level:
            item["level"] = level
        for one in item["prov"]:
            one["charspan"] = [0, len(text)]
        self._texts.append(item)
        return {"$ref": item["self_ref"]}

    def _float(self, one: Float) -> None:
        """A table, or a picture; of several panels each is one, and the captions are the last one's."""
        if one.grid is not None:
            item = self._item("tables", self._tables, one.node, "table", "")
            self._tables.append(item)
            item["data"] = _cells(one.grid)
        else:
            links = self._pictures.get(one.node.iri, ())
            apart = len(links) == len(one.node.boxes) > 1
            for link, box in zip(links, one.node.boxes, strict=True) if apart else [("".join(links[:1]), None)]:
                item = self._picture(one.node, link, box)
        item["captions"] = [self._text(caption.node, "caption", of=item["self_ref"]) for caption in one.captions]
        item["children"] = list(item["captions"])

    def _picture(self, node: Node, link: str, box: tuple[int, int, int, int] | None) -> Json:
        """Add a picture; `box` is that of a panel."""
        item = self._item("pictures", self._figures, node, "picture", "")
        self._figures.append(item)
        item["annotations"] = []
        if box:
            item["prov"] = [_place(node.page, box)]
        if link:
            kind = _KINDS.get(link.rpartition(".")[2].lower(), "image/png")
            item["image"] = {"mimetype": kind, "dpi": 72, "size": {"width": 0.0, "height": 0.0}, "uri": link}
        return item

    def _item(self, name: str, listed: list[Json], node: Node, label: str, of: str) -> Json:
        ref = f"#/{name}/{len(listed)}"
        if not of:
            self._children.append({"$ref": ref})
        self._pages.add(node.page)
        return {
            "self_ref": ref,
            "parent": {"$ref": of or _BODY},
            "children": [],
            "content_layer": "body",
            "label": label,
            "prov": [_place(node.page, box) for box in node.boxes],
            **({} if name == "texts" else {"captions": [], "references": [], "footnotes": []}),
        }


def _root(ref: str, children: list[Json]) -> Json:
    layer = "body" if ref == _BODY else "furniture"
    return {"self_ref": ref, "children": children, "content_layer": layer, "name": "_root_", "label": "unspecified"}


def _place(page: int, box: tuple[int, int, int, int]) -> Json:
    left, top, right, bottom = map(float, box)
    return {
        "page_no": page,
        "bbox": {"l": left, "t": top, "r": right, "b": bottom, "coord_origin": "TOPLEFT"},
        "charspan": [0, 0],
    }


def _cells(grid: Table) -> Json:
    cells = [
        {
            "row_span": cell.row_span,
            "col_span": cell.column_span,
            "start_row_offset_idx": cell.row,
            "end_row_offset_idx": cell.row + cell.row_span,
            "start_col_offset_idx": cell.column,
            "end_col_offset_idx": cell.column + cell.column_span,
            "text": sound(cell.text),
            "column_header": cell.header,
            "row_header": False,
            "row_section": False,
        }
        for cell in grid.cells
    ]
    return {"table_cells": cells, "num_rows": grid.rows, "num_cols": grid.columns}
