"""`read_marker`: marker's JSON (pages of blocks, each with its HTML) and its chunks (blocks in one list)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any

from kag.core.types import Box
from kag.sources.boxes import numbers_of
from kag.sources.draft import Parsed
from kag.sources.flow import Flow
from kag.sources.loading import fitting, load_json
from kag.sources.outline import ITEM
from kag.sources.reading import Reading

_BLOCK = {"block_type": str}
_LABELS = {
    "SectionHeader": "sub_title", "Caption": "caption", "Footnote": "footnote", "PageHeader": "page_header",
    "PageFooter": "page_footer", "ListItem": ITEM, "Reference": "reference", "Code": "code", "Title": "title",
    "Bibliography": ITEM,
}  # fmt: skip
_GROUPS = {"FigureGroup", "PictureGroup", "TableGroup", "ListGroup", "Document", "Page"}
_PICTURES = {"Figure", "Picture", "Diagram", "ChemicalBlock"}
_DEEPEST = 20


def read_marker(path: Path, reading: Reading) -> Parsed:
    """A paper from marker's JSON or chunks; raises `SourceError`."""
    data, sha256 = load_json(path)
    flow = Flow.of(path)
    if isinstance(data, dict) and "blocks" in data:
        rows = fitting(path, data, {"blocks": [{**_BLOCK, "page?": int}], "page_info?": dict})
        for key, info in (rows.get("page_info") or {}).items():
            rect = numbers_of(info.get("bbox")) if isinstance(info, dict) else []
            if len(rect) == 4 and key.isdecimal():
                flow.sheets.size(int(key) + 1, rect[2] - rect[0], rect[3] - rect[1])
        for row in rows["blocks"]:
            _block(flow, max(row.get("page", 0), 0) + 1, row, "", 0)
        return flow.parsed("marker", sha256)
    for number, page in enumerate(fitting(path, data, {"children": [_BLOCK]})["children"], start=1):
        rect = numbers_of(page.get("bbox"))
        if len(rect) == 4:
            flow.sheets.size(number, rect[2], rect[3])
        for row in _children(page):
            _block(flow, number, row, "", 0)
    return flow.parsed("marker", sha256)


def _html(row: Mapping[str, Any]) -> str:
    html = row.get("html")
    return html if isinstance(html, str) else ""


def _children(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    inner = row.get("children")
    for one in inner if isinstance(inner, list) else ():
        if isinstance(one, dict) and isinstance(one.get("block_type"), str):
            yield one


def _block(flow: Flow, page: int, row: Mapping[str, Any], of: str, depth: int) -> None:
    """A block, or a group of some; `of` is the float whose group it is in."""
    kind, html = row["block_type"], _html(row)
    inner = list(_children(row))
    if inner and depth < _DEEPEST and (kind in _GROUPS or not html_words(html)):
        _group(flow, page, inner, depth)
        return
    boxes = flow.sheets.boxes(page, row["bbox"]) if row.get("bbox") is not None else ()
    if kind in _PICTURES:
        _picture(flow, page, row, boxes)
    elif kind in ("Table", "TableOfContents", "Form") and "<table" in html.lower():
        flow.add(page, "table", html, boxes)
    elif kind == "Equation":
        flow.formula(page, html_words(html).replace("\\( ", "").replace(" \\)", ""), boxes)
    elif kind == "Caption":
        flow.beside(page, "caption", [html_words(html)], of, boxes)
    else:
        label = _LABELS.get(kind, "text")
        flow.add(page, label, html_words(html), boxes, level=html_level(html) or 1 if label == "sub_title" else 0)


def _group(flow: Flow, page: int, inner: list[Mapping[str, Any]], depth: int) -> None:
    """The blocks of a group; a caption belongs to the float in it, which may come behind it."""
    place = next((n for n, one in enumerate(inner) if one["block_type"] in _PICTURES | {"Table"}), None)
    before = sum(one["block_type"] == "Caption" and bool(html_words(_html(one))) for one in inner[:place])
    key = f"#{len(flow.drafts) + before}" if place is not None else ""
    for one in inner:
        _block(flow, page, one, key, depth + 1)


def _picture(flow: Flow, page: int, row: Mapping[str, Any], boxes: tuple[Box, ...]) -> None:
    images = row.get("images")
    own = images.get(str(row.get("id"))) if isinstance(images, dict) else None
    first = next(iter(images.values()), None) if isinstance(images, dict) else None
    flow.picture(page, boxes, own or first)
    words = html_words(_html(row))
    if words:
        flow.add(page, "figure_text", words)


_MATH = re.compile(r"<math\b([^<>]*+)>((?:[^<]|<(?!/?math\b))*+)</math>", re.I)
_BREAK = re.compile(r"<(?:br|/p|/div|/li|/h[1-6])\b[^>]*>", re.I)
_SCRIPT = re.compile(r"<(su[bp])>([^<]*)</su[bp]>", re.I)
_TAG = re.compile(r"</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>", re.I)
_LEVEL = re.compile(r"\s*<h([1-6])\b", re.I)


def html_words(html: str) -> str:
    """The words of some HTML; what is raised or lowered, and formulas, become LaTeX.

    >>> html_words("<p>CO<sub>2</sub> &lt; 5</p>")
    'CO \\\\( _{2} \\\\)  < 5'
    """
    text = _MATH.sub(_formula, html)
    text = _SCRIPT.sub(lambda found: f" \\( {'_' if found[1].lower() == 'sub' else '^'}{{{found[2]}}} \\) ", text)
    text = unescape(_TAG.sub("", _BREAK.sub("\n", text)))
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


def html_level(html: str) -> int:
    """The level of a heading, 0 for anything else."""
    found = _LEVEL.match(html)
    return int(found[1]) if found else 0


def _formula(match: re.Match[str]) -> str:
    marks = ("\\[", "\\]") if "block" in match[1] else (" \\(", "\\) ")
    return f"{marks[0]} {_TAG.sub('', match[2]).strip()} {marks[1]}"
