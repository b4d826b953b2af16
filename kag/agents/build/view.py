"""What an agent sees of a paper: the doubts or the draft, short, each block once; whole texts live in the sandbox."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kag.agents.build import outline
from kag.agents.build.doubts import PART_OF, Doubt
from kag.text.plain import preview
from kag.values.types import Block, Document
from kag.write.build_plan import Plan
from kag.write.structure.page_layout import blocks_in_order

BEGINNING = 80  # characters of a block's beginning
END = 50  # and of its end
BOXES = 8  # boxes of one block; no printed block has more columns or pages
LONGEST = 20_000  # characters of a block in the sandbox; read_window has all


def blocks_view(document: Document) -> dict[str, dict[str, Any]]:
    """The blocks in reading order, as they are in the sandbox; positions in `text` are those of parts."""
    return {
        block.id: {
            "page": block.page,
            "label": block.label,
            "text": block.text[:LONGEST],
            "boxes": [list(box) for box in block.boxes[:BOXES]],
        }
        for block in blocks_in_order(document)
    }


# doubts -----------------------------------------------------------------------------------------------------------


def doubts_view(document: Document, plan: Plan, doubts: Mapping[str, Doubt], unclear: str) -> str:
    """The doubts a line each, then the blocks they are about and their neighbours, each once, then the outline."""
    parts = []
    if doubts:
        rows = [f"{name} {d.question} {d.block}: {' | '.join(d.candidates)} ({d.reason})" for name, d in doubts.items()]
        parts.append("Doubts, each with its answers, the program's first:\n" + "\n".join(rows))
        parts.append("Blocks in reading order:\n" + "\n".join(_around(document, doubts.values())))
    if unclear:
        parts.append(f"Outline ({unclear}); behind a heading its page and what follows:")
        parts.append(outline.shown(document, plan.sections))
    return "\n".join(parts)


def _around(document: Document, doubts: Iterable[Doubt]) -> Iterator[str]:
    """The blocks of doubts and their answers whole at both ends, and the blocks right beside them by label."""
    order = blocks_in_order(document)
    places = {block.id: place for place, block in enumerate(order)}
    named = {name.removeprefix(PART_OF) for doubt in doubts for name in (doubt.block, *doubt.candidates)}
    wanted = {places[name] for name in named if name in places}
    near = {place + step for place in wanted for step in (-1, 1) if 0 <= place + step < len(order)}
    last = -1
    for place in sorted(wanted | near):
        if last >= 0 and place > last + 1:
            yield "..."
        yield ends_of(order[place], BEGINNING if place in wanted else BEGINNING // 2, END if place in wanted else 0)
        last = place


def ends_of(block: Block, beginning: int = BEGINNING, end: int = END) -> str:
    """A block by name and label with the beginning and the end of its text."""
    text = " ".join(block.plain.split())
    shown = preview(text, beginning)
    if end and len(text) > beginning + end:
        shown += f" ...{text[-end:]}"
    return f"{block.id} {block.label}: {shown}" if text else f"{block.id} {block.label}"
