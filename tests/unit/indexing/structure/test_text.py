"""Paragraphs, notes, front matter and reference lists."""

from __future__ import annotations

import pytest

from kag.indexing.enrich.crossrefs import numbers_beside
from kag.indexing.structure.paragraphs import continuations, notes_of_tables
from kag.indexing.structure.reference_list import find_entries
from kag.indexing.structure.unheaded import front_classes
from kag.rdf.namespaces import DOCO
from tests.unit.indexing.structure.blocks import block, page

LEFT, RIGHT = ((60, 800, 490, 940),), ((510, 80, 940, 300),)


def test_a_paragraph_cut_by_a_column_goes_on() -> None:
    cut = [block("1.1", "The sensors were placed in", boxes=LEFT), block("1.2", "the river in March.", boxes=RIGHT)]
    assert continuations(cut) == {"b_p001_0002": "b_p001_0001"}


def test_paragraphs_that_end_stand_alone() -> None:
    for first, second in (("It rained.", "The sensors failed."), ("It rained. \\( ^{3} \\)", "89Zr decays.")):
        assert continuations([block("1.1", first, boxes=LEFT), block("1.2", second, boxes=RIGHT)]) == {}


def test_notes_follow_tables() -> None:
    table, note = block("1.1", "a | b", "table"), block("1.2", "\\( ^{a} \\) Mean of three.")
    second, body = block("1.3", "* p < 0.05"), block("1.1", "Body.")
    assert notes_of_tables([table, note, second]) == {note.id, second.id}
    assert notes_of_tables([table, block("1.3", "The mean is higher.")]) == set()
    assert notes_of_tables([table, block("1.2", "The mean is higher."), second]) == set()
    for words in ("AQ: amodiaquine, SP: sulphadoxine.", "EVI = vegetation index; n = number", "Values are means (SD)."):
        assert notes_of_tables([table, block("1.2", words)]), words
        assert not notes_of_tables([body, block("1.2", words)]), words
    assert not notes_of_tables([table, block("1.2", "Result: we found that")])
    assert not notes_of_tables([body, note])
    assert not notes_of_tables([table, block("2.1", "* p < 0.05")])


def test_front_matter() -> None:
    blocks = page(
        ("title", "# River sensors"),
        ("text", "Ana Lima \\( ^{1} \\), Jon Berg \\( ^{2} \\) and Mia van Dam"),
        ("text", "1 Department of Rivers, University of Nowhere"),
        ("text", "Keywords: rivers, ice"),
        ("text", "Rivers freeze in winter. Sensors often fail under ice. " * 20),
    )
    assert list(front_classes(blocks).values()) == [
        DOCO.Title,
        DOCO.ListOfAuthors,
        DOCO.ListOfOrganizations,
        DOCO.Paragraph,
        DOCO.Paragraph,
    ]


def entries(*texts: str) -> list[str]:
    """The words of each entry."""
    return [
        " ".join(b.text for b in entry.blocks) if entry.start is None else entry.blocks[0].text[entry.start : entry.end]
        for entry in find_entries([block(f"1.{n}", text) for n, text in enumerate(texts, 1)])
    ]


def test_several_entries_in_one_block_cover_it_all() -> None:
    text = "[3] Lima A. Ice. Rivers. 2001;3:1-9.\n[4] Berg J. Snow. Rivers. 2002;4:2-8.\n[5] Dam M. Fog. Rivers. 2003."
    parts = entries("[1] Poe E. Rain. Rivers. 1999.", "[2] Roe E. Hail. Rivers. 2000.", text)
    assert len(parts) == 5
    assert "".join(parts[2:]) == text


def test_an_entry_over_two_blocks() -> None:
    parts = entries("[1] Lima A. Ice in the", "north of the country. Rivers. 2001.", "[2] Berg J. Snow. Rivers. 2002.")
    assert parts == ["[1] Lima A. Ice in the north of the country. Rivers. 2001.", "[2] Berg J. Snow. Rivers. 2002."]


def test_a_name_in_lower_case_begins_an_entry() -> None:
    first = "Poe, E. (1999). Ice on rivers. Rivers, 3, 1–9. https://doi.org/10.5555/ice.1999"
    assert len(entries(first, "van Dam, N. M. (2001). Fog on rivers. Rivers, 5, 20–29.")) == 2
    assert len(entries(first, "doi:10.5555/more")) == 1


def test_words_behind_a_formula_go_on_with_the_text_before_it() -> None:
    before = block("1.1", "The loss is given by", boxes=((100, 100, 900, 120),))
    after = block("1.3", "where a is the share of ice.", boxes=((100, 145, 900, 165),))
    assert continuations([before, after]) == {}
    assert continuations([before, after], {after.id}) == {after.id: before.id}
    full = block("1.3", "The share of ice is a.", boxes=((100, 145, 900, 165),))
    assert continuations([block("1.1", "The loss follows."), full], {full.id}) == {}


def goes_on(first: str, second: str, above=LEFT, below=RIGHT) -> bool:
    return bool(continuations([block("1.1", first, boxes=above), block("1.2", second, boxes=below)]))


@pytest.mark.parametrize(
    ("first", "second", "cut"),
    [
        ("The sensors were placed in", "the river.", True),
        ("The sensors were placed in", "March 1999.", False),  # may be a title, or a new paragraph
        ("The sensors were pla-", "Ced in March.", True),  # a word that is cut
        ("The sensors (some", ") were lost.", True),
        ("The sensors, as", "(the first) said.", True),
        ("The sensors were lost in", "été et hiver.", True),
        ("The sensors were lost in", "12 of the sites.", False),
        ("The sensors were lost.", "12 of the sites were", False),
        ("The sensors were lost.", "of the sites were", True),  # OCR adds full stops, not words in lower case
        ("The sensors were lost.", "a b", False),  # one letter is no word
        ("The sensors were lost:", "(the first) two.", False),
        ("The sensors were lost.”", "12 of them.", False),
        ("The sensors were lost [1, 2].¹²", "12 of them.", False),
        ("", "the river.", False),
        ("The sensors were", " ", False),
        ("The sensors. " + "And so on " * 20, "été et hiver.", True),
    ],
)
def test_where_a_paragraph_goes_on(first: str, second: str, cut: bool) -> None:
    assert goes_on(first, second) == cut


@pytest.mark.parametrize(
    ("later", "below"),
    [
        ((100, 200, 300, 220), True),
        ((100, 239, 300, 260), True),
        ((100, 240, 300, 260), False),  # too far below
        ((100, 199, 300, 260), False),  # beside or above
        ((299, 205, 500, 260), True),  # one thousandth of the page in common
        ((300, 205, 500, 260), False),
        ((50, 205, 101, 260), True),
        ((50, 205, 100, 260), False),
        ((150, 205, 200, 260), True),  # within
    ],
)
def test_what_is_printed_right_below(later: tuple[int, int, int, int], below: bool) -> None:
    assert goes_on("These were", "then dried.", ((100, 100, 300, 200),), (later,)) != below


def test_of_several_boxes_the_last_and_the_first_count() -> None:
    columns = ((100, 800, 300, 900), (500, 100, 700, 200))
    assert not goes_on("These were", "then dried.", columns, ((500, 205, 700, 300),))
    assert goes_on("These were", "then dried.", columns, ((100, 905, 300, 950),))
    assert not goes_on(
        "These were", "then dried.", ((500, 100, 700, 200),), ((500, 205, 700, 300), (100, 800, 300, 900))
    )
    pages = [
        block("1.1", "These were", boxes=((100, 100, 300, 200),)),
        block("2.1", "then dried.", boxes=((100, 205, 300, 300),)),
    ]
    assert continuations(pages)


@pytest.mark.parametrize(
    ("texts", "number"),
    [
        # half of the blocks with numbers is no numbered list: names decide
        (("[1] Poe E. Ice. Rivers. 1999.", "Roe E. Snow. Rivers. 2000."), 2),
        (("[1] Poe E. Ice. 1999.", "[2] Roe E. Fog. 2000.", "Doe J. Snow. 2000."), 2),
        (("Poe E. Ice in the", "north of the country. 1999."), 1),
        (("Poe E. Ice in the north.", "north of the country. 1999."), 2),  # the one before has ended
        (("Poe E. Ice. Rivers, 12,", "12–19, 1999."), 1),
        (("Poe E. Ice. Rivers, 12,", "North of the country, 1999."), 2),
        (
            (
                "[1] Poe E. Ice in",
                "the north",
                "of Norway. 1999.",
                "[2] Roe E. Fog. 2000.",
                "[3] Doe. 2001.",
                "[4] Zoe.",
            ),
            4,
        ),
    ],
)
def test_where_entries_begin(texts: tuple[str, ...], number: int) -> None:
    assert len(entries(*texts)) == number


def test_a_block_that_begins_in_an_entry_and_holds_others_is_parted() -> None:
    first = "[1] Poe E. Ice in the"
    more = "north of it. 1999.\n[2] Roe E. Fog. Rivers. 2000;3:1-9.\n[3] Doe J. Hail. Rivers. 2001;3:1-9."
    rest = [f"[{n}] Zoe E. Rain. Rivers. 2002." for n in (4, 5, 6)]
    found = find_entries([block(f"1.{n}", text) for n, text in enumerate((first, more, *rest), 1)])
    assert [entry.tail for entry in found[1:]] == [found[1].tail, *[False] * (len(found) - 2)]
    assert "".join(more[entry.start : entry.end] for entry in found if entry.start is not None) == more


def test_what_goes_on_behind_a_part_is_a_tail() -> None:
    two = "[1] Poe E. Ice on rivers. Rivers. 1999;3:1-9.\n[2] Roe E. Fog on the"
    found = find_entries(
        [block("1.1", two), block("1.2", "north. Rivers. 2000;3:1-9."), block("1.3", "[3] Doe J. Hail. 2001.")]
    )
    assert [(entry.start is None, entry.tail) for entry in found] == [
        (False, False),
        (False, False),
        (True, True),
        (True, False),
    ]


def test_what_goes_on_is_joined_to_the_entry_right_before_it() -> None:
    rest = [f"[{n}] Doe J. Hail. Rivers. 2001." for n in (3, 4)]
    found = entries("[1] Poe E. Ice. 1999.", "[2] Roe E. Fog in", "the north. 2000.", *rest)
    assert found == ["[1] Poe E. Ice. 1999.", "[2] Roe E. Fog in the north. 2000.", *rest]


def test_marks_of_a_list_part_entries() -> None:
    assert entries("• Lima A. Ice. Rivers. 2001. • Berg J. Fog. Rivers. 2002.", "• Poe E. Rain. Rivers. 2003.") == [
        "• Lima A. Ice. Rivers. 2001. ",
        "• Berg J. Fog. Rivers. 2002.",
        "• Poe E. Rain. Rivers. 2003.",
    ]
    assert len(entries("- Lima A. Ice. Rivers. 2001.\n- Berg J. Fog. Rivers. 2002.")) == 2
    assert len(entries("Lima A. Ice - a review. Rivers. 2001; 3: 1 - 9.")) == 1
    assert len(entries("• Lima A. Ice · Fog. Rivers. 2001.")) == 1, "another sign is no mark of this list"


FOOT, HEAD = ((60, 700, 490, 940),), ((60, 80, 490, 300),)
NEXT_COLUMN = ((510, 80, 940, 300),)
OPEN = "The eggs of the second brood, which had been reared in the laboratory, were kindly provided by"
WHOLE = "The eggs of the second brood, which had been reared in the laboratory, were kindly provided."


@pytest.mark.parametrize(
    ("first", "second", "cut"),
    [
        (OPEN, "Dr. Lee of the north station, and kept dry.", True),
        (OPEN, "12 keepers of the north station.", True),
        (OPEN, "(Lee 2010) and kept dry.", True),
        (OPEN, r"\( R_{a}^{2} \), a measure of the fit.", True),
        (WHOLE, "Dr. Lee of the north station kept them dry.", False),
        (OPEN, "• Dr. Lee of the north station.", False),  # an item of a list
        (OPEN, "2. Dr. Lee of the north station.", False),
        (OPEN, "Figure S10. Eggs of the second brood.", False),  # what is described begins anew
        ("Provided by", "Dr. Lee of the north station.", False),  # a line of its own
        (WHOLE[:-1] + ". In Fig.", "2B, the eggs are shown.", True),  # the point of a shortened word ends nothing
    ],
)
def test_an_open_end_goes_on_over_a_page(first: str, second: str, cut: bool) -> None:
    for later in (block("2.1", second, boxes=HEAD), block("1.2", second, boxes=NEXT_COLUMN)):
        assert bool(continuations([block("1.1", first, boxes=FOOT), later])) == cut


def test_an_open_end_alone_does_not_go_on_within_a_column() -> None:
    above, below = ((60, 100, 490, 200),), ((60, 260, 490, 300),)
    assert not continuations([block("1.1", OPEN, boxes=above), block("1.2", "Dr. Lee kept them.", boxes=below)])


def test_nor_over_two_pages_or_behind_a_formula() -> None:
    assert not continuations([block("1.1", OPEN, boxes=FOOT), block("3.1", "Dr. Lee kept them.", boxes=HEAD)])
    later = block("2.1", "Dr. Lee kept them.", boxes=HEAD)
    assert not continuations([block("1.1", OPEN, boxes=FOOT), later], {later.id})


@pytest.mark.parametrize("start", ["the station, and kept dry.", "(see the methods) and kept dry."])
def test_notes_of_a_table_stand_between(start: str) -> None:
    first, note, rest = block("1.1", OPEN), block("2.1", "Eggs that broke are not shown."), block("2.2", start)
    assert continuations([first, note, rest]) == {rest.id: first.id}


@pytest.mark.parametrize(
    "note", ["AMR, Acute mediated rejection; CMR, Chronic rejection.", "BMD a : areal bone density, in grams."]
)
def test_abbreviations_under_a_table_are_notes(note: str) -> None:
    table, below = block("1.1", "a | b", "table"), block("1.2", note)
    assert notes_of_tables([table, below]) == {below.id}


LINE = ((100, 100, 800, 140),)
BESIDE = ((850, 110, 890, 130),)
BELOW = ((850, 150, 890, 170),)


def test_a_number_on_the_line_of_a_formula_is_its_own() -> None:
    formula, number = block("1.1", "\\[ a = b \\]", "equation", LINE), block("1.2", "(3)", boxes=BESIDE)
    assert numbers_beside([formula, number]) == {formula.id: number}
    assert numbers_beside([number, formula]) == {formula.id: number}


def test_other_texts_are_no_numbers_of_formulas() -> None:
    formula = block("1.1", "\\[ a = b \\]", "equation", LINE)
    assert numbers_beside([formula, block("1.2", "(3)", boxes=BELOW)]) == {}
    assert numbers_beside([formula, block("1.2", "where a is", boxes=BESIDE)]) == {}
    assert (
        numbers_beside([block("1.1", "\\[ a \\tag{2} \\]", "equation", LINE), block("1.2", "(3)", boxes=BESIDE)]) == {}
    )


def test_a_number_belongs_to_one_formula() -> None:
    first, second = block("1.1", "\\[ a \\]", "equation", LINE), block("1.3", "\\[ b \\]", "equation", LINE)
    number = block("1.2", "(3)", boxes=BESIDE)
    assert numbers_beside([first, number, second]) == {first.id: number}


@pytest.mark.parametrize(
    ("top", "bottom", "beside"),
    [(139, 160, True), (140, 160, False), (80, 101, True), (80, 100, False), (110, 130, True), (90, 150, True)],
)
def test_a_number_stands_on_the_line_of_its_formula(top: int, bottom: int, beside: bool) -> None:
    formula, number = block("1.1", "\\[ a \\]", "equation", LINE), block("1.2", "(3)", boxes=((850, top, 890, bottom),))
    assert bool(numbers_beside([formula, number])) == beside


def test_what_no_number_of_a_formula_is() -> None:
    formula = block("1.1", "\\[ a \\]", "equation", LINE)
    assert numbers_beside([formula, block("2.1", "(3)", boxes=BESIDE)]) == {}, "on another page"
    assert numbers_beside([formula, block("1.2", "(3)", boxes=())]) == {}
    assert numbers_beside([block("1.1", "\\[ a \\]", "equation", ()), block("1.2", "(3)", boxes=BESIDE)]) == {}
    assert numbers_beside([formula, block("1.2", "(3)", "sub_title", BESIDE)]) == {}
    assert numbers_beside([block("1.1", "Words", boxes=LINE), block("1.2", "(3)", boxes=BESIDE)]) == {}


def test_of_several_boxes_the_first_is_the_line() -> None:
    number = block("1.2", "(3)", boxes=BESIDE)
    for boxes, beside in (((*LINE, (100, 500, 800, 540)), True), (((100, 500, 800, 540), *LINE), False)):
        assert bool(numbers_beside([block("1.1", "\\[ a \\]", "equation", boxes), number])) == beside
