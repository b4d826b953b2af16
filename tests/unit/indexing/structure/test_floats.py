from __future__ import annotations

import pytest

from kag.core.types import Block, Cell, Table
from kag.indexing.structure.floats import find_floats, float_label, is_caption
from tests.unit.indexing.structure.blocks import block, page


@pytest.mark.parametrize(
    ("text", "kind", "number", "label"),
    [
        ("Fig. 2. Yields.", "figure", "2", "Fig. 2"),
        ("Figure 10: Map", "figure", "10", "Figure 10"),
        ("Figure-1: Map", "figure", "1", "Figure-1"),
        ("Cuadro 3. Pérdidas", "table", "3", "Cuadro 3"),
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


LABELS = {"f": "figure_title", "t": "table_title", "x": "text", "h": "sub_title"}
SIGNS = {"P": ("image", ""), "T": ("table", "a | b"), ".": ("text", "Body.")}


def page_of(blocks: str) -> tuple[Block, ...]:
    """A page of pictures (P), tables (T), texts (.), and of labels with their words (`f:Fig. 1. Ice.`)."""
    return page(*(SIGNS.get(sign) or (LABELS[sign[0]], sign[2:]) for sign in blocks.split(" / ")))


@pytest.mark.parametrize(
    ("blocks", "floats"),
    [
        # captions above figures
        ("f:Fig. 1. A. / P / . / f:Fig. 2. B. / P", "figure 2 under 1 number 1; figure 5 under 4 number 2"),
        # panels are one figure and their letters no captions
        ("f:a / P / f:b / P / f:Fig. 3. Both.", "figure 2,4 under 5 number 3"),
        # figures with text between are two
        ("P / . / P / f:Fig. 1. A.", "figure 1; figure 3 under 4 number 1"),
        # a caption split in two blocks is one
        ("f:Table 2 / f:Doses in each group. / T", "table 3 under 1,2 number 2"),
        # a figure and a table side by side keep their captions
        (
            "f:Table 1. T. / T / f:Table 2. U. / T / P / f:Figure 1. F.",
            "table 2 under 1 number 1; table 4 under 3 number 2; figure 5 under 6 number 1",
        ),
        # a caption as text beside a figure
        ("P / x:Figure 4. Growth over time. / x:Figure 4 shows growth.", "figure 1 under 2 number 4"),
        # a caption without a float stays text
        ("f:Figure 1. Lost. / .", ""),
        # a table between parts pictures
        ("P / T / P", "figure 1; table 2; figure 3"),
        # a caption has one float
        ("P / f:Fig. 1. A. / P", "figure 1 under 2 number 1; figure 3"),
        ("T / t:Table 1. A. / T", "table 1; table 3 under 2 number 1"),
        # the usual side comes first and the nearest
        ("T / f:Fig. 1. A. / P", "table 1; figure 3 under 2 number 1"),
        ("P / . / f:Fig. 1. A. / . / . / P", "figure 1 under 3 number 1; figure 6"),
        ("P / . / . / . / f:Fig. 1. A. / P", "figure 1; figure 6 under 5 number 1"),
        # a caption with no word of its kind takes either
        ("T / f:Rivers in spring.", "table 1 under 2"),
        ("P / f:Rivers in spring.", "figure 1 under 2"),
        ("P / t:Rivers in spring.", "figure 1"),
        # the nearest of several on a page has the caption
        ("P / . / . / . / . / P / . / . / . / . / f:Fig. 1. A.", "figure 1; figure 6 under 11 number 1"),
        ("f:Fig. 1. A. / . / . / . / . / P / . / . / . / . / P", "figure 6 under 1 number 1; figure 11"),
        # a bare label takes the block right behind it on its page
        ("f:Table 2 / . / f:Doses in each group. / T", "table 4 under 3"),
        ("f:Table 2. Ice / f:Doses in each group. / T", "table 3 under 2"),
        ("f:Table 2 / T", "table 2 under 1 number 2"),
        # a picture under the caption of a table is the table
        ("f:Table 1. Ice. / P", "table 2 under 1 number 1"),
        ("f:Table 1. Ice. / P / P / f:Figure 1. A river.", "table 2 under 1 number 1; figure 3 under 4 number 1"),
        # a picture is no table where the table is printed or the picture has a caption
        ("T / f:Table 1. Ice. / P", "table 1 under 2 number 1; figure 3"),
        ("f:Table 1. Ice. / P / f:Figure 1. A river.", "figure 2 under 3 number 1"),
        # a table between two captions has its own
        ("t:Table 1. Ice. / T / t:Table 2. Fog. / T", "table 2 under 1 number 1; table 4 under 3 number 2"),
        # of two captions for one picture the nearer has it, and a figure's caption goes over tables
        ("f:Fig. 1. A. / T / f:Fig. 2. B. / T / P", "table 2; table 4; figure 5 under 3 number 2"),
        ("P / T / . / T / f:Fig. 1. A.", "figure 1 under 5 number 1; table 2; table 4"),
        # the first float of a page is as near as any other
        (
            "f:Table 2 / . / P / f:Table 2 / f:Fig. 2. B. / T / T / T",
            "figure 3 under 5 number 2; table 6 under 4 number 2; table 7 under 1 number 2; table 8",
        ),
        # a box far from any table is a heading
        ("T / . / . / . / . / h:Box 1.", "table 1"),
    ],
)
def test_floats_of_a_page(blocks: str, floats: str) -> None:
    """Each float with the numbers of its blocks, of those of its caption, and its printed number."""
    found = []
    for item in find_floats(page_of(blocks)):
        parts, caption = (",".join(str(block.order) for block in part) for part in (item.blocks, item.caption))
        number = item.label.number if item.label else ""
        found.append(f"{item.kind} {parts}" + (caption and f" under {caption}") + (number and f" number {number}"))
    assert "; ".join(found) == floats


def test_a_caption_on_the_next_page() -> None:
    blocks = (
        *page(("text", "Body."), ("image", ""), number=1),
        *page(("figure_title", "Figure 1. F."), ("text", "Body."), number=2),
    )
    (item,) = find_floats(blocks)
    assert [b.id for b in item.caption] == ["b_p002_0001"]


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
    (three,) = find_floats(page_of("P / P / P / f:Fig. 1. A."))
    (lettered,) = find_floats(page_of("f:a / P / f:b / P / f:a / P / f:b / P"))
    assert (len(three.blocks), len(lettered.blocks)) == (3, 4)


@pytest.mark.parametrize(("pages", "captioned"), [((1, 2), True), ((2, 1), True), ((1, 3), False), ((3, 1), False)])
def test_a_caption_is_at_most_a_page_away(pages: tuple[int, int], captioned: bool) -> None:
    at = dict(zip(pages, (("image", ""), ("figure_title", "Fig. 1. A.")), strict=True))
    blocks = [b for number in sorted(at) for b in page(at[number], number=number)]
    (item,) = find_floats(blocks)
    assert bool(item.caption) == captioned


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
    _, table = find_floats(page_of("f:Figure 1. Yields of oats. / P / . / t:Table 1 / t:Doses in each month. / T"))
    assert [block.plain for block in table.caption] == ["Table 1", "Doses in each month."]


def test_panel_letters_are_counted_anew_behind_each_picture() -> None:
    (figure,) = find_floats(page_of("P / f:(a) / P / P / f:(b) / P / f:Figure 1. Yields."))
    assert len(figure.blocks) == 4


@pytest.mark.parametrize(("before", "behind", "first"), [(4, 7, True), (7, 4, False)])
def test_a_caption_far_from_all_goes_to_the_nearest_on_its_page(before: int, behind: int, first: bool) -> None:
    words = ("text", "Words.")
    caption = ("figure_title", "Figure 1. Yields of oats.")
    blocks = page(("image", ""), *[words] * before, caption, *[words] * behind, ("image", ""))
    (found,) = (one for one in find_floats(blocks) if one.label)
    assert found.blocks[0] == (blocks[0] if first else blocks[-1])


def test_pictures_side_by_side_are_one_figure_wherever_they_come() -> None:
    floats = find_floats(page_of("P / f:Figure 1. Oats. / . / P / P / f:Figure 2. Rye."))
    assert [len(item.blocks) for item in floats] == [1, 2]


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


def test_a_second_table_right_below_one_with_a_caption_is_a_part_of_it() -> None:
    first, second = find_floats(page(("table_title", "Table 1. Ice."), ("table", "a | b"), ("table", "c | d")))
    assert second.continues == first.blocks[0].id
    assert second.label is None
    blocks = page(("table", "a | b"), ("table", "c | d"), ("table_title", "Table 1. Ice."))
    assert [item.continues for item in find_floats(blocks)] == ["", ""], "captions below stand by the last"


@pytest.mark.parametrize("words", ["Table. Doses of ice", "Supplementary Table: Doses", "Appendix Table. Doses"])
def test_captions_of_tables_without_a_number(words: str) -> None:
    (table,) = find_floats(page_of(f"x:{words} / T"))
    assert (table.kind, len(table.caption), table.label) == ("table", 1, None)
    assert find_floats(page(("figure_title", words), ("image", "")))[0].kind == "figure", "kept as the picture it is"


@pytest.mark.parametrize("words", ["Table of doses", "Table. 12 doses", "Figure: the ice", "Tables. Doses"])
def test_no_captions_without_a_number(words: str) -> None:
    assert not is_caption(block("1.1", words))
