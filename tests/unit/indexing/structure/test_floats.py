from __future__ import annotations

import pytest

from kag.core.types import Cell, Table
from kag.indexing.structure.floats import find_floats, float_label, is_caption
from tests.unit.indexing.structure.blocks import block, page


def found(*blocks: tuple[str, str]) -> list[tuple[str, list[int], list[int], str]]:
    """(kind, orders of the float's blocks, orders of its caption's, number) of each float of a page."""
    return [
        (
            item.kind,
            [b.order for b in item.blocks],
            [b.order for b in item.caption],
            item.label.number if item.label else "",
        )
        for item in find_floats(page(*blocks))
    ]


@pytest.mark.parametrize(
    ("text", "kind", "number", "label"),
    [
        ("Fig. 2. Yields.", "figure", "2", "Fig. 2"),
        ("Figure 10: Map", "figure", "10", "Figure 10"),
        ("Table S1 Doses", "table", "S1", "Table S1"),
        ("Supplementary Table 3. Doses", "table", "S3", "Supplementary Table 3"),
        ("Supplementary Table S3. Doses.", "table", "S3", "Supplementary Table S3"),
        ("Extended Data Fig. 3 | Ice", "figure", "ED3", "Extended Data Fig. 3"),
        ("Scheme 1. Route", "figure", "1", "Scheme 1"),
        ("TABLE IV Rates", "table", "IV", "TABLE IV"),
        ("Tableau 2. Sites.", "table", "2", "Tableau 2"),
        ("Figure 3—figure supplement 2. More", "figure", "3-s2", "Figure 3—figure supplement 2"),
        ("Appendix 1—Figure 2. More", "figure", "Appendix 1-2", "Appendix 1—Figure 2"),
        (
            "Appendix 1—Figure 2—Figure Supplement 3. More",
            "figure",
            "Appendix 1-2-s3",
            "Appendix 1—Figure 2—Figure Supplement 3",
        ),
        ("Apendix 2—Table 1.", "table", "Apendix 2-1", "Apendix 2—Table 1"),
        ("Appendix Table 2. Doses", "table", "Appendix-2", "Appendix Table 2"),
        ("Box 1—figure 2. Ice", "figure", "Box 1-2", "Box 1—figure 2"),
        ("Box figure 2. Ice", "figure", "Box-2", "Box figure 2"),
        ("Box 1. Ice", "table", "1", "Box 1"),
        ("图1 测量地点", "figure", "1", "图1"),
        ("表 2. 数据", "table", "2", "表 2"),
        ("Рис. 3. Места", "figure", "3", "Рис. 3"),
        ("Таблица 4. Значения", "table", "4", "Таблица 4"),
        ("그림 5. 위치", "figure", "5", "그림 5"),
    ],
)
def test_labels(text: str, kind: str, number: str, label: str) -> None:
    read = float_label(text)
    assert read is not None
    assert (read.kind, read.number, read.label) == (kind, number, label)


@pytest.mark.parametrize(
    "text",
    [
        "Figures are drawn by hand",
        "The table shows",
        "Tabulated doses",
        "Chartered 4 ships",
        "Appendix 1. Ice",
        "Appendix 1. Figure 2 shows",
        "Appendix graphs of ice",
        "Рисование 3",
        "表现1",
    ],
)
def test_no_labels(text: str) -> None:
    assert float_label(text) is None


def test_captions_above_figures() -> None:
    assert found(
        ("figure_title", "Fig. 1. A."), ("image", ""), ("text", "Body."), ("figure_title", "Fig. 2. B."), ("image", "")
    ) == [
        ("figure", [2], [1], "1"),
        ("figure", [5], [4], "2"),
    ]


def test_panels_are_one_figure_and_their_letters_no_captions() -> None:
    assert found(
        ("figure_title", "a"),
        ("image", ""),
        ("figure_title", "b"),
        ("image", ""),
        ("figure_title", "Fig. 3. Both."),
    ) == [("figure", [2, 4], [5], "3")]


def test_figures_with_text_between_are_two() -> None:
    assert found(("image", ""), ("text", "Body."), ("image", ""), ("figure_title", "Fig. 1. A.")) == [
        ("figure", [1], [], ""),
        ("figure", [3], [4], "1"),
    ]


def test_a_caption_split_in_two_blocks_is_one() -> None:
    assert found(("figure_title", "Table 2"), ("figure_title", "Doses in each group."), ("table", "a | b")) == [
        ("table", [3], [1, 2], "2"),
    ]


def test_a_figure_and_a_table_side_by_side_keep_their_captions() -> None:
    assert found(
        ("figure_title", "Table 1. T."),
        ("table", "a"),
        ("figure_title", "Table 2. U."),
        ("table", "b"),
        ("image", ""),
        ("figure_title", "Figure 1. F."),
    ) == [("table", [2], [1], "1"), ("table", [4], [3], "2"), ("figure", [5], [6], "1")]


def test_a_caption_as_text_beside_a_figure() -> None:
    assert found(("image", ""), ("text", "Figure 4. Growth over time."), ("text", "Figure 4 shows growth.")) == [
        ("figure", [1], [2], "4"),
    ]


def test_a_caption_on_the_next_page() -> None:
    blocks = (
        *page(("text", "Body."), ("image", ""), number=1),
        *page(("figure_title", "Figure 1. F."), ("text", "Body."), number=2),
    )
    (item,) = find_floats(blocks)
    assert [b.id for b in item.caption] == ["b_p002_0001"]


def test_a_caption_without_a_float_stays_text() -> None:
    assert found(("figure_title", "Figure 1. Lost."), ("text", "Body.")) == []


def test_a_continued_table_goes_on_with_its_first_part() -> None:
    first = page(
        ("table_title", "Table 1. Losses."), ("table", "x | y"), ("table_title", "Table 2. Ice."), ("table", "x | y")
    )
    later = page(("text", "Table 1 (continued)"), ("table", "x | y"), number=2)
    last = page(("table_title", "Table 1, cont. Losses"), ("table", "x | y"), number=3)
    floats = find_floats([*first, *later, *last])
    assert [item.continues for item in floats] == ["", "", first[1].id, later[1].id]
    assert [item.label.number for item in floats if item.label] == ["1", "2", "1", "1"]
    alone = find_floats(page(("table_title", "Table 4 (continued)"), ("table", "x | y")))
    assert alone[0].continues == ""


@pytest.mark.parametrize(("said", "goes_on"), [
    ("Continued Table 1", True), ("Table 1 (continued)", True), ("Table 1. Cont.", True), ("Table 1—Continued", True),
    ("Table 1 – continued from the page before", True), ("Table 1. (Contd.) Losses", True), ("TABLE 1 [CONT'D]", True),
    ("Continuation of Table 1", True), ("Tabelle 1 (Fortsetzung)", True), ("Tableau 1 (suite)", True),
    ("Tabela 1 (conclusão)", True), ("Table 1. Losses.", True),
    ("Table 1. Continued frost.", False), ("Table 1. Continents.", False), ("Table 1. Losses of May.", False),
    ("Table 2 (continued)", False),
])  # fmt: skip
def test_what_says_that_a_table_goes_on(said: str, goes_on: bool) -> None:
    """In words, in several languages, or by the same caption once more."""
    first = page(("table_title", "Table 1. Losses."), ("table", "x | y"))
    later = page(("table_title", said), ("table", "x | y"), number=2)
    assert [item.continues for item in find_floats([*first, *later])] == ["", first[1].id if goes_on else ""]


def test_a_table_that_begins_the_next_page_with_the_same_titles_is_a_part() -> None:
    def row(*words: str) -> Table:
        return Table(tuple(Cell(word, 0, column) for column, word in enumerate(words)), 1, len(words))

    def floats(first: Table, later: Table, after: int = 2) -> list[str]:
        blocks = [block("1.1", "Table 1. Doses", "table_title"), block("1.2", "a", "table", table=first)]
        return [item.continues for item in find_floats([*blocks, block(f"{after}.1", "a", "table", table=later)])]

    assert floats(row("Site", "Lost"), row("Site", "Lost")) == ["", "b_p001_0002"]
    assert floats(row("Site", "Lost"), row("Site", "Found")) == ["", ""]
    assert floats(row("Site", "Lost"), row("Site", "Lost"), after=3) == ["", ""]
    assert floats(row("Site", ""), row("Site", "")) == ["", ""], "one title is no sign"


ONE_CELL = Table((Cell("a", 0, 0),), 1, 1)


def test_a_table_in_one_block_with_its_caption_is_one_float() -> None:
    """Whatever the block is labelled, it is the table; the words at its beginning label it."""
    for label in ("text", "sub_title", "table"):
        (item,) = find_floats([block("1.1", "Table 1. Doses\na", label, table=ONE_CELL), block("1.2", "Body.")])
        assert (item.kind, item.caption, item.label and item.label.number) == ("table", (), "1")
    (item,) = find_floats([block("1.1", "Figure 1. Doses\na", table=ONE_CELL)])
    assert (item.kind, item.label) == ("table", None)
    parts = [block("1.1", "Table 1.", table=ONE_CELL), block("1.2", "Table 1. (continued)", table=ONE_CELL)]
    assert [item.continues for item in find_floats(parts)] == ["", "b_p001_0001"]


def test_pictures_side_by_side_are_one_figure_only_on_one_page() -> None:
    one = [*page(("image", ""), number=1), *page(("image", ""), ("figure_title", "Fig. 1. A."), number=2)]
    assert [len(item.blocks) for item in find_floats(one)] == [1, 1]
    three = found(("image", ""), ("image", ""), ("image", ""), ("figure_title", "Fig. 1. A."))
    assert three == [("figure", [1, 2, 3], [4], "1")]
    lettered = found(*[("figure_title", "a"), ("image", ""), ("figure_title", "b"), ("image", "")] * 2)
    assert [blocks for _, blocks, _, _ in lettered] == [[2, 4, 6, 8]]


def test_a_table_between_parts_pictures() -> None:
    between = found(("image", ""), ("table", "a"), ("image", ""))
    assert [(kind, blocks) for kind, blocks, _, _ in between] == [("figure", [1]), ("table", [2]), ("figure", [3])]


def test_a_caption_has_one_float() -> None:
    assert found(("image", ""), ("figure_title", "Fig. 1. A."), ("image", "")) == [
        ("figure", [1], [2], "1"),
        ("figure", [3], [], ""),
    ]
    assert found(("table", "a"), ("table_title", "Table 1. A."), ("table", "b")) == [
        ("table", [1], [], ""),
        ("table", [3], [2], "1"),
    ]


def test_the_usual_side_comes_first_and_the_nearest() -> None:
    """A figure's caption is below it and a table's above, where both sides have one."""
    assert found(("table", "a"), ("figure_title", "Fig. 1. A."), ("image", "")) == [
        ("table", [1], [], ""),
        ("figure", [3], [2], "1"),
    ], "the other side, where there is none on the usual one"
    words = [("text", "Body.")]
    assert found(("image", ""), *words, ("figure_title", "Fig. 1. A."), *words, *words, ("image", "")) == [
        ("figure", [1], [3], "1"),
        ("figure", [6], [], ""),
    ]
    far = found(("image", ""), *words * 3, ("figure_title", "Fig. 1. A."), ("image", ""))
    assert far == [("figure", [1], [], ""), ("figure", [6], [5], "1")]


def test_a_caption_with_no_word_of_its_kind_takes_either() -> None:
    assert found(("table", "a"), ("figure_title", "Rivers in spring.")) == [("table", [1], [2], "")]
    assert found(("image", ""), ("figure_title", "Rivers in spring.")) == [("figure", [1], [2], "")]
    assert found(("image", ""), ("table_title", "Rivers in spring.")) == [("figure", [1], [], "")]


@pytest.mark.parametrize(("pages", "captioned"), [((1, 2), True), ((2, 1), True), ((1, 3), False), ((3, 1), False)])
def test_a_caption_is_at_most_a_page_away(pages: tuple[int, int], captioned: bool) -> None:
    at = dict(zip(pages, (("image", ""), ("figure_title", "Fig. 1. A.")), strict=True))
    blocks = [b for number in sorted(at) for b in page(at[number], number=number)]
    (item,) = find_floats(blocks)
    assert bool(item.caption) == captioned


def test_the_nearest_of_several_on_a_page_has_the_caption() -> None:
    words = [("text", "Body.")] * 4
    assert found(("image", ""), *words, ("image", ""), *words, ("figure_title", "Fig. 1. A."))[1][2] == [11]
    assert found(("figure_title", "Fig. 1. A."), *words, ("image", ""), *words, ("image", ""))[0][2] == [1]


def test_a_bare_label_takes_the_block_right_behind_it_on_its_page() -> None:
    far = found(
        ("figure_title", "Table 2"), ("text", "Body."), ("figure_title", "Doses in each group."), ("table", "a")
    )
    assert [caption for _, _, caption, _ in far] != [[1, 3]]
    full = found(("figure_title", "Table 2. Ice"), ("figure_title", "Doses in each group."), ("table", "a"))
    assert [caption for _, _, caption, _ in full] != [[1, 2]]
    assert found(("figure_title", "Table 2"), ("table", "a")) == [("table", [2], [1], "2")]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Figure 2. Yields", True),
        ("Figure 2: (a) yields", True),
        ("Figure 2", True),
        ("Figure 2. yields", False),
        ("Figure 2 shows", False),
        ("Table 2 (continued)", True),
        ("", False),
    ],
)
def test_texts_that_read_as_captions(text: str, is_one: bool) -> None:
    assert is_caption(block("1.1", text)) == is_one
    assert not is_caption(block("1.1", text, "equation"))
    assert not is_caption(block("1.1", text, table=ONE_CELL))


def test_two_floats_of_one_number_are_parts_of_one_only_where_it_says_so() -> None:
    first = (("image", ""), ("image", ""), ("figure_title", "Figure 2. Yields."))
    for said, goes_on in (("Figure 2 (continued). Losses.", True), ("Figure 2. Losses.", False)):
        one, two = find_floats(page(*first, ("text", "Words."), ("image", ""), ("figure_title", said)))
        assert two.continues == (one.blocks[0].id if goes_on else "")
        assert len(one.blocks) == 2
        assert one.continues == ""


def test_words_behind_a_bare_label_belong_to_it_and_not_to_an_earlier_one() -> None:
    blocks = page(
        ("figure_title", "Figure 1. Yields of oats."),
        ("image", ""),
        ("text", "Words."),
        ("table_title", "Table 1"),
        ("table_title", "Doses in each month."),
        ("table", "a | b"),
    )
    _, table = find_floats(blocks)
    assert [one.plain for one in table.caption] == ["Table 1", "Doses in each month."]


def test_panel_letters_are_counted_anew_behind_each_picture() -> None:
    panels = (
        ("image", ""),
        ("figure_title", "(a)"),
        ("image", ""),
        ("image", ""),
        ("figure_title", "(b)"),
        ("image", ""),
    )
    (whole,) = find_floats(page(*panels, ("figure_title", "Figure 1. Yields.")))
    assert len(whole.blocks) == 4


@pytest.mark.parametrize(("before", "behind", "first"), [(4, 7, True), (7, 4, False)])
def test_a_caption_far_from_all_goes_to_the_nearest_on_its_page(before: int, behind: int, first: bool) -> None:
    words = ("text", "Words.")
    caption = ("figure_title", "Figure 1. Yields of oats.")
    blocks = page(("image", ""), *[words] * before, caption, *[words] * behind, ("image", ""))
    (found,) = (one for one in find_floats(blocks) if one.label)
    assert found.blocks[0] == (blocks[0] if first else blocks[-1])


def test_pictures_side_by_side_are_one_figure_wherever_they_come() -> None:
    blocks = page(
        ("image", ""),
        ("figure_title", "Figure 1. Oats."),
        ("text", "Words."),
        ("image", ""),
        ("image", ""),
        ("figure_title", "Figure 2. Rye."),
    )
    assert [len(one.blocks) for one in find_floats(blocks)] == [1, 2]


def test_a_table_stands_behind_its_caption_where_one_is_on_each_side() -> None:
    blocks = page(("table", "a | b"), ("table_title", "Table 1. Oats."), ("table", "c | d"))
    assert [bool(one.label) for one in find_floats(blocks)] == [False, True]


PICTURE, WORDS, CAPTION = ("image", ""), ("text", "Words."), ("figure_title", "Figure 1. Yields of oats.")


@pytest.mark.parametrize(
    ("blocks", "sizes", "labelled"),
    [
        ((PICTURE, PICTURE, CAPTION, PICTURE), [2, 1], [True, False]),  # right behind its last part
        ((PICTURE, WORDS, CAPTION, PICTURE, PICTURE, PICTURE), [1, 3], [False, True]),  # right before its first
        ((PICTURE, WORDS, CAPTION, ("figure_title", "(a)"), PICTURE), [1, 1], [False, True]),  # ... or its letter
    ],
)
def test_a_caption_is_beside_all_parts_of_its_figure(
    blocks: tuple[tuple[str, str], ...], sizes: list[int], labelled: list[bool]
) -> None:
    found = find_floats(page(*blocks))
    assert ([len(one.blocks) for one in found], [bool(one.label) for one in found]) == (sizes, labelled)


def test_a_caption_in_two_blocks_is_no_second_one_and_ends_no_others() -> None:
    split = (("table_title", "Table 1"), ("table_title", "Doses in each month."), ("table", "a | b"))
    found = find_floats(page(*split, WORDS, ("table", "c | d"), *[WORDS] * 4, PICTURE, CAPTION))
    assert [len(one.caption) for one in found] == [2, 0, 1]


def test_letters_of_panels_and_blocks_without_words_are_no_captions() -> None:
    assert not is_caption(block("1.1", "(a)", "figure_title"))
    assert not is_caption(block("1.1", "", "figure_title"))
    assert is_caption(block("1.1", "Losses in each month.", "figure_title"))


def test_a_picture_under_the_caption_of_a_table_is_the_table() -> None:
    assert found(("figure_title", "Table 1. Ice."), ("image", "")) == [("table", [2], [1], "1")]
    both = [("figure_title", "Table 1. Ice."), ("image", ""), ("image", ""), ("figure_title", "Figure 1. A river.")]
    assert found(*both) == [("table", [2], [1], "1"), ("figure", [3], [4], "1")]


def test_a_picture_is_no_table_where_the_table_is_printed_or_the_picture_has_a_caption() -> None:
    printed = [("table", "a | b"), ("figure_title", "Table 1. Ice."), ("image", "")]
    assert found(*printed) == [("table", [1], [2], "1"), ("figure", [3], [], "")]
    own = [("figure_title", "Table 1. Ice."), ("image", ""), ("figure_title", "Figure 1. A river.")]
    assert ("figure", [2], [3], "1") in found(*own)


def test_a_second_table_right_below_one_with_a_caption_is_a_part_of_it() -> None:
    first, second = find_floats(page(("table_title", "Table 1. Ice."), ("table", "a | b"), ("table", "c | d")))
    assert second.continues == first.blocks[0].id
    assert second.label is None
    blocks = page(("table", "a | b"), ("table", "c | d"), ("table_title", "Table 1. Ice."))
    assert [item.continues for item in find_floats(blocks)] == ["", ""], "captions below stand by the last"


def test_a_table_between_two_captions_has_its_own() -> None:
    blocks = [("table_title", "Table 1. Ice."), ("table", "a"), ("table_title", "Table 2. Fog."), ("table", "b")]
    assert found(*blocks) == [("table", [2], [1], "1"), ("table", [4], [3], "2")]


@pytest.mark.parametrize("words", ["Table. Doses of ice", "Supplementary Table: Doses", "Appendix Table. Doses"])
def test_captions_of_tables_without_a_number(words: str) -> None:
    assert found(("text", words), ("table", "a | b")) == [("table", [2], [1], "")]
    assert find_floats(page(("figure_title", words), ("image", "")))[0].kind == "figure", "kept as the picture it is"


@pytest.mark.parametrize("words", ["Table of doses", "Table. 12 doses", "Figure: the ice", "Tables. Doses"])
def test_no_captions_without_a_number(words: str) -> None:
    assert not is_caption(block("1.1", words))


def test_a_box_far_from_any_table_is_a_heading() -> None:
    assert found(("table", "a | b"), *[("text", "Words.")] * 4, ("sub_title", "Box 1.")) == [("table", [1], [], "")]
