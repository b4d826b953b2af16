"""`read_document`: a folder of DeepSeek-OCR output becomes a `Document`.

The pieces are next door: pages (files), tags (segments), markdown and tables (text), figures. Here
blocks get their ids, and a folder that cannot be a paper is refused with what to do about it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path

from kag.core.errors import SourceError, rescued
from kag.core.files import shown
from kag.core.types import Block, Document, FigureFile, Repair
from kag.sources.draft import cut_text
from kag.sources.loading import Source, load
from kag.sources.names import checked_paper_id, safe_paper_id
from kag.sources.ocr.figures import read_figures
from kag.sources.ocr.page_markdown import BlockText, read_text, split_markdown
from kag.sources.ocr.pages import Page, find_sources, read_pages
from kag.sources.ocr.tags import Segment, split_page
from kag.sources.ocr_record import recorded_repairs
from kag.text.plain import plain


def is_ocr_folder(path: Path) -> bool:
    """Whether `read_document` would find pages in this folder."""
    try:
        return os.path.isdir(path) and bool(find_sources(path))
    except SourceError:
        return True  # pages there are, and read_document says what is wrong with them


def read_document(folder: Path, *, paper_id: str | None = None, figures: Path | None = None) -> Document:
    """Read a paper from a folder of OCR output.

    `paper_id` is the folder's name, made safe, when not given; `figures` a folder of
    pictures other than the usual ones. What could be put right is in `Document.repairs`. Raises
    `SourceError` when there are no pages, or one cannot be read.
    """
    name = safe_paper_id(os.path.basename(os.path.realpath(folder))) if paper_id is None else checked_paper_id(paper_id)
    if not os.path.exists(folder):
        raise SourceError(f"{shown(folder)} does not exist", hint="Give the folder that holds the paper's pages.")
    if not os.path.isdir(folder):
        raise SourceError(f"{shown(folder)} is not a folder", hint="Give the folder that holds the paper's pages.")
    sources = [load(path) for path in find_sources(folder)]
    if not sources:
        raise SourceError(
            f"{shown(folder)} holds no pages",
            hint="A paper's folder holds page_001.md, page_002.md, ..., or document.md, or a *_det.mmd file.",
        )
    pages, repairs = read_pages(sources)
    blocks: list[Block] = []
    for page in pages:
        found, problems = _read_page(page)
        blocks += found
        repairs += problems
    if not blocks:
        raise SourceError(f"all pages of {shown(folder)} are empty", hint="Run the OCR again and check its output.")
    pictures, problems = read_figures(folder, blocks, figures)
    order = sorted([*repairs, *problems, *recorded_repairs(folder)], key=lambda repair: (repair.page, repair.line))
    return Document(name, tuple(blocks), pictures, tuple(order), len(pages), _digest(sources, pictures))


def _read_page(page: Page) -> tuple[list[Block], list[Repair]]:
    segments, repairs = split_page(page.text, page.number, page.first_line)
    pieces: list[Segment] = []
    for segment in segments:
        if segment.label is not None:
            pieces.append(segment)
            continue
        repairs.append(Repair(page.number, segment.line, "text outside any tag", "read as Markdown, without boxes"))
        pieces += (Segment(label, (), raw, segment.line + at) for label, raw, at in split_markdown(segment.raw))
    pieces = [piece for segment in pieces for piece in _cut(page.number, segment, repairs)]
    return [_block(page.number, order, piece, repairs) for order, piece in enumerate(pieces, start=1)], repairs


def _cut(page: int, segment: Segment, repairs: list[Repair]) -> list[Segment]:
    """The segment, or its pieces where it is too long for the engines of a graph."""
    pieces = cut_text(segment.raw, page, segment.line, repairs)
    if len(pieces) == 1:
        return [segment]
    lines = accumulate((piece.count("\n") for piece in pieces), initial=segment.line)
    return [Segment("text", segment.boxes, piece, line) for piece, line in zip(pieces, lines, strict=False)]


def _block(page: int, order: int, segment: Segment, repairs: list[Repair]) -> Block:
    """The block of a segment; what cannot be read is kept as printed, which is noted among the repairs."""
    label = segment.label or "text"
    try:
        read = read_text(segment.raw, label)
        words = plain(read.text)
    except Exception as error:
        problem = rescued("", "read", error).problem
        repairs.append(Repair(page, segment.line, f"a block that kag failed to read ({problem})", "kept as printed"))
        read, words = BlockText(segment.raw), " ".join(segment.raw.split())
    return Block(
        id=f"b_p{page:03d}_{order:04d}",
        page=page,
        order=order,
        label=label,
        boxes=segment.boxes,
        raw=segment.raw,
        text=read.text,
        plain=words,
        heading_level=read.heading_level,
        table=read.table,
    )


def _digest(sources: Sequence[Source], figures: Iterable[FigureFile]) -> str:
    """SHA-256 over the name, length and bytes of each page file, then path, boxes and hash of each figure."""
    digest = hashlib.sha256()
    for source in sources:
        digest.update(f"{source.name}\0{len(source.data)}\0".encode("utf-8", "surrogatepass"))
        digest.update(source.data)
    for figure in figures:
        boxes = [list(box) for box in figure.boxes]
        digest.update(f"{figure.path}\0{boxes}\0{figure.sha256}\0".encode())
    return digest.hexdigest()
