"""`read_kids`: opendataloader's JSON, a tree of kids with boxes in points counted from the bottom of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kag.core.types import Box
from kag.sources.boxes import numbers_of
from kag.sources.draft import Parsed
from kag.sources.flow import Flow, table_draft
from kag.sources.loading import fitting, load_json
from kag.sources.outline import ITEM
from kag.sources.reading import Reading
from kag.sources.tables import Loose, lay_out

_LABELS = {
    "heading": "sub_title", "title": "title", "paragraph": "text", "caption": "caption", "list item": ITEM,
    "header": "page_header", "footer": "page_footer", "footnote": "footnote", "formula": "equation",
}  # fmt: skip
_DEEPEST = 30
_LETTER = (612.0, 792.0)


def read_kids(path: Path, reading: Reading) -> Parsed:
    """A paper from opendataloader's JSON; raises `SourceError`.

    Sizes of pages are in newer files only. Where they are missing, a page is as large as what is printed on it needs,
    at least a sheet of letter paper.
    """
    data, sha256 = load_json(path)
    kids = fitting(path, data, {"kids": [dict]})["kids"]
    flow = Flow.of(path)
    _sizes(flow, data, kids)
    linked: dict[str, str] = {}
    captions: list[tuple[int, str]] = []
    for kid in kids:
        _kid(flow, kid, linked, captions, 0)
    for place, target in captions:
        flow.drafts[place] = replace(flow.drafts[place], caption_of=linked.get(target, ""))
    return flow.parsed("opendataloader", sha256)


def _sizes(flow: Flow, data: Mapping[str, Any], kids: list[Any]) -> None:
    pages = data.get("pages")
    for n, page in enumerate(pages if isinstance(pages, list) else (), start=1):
        if isinstance(page, dict):
            flow.sheets.size(n, page.get("width"), page.get("height"))
    if flow.sheets.sizes:
        return
    needed: dict[int, tuple[float, float]] = {}
    for kid in _all(kids):
        rect = numbers_of(kid.get("bounding box"))
        if len(rect) == 4:
            wide, high = needed.get(_page(kid), _LETTER)
            needed[_page(kid)] = (max(wide, rect[2]), max(high, rect[3]))
    for page, (wide, high) in sorted(needed.items()):
        flow.sheets.size(page, wide, high)
    if needed:
        flow.sheets.note(0, "the sizes of the pages are not told", "taken from what is printed on them")


def _all(kids: object) -> Iterator[Mapping[str, Any]]:
    todo = list(kids) if isinstance(kids, list) else []
    while todo:
        kid = todo.pop()
        if isinstance(kid, dict):
            yield kid
            for name in ("kids", "list items"):
                inner = kid.get(name)
                todo += inner if isinstance(inner, list) else []


def _page(kid: Mapping[str, Any]) -> int:
    page = kid.get("page number")
    return max(page, 1) if isinstance(page, int) else 1


def _kid(flow: Flow, kid: Any, linked: dict[str, str], captions: list[tuple[int, str]], depth: int) -> None:
    if not isinstance(kid, dict) or depth > _DEEPEST:
        return
    kind = str(kid.get("type", "")).lower()
    page, boxes = _page(kid), _boxes(flow, kid)
    if kind == "table":
        key = _table(flow, kid, page, boxes)
    elif kind in ("image", "picture", "chart"):
        key = flow.picture(page, boxes, kid.get("source", kid.get("file name")))
        if _content(kid):
            flow.add(page, "figure_text", _content(kid))
    else:
        key = _text(flow, kid, kind, page, boxes)
        if kind == "caption" and key:
            captions.append((len(flow.drafts) - 1, str(kid.get("linked content id"))))
        for name in ("kids", "list items"):
            inner = kid.get(name)
            label = "page_header" if kind == "header" else "page_footer" if kind == "footer" else ""
            for one in inner if isinstance(inner, list) else ():
                inner_kid = {**one, "type": label.removeprefix("page_")} if label and isinstance(one, dict) else one
                _kid(flow, inner_kid, linked, captions, depth + 1)
    linked[str(kid.get("id"))] = key


def _text(flow: Flow, kid: Mapping[str, Any], kind: str, page: int, boxes: tuple[Box, ...]) -> str:
    words = _content(kid)
    if not words:
        return ""
    label = _LABELS.get(kind, "text")
    level = kid.get("heading level", kid.get("level", 1))
    if label == "equation":
        flow.formula(page, words, boxes)
        return flow.drafts[-1].key if flow.drafts else ""
    return flow.add(page, label, words, boxes, level=level if label == "sub_title" and isinstance(level, int) else 0)


def _table(flow: Flow, kid: Mapping[str, Any], page: int, boxes: tuple[Box, ...]) -> str:
    table = lay_out(
        [Loose(_cell(cell), _span(cell, "row span"), _span(cell, "column span")) for cell in _objects(row, "cells")]
        for row in _objects(kid, "rows")
    )
    key = f"#{len(flow.drafts)}"
    flow.drafts.append(table_draft(page, table, boxes, key))
    return key


def _objects(holder: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    inner = holder.get(name)
    return [one for one in inner if isinstance(one, dict)] if isinstance(inner, list) else []


def _cell(cell: Mapping[str, Any]) -> str:
    words = [_content(cell), *(_content(kid) for kid in _all(cell.get("kids")))]
    return " ".join(filter(None, words))


def _span(cell: Mapping[str, Any], name: str) -> int:
    span = cell.get(name, 1)
    return min(max(span, 1), 1000) if isinstance(span, int) else 1


def _content(kid: Mapping[str, Any]) -> str:
    words = kid.get("content")
    return words.strip() if isinstance(words, str) else ""


def _boxes(flow: Flow, kid: Mapping[str, Any]) -> tuple[Box, ...]:
    rect = kid.get("bounding box")
    return flow.sheets.boxes(_page(kid), rect, up=True) if rect is not None else ()
