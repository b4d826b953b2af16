"""Paragraphs, notes, front matter and reference lists."""

from __future__ import annotations

from kag.rdf.namespaces import DOCO
from kag.write.structure.front_matter import front_classes
from kag.write.structure.notes import notes_of_tables
from kag.write.structure.paragraphs import continuations
from kag.write.structure.reference_list import find_entries
from tests.unit.write.structure.blocks import block, page

LEFT, RIGHT = ((60, 800, 490, 940),), ((510, 80, 940, 300),)


def test_a_paragraph_cut_by_a_column_goes_on() -> None:
    cut = [block("1.1", "The sensors were placed in", boxes=LEFT), block("1.2", "the river in March.", boxes=RIGHT)]
    assert continuations(cut) == {"b_p001_0002": "b_p001_0001"}


def test_a_stop_invented_by_the_ocr_does_not_end_a_paragraph() -> None:
    cut = [block("1.1", "a process of regulation.", boxes=LEFT), block("2.1", "of cells that divide.", boxes=RIGHT)]
    assert continuations(cut) == {"b_p002_0001": "b_p001_0001"}


def test_paragraphs_that_end_stand_alone() -> None:
    for first, second in (("It rained.", "The sensors failed."), ("It rained. \\( ^{3} \\)", "89Zr decays.")):
        assert continuations([block("1.1", first, boxes=LEFT), block("1.2", second, boxes=RIGHT)]) == {}


def test_paragraphs_right_below_each_other_are_two() -> None:
    above, below = ((60, 100, 490, 200),), ((60, 205, 490, 300),)
    assert continuations([block("1.1", "These were", boxes=above), block("1.2", "then dried.", boxes=below)]) == {}


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


def test_an_entry_a_block() -> None:
    assert len(entries("[1] Lima A. Ice. Rivers. 2001.", "[2] Berg J. Snow. Rivers. 2002.")) == 2


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
