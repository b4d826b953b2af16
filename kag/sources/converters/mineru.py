"""MinerU's files: the list of contents in its two versions, `*_middle.json`, and version 4's `middle_json.json`.

Places are thousandths of the page in the lists, points in `*_middle.json`, shares of 1 in version 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kag.core.types import Box
from kag.sources.boxes import numbers_of
from kag.sources.draft import Parsed
from kag.sources.flow import Flow
from kag.sources.loading import fitting, load_json
from kag.sources.outline import ITEM
from kag.sources.reading import Reading

_THOUSANDS, _ONES = (1000.0, 1000.0), (1.0, 1.0)
_DEEPEST = 20
_LABELS = {
    "title": "sub_title", "doc_title": "title", "paragraph_title": "sub_title", "text": "text", "list": ITEM,
    "index": "text", "ref_text": ITEM, "header": "page_header", "footer": "page_footer", "page_number": "page_number",
    "aside_text": "aside_text", "page_aside_text": "aside_text", "page_footnote": "footnote", "footnote": "footnote",
    "code": "code", "algorithm": "algorithm", "phonetic": "text", "abstract": "text", "page_header": "page_header",
    "page_footer": "page_footer", "discarded": "page_header", "code_body": "code", "paragraph": "text",
}  # fmt: skip
_FLOATS = {"image": "image", "chart": "image", "table": "table"}
_EQUATIONS = frozenset({"equation", "interline_equation", "equation_interline", "isolated"})


def read_content_list(path: Path, reading: Reading) -> Parsed:
    """`*_content_list.json`: blocks in reading order, each with its page; raises `SourceError`."""
    data, sha256 = load_json(path)
    rows = fitting(path, data, [{"type": str, "page_idx?": int, "text?": str, "text_level?": int}])
    flow = Flow.of(path)
    for row in rows:
        page = max(row.get("page_idx", 0), 0) + 1
        _block(flow, page, row["type"], row, _box(flow, page, row, _THOUSANDS))
    return flow.parsed("mineru", sha256)


def read_pages_of_blocks(path: Path, reading: Reading) -> Parsed:
    """`*_content_list_v2.json`: a list of blocks for each page; raises `SourceError`."""
    data, sha256 = load_json(path)
    pages = fitting(path, data, [[{"type": str}]])
    flow = Flow.of(path)
    for number, page in enumerate(pages, start=1):
        for row in page:
            boxes = _box(flow, number, row, _unit(row.get("bbox")))
            inner = row.get("content")
            _block(flow, number, row["type"], inner if isinstance(inner, dict) else {**row, "text": inner}, boxes)
    return flow.parsed("mineru", sha256)


def read_middle(path: Path, reading: Reading) -> Parsed:
    """`*_middle.json`: paragraphs of lines of spans, places in points; raises `SourceError`."""
    data, sha256 = load_json(path)
    shape = {"pdf_info": [{"page_idx?": int, "para_blocks?": [{"type": str}], "discarded_blocks?": [{"type": str}]}]}
    flow = Flow.of(path)
    for place, page in enumerate(fitting(path, data, shape)["pdf_info"]):
        number = max(page.get("page_idx", place), 0) + 1
        size = numbers_of(page.get("page_size"))
        if len(size) == 2:
            flow.sheets.size(number, *size)
        for row in page.get("para_blocks") or page.get("preproc_blocks") or ():
            _nested(flow, number, row, None, 0)
        for row in page.get("discarded_blocks") or ():
            kind = row["type"] if _LABELS.get(row["type"], "text") != "text" else "discarded"
            _nested(flow, number, {**row, "type": kind}, None, 0)
    return flow.parsed("mineru", sha256)


def read_docvortex(path: Path, reading: Reading) -> Parsed:
    """Version 4's `middle_json.json`: pages of blocks, places as shares of the page; raises `SourceError`."""
    data, sha256 = load_json(path)
    shape = {"pages": [{"page_idx?": int, "blocks": [{"type": str}]}]}
    flow = Flow.of(path)
    for place, page in enumerate(fitting(path, data, shape)["pages"]):
        number = max(page.get("page_idx", place), 0) + 1
        for row in page["blocks"]:
            _nested(flow, number, row, _ONES, 0)
    return flow.parsed("mineru", sha256)


def _box(flow: Flow, page: int, row: Mapping[str, Any], of: tuple[float, float] | None) -> tuple[Box, ...]:
    return flow.sheets.boxes(page, row["bbox"], of=of) if row.get("bbox") is not None else ()


def _unit(rect: object) -> tuple[float, float]:
    """Shares of 1 or thousandths, as the numbers are."""
    numbers = numbers_of(rect)
    return _ONES if numbers and max(numbers) <= 1 else _THOUSANDS


def _block(flow: Flow, page: int, kind: str, row: Mapping[str, Any], boxes: tuple[Box, ...]) -> None:
    """A block of a list of contents, its texts under names that begin with its kind."""
    if kind in _FLOATS:
        _float(flow, page, kind, row, boxes)
    elif kind in _EQUATIONS:
        flow.formula(page, _words(row, "text", "math_content", "equation_content", "content"), boxes)
    elif kind in ("code", "algorithm"):
        name = row.get("sub_type") if isinstance(row.get("sub_type"), str) else kind
        flow.add(
            page,
            _LABELS.get(str(name), "code"),
            _words(row, "code_body", "code_content", "text", f"{kind}_content"),
            boxes,
        )
        flow.beside(page, "text", _texts(row, "code_caption", "algorithm_caption", "code_footnote"), "")
    elif kind in ("list", "index") and (items := _texts(row, "list_items")):
        for item in items:
            flow.add(page, ITEM, item, boxes)
    else:
        level = row.get("text_level", row.get("level", 0))
        level = level if isinstance(level, int) else 0
        words = _words(row, "text", f"{kind}_content", "paragraph_content", "content")
        label = "sub_title" if level and kind == "text" else _LABELS.get(kind, "text")
        flow.add(page, label, words, boxes, level=max(level, 1) if label == "sub_title" else 0)


def _float(flow: Flow, page: int, kind: str, row: Mapping[str, Any], boxes: tuple[Box, ...]) -> None:
    """A picture or table with its captions above or below, and its notes."""
    body = _words(row, f"{kind}_body", "html", "content")
    source = row.get("image_source")
    where = source.get("path") if isinstance(source, dict) else row.get("img_path")
    captions = _texts(row, f"{kind}_caption", "caption")
    notes = _texts(row, f"{kind}_footnote", "footnote")
    above = kind == "table" and bool(captions)
    key = f"#{len(flow.drafts) + (len(captions) if above else 0)}"
    if above:
        flow.beside(page, "table_caption", captions, key)
    if body and kind != "image":
        flow.add(page, "table", body, boxes)
    else:
        flow.picture(page, boxes, where)
        if body:
            flow.add(page, "figure_text", body)
    if not above:
        flow.beside(page, f"{'table' if kind == 'table' else 'figure'}_caption", captions, key)
    flow.beside(page, "table_footnote" if kind == "table" else "footnote", notes, "")


def _nested(
    flow: Flow, page: int, row: Mapping[str, Any], of: tuple[float, float] | None, depth: int, holder: str = ""
) -> None:
    """A block of lines, or of blocks: a float with its body, captions and notes."""
    kind, inner = row["type"], row.get("blocks")
    boxes = _box(flow, page, row, of)
    if kind in _FLOATS and isinstance(inner, list):
        _nested_float(flow, page, kind, inner, boxes, of)
    elif isinstance(inner, list) and depth < _DEEPEST:
        for part in inner:
            if isinstance(part, dict) and isinstance(part.get("type"), str):
                label = ITEM if kind in ("list", "ref_text") and part["type"] == "text" else part["type"]
                _nested(flow, page, {**part, "type": "list" if label == ITEM else label}, of, depth + 1)
    elif kind in _EQUATIONS:
        flow.formula(page, _lines(row), boxes)
    elif kind in _FLOATS:
        _float(flow, page, kind, {f"{kind}_body": _lines(row), **row}, boxes)
    else:
        label = _LABELS.get(kind, "caption" if kind.endswith("caption") else "text")
        level = row.get("level", 1) if label == "sub_title" else 0
        flow.add(page, label, _lines(row), boxes, level=level if isinstance(level, int) else 1)


def _nested_float(
    flow: Flow, page: int, kind: str, inner: Iterable[Any], boxes: tuple[Box, ...], of: tuple[float, float] | None
) -> None:
    parts = [part for part in inner if isinstance(part, dict) and isinstance(part.get("type"), str)]
    bodies = [part for part in parts if part["type"].endswith("_body") or part["type"] == kind]
    row: dict[str, Any] = {f"{kind}_body": "\n".join(filter(None, map(_lines, bodies)))}
    row["img_path"] = next(filter(None, (_named(part, "image_path", "img_path") for part in bodies)), None)
    row[f"{kind}_caption"] = [_lines(part) for part in parts if part["type"].endswith("_caption")]
    row[f"{kind}_footnote"] = [_lines(part) for part in parts if part["type"].endswith("_footnote")]
    places = [box for part in bodies for box in _box(flow, page, part, of)]
    _float(flow, page, kind, row, tuple(places) or boxes)


def _lines(row: Mapping[str, Any]) -> str:
    """The words of a block's spans; inline formulas between LaTeX's delimiters."""
    if isinstance(row.get("content"), str):
        return str(row["content"])
    lines = row.get("lines")
    found = (
        [" ".join(_spans(line.get("spans"))) for line in lines if isinstance(line, dict)]
        if isinstance(lines, list)
        else []
    )
    return " ".join("\n".join(found).replace("-\n", "-").split())


def _spans(spans: object) -> Iterator[str]:
    for span in spans if isinstance(spans, list) else ():
        if isinstance(span, dict):
            words = span.get("html") or span.get("latex") or span.get("content")
            if isinstance(words, str):
                yield f"\\( {words.strip()} \\)" if span.get("type") == "inline_equation" else words.strip()


def _named(row: object, *names: str) -> str | None:
    """The first text under one of some names, anywhere in a block."""
    todo: list[object] = [row]
    while todo:
        one = todo.pop(0)
        if isinstance(one, dict):
            found = next((one[name] for name in names if isinstance(one.get(name), str) and one[name]), None)
            if found:
                return str(found)
            todo += one.values()
        elif isinstance(one, list):
            todo += one
    return None


def _words(row: Mapping[str, Any], *names: str) -> str:
    return next((words for name in names if (words := " ".join(_texts(row, name)))), "")


def _texts(row: Mapping[str, Any], *names: str) -> list[str]:
    """The texts under some names: one, a list of them, or a list of runs such as `{"type", "content"}`."""
    found: list[str] = []
    for name in names:
        value = row.get(name)
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list) and value and all(isinstance(one, dict) and "content" in one for one in value):
            found.append(" ".join(_run(one) for one in value))
        elif isinstance(value, list):
            found += (_item(one) for one in value)
    return [one for one in found if one.strip()]


def _run(one: Mapping[str, Any]) -> str:
    words = one["content"] if isinstance(one["content"], str) else _item(one["content"])
    return f"\\( {words.strip()} \\)" if "equation" in str(one.get("type")) else words


def _item(one: object) -> str:
    """The words of an item, however they are packed."""
    if isinstance(one, str):
        return one
    parts: Callable[[], Iterable[object]] = (
        one.values if isinstance(one, dict) else lambda: one if isinstance(one, list) else ()
    )
    if isinstance(one, dict) and isinstance(one.get("content"), str):
        return _run(one)
    return " ".join(filter(None, (_item(part) for part in parts() if isinstance(part, dict | list))))
