"""None"""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest

from kag.core.types import Box, Document
from kag.indexing.build_plan import plan_sections
from kag.indexing.structure.floats import find_floats
from kag.indexing.structure.page_layout import _inversions, find_noise, reading_order, reading_positions
from kag.indexing.structure.reference_list import find_entries
from kag.rdf.namespaces import DEO
from kag.sources.draft import Draft, Parsed, assemble
from tests.unit.indexing.structure.blocks import block

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


def orders(*boxes: tuple[int, int, int, int]) -> list[int]:
    """The places of boxes in reading order, given in the order of the OCR from 1."""
    return [one.order for one in reading_order([block(f"1.{n}", boxes=(box,)) for n, box in enumerate(boxes, 1)])]


def column(*tops: int, x: tuple[int, int] = (60, 940)) -> list[tuple[int, int, int, int]]:
    return [(x[0], top, x[1], top + 40) for top in tops]


def test_up_to_three_pairs_of_ten_may_stand_in_the_wrong_order() -> None:
    """Five blocks make ten pairs: the OCR is believed with three of them out of order, and not with four."""
    assert orders(*column(400, 100, 200, 300, 500)) == [1, 2, 3, 4, 5]
    assert orders(*column(500, 100, 200, 300, 400)) == [2, 3, 4, 5, 1]


def test_two_blocks_tell_nothing() -> None:
    assert orders(*column(500, 100)) == [1, 2]
    assert orders(*column(500, 300, 100)) == [3, 2, 1]


def test_a_block_is_in_the_column_where_its_middle_is() -> None:
    """The left column's last block reaches over the middle of the page, the right one's begins before it."""
    right = [(510, 100, 900, 140), (510, 200, 900, 240), (490, 300, 900, 340)]
    left = [(60, 100, 490, 140), (60, 200, 490, 240), (100, 300, 590, 340)]
    assert orders(*right, *left) == [4, 5, 6, 1, 2, 3]


@pytest.mark.parametrize(
    ("wide", "spans"),
    [
        ((100, 300, 701, 340), True),  # wider than 600 of 1000
        ((0, 300, 600, 340), False),
        ((399, 300, 601, 340), True),  # narrower, but in the middle
        ((400, 300, 601, 340), False),
        ((399, 300, 600, 340), False),
        ((200, 300, 601, 340), True),  # its middle is 99.5 to the left of the page's
        ((199, 300, 601, 340), False),
    ],
)
def test_what_spans_the_columns_parts_them(wide: tuple[int, int, int, int], spans: bool) -> None:
    """What stands above a block that spans the columns is read before what stands below it, in both columns."""
    left, right = [(60, 100, 380, 140), (60, 500, 380, 540)], [(620, 100, 940, 140), (620, 500, 940, 540)]
    read = orders(right[1], left[1], wide, right[0], left[0])
    assert (read.index(4) < read.index(2)) == spans, read


def test_the_middle_of_a_block_says_in_which_band_it_is() -> None:
    wide, left, right = (60, 300, 940, 340), (60, 250, 380, 349), (620, 100, 940, 140)
    assert orders(wide, left, right) == [2, 3, 1]
    assert orders(wide, (60, 250, 380, 351), right) == [3, 1, 2]


def test_a_page_with_a_block_that_has_no_box_stays() -> None:
    blocks = [block(f"1.{n}", boxes=((60, 900 - 200 * n, 940, 1000 - 200 * n),) if n < 4 else ()) for n in range(1, 5)]
    assert list(reading_order(blocks)) == blocks
    assert list(reading_order(blocks[:3])) == blocks[2::-1]


def test_positions_count_from_one() -> None:
    blocks = [block(f"1.{n}", boxes=((60, 900 - 200 * n, 940, 1000 - 200 * n),)) for n in range(1, 4)]
    document = Document("p", tuple(blocks), (), (), 1, "")
    assert reading_positions(document) == {"b_p001_0003": 1, "b_p001_0002": 2, "b_p001_0001": 3}


def test_a_block_of_several_boxes_stands_where_its_first_one_does() -> None:
    """One begins at the left and goes on at the right, one begins narrow and goes on over both columns."""
    split = block("1.2", "Words", boxes=((60, 120, 490, 300), (510, 120, 940, 200)))
    widened = block("1.3", "Words", boxes=((60, 320, 490, 420), (60, 700, 940, 760)))
    right = [block(f"1.{n}", "Words", boxes=((510, top, 940, top + 60),)) for n, top in ((4, 220), (5, 300), (6, 400))]
    assert list(reading_order([*reversed(right), widened, split])) == [split, widened, *right]


def test_blocks_over_both_columns_part_the_page_from_top_to_bottom() -> None:
    wide = [block(f"1.{n}", "Words", boxes=((60, top, 940, top + 30),)) for n, top in ((1, 100), (4, 300), (7, 800))]
    left, right = (
        [block(f"1.{n + more}", "Words", boxes=((x0, top, x1, top + 100),)) for n, top in ((2, 150), (5, 400))]
        for more, (x0, x1) in enumerate((LEFT, RIGHT))
    )
    expected = [wide[0], left[0], right[0], wide[1], left[1], right[1], wide[2]]
    assert list(reading_order([*reversed(expected)])) == expected


@pytest.mark.parametrize("number", range(1, 7))
def test_pairs_in_the_wrong_order_are_counted(number: int) -> None:
    for places in permutations(range(number)):
        assert _inversions(places) == sum(one > other for one, other in combinations(places, 2))


def test_a_block_of_six_tenths_of_the_page_spans_its_columns() -> None:
    """Wide ones that stand at the right part the page too."""
    wide = [block(f"1.{n}", "Words", boxes=((330, top, 940, top + 30),)) for n, top in ((1, 100), (4, 300))]
    left = [block(f"1.{n}", "Words", boxes=((60, top, 320, top + 100),)) for n, top in ((2, 150), (5, 400))]
    right = [block(f"1.{n}", "Words", boxes=((510, top, 940, top + 100),)) for n, top in ((3, 150), (6, 400))]
    expected = [wide[0], left[0], right[0], wide[1], left[1], right[1]]
    assert list(reading_order(expected[::-1])) == expected


def document(*drafts: Draft) -> Document:
    return assemble("a", Parsed(drafts, 1, "0" * 64, "test"))


def draft(label: str, text: str = "", *, key: str = "", of: str = "", after: str = "", boxed: bool = True) -> Draft:
    boxes = (Box(100, 100, 900, 200),) if boxed else ()
    return Draft(1, label, text, boxes, key=key, caption_of=of, continues=after)


def floats(*drafts: Draft) -> list[tuple[str, list[int], list[int]]]:
    found = find_floats(document(*drafts).blocks)
    return [(one.kind, [b.order for b in one.blocks], [b.order for b in one.caption]) for one in found]


def test_a_caption_goes_to_the_float_that_it_names_however_far() -> None:
    assert floats(
        draft("image", key="a"),
        draft("text", "Body."),
        draft("image", key="b"),
        draft("caption", "Fig. 1. Ice.", of="b"),
        draft("caption", "Fig. 2. Snow.", of="a"),
    ) == [("figure", [1], [5]), ("figure", [3], [4])]


def test_pictures_with_captions_of_their_own_are_not_one_figure() -> None:
    captions = [draft("caption", "Fig. 1. Ice.", of="a"), draft("caption", "Fig. 2. Snow.", of="b")]
    assert floats(draft("image", key="a"), draft("image", key="b"), *captions) == [
        ("figure", [1], [3]),
        ("figure", [2], [4]),
    ]
    assert floats(draft("image"), draft("image", key="b"), captions[1]) == [("figure", [1, 2], [3])], "panels of one"


def test_parts_of_one_caption() -> None:
    parts = [draft("caption", "Fig. 1. Ice.", of="a"), draft("caption", "(a) May.", of="a")]
    assert floats(draft("image", key="a"), *parts) == [("figure", [1], [2, 3])]


def test_a_picture_without_a_box_counts_if_it_has_a_caption() -> None:
    named = [draft("image", key="a", boxed=False), draft("caption", "Fig. 1. Ice.", of="a", boxed=False)]
    bare = draft("image", boxed=False)
    assert floats(*named, draft("text", "Body."), bare) == [("figure", [1], [2])]
    blocks = document(*named, bare).blocks
    assert [skipped.reason for skipped in find_noise(blocks).values()] == ["picture without a readable box"]


def test_what_is_no_text_is_left_out_with_the_reason() -> None:
    found = find_noise(
        document(draft("metadata", "ISSN 1"), draft("figure_text", "axis"), draft("text", "Ice.")).blocks
    )
    assert [skipped.reason for skipped in found.values()] == ["data about the paper", "printed inside of a picture"]


def test_entries_that_are_told_are_neither_cut_nor_joined() -> None:
    told = document(
        draft("reference", "[1] Poe E. Ice. 2001. [2] is not meant.", key="a"),
        draft("reference", "and more in lower case."),
        draft("reference", "Roe E. Snow.", key="b"),
        draft("reference", "2002.", after="b"),
    )
    assert [[block.order for block in entry.blocks] for entry in find_entries(told.blocks)] == [[1], [2], [3, 4]]
    assert all(entry.start is None for entry in find_entries(told.blocks))


def test_entries_without_a_heading_are_a_section_and_notes_among_them_are_no_entries() -> None:
    told = document(
        draft("title", "Ice on rivers"),
        draft("sub_title", "Introduction"),
        draft("text", "Ice fails."),
        draft("reference", "Poe E. Ice. 2001."),
    )
    (_, introduction, references) = plan_sections(told).sections
    assert (introduction.title, references.title) == ("Introduction", "References")
    assert [node.cls for node in references.nodes] == [DEO.BibliographicReference]
    noted = document(
        draft("sub_title", "Introduction"),
        draft("text", "Ice fails."),
        draft("sub_title", "References"),
        draft("reference", "Poe E. Ice. 2001."),
        draft("footnote", "1 A note."),
    )
    nodes = plan_sections(noted).sections[-1].nodes
    assert [node.cls == DEO.BibliographicReference for node in nodes] == [True, False]


def test_what_continues_what_is_believed() -> None:
    told = document(
        draft("sub_title", "Introduction"),
        draft("text", "We set a value.", key="a"),
        draft("equation", "\\[ a = b \\]"),
        draft("text", "Where it holds.", after="a"),
    )
    nodes = plan_sections(told).sections[0].nodes
    assert [node.continues for node in nodes] == ["", "", told.blocks[1].id]


def test_texts_that_no_graph_could_take_are_cut() -> None:
    told = document(draft("text", "ice " * 600_000))
    assert [len(block.text) <= 1_000_000 for block in told.blocks] == [True] * 3
    assert "".join(block.text for block in told.blocks) == "ice " * 600_000
    assert told.repairs[0].action == "cut into 3 blocks of text"
