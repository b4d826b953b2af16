"""The conservation ledger: one row for each input block, against which a run can be audited for ever."""

from __future__ import annotations

from typing import Any

from kag.core.evidence import text_hash
from kag.core.types import Block


def ledger_row(block: Block) -> dict[str, Any]:
    """What must be found again in the graph: place, length in characters and hash of the block's text."""
    return {
        "block": block.id,
        "page": block.page,
        "label": block.label,
        "boxes": [list(box) for box in block.boxes],
        "characters": len(block.text),
        "sha256": text_hash(block.text),
    }
