"""Blocks for tests, with only what the test is about."""

from __future__ import annotations

from kag.core.types import Block, Box, Table
from kag.text.plain import plain


def block(
    place: str,
    text: str = "",
    label: str = "text",
    boxes: tuple[tuple[int, int, int, int], ...] = ((100, 100, 900, 200),),
    table: Table | None = None,
) -> Block:
    """`place` is "page.order", such as "1.4"."""
    page, order = map(int, place.split("."))
    words = text.lstrip("# ")
    return Block(
        f"b_p{page:03d}_{order:04d}",
        page,
        order,
        label,
        tuple(Box(*box) for box in boxes),
        text,
        words,
        plain(words),
        len(text) - len(text.lstrip("#")),
        table,
    )


def page(*blocks: tuple[str, str], number: int = 1) -> tuple[Block, ...]:
    """A page from (label, text) pairs, set in one column from top to bottom."""
    height = 800 // max(1, len(blocks))
    return tuple(
        block(f"{number}.{n}", text, label, ((100, 80 + height * n, 900, 80 + height * (n + 1) - 10),))
        for n, (label, text) in enumerate(blocks, start=1)
    )
