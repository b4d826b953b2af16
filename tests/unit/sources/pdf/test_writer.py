"""What is found on pages, as drafts."""

from __future__ import annotations

from itertools import pairwise

from kag.core.types import Box, Cell, Table
from kag.sources.draft import Draft
from kag.sources.pdf.file.content import PageContent, Rect, Word
from kag.sources.pdf.floats.regions import Region
from kag.sources.pdf.text.flow import columns_of, flow_of
from kag.sources.pdf.text.front import FrontMatter
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.typography import OutlineEntry
from kag.sources.pdf.writer import Writer, around, box_of
from tests.unit.sources.pdf.typeset import BODY, BOLD, lines, page, words

PROSE = ("the river was frozen in may and", "the gauges were read by hand at", "dawn by both of us.")
CUT = ("the river was frozen in may and", "the gauges were read by hand at", "dawn by both of us when the snow")


def rows(x: float, top: float, *texts: str, size: float = 10) -> list[Word]:
    made = []
    for n, text in enumerate(texts):
        found = words(x, top + 1.2 * size * n, text, size)
        made += [*found[:-1], found[-1]._replace(x1=x + 230)]
    return made


def write(
    *pages: list[Word],
    regions: tuple[tuple[Region, ...], ...] = (),
    outline: tuple[OutlineEntry, ...] = (),
    told: str = "",
    notes: tuple[str, ...] = (),
) -> list[Draft]:
    contents = [page(made, number=n) for n, made in enumerate(pages, start=1)]
    columns = columns_of(contents, [lines(made) for made in pages], regions or [()] * len(pages), (), BODY)
    noted = frozenset(item for _, own in columns for item in own if isinstance(item, Line) and item.text in notes)
    front = FrontMatter({}, notes=noted)
    parts = Writer(contents, frozenset()).parts(flow_of(columns, BODY, {}), front, BODY, outline, told)
    return [made.draft for made in parts]


def short(drafts: list[Draft]) -> list[tuple[str, str]]:
    return [(draft.label, " ".join(draft.text.split()[:2])) for draft in drafts]


TITLE = [*words(50, 60, "Losses of ice", 16), *words(50, 80, "on rivers", 16)]


def test_title_headings_and_text() -> None:
    made = [*TITLE, *words(50, 110, "Jo Hale"), *words(50, 150, "Methods", 12, BOLD), *rows(50, 170, *PROSE)]
    made += [*words(50, 230, "Sites of ice", 10, BOLD), *rows(50, 250, *PROSE)]
    drafts = write(made)
    assert short(drafts) == [
        ("title", "Losses of"),
        ("text", "Jo Hale"),
        ("sub_title", "Methods"),
        ("text", "the river"),
        ("sub_title", "Sites of"),
        ("text", "the river"),
    ]
    assert drafts[0].text == "Losses of ice on rivers"
    assert [(draft.level, draft.ground) for draft in drafts if draft.level] == [(1, "size"), (1, "size"), (2, "size")]


def test_notes_of_the_front_matter_are_no_headings_and_none_is_found_in_the_text() -> None:
    made = [*TITLE, *words(50, 110, "Keywords", 12, BOLD), *words(50, 124, "Received in May")]
    made += [*words(50, 150, "Introduction", 12, BOLD), *rows(50, 170, *PROSE), *words(50, 230, "Received in May")]
    drafts = write(made, notes=("Keywords", "Received in May"))
    assert short(drafts)[1:] == [
        ("front_note", "Keywords"),
        ("front_note", "Received in"),
        ("sub_title", "Introduction"),
        ("text", "the river"),
        ("text", "Received in"),
    ]


def test_the_outline_and_the_told_title_are_asked() -> None:
    made = [*TITLE, *words(50, 150, "Sites of ice"), *rows(50, 170, *PROSE)]
    made += [*words(50, 250, "Ice that is printed small"), *rows(50, 280, *PROSE)]
    drafts = write(made, outline=(OutlineEntry(1, "Sites of ice", 1),), told="Ice that is printed small")
    assert ("title", "Ice that") in short(drafts)
    drafts = write(made, outline=(OutlineEntry(1, "Sites of ice", 1),))
    assert [(d.text, d.ground) for d in drafts if d.label == "sub_title"] == [("Sites of ice", "outline")]


def test_a_title_of_two_parts_is_one_draft() -> None:
    drafts = write([*words(50, 60, "Losses of ice", 16), *words(50, 110, "on rivers", 16), *rows(50, 170, *PROSE)])
    assert short(drafts) == [("title", "Losses of"), ("text", "the river")]
    assert (drafts[0].text, len(drafts[0].boxes)) == ("Losses of ice on rivers", 1)


def test_a_paragraph_over_columns_is_one_draft_with_two_boxes() -> None:
    drafts = write([*TITLE, *rows(50, 150, *CUT), *rows(320, 150, "fell on it", *PROSE)])
    assert short(drafts) == [("title", "Losses of"), ("text", "the river")]
    assert "the snow fell on it" in drafts[1].text
    assert drafts[1].boxes == (Box(83, 178, 467, 220), Box(533, 178, 917, 235))


def test_a_paragraph_over_pages_is_two_drafts_that_know_each_other() -> None:
    drafts = write([*TITLE, *rows(50, 150, *CUT)], rows(50, 100, "fell on it", *PROSE))
    assert [draft.page for draft in drafts] == [1, 1, 2]
    assert drafts[2].continues == drafts[1].key != ""
    assert drafts[1].continues == ""
    three = write([*TITLE, *rows(50, 150, *CUT), *rows(320, 150, "fell", *CUT)], rows(50, 100, "fell on it", *PROSE))
    assert short(three)[1:] == [("text", "the river"), ("text", "fell on")]
    assert three[2].continues == three[1].key, "from its last part on"


def test_the_entries_of_a_list_are_drafts() -> None:
    one = [*TITLE, *words(50, 150, "References", 12, BOLD)]
    for n, top in ((1, 170), (2, 194), (3, 218)):
        one += rows(50, top, f"{n}. Hale J. Ice on rivers of", "the north. 2010.")
    two = [*rows(50, 100, "and of the south"), *rows(50, 112, "4. Ode K. Snow."), *words(50, 200, "Appendix", 12, BOLD)]
    drafts = write(one, two)
    assert [draft.text for draft in drafts if draft.label == "reference"] == [
        *(f"{n}. Hale J. Ice on rivers of the north. 2010." for n in (1, 2, 3)),
        "and of the south",
        "4. Ode K. Snow.",
    ]
    entries = [draft for draft in drafts if draft.label == "reference"]
    assert [draft.continues == before.key for before, draft in pairwise(entries)] == [
        False,
        False,
        True,
        False,
    ]
    assert short(drafts)[-1] == ("sub_title", "Appendix")


def test_an_entry_over_columns_is_one() -> None:
    made = [*TITLE, *words(50, 150, "References", 12, BOLD)]
    for n, top in ((1, 170), (2, 194), (3, 218)):
        made += rows(50, top, f"{n}. Hale J. Ice on rivers of", "the north. 2010.")
    made += [
        *rows(320, 170, "and of the south", "4. Ode K. Snow.", "of the north.", "5. Ito L."),
        *rows(320, 230, "6. Lee"),
    ]
    entries = [draft for draft in write(made) if draft.label == "reference"]
    assert [len(draft.boxes) for draft in entries] == [1, 1, 2, 1, 1, 1]
    assert entries[2].text == "3. Hale J. Ice on rivers of the north. 2010. and of the south"


def test_a_list_that_cannot_be_cut_is_text() -> None:
    made = [*TITLE, *words(50, 150, "References", 12, BOLD), *rows(50, 170, *PROSE)]
    assert short(write(made))[-2:] == [("sub_title", "References"), ("text", "the river")]
    assert short(write([*TITLE, *words(50, 150, "References", 12, BOLD)]))[-1] == ("sub_title", "References")


def test_numbered_paragraphs_of_other_parts_are_no_entries() -> None:
    made = [*TITLE, *words(50, 150, "Methods", 12, BOLD), *rows(50, 170, "1. ice", "2. snow", "3. sites", "4. tools")]
    assert "reference" not in {draft.label for draft in write(made)}


def test_a_float_and_its_caption() -> None:
    caption, inner = Line(tuple(words(50, 330, "Figure 1. Ice"))), Line(tuple(words(60, 220, "Year")))
    figure = Region("figure", Rect(50, 210, 280, 320), (inner,), (caption,))
    drafts = write([*TITLE, *rows(50, 150, *PROSE)], regions=((figure,),))
    image, title = drafts[-2:]
    assert (image.label, image.text, image.boxes) == ("image", "Year", (Box(83, 262, 467, 400),))
    assert (title.label, title.text, title.caption_of) == ("figure_title", "Figure 1. Ice", image.key)
    alone = Region("figure", Rect(50, 210, 50, 210), (), (caption,))
    drafts = write([*TITLE, *rows(50, 150, *PROSE)], regions=((alone,),))
    assert short(drafts)[2:] == [("figure_title", "Figure 1.")]


def test_a_table_has_its_cells_and_notes() -> None:
    table = Table((Cell("Site", 0, 0), Cell("Upper", 1, 0)), 2, 1)
    caption, note = Line(tuple(words(50, 205, "Table 1. Ice"))), Line(tuple(words(50, 330, "a of rivers", 8)))
    found = Region("table", Rect(50, 210, 280, 320), (), (caption,), table, (note,))
    grid, title, foot = write([*TITLE, *rows(50, 150, *PROSE)], regions=((found,),))[-3:]
    assert (grid.label, grid.table, title.label, title.caption_of) == ("table", table, "table_title", grid.key)
    assert (foot.label, foot.text) == ("table_footnote", "a of rivers")
    picture = Region("table", Rect(50, 210, 280, 320), (), (caption,))
    grid, title = write([*TITLE, *rows(50, 150, *PROSE)], regions=((picture,),))[-2:]
    assert (grid.label, grid.table, grid.text) == ("table", None, "")


def test_running_heads_and_turned_words() -> None:
    stamp = [word._replace(text=text) for word, text in zip(words(20, 300, "a b"), ("arXiv", "stamp"), strict=True)]
    content = PageContent(1, 600, 800, tuple(words(50, 40, "Ice 4")), tuple(stamp), ())
    writer = Writer([content], frozenset())
    found = lines(words(50, 40, "Ice 4"))
    (head,) = writer.furniture([found], {found[0]: "page_header"})
    assert (head.draft.label, head.draft.text, head.draft.page) == ("page_header", "Ice 4", 1)
    assert list(writer.furniture([found], {})) == []
    (aside,) = writer.turned([content])
    assert (aside.draft.label, aside.draft.text) == ("aside_text", "arXiv stamp")
    assert list(writer.turned([page([])])) == []


def test_titles_of_a_structured_abstract_have_levels_below_it() -> None:
    def abstract(first: list[Word]) -> list[Draft]:
        made = list(first)
        for n, label in enumerate(("Objective", "Findings")):
            made += [*words(50, 150 + 40 * n, label, font=BOLD), *words(105, 150 + 40 * n, "Ice was looked for.")]
        return [draft for draft in write([*TITLE, *made, *rows(50, 300, *PROSE)]) if draft.label == "sub_title"]

    headed = abstract(words(50, 120, "Abstract", 12, BOLD))
    assert [(draft.text, draft.level) for draft in headed] == [("Abstract", 1), ("Objective", 2), ("Findings", 2)]
    assert abstract([]) == [], "where no title heads the abstract its parts are no sections of the paper"


def test_boxes_are_thousandths_of_the_sheet() -> None:
    content = PageContent(1, 600, 800, (), (), ())
    assert box_of([Rect(60, 80, 120, 160), Rect(300, 100, 330, 240)], content) == Box(100, 100, 550, 300)
    assert box_of([Rect(-5, -5, 700, 900)], content) == Box(0, 0, 1000, 1000), "what reaches out is cut"
    sideways = PageContent(1, 800, 600, (), (), (), quarter=1)
    assert box_of([Rect(80, 60, 160, 120)], sideways) == Box(100, 800, 200, 900)
    down = PageContent(1, 800, 600, (), (), (), quarter=3)
    assert box_of([Rect(80, 60, 160, 120)], down) == Box(800, 100, 900, 200)
    assert around([Rect(1, 2, 3, 4), Rect(0, 3, 2, 9)]) == (0, 2, 3, 9)


def test_nothing_before_a_labelled_title_is_a_heading() -> None:
    made = [*words(50, 60, "Introduction", 12, BOLD), *rows(50, 80, *PROSE)], [*TITLE, *rows(50, 130, *PROSE)]
    contents = [page(one, number=n) for n, one in enumerate(made, start=1)]
    columns = columns_of(contents, [lines(one) for one in made], [()] * 2, (), BODY)
    roles = {line: "title" for _, own in columns for line in own if isinstance(line, Line) and line.size > 15}
    parts = Writer(contents, frozenset()).parts(flow_of(columns, BODY, roles), FrontMatter(roles), BODY, (), "")
    assert [draft.label for draft in (made.draft for made in parts)] == ["text", "text", "title", "text"]


def test_an_algorithm_is_one_block_with_its_caption() -> None:
    (caption,), (step,) = lines(words(50, 60, "Algorithm 1 Ice")), lines(words(50, 80, "1: y = 0"))
    region = Region("algorithm", Rect(50, 65, 500, 90), (step,), (caption,))
    assert [(draft.label, draft.text) for draft in write([], regions=((region,),))] == [
        ("algorithm", "Algorithm 1 Ice 1: y = 0")
    ]
