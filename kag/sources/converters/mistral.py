"""`read_mistral`: a saved answer of Mistral OCR: typed blocks with places in pixels, else Markdown page by page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from kag.core.types import Box
from kag.sources.draft import Parsed
from kag.sources.flow import Flow
from kag.sources.loading import fitting, load_json
from kag.sources.markdown import add_markdown
from kag.sources.outline import ITEM
from kag.sources.reading import Reading

_SHAPE = {"pages": [{"markdown": str, "index?": int, "images?": ([dict], type(None)), "blocks?": ([dict], type(None))}]}
_LABELS = {
    "title": "sub_title", "text": "text", "caption": "caption", "list": ITEM, "references": ITEM, "code": "code",
    "header": "page_header", "footer": "page_footer", "aside_text": "aside_text", "signature": "aside_text",
}  # fmt: skip
_SIDES = ("top_left_x", "top_left_y", "bottom_right_x", "bottom_right_y")


def read_mistral(path: Path, reading: Reading) -> Parsed:
    """A paper from Mistral's JSON; raises `SourceError`."""
    data, sha256 = load_json(path)
    flow = Flow.of(path)
    for place, page in enumerate(fitting(path, data, _SHAPE)["pages"]):
        number = max(page.get("index", place), 0) + 1
        size = page.get("dimensions")
        if isinstance(size, dict):
            flow.sheets.size(number, size.get("width"), size.get("height"))
        images = {str(one.get("id")): one for one in page.get("images") or ()}
        blocks = [one for one in page.get("blocks") or () if isinstance(one.get("type"), str)]
        for block in blocks:
            _block(flow, number, block, images)
        if not blocks:
            add_markdown(flow, number, _with_tables(page), partial(_place, flow, number, images))
            for image in images.values():
                flow.gallery.add(number, _box(flow, number, image), image.get("image_base64"))
        for name in ("header", "footer"):
            if isinstance(page.get(name), str) and page[name].strip() and not blocks:
                flow.add(number, f"page_{name}", page[name])
    return flow.parsed("mistral", sha256)


def _block(flow: Flow, page: int, block: Mapping[str, Any], images: Mapping[str, Mapping[str, Any]]) -> None:
    kind, boxes = block["type"], _box(flow, page, block)
    words = block.get("content")
    text = words.strip() if isinstance(words, str) else ""
    if kind == "image":
        image = images.get(str(block.get("image_id", block.get("id"))), {})
        flow.picture(page, boxes, image.get("image_base64"))
    elif kind == "equation":
        flow.formula(page, text, boxes)
    elif kind in ("list", "references"):
        for line in text.split("\n"):
            if line.strip():
                flow.add(page, ITEM, line.strip().removeprefix("- "), boxes)
    elif kind == "title":
        bare = text.lstrip("#")
        flow.add(page, "sub_title", bare, boxes, level=len(text) - len(bare) or 1)
    else:
        flow.add(page, "table" if kind == "table" else _LABELS.get(kind, "text"), text, boxes)


def _with_tables(page: Mapping[str, Any]) -> str:
    """The Markdown of a page with the tables that it only names put in their places."""
    text = page["markdown"]
    for table in page.get("tables") or ():
        if isinstance(table, dict) and isinstance(table.get("content"), str):
            text = text.replace(f"[{table.get('id')}]({table.get('id')})", f"\n\n{table['content']}\n\n")
    return str(text)


def _place(flow: Flow, page: int, images: Mapping[str, Mapping[str, Any]], name: str) -> tuple[Box, ...]:
    return _box(flow, page, images.get(name, {}))


def _box(flow: Flow, page: int, row: Mapping[str, Any]) -> tuple[Box, ...]:
    sides = [row.get(side) for side in _SIDES]
    return flow.sheets.boxes(page, sides) if any(side is not None for side in sides) else ()
