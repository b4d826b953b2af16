"""What a node made from blocks says of them: place, boxes, order, text, and the ref under which it is stored."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache

from rdflib import URIRef

from kag.core.types import Block, Table
from kag.rdf.namespaces import DOCO, KAG
from kag.rdf.workspace import Workspace
from kag.text.plain import plain, preview

_FIGURE, _TABLE = DOCO.Figure, DOCO.Table  # a namespace makes a new term at each look


def describe(
    workspace: Workspace, node: URIRef, cls: URIRef, blocks: list[Block], span: tuple[int, int] | None, order: int
) -> None:
    """Set what blocks, or a part of one, know of themselves on their new node."""
    boxes = [list(box) for block in blocks for box in block.boxes]
    text = " ".join(b.text for b in blocks if b.text) if span is None else blocks[0].text[span[0] : span[1]]
    words = " ".join(b.plain for b in blocks) if span is None else plain(text)
    kind = _kind(workspace.curie(cls))
    for block in blocks:
        workspace.state(node, KAG.sourceBlock, block.id)
    workspace.state(node, KAG.pageNumber, blocks[0].page)
    workspace.state(node, KAG.order, order)
    if boxes or cls == _FIGURE:  # a source without pages says that a figure is printed nowhere: []
        workspace.state(node, KAG.hasBBox, json.dumps(boxes))
    if text.strip() or cls != _FIGURE:
        workspace.state(node, KAG.fullText, text)
        workspace.state(node, KAG.mainText, preview(words))
    if cls == _FIGURE or (cls == _TABLE and not any(block.table for block in blocks)):
        _picture(workspace, node, blocks)
    table = next((block.table for block in blocks if block.table), None)
    if cls == _TABLE and table:
        cells = json.dumps([list(row) for row in table.grid()], ensure_ascii=False)
        workspace.state(node, KAG.tableCells, workspace.content.put("cells", cells, **_spans(table)))
    workspace.state(node, KAG.hasContentRef, _store(workspace, node, kind, blocks, text, span))


@cache
def _kind(cls: str) -> str:
    """The kind under which texts of a class are stored: "section_title" for doco:SectionTitle."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.partition(":")[2]).lower()


def _store(
    workspace: Workspace, node: URIRef, kind: str, blocks: list[Block], text: str, span: tuple[int, int] | None
) -> str:
    """Store the node's text with the places it is printed in; returns its content ref."""
    printed = [{"block": b.id, "page": b.page, "boxes": [list(box) for box in b.boxes]} for b in blocks]
    stored = text if text.strip() else json.dumps(printed)
    raw = "\n\n".join(b.raw for b in blocks)
    more = {"raw": raw} if span is None and raw != text else {}
    ref = workspace.content.put(kind, stored, **more)
    workspace.content.append(ref, "nodes", {"node": workspace.curie(node), "blocks": printed})
    return ref


def _spans(table: Table) -> dict[str, list[list[int]]]:
    """Row, column, rows and columns of each cell that covers more than one place; nothing where none does."""
    wide = [
        [cell.row, cell.column, cell.row_span, cell.column_span]
        for cell in table.cells
        if cell.row_span > 1 or cell.column_span > 1
    ]
    return {"spans": wide} if wide else {}


def _picture(workspace: Workspace, node: URIRef, blocks: list[Block]) -> None:
    """Link a figure, or a table that is a picture, to the file that shows the most of its boxes."""
    boxes = {(block.page, box) for block in blocks for box in block.boxes}
    shown = Counter(path for place in boxes for path in workspace.pictures.get(place, ()))
    if shown:
        workspace.state(node, KAG.imagePath, max(shown, key=lambda path: (shown[path], path)))
