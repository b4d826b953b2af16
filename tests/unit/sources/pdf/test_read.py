"""A PDF from its characters to its drafts."""

from __future__ import annotations

from pathlib import Path

from kag.sources.draft import Draft, Parsed
from kag.sources.pdf.read import read_pdf
from tests.printed_pdf import Printed, write_pdf

SIZE = (600, 800)
ROWS = (
    "the river was frozen in may and all of the",
    "gauges were read by hand at dawn by both of",
    "us when nobody else was near the water any",
    "more and the long winter had begun to melt",
)


def column(x: int, top: int, count: int, first: str = "", last: str = "") -> list[tuple[int, int, int, str]]:
    """Lines of a paragraph that are about as long as each other, 12 points apart."""
    rows = [ROWS[n % 4] for n in range(count)]
    rows[0], rows[-1] = first or rows[0], last or rows[-1]
    return [(x, top + 12 * n, 10, row) for n, row in enumerate(rows)]


def paper() -> list[Printed]:
    """Two pages of two columns: a title over both, running heads, a figure, a list of references, links."""
    head, foot = (50, 30, 8, "Ice Letters 7"), (290, 780, 8, "{}")
    one = [head, (150, 80, 18, "Losses of ice on rivers"), (200, 110, 10, "Jo Hale and K. Ode")]
    one += [(50, 160, 13, "Abstract"), *column(50, 180, 6, last="more. And so on.")]
    one += [(50, 280, 13, "1 Introduction"), *column(50, 300, 30, "Ice melts [1] and is cut as Fig. 1 shows it.")]
    one += column(320, 160, 8, "when the tide is out.", "by us.")
    one += [(320, 280, 13, "2 Methods"), (320, 304, 13, "2.1 Sites"), *column(320, 324, 28, last="by us all.")]
    two = [head, (60, 222, 9, "Fig. 1. Ice on the river."), *column(50, 260, 24, last="by us all.")]
    two += [*column(320, 80, 12, last="by us all."), (320, 260, 13, "References")]
    two += [
        (320, 280 + 24 * n + 12 * part, 9, row)
        for n in range(4)
        for part, row in enumerate(
            (f"[{n + 1}] Hale J. Ice on rivers of the north", "and of the south. Ice. 2010;3:1-9.")
        )
    ]
    return [
        Printed(
            [*one, (*foot[:3], "1")], (), SIZE, links=[(92, 290, 12, 12, 2, 320, 270), (165, 290, 26, 12, 2, 60, 80)]
        ),
        Printed([*two, (*foot[:3], "2")], [(60, 80, 200, 120)], SIZE),
    ]


def read(tmp_path: Path, **told: str) -> Parsed:
    return read_pdf(write_pdf(tmp_path / "a.pdf", paper(), **told))


def short(draft: Draft) -> tuple[str, str]:
    return draft.label, " ".join(draft.text.split()[:2])


def test_a_paper_is_read_in_order(tmp_path: Path) -> None:
    parsed = read(tmp_path)
    furniture = [one for one in parsed.drafts if one.label in ("page_header", "page_number")]
    assert [(one.page, one.text) for one in furniture] == [
        (1, "Ice Letters 7"),
        (1, "1"),
        (2, "Ice Letters 7"),
        (2, "2"),
    ]
    assert [short(one) for one in parsed.drafts if one not in furniture] == [
        ("title", "Losses of"),
        ("author", "Jo Hale"),
        ("sub_title", "Abstract"),
        ("abstract", "the river"),
        ("sub_title", "1 Introduction"),
        ("text", "Ice melts"),
        ("sub_title", "2 Methods"),
        ("sub_title", "2.1 Sites"),
        ("text", "the river"),
        ("image", ""),
        ("figure_title", "Fig. 1."),
        ("text", "the river"),
        ("sub_title", "References"),
        *(("reference", f"[{n}] Hale") for n in (1, 2, 3, 4)),
    ]
    assert (parsed.pages, parsed.page_sizes, parsed.source, parsed.repairs) == (2, (SIZE, SIZE), "pdf", ())


def test_a_paragraph_goes_on_in_the_other_column(tmp_path: Path) -> None:
    (cut,) = [one for one in read(tmp_path).drafts if one.text.startswith("Ice melts")]
    assert "gauges were read by hand at dawn by both of when the tide is out." in cut.text
    assert [box.x0 for box in cut.boxes] == [83, 533]


def test_levels_are_told_by_numbers(tmp_path: Path) -> None:
    headings = [one for one in read(tmp_path).drafts if one.label == "sub_title"]
    assert [(one.level, one.ground) for one in headings] == [
        (1, "size"),
        (1, "number"),
        (1, "number"),
        (2, "number"),
        (1, "size"),
    ]


def test_links_lead_to_an_entry_and_a_figure(tmp_path: Path) -> None:
    drafts = read(tmp_path).drafts
    named = {one.key: short(one) for one in drafts if one.key}
    (cut,) = [one for one in drafts if one.text.startswith("Ice melts")]
    assert [(cut.text[one.start : one.end], named[one.key]) for one in cut.targets] == [
        ("[1]", ("reference", "[1] Hale")),
        ("Fig. 1", ("image", "")),
    ]


def test_the_figure_is_cut_out(tmp_path: Path) -> None:
    parsed = read(tmp_path)
    (figure,) = parsed.figures
    assert figure.page == 2
    assert parsed.pictures is not None
    assert list(parsed.pictures) == [figure.path]
    (image,) = [one for one in parsed.drafts if one.label == "image"]
    (title,) = [one for one in parsed.drafts if one.label == "figure_title"]
    assert (title.caption_of, image.boxes) == (image.key, figure.boxes)


def test_the_outline_gives_headings_and_a_wrong_title_of_the_file_none(tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "a.pdf", paper(), title="Jo Hale and K. Ode", outline=[("Jo Hale", 1, 100), ("Methods", 1, 265)]
    )
    drafts = read_pdf(path).drafts
    assert [one.text for one in drafts if one.label == "title"] == ["Losses of ice on rivers"]
    assert [one.text for one in drafts if one.ground == "outline"] == ["2 Methods"]


def test_columns_of_a_page_are_told_by_the_others(tmp_path: Path) -> None:
    """A last page with two lines side by side is read in columns where the pages before have them."""
    full = [Printed([*column(50, 100 + n, 40), *column(320, 100 + n, 40)], (), SIZE) for n in range(3)]
    last = Printed([*column(50, 100, 2), *column(320, 100, 2, "then came all the others by day and in the")], (), SIZE)
    alone = read_pdf(write_pdf(tmp_path / "a.pdf", [last]))
    assert "gauges" not in " ".join(one.text for one in alone.drafts).partition("then came")[0]
    cover = Printed(column(50, 100, 9), (), SIZE)
    assert in_columns(tmp_path, [*full, cover, last])
    assert in_columns(tmp_path, [*full[:2], last]), "two pages"
    assert not in_columns(tmp_path, [full[0], cover, last]), "one page has columns of its own"
    short_pages = [Printed([*column(50, 100 + n, 14), *column(320, 100 + n, 14)], (), SIZE) for n in range(3)]
    assert not in_columns(tmp_path, [*short_pages, last]), "fewer than 15 lines side by side"


def in_columns(tmp_path: Path, pages: list[Printed]) -> bool:
    """Whether the last page is read column by column."""
    drafts = read_pdf(write_pdf(tmp_path / "b.pdf", pages)).drafts
    return "gauges" in " ".join(one.text for one in drafts if one.page == len(pages)).partition("then came")[0]
