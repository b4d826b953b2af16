"""Writes one paper's folder: pages, pictures, gold, questions. Same source and libraries, same bytes."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from .calls import Json
from .compose import Composed, Composer
from .gold import block_id, make_gold, markdown_of
from .inline import Writer
from .items import Page, Placed
from .numbering import name_all
from .printing import printed
from .questions import Book, make_questions
from .source import read_paper


def paper_files(folder: Path) -> dict[str, bytes]:
    """Every file of the paper whose source is in `folder`, by name."""
    paper = read_paper(folder)
    names = name_all(paper)
    composed = Composer(paper, names).compose()
    gold = make_gold(paper, names, composed)
    questions = make_questions(folder, Book(paper, names, composed, gold))
    pages = [_page_text(page) for page in composed.pages]
    files = {"gold.json": _json(gold), "questions.json": _json(questions)}
    files["document.md"] = "\n\n---\n\n".join(pages).encode()
    for number, (text, page) in enumerate(zip(pages, composed.pages, strict=True), 1):
        files[f"page_{number:03d}.md"] = text.encode()
        files[f"page_{number:03d}.png"] = _grey_png(page.image)
    metadata: list[Json] = []
    for page_number, name, order, block in _pictures(composed):
        assert block.file is not None
        files[name] = _colour_png(block.file)
        metadata.append(
            {
                "id": block_id(page_number, order),
                "page": page_number,
                "label": block.label,
                "bbox_norm": block.thousandths()[0],
                "image_path": name,
            }
        )
    if paper.figures_metadata:
        files["figures_metadata.json"] = _json(metadata)
    return files


def paper_pdf(folder: Path) -> bytes:
    """The paper as a PDF."""
    paper = read_paper(folder)
    names = name_all(paper)
    title = Writer(paper.style, names).write(paper.front["title"]).plain
    return printed(paper, title, Composer(paper, names).compose().pages)


def _page_text(page: Page) -> str:
    return "\n\n".join(_tagged(block) for block in page.blocks)


def _tagged(block: Placed) -> str:
    boxes = json.dumps(block.thousandths())
    return f"<|ref|>{block.label}<|/ref|><|det|>{boxes}<|/det|>\n{markdown_of(block)}"


def _pictures(composed: Composed) -> Iterator[tuple[int, str, int, Placed]]:
    for number, page in enumerate(composed.pages, 1):
        count = 0
        for order, block in enumerate(page.blocks, 1):
            if block.file is not None:
                count += 1
                yield number, f"fig_page{number:03d}_{count:02d}.png", order, block


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _grey_png(image: Image.Image) -> bytes:
    """A page in sixteen greys: small, and still good to read."""
    indexed = Image.frombytes("P", image.size, image.point([(level + 8) // 17 for level in range(256)]).tobytes())
    indexed.putpalette([level * 17 for level in range(16) for _ in range(3)])
    return _png(indexed)


def _colour_png(image: Image.Image) -> bytes:
    return _png(image.quantize(64, dither=Image.Dither.NONE))


def _png(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
