"""`read_markdown`: Markdown as anybody writes it, and Nougat's: headings, lists, pictures, tables, references.

`markdown_drafts` is for converters, too, that write Markdown page by page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from kag.sources.draft import Parsed
from kag.sources.flow import Flow
from kag.sources.loading import decode, digest, load
from kag.sources.ocr.page_markdown import read_text, split_markdown
from kag.sources.outline import ITEM
from kag.sources.reading import Reading
from kag.values.types import Box

Place = Callable[[str], tuple[Box, ...]]

_ITEM = re.compile(r"^(?:[*+-]|\d{1,4}[.)]|\[\d{1,4}\]|\[\^?[\w.:-]{1,30}\]:?)[ \t]+(?=\S)", re.M)
_BULLET = re.compile(r"^[*+-][ \t]+")
_IMAGE = re.compile(r"!\[([^\]\n]{0,2000}+)\]\([ \t]{0,9}<?([^()\s<>]{0,2000}+)>?[^()\n]{0,500}+\)")
_FORMULA = re.compile(r"\s*(?:\$\$(.+?)\$\$|\\\[(.+?)\\\])\s*(\(?\d{0,3}[a-z]?\)?)?\s*", re.S)
_CAPTION = re.compile(r"\W*(?:fig(?:ure|\.)|table|tab\.|scheme)\s*\.?\s*[A-Z]?\d", re.I)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_PAGE_MARK = re.compile(
    r"^(?:<--- Page Split --->|<!-- page(?: |_)?break -->|\f)[ \t]*$|^\{\d{1,5}\}-{20,}[ \t]*$", re.M | re.I
)


def read_markdown(path: Path, reading: Reading) -> Parsed:
    """A paper from a Markdown file; a mark that a converter sets between pages ends one. Raises `SourceError`."""
    source = load(path)
    flow = Flow.of(path)
    text = decode(source)
    for page, piece in enumerate(_pages(text), start=1):
        add_markdown(flow, page, piece)
    return flow.parsed("markdown", digest([b"markdown", source.data]))


def add_markdown(flow: Flow, page: int, text: str, place: Place | None = None) -> None:
    """Add the blocks of a page of Markdown; `place` tells the boxes of a picture by its path."""
    clean, count = _CONTROLS.subn(" ", text)
    if count:
        flow.sheets.note(page, f"{count} control characters", "replaced by blanks")
    for label, raw, _ in split_markdown(clean):
        if label in ("sub_title", "title"):
            read = read_text(raw, label)
            flow.add(page, "sub_title", read.text, level=read.heading_level or 1)
        elif label == "table":
            flow.add(page, "table", raw)
        elif found := _FORMULA.fullmatch(raw):
            number = (found[3] or "").strip("()")
            flow.formula(page, (found[1] or found[2]) + (rf" \tag{{{number}}}" if number else ""))
        else:
            _text(flow, page, raw, place)


def _text(flow: Flow, page: int, raw: str, place: Place | None) -> None:
    """A paragraph, a list, or pictures with words around them."""
    at = 0
    for image in _IMAGE.finditer(raw):
        _words(flow, page, raw[at : image.start()])
        key = flow.picture(page, place(image[2]) if place else (), image[2])
        if _CAPTION.match(image[1]):
            flow.beside(page, "figure_caption", [image[1]], key)
        elif image[1].strip():
            flow.add(page, "figure_text", image[1])
        at = image.end()
    _words(flow, page, raw[at:])


def _words(flow: Flow, page: int, raw: str) -> None:
    for item in _items(raw.strip()) if raw.strip() else ():
        listed = bool(_ITEM.match(item))
        flow.add(page, ITEM if listed else "text", _BULLET.sub("", item))


def _items(raw: str) -> Iterator[str]:
    """The items of a list, each with the lines that go on with it; the whole text where it is none."""
    starts = [found.start() for found in _ITEM.finditer(raw)] if _ITEM.match(raw) else []
    if not starts:
        yield raw
        return
    for start, end in zip(starts, [*starts[1:], len(raw)], strict=True):
        if raw[start:end].strip():
            yield raw[start:end].strip()


def _pages(text: str) -> list[str]:
    """The pages between the marks of a converter; one where there are none."""
    pages = _PAGE_MARK.split(text)
    return [page for page in pages if page is not None] or [text]
