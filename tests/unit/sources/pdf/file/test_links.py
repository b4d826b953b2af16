"""Where the links of a PDF stand in the text, and what they lead to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kag.sources.draft import Draft, Target
from kag.sources.pdf.file.content import Rect
from kag.sources.pdf.file.links import Made, PdfLink, from_the_top, linkable, linked, read_links
from kag.sources.pdf.file.opening import read_page
from kag.sources.pdf.file.render import open_pages
from kag.sources.pdf.text.lines import Line
from tests.printed_pdf import Printed, write_pdf
from tests.unit.sources.pdf.typeset import words

TEXT = "Ice melts (Hale et al., 2010) in may"


def made(label: str, x: float, base: float, text: str, page: int = 1, *, key: str = "", high: float = 0) -> Made:
    """A draft of one line of words; a picture is `high` points higher."""
    found = words(x, base, text)
    starts, at = [], 0
    for word in found:
        at = text.index(word.text, at)
        starts.append((word, at))
        at += len(word.text)
    rect = Line(tuple(found)).rect
    rect = rect._replace(y1=rect.y1 + high)
    return Made(Draft(page, label, text, key=key), tuple(starts), rect, rect)


def over(text: str, inside: str, x: float = 50, base: float = 100) -> Rect:
    """The rectangle over some characters of a line."""
    letters = [edge for word in words(x, base, text) for edge in (*word.edges, word.x1)]  # and one for each blank
    start = text.index(inside)
    return Rect(letters[start], base - 8, letters[start + len(inside) - 1] + 5, base + 2)


def link(rect: Rect, x: float | None, y: float | None, to_page: int = 2) -> PdfLink:
    return PdfLink(1, rect, to_page, x, y)


ENTRIES = [
    made("reference", 50, 100, "Hale J. Ice. 2010.", 2),
    made("reference", 50, 124, "Ode K. Snow. 2012.", 2),
    made("reference", 320, 100, "Ito L. Sites. 2014.", 2),
]


def leads(*links: PdfLink, to: list[Made] = ENTRIES, text: str = TEXT) -> list[tuple[str, str]]:
    """What is linked in the text, and the words that it leads to."""
    drafts = linked([made("text", 50, 100, text), *to], links)
    named = {draft.key: draft.text for draft in drafts if draft.key}
    return [(text[one.start : one.end], named[one.key]) for one in drafts[0].targets]


def test_a_link_covers_its_characters_and_leads_to_what_begins_below_its_point() -> None:
    assert leads(link(over(TEXT, "2010"), 50, 90)) == [("2010", "Hale J. Ice. 2010.")]
    assert leads(link(over(TEXT, "2010"), 50, 113)) == [("2010", "Ode K. Snow. 2012.")]
    assert leads(link(over(TEXT, "Hale et al."), 50, 90)) == [("Hale et al.", "Hale J. Ice. 2010.")]


def test_links_lead_above_their_places() -> None:
    first_line = 92.0  # where the entry's first line begins
    assert leads(link(over(TEXT, "2010"), 50, first_line - 12)) == [("2010", "Hale J. Ice. 2010.")], (
        "into the line before"
    )
    assert leads(link(over(TEXT, "2010"), 50, first_line + 2)) == [("2010", "Hale J. Ice. 2010.")], "a little below"
    assert leads(link(over(TEXT, "2010"), 50, first_line + 4)) == [("2010", "Ode K. Snow. 2012.")]
    assert leads(link(over(TEXT, "2010"), 50, 116.0 + 20)) == [("2010", "Ode K. Snow. 2012.")], "nothing is below it"
    assert leads(link(over(TEXT, "2010"), 50, first_line - 31)) == []
    assert leads(link(over(TEXT, "2010"), 50, 116.0 + 25)) == []


def test_columns_are_told_by_the_point() -> None:
    assert leads(link(over(TEXT, "2010"), 320, 90)) == [("2010", "Ito L. Sites. 2014.")]
    assert leads(link(over(TEXT, "2010"), 281, 90)) == [("2010", "Ito L. Sites. 2014.")], "left of an entry's number"
    assert leads(link(over(TEXT, "2010"), 240, 90)) == []
    assert leads(link(over(TEXT, "2010"), None, 90)) == [("2010", "Hale J. Ice. 2010.")], "the first where none is told"


def test_a_link_without_a_height_or_on_another_page_leads_nowhere() -> None:
    assert leads(link(over(TEXT, "2010"), 50, None)) == []
    assert leads(link(over(TEXT, "2010"), 50, 90, to_page=3)) == []
    assert leads(link(Rect(50, 300, 90, 310), 50, 90)) == [], "no words are under it"


def test_running_heads_and_notes_are_not_meant() -> None:
    head = [made("page_header", 50, 100, "Ice Letters", 2), made("reference", 50, 112, "Hale J. Ice.", 2)]
    assert leads(link(over(TEXT, "2010"), 50, 90), to=head) == [("2010", "Hale J. Ice.")]


def test_a_link_to_the_top_of_a_figure_leads_to_it() -> None:
    figure = made("image", 50, 110, "a b", 2, high=300)
    below = made("text", 50, 430, "The ice froze.", 2)
    for y in (95, 200, 300):
        assert leads(link(over(TEXT, "2010"), 50, y), to=[figure, below]) == [("2010", "a b")], y
    assert leads(link(over(TEXT, "2010"), 50, 418), to=[figure, below]) == [("2010", "The ice froze.")]


def test_parts_of_a_link_that_lead_to_one_place_are_one() -> None:
    parts = [link(over(TEXT, "Hale et al."), 50, 90), link(over(TEXT, "2010"), 50, 90)]
    assert leads(*parts) == [("Hale et al., 2010", "Hale J. Ice. 2010.")]
    assert leads(*reversed(parts)) == [("Hale et al., 2010", "Hale J. Ice. 2010.")]
    apart = [parts[0], link(over(TEXT, "2010"), 50, 113)]
    assert leads(*apart) == [("Hale et al.", "Hale J. Ice. 2010."), ("2010", "Ode K. Snow. 2012.")]
    text = "Hale – 2010"
    assert [one for one, _ in leads(link(over(text, "Hale"), 50, 90), link(over(text, "2010"), 50, 90), text=text)] == [
        text
    ]
    text = "Hale and in 2010"
    words_between = [link(over(text, "Hale"), 50, 90), link(over(text, "2010"), 50, 90)]
    assert [one for one, _ in leads(*words_between, text=text)] == ["Hale", "2010"]


def test_a_link_printed_twice_is_one_and_one_inside_of_another_is_left_out() -> None:
    twice = link(over(TEXT, "2010"), 50, 90)
    assert leads(twice, twice) == [("2010", "Hale J. Ice. 2010.")]
    inside = [link(over(TEXT, "Hale et al., 2010"), 50, 90), link(over(TEXT, "2010"), 50, 113)]
    assert leads(*inside) == [("Hale et al., 2010", "Hale J. Ice. 2010.")]


def test_a_link_covers_the_letters_that_it_is_over_the_middle_of() -> None:
    rect = over(TEXT, "2010")
    assert leads(link(Rect(rect.x0 - 2, rect.y0, rect.x1 + 2, rect.y1), 50, 90))[0][0] == "2010"
    assert leads(link(Rect(rect.x0 - 3, rect.y0, rect.x1 + 3, rect.y1), 50, 90))[0][0] == "2010)", "a blank is before"
    above = Rect(rect.x0, rect.y0 - 12, rect.x1, rect.y1 - 12)
    assert leads(link(above, 50, 90)) == []


def test_nothing_links_to_itself() -> None:
    own = made("reference", 50, 100, "Hale J. Ice. 2010.", 1)
    assert linked([own], [PdfLink(1, over(own.draft.text, "2010"), 1, 50, 90)])[0].targets == ()


def test_a_draft_keeps_the_key_it_has() -> None:
    entry = made("reference", 50, 100, "Hale J. Ice. 2010.", 2, key="r1")
    drafts = linked([made("text", 50, 100, TEXT), entry], [link(over(TEXT, "2010"), 50, 90)])
    assert (drafts[0].targets, drafts[1].key) == ((Target(24, 28, "r1"),), "r1")


def test_links_are_read_from_the_file(tmp_path: Path) -> None:
    pages = [
        Printed([(100, 100, 10, "Ice melts [1]")], links=[(140, 90, 12, 12, 2, 50, 300), (0, 0, 5, 5, 1, 7, 9)]),
        Printed([(50, 310, 10, "[1] Hale J.")]),
    ]
    with open_pages(write_pdf(tmp_path / "a.pdf", pages), "") as pdf:
        contents, links = [], []
        for number in (1, 2):
            with pdf.page(number) as page:
                contents.append(read_page(page, number))
                links += read_links(pdf, page, number)
    assert from_the_top(links, contents) == [
        PdfLink(1, Rect(140, 90, 152, 102), 2, 50, 300),
        PdfLink(1, Rect(0, 0, 5, 5), 1, 7, 9),
    ]
    assert from_the_top(links, [replace(contents[0], quarter=1), contents[1]]) == []


def test_only_words_that_a_link_may_cover_keep_the_edges_of_their_letters() -> None:
    row = words(50, 100, "Ice melts here")
    kept = linkable(row, [PdfLink(1, Rect(row[1].x0 + 4, 90, row[1].x1 - 4, 104), 2, 50, 300)])
    assert [word.edges for word in kept] == [(), row[1].edges, ()]
    assert [word[:-1] for word in kept] == [word[:-1] for word in row]
    assert all(not word.edges for word in linkable(row, [PdfLink(1, Rect(0, 110, 600, 120), 2, 50, 300)]))
