"""What an agent sees of a paper: slim blocks, and the whole as Markdown. Both live in the sandbox."""

from __future__ import annotations

from typing import Any

from kag.text.plain import preview
from kag.values.types import Block, Document
from kag.write.structure.page_layout import blocks_in_order

TEXT = 160  # characters of a block's beginning that an agent sees without asking
END = 60  # and of its end, which tells whether a sentence goes on
BOXES = 8  # boxes of one block; no printed block has more columns or pages


def blocks_view(document: Document) -> list[dict[str, Any]]:
    """The blocks in reading order, each bounded; whole texts come from `read_window`.

    `order` counts in reading order from 1, `chars` is the length of the whole text, `text` its beginning in
    plain words, `end` its last words, `level` the number of heading marks, `boxes` [x0, y0, x1, y1] in
    thousandths of the page, `table` whether table cells were read.
    """
    return [_slim(block, order) for order, block in enumerate(blocks_in_order(document), start=1)]


def _slim(block: Block, order: int) -> dict[str, Any]:
    return {
        "id": block.id,
        "page": block.page,
        "label": block.label,
        "order": order,
        "text": preview(block.plain, TEXT),
        "end": block.plain[-END:] if len(block.plain) > TEXT else block.plain,
        "chars": len(block.plain) or len(block.text.strip()),
        "level": block.heading_level,
        "boxes": [list(box) for box in block.boxes[:BOXES]],
        "table": block.table is not None,
    }


def document_view(document: Document) -> str:
    """The paper as Markdown in reading order, each block behind a comment with its id."""
    return "\n\n".join(f"<!-- {block.id} -->\n{block.raw.strip()}" for block in blocks_in_order(document))
