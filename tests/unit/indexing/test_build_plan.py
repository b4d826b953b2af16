"""The plan of a paper: sections, their parents and depths, and what each block is."""

from __future__ import annotations

import pytest

from kag.core.types import Block, Document
from kag.indexing.build_plan import Plan, PlannedSection, plan_sections
from tests.unit.indexing.structure.blocks import block, page

PROSE = "We went to the river in each month of the winter and looked at the sensors under the ice. " * 4
ENTRIES = [f"[{n}] Poe E. Ice on rivers. Rivers. 199{n};3:1-9." for n in range(1, 6)]


def plan(*blocks: tuple[str, str]) -> Plan:
    return plan_sections(document(page(*blocks)))


def document(blocks: tuple[Block, ...]) -> Document:
    return Document("paper", blocks, (), (), 1, "")


def sections(found: Plan) -> list[tuple[str, int, int | None]]:
    return [(section.title, section.depth, section.parent) for section in found.sections]


def nodes(section: PlannedSection) -> list[tuple[str, str]]:
    """Class and name of each node of a section."""
    return [(node.cls.rpartition("/")[2], node.name) for node in section.nodes]


def heads(*titles: str) -> list[tuple[str, str]]:
    """Headings, each with a line of text under it."""
    return [pair for title in titles for pair in (("sub_title", f"## {title}"), ("text", f"Words under {title}."))]


def test_sections_lie_in_the_last_one_above_them() -> None:
    titles = ("1 Introduction", "2 Methods", "2.1 Sites", "2.1.1 Lakes", "2.2 Dates", "3 Results")
    assert [(depth, parent) for _, depth, parent in sections(plan(*heads(*titles)))] == [
        (1, None), (1, None), (2, 1), (3, 2), (2, 1), (1, None),
    ]  # fmt: skip


def test_no_section_lies_two_levels_below_its_parent() -> None:
    titles = ("1 Introduction", "2 Methods", "2.1.1 Lakes", "3 Results")
    assert [(depth, parent) for _, depth, parent in sections(plan(*heads(*titles)))] == [
        (1, None), (1, None), (2, 1), (1, None),
    ]  # fmt: skip


def test_a_part_without_heading_moves_the_sections_behind_it() -> None:
    """The abstract becomes section 1, so that "Methods" is the third one, in which "Sites" lies."""
    front = [("title", "# Ice"), ("text", "Ana Lima, Jon Berg"), ("text", PROSE)]
    found = plan(*front, *heads("1 Introduction", "2 Methods", "2.1 Sites", "3 Results"))
    assert sections(found) == [
        ("Front matter", 1, None), ("Abstract", 1, None), ("1 Introduction", 1, None), ("2 Methods", 1, None),
        ("2.1 Sites", 2, 3), ("3 Results", 1, None),
    ]  # fmt: skip
    assert nodes(found.sections[0]) == [("Title", "b_p001_0001"), ("ListOfAuthors", "b_p001_0002")]
    assert nodes(found.sections[1]) == [("Paragraph", "b_p001_0003")]
    assert [section.name for section in found.sections[:3]] == ["ex:s_front", "ex:s_p001_0003", "ex:s_p001_0004"]


def test_a_part_in_the_middle_moves_only_what_is_behind_it() -> None:
    listed = [("text", entry) for entry in ENTRIES]
    titles = ("1 Introduction", "1.1 Aims", "2 Methods", "2.1 Sites")
    found = plan(*heads(*titles), *listed)
    assert sections(found) == [
        ("1 Introduction", 1, None), ("1.1 Aims", 2, 0), ("2 Methods", 1, None), ("2.1 Sites", 2, 2),
        ("References", 1, None),
    ]  # fmt: skip
    assert [kind for kind, _ in nodes(found.sections[-1])] == ["BibliographicReference"] * 5
    headed = plan(*heads(*titles), ("sub_title", "## References"), *listed)
    assert [title for title, _, _ in sections(headed)].count("References") == 1


def test_text_without_headings_is_one_section() -> None:
    assert sections(plan(("text", PROSE), ("text", PROSE + "More."))) == [("Text", 1, None)]
    assert sections(plan(("title", "# Ice"), *heads("Introduction"))) == [
        ("Front matter", 1, None), ("Introduction", 1, None),
    ]  # fmt: skip
    assert plan().sections == ()


def test_the_title_of_the_paper_is_no_heading() -> None:
    found = plan(("title", "# Ice"), *heads("Introduction"))
    assert nodes(found.sections[0]) == [("Title", "b_p001_0001")]
    late = (*page(*heads("Introduction"), number=1), *page(("title", "# Ice"), ("text", "Words."), number=4))
    assert [title for title, _, _ in sections(plan_sections(document(late)))] == ["Introduction", "Ice"]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ([("text", "Words.")], ["Paragraph"]),
        ([("equation", "\\[ a = b \\]")], ["Formula"]),
        ([("image", ""), ("figure_title", "Fig. 1. Ice.")], ["Figure", "Caption"]),
        ([("figure_title", "Table 1. Ice."), ("table", "a | b"), ("text", "* of ice.")],
         ["Caption", "Table", "Footnote"]),
        ([("text", "Words."), ("text", "* of ice.")], ["Paragraph", "Paragraph"]),
        ([("figure_title", "a"), ("text", "Words.")], ["FigureLabel", "Paragraph"]),
        ([("footnote", "1 A note.")], ["Footnote"]),
    ],
)  # fmt: skip
def test_what_a_block_is(content: list[tuple[str, str]], found: list[str]) -> None:
    (section,) = plan(("sub_title", "## Results"), *content).sections
    assert [kind for kind, _ in nodes(section)] == found


def test_what_is_no_entry_stays_what_it_is_among_references() -> None:
    entries = [("text", entry) for entry in ENTRIES[:3]]
    (section,) = plan(("sub_title", "## References"), ("equation", "\\[ a \\]"), *entries).sections
    assert [kind for kind, _ in nodes(section)] == ["Formula", *["BibliographicReference"] * 3]


def test_what_is_left_out_is_named() -> None:
    found = plan_sections(document((*page(*heads("Results")), block("1.9", "7", boxes=((60, 960, 90, 975),)))))
    assert {name: skipped.reason for name, skipped in found.skipped.items()} == {"b_p001_0009": "page number"}


def test_the_title_of_the_paper_is_on_one_of_its_first_three_pages() -> None:
    for number, titled in ((1, True), (3, True), (4, False)):
        blocks = (block("1.1", PROSE), block(f"{number}.8", "# Ice", "title"), block(f"{number}.9", "More."))
        found = plan_sections(document(blocks))
        assert ("Ice" not in [section.title for section in found.sections]) == titled, number


def test_the_end_of_an_entry_behind_a_column_goes_on_with_it() -> None:
    two = f"{ENTRIES[0]}\n[2] Roe E. Fog on the"
    found = plan(
        ("sub_title", "## References"), ("text", two), ("text", "north. Rivers. 2000;3:1-9."), ("text", ENTRIES[2])
    )
    nodes_ = found.sections[0].nodes
    assert [(kind, name) for kind, name in nodes(found.sections[0])] == [
        ("BibliographicReference", "b_p001_0002-0"),
        ("BibliographicReference", "b_p001_0002-46"),
        ("Paragraph", "b_p001_0003"),
        ("BibliographicReference", "b_p001_0004"),
    ]
    assert [node.continues for node in nodes_] == ["", "", "b_p001_0002-46", ""]


def test_a_heading_called_front_matter_is_one_like_any_other() -> None:
    found = plan(*heads("Front matter", "Introduction"), ("title", "# Ice"))
    assert [kind for section in found.sections[:1] for kind, _ in nodes(section)] == ["Paragraph"]
    assert [
        title
        for title, _, _ in sections(plan(("sub_title", "## Front matter"), ("text", PROSE), *heads("Introduction")))
    ] == [
        "Front matter",
        "Introduction",
    ]


def test_an_abstract_is_no_caption_before_the_first_heading() -> None:
    blocks = [
        ("title", "# Ice"),
        ("image", ""),
        ("figure_title", f"Fig. 1. {PROSE}"),
        *heads("Introduction", "Methods"),
    ]
    found = plan(*blocks)
    assert [title for title, _, _ in sections(found)] == ["Front matter", "Introduction", "Methods"]


def test_notes_printed_below_an_abstract_belong_to_the_front_matter() -> None:
    found = plan(
        ("title", "# Ice"), ("sub_title", "## Abstract"), ("abstract", PROSE), ("front_note", "Received in May"),
        ("contact", "ana@north.org"), ("keywords", "Keywords: ice"), *heads("1 Introduction", "2 Methods"),
    )  # fmt: skip
    assert [name for _, name in nodes(found.sections[0])] == ["b_p001_0001", "b_p001_0004", "b_p001_0005"]
    assert [name for _, name in nodes(found.sections[1])] == ["b_p001_0003", "b_p001_0006"]


def test_a_paper_without_headings_has_the_abstract_that_its_source_labels() -> None:
    found = plan(("title", "# Ice"), ("author", "Ana Lima"), ("abstract", PROSE), ("text", PROSE), ("text", PROSE))
    assert [section.title for section in found.sections] == ["Front matter", "Abstract", "Text"]
    assert nodes(found.sections[1]) == [("Paragraph", "b_p001_0003")]
    assert [section.title for section in plan(("title", "# Ice"), ("text", PROSE)).sections] == ["Text"]


def test_affiliations_behind_references_are_no_entries() -> None:
    entries = [("text", entry) for entry in ENTRIES[:2]]
    found = plan(*heads("1 Introduction"), ("sub_title", "## References"), *entries, ("affiliation", "Ice Institute"))
    assert [name for name, _ in nodes(found.sections[-1])] == [
        "BibliographicReference", "BibliographicReference", "ListOfOrganizations",
    ]  # fmt: skip
