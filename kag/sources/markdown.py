"""Markdown by hand, Nougat and olmOCR: headings, lists, pictures, tables, references.

`add_markdown` also serves converters that write Markdown page by page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import parse_object, shown
from kag.core.types import Box
from kag.sources.boxes import numbers_of
from kag.sources.draft import Parsed, Target
from kag.sources.flow import Flow
from kag.sources.labels import FIGURES_ELSEWHERE, TABLES_ELSEWHERE
from kag.sources.loading import decode, digest, fitting, load
from kag.sources.ocr.page_markdown import read_text, split_markdown
from kag.sources.outline import ITEM
from kag.sources.reading import Reading

Place = Callable[[str], tuple[Box, ...]]

_ITEM = re.compile(r"^(?:[*+-]|\d{1,4}[.)]|\[\d{1,4}\]|\[\^?[\w.:-]{1,30}\]:?)[ \t]+(?=\S)", re.M)
_BULLET = re.compile(r"^[*+-][ \t]+")
_IMAGE = re.compile(r"!\[([^\]\n]{0,2000}+)\]\([ \t]{0,9}<?([^()\s<>]{0,2000}+)>?[^()\n]{0,500}+\)")
_FORMULA = re.compile(r"\s*(?:\$\$(.+?)\$\$|\\\[(.+?)\\\])\s*(\(?\d{0,3}[a-z]?\)?)?\s*", re.S)
_CAPTION = re.compile(r"\W*(?:fig(?:ure|\.)|table|tab\.|scheme)\s*\.?\s*[A-Z]?\d", re.I)
_OF_TABLES = rf"table|tab\.|box|{TABLES_ELSEWHERE}"
_OF_FIGURES = rf"fig(?:ure|\.)?|scheme|chart|plate|video|map|graph|{FIGURES_ELSEWHERE}"
_BESIDE = (
    r"\W*(?i:(?:supplementary |extended data )?(?:{}))\s*\.?\s*[A-Z]{{0,2}}\.?\d[\d.]*"
    r"(?:\s*[.:|—–-]|\s*$|\s+(?![a-zа-я])[^\W\d_])"  # what follows is a title, and no verb
)
_ANCHOR = re.compile(r"<a (?:id|name)=\"([^\"<>\s]{1,200})\"></a>")
_LINK = re.compile(r"(?<!!)\[([^\[\]]{0,400}+(?:\[[^\[\]]{0,400}\][^\[\]]{0,400}+){0,3})\]\(#([^()\s]{1,200})\)")
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
    _give_captions(flow)
    return flow.parsed("markdown", digest([b"markdown", source.data]))


def add_markdown(flow: Flow, page: int, text: str, place: Place | None = None) -> None:
    """Add the blocks of a page of Markdown; `place` returns the boxes of a picture by its path."""
    clean, count = _CONTROLS.subn(" ", text)
    if count:
        flow.sheets.note(page, f"{count} control characters", "replaced by blanks")
    for label, raw, _ in split_markdown(clean):
        if label in ("sub_title", "title"):
            names = _ANCHOR.findall(raw)
            read = read_text(_ANCHOR.sub("", raw), label)
            flow.add(page, "sub_title", read.text, level=read.heading_level or 1)
            flow.name(names)
        elif label == "table":
            flow.add(page, "table", raw)
        elif match := _FORMULA.fullmatch(raw):
            number = (match[3] or "").strip("()")
            flow.formula(page, (match[1] or match[2]) + (rf" \tag{{{number}}}" if number else ""))
        else:
            _text(flow, page, raw, place)


def _give_captions(flow: Flow) -> None:
    """Let the text behind a picture, or before a table, be its caption where it is worded as one."""
    named = {draft.caption_of for draft in flow.drafts}
    for kind, step, words in (("image", 1, _OF_FIGURES), ("table", -1, _OF_TABLES)):
        worded = re.compile(_BESIDE.format(words))
        for place, draft in enumerate(flow.drafts):
            beside = place + step
            if draft.label != kind or draft.key in named or not 0 <= beside < len(flow.drafts):
                continue
            other = flow.drafts[beside]
            if other.label == "text" and other.page == draft.page and worded.match(other.text):
                label = "figure_caption" if kind == "image" else "table_caption"
                flow.drafts[beside] = replace(other, label=label, caption_of=draft.key)


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
        words, targets, names = _unlinked(_BULLET.sub("", item))
        if words:
            flow.add(page, ITEM if listed else "text", words)
            flow.link(targets)
        flow.name(names)


def _unlinked(text: str) -> tuple[str, list[Target], list[str]]:
    """The words without links to places in the same file and without anchors, where they led, and the names.

    >>> _unlinked('see [2](#r2).<a id="p"></a>')
    ('see 2.', [Target(start=4, end=5, key='r2', at=0)], ['p'])
    """
    names = _ANCHOR.findall(text)
    text = _ANCHOR.sub("", text).strip()
    pieces: list[str] = []
    targets: list[Target] = []
    at = length = 0
    for match in _LINK.finditer(text):
        pieces += (text[at : match.start()], match[1])
        length += match.start() - at
        targets.append(Target(length, length + len(match[1]), match[2]))
        length += len(match[1])
        at = match.end()
    return "".join((*pieces, text[at:])), targets, names


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


_OLMOCR = {"text": str, "attributes?": {"pdf_page_numbers?": [[int]]}}


def read_olmocr(path: Path, reading: Reading) -> Parsed:
    """The one paper of a file; raises `SourceError`, also where it holds several."""
    source = load(path)
    lines = [line for line in decode(source).split("\n") if line.strip()]
    if len(lines) != 1:
        hint = "Put each line into a file of its own: `split -l 1 --additional-suffix=.jsonl FILE paper_`."
        raise SourceError(f"{shown(path)} holds {len(lines)} papers in one file", hint=hint)
    try:
        row = fitting(path, parse_object(lines[0]), _OLMOCR)
    except ValueError as error:
        hint = "Run olmOCR again: the file was cut off or changed."
        raise SourceError(f"{shown(path)} is not valid JSON: {error}", hint=hint) from error
    flow = Flow.of(path)
    text = row["text"]
    at = 0
    for span in row.get("attributes", {}).get("pdf_page_numbers", ()):
        if len(numbers_of(span)) == 3 and span[1] > at:
            add_markdown(flow, max(span[2], 1), text[at : span[1]])
            at = span[1]
    if text[at:].strip():
        add_markdown(flow, flow.drafts[-1].page if flow.drafts else 1, text[at:])
    return flow.parsed("olmocr", digest([b"olmocr", source.data]))
