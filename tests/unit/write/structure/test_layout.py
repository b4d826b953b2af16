from __future__ import annotations

import random

from kag.write.structure.page_layout import reading_order
from tests.unit.write.structure.blocks import block

LEFT, RIGHT = (60, 490), (510, 940)


def two_columns():
    """A title over two columns of four blocks each."""
    blocks = [block("1.1", "A title", "title", ((60, 60, 940, 100),))]
    for column, (x0, x1) in enumerate((LEFT, RIGHT)):
        for row in range(4):
            top = 120 + row * 200
            blocks.append(block(f"1.{2 + column * 4 + row}", "Words. " * 20, boxes=((x0, top, x1, top + 180),)))
    return blocks


def test_keeps_the_order_of_the_ocr_when_boxes_agree() -> None:
    blocks = two_columns()
    assert list(reading_order(blocks)) == blocks


def test_restores_the_order_of_a_shuffled_page() -> None:
    blocks = two_columns()
    shuffled = blocks[:]
    random.Random(3).shuffle(shuffled)
    assert list(reading_order(shuffled)) == blocks


def test_keeps_the_order_of_the_ocr_without_boxes() -> None:
    blocks = [block(f"1.{n}", "Words", boxes=()) for n in (3, 1, 2)]
    assert list(reading_order(blocks)) == blocks


def test_pages_stay_in_order() -> None:
    blocks = [block("1.1", "one"), block("2.1", "two"), block("3.1", "three")]
    assert list(reading_order(blocks)) == blocks
