"""Words of a picture as a page with type sizes, faces and rules; and a printed page scanned by tesseract."""

from __future__ import annotations

import io
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from kag.sources.pdf.file.content import Drawn, Font, PageContent
from kag.sources.pdf.file.content import Word as Content
from kag.sources.pdf.file.render import PDFIUM, PagePicture, open_pages
from kag.sources.pdf.scans.scanned import contents, is_scan, measured, read_scans
from kag.sources.pdf.scans.tesseract import Pixels, Reading, Word
from kag.sources.pdf.text.lines import lines_of
from tests.printed_pdf import Printed, write_pdf

LIGHT, DARK = 3, 5  # of six pixels in a row of letters


def line(text: str, base: int, size: float, *, left: int = 100, block: int = 1, number: int = 1) -> list[Word]:
    """Words as they are set in this type: 12 pixels a letter."""
    words = []
    for part in text.split():
        tall = any(char.isupper() or char.isdigit() or char in "bdfhkltij" for char in part)
        top = base - round((0.72 if tall else 0.52) * size)
        bottom = base + round(0.21 * size) if set(part) & set("gpqy,") else base
        words.append(Word(part, Pixels(left, top, left + 12 * len(part), bottom), 95.0, block, 1, number))
        left += 12 * len(part) + 8
    return words


def picture(words: Sequence[Word], bold: Sequence[Word] = ()) -> PagePicture:
    """A page of 400 by 600 points at 2 pixels a point, each word as stripes, those of bold ones wider."""
    image = Image.new("RGB", (800, 1200), "white")
    draw = ImageDraw.Draw(image)
    for word in words:
        wide = DARK if word in bold else LIGHT
        for x in range(word.box.x0, word.box.x1, 6):
            draw.rectangle((x, word.box.y0, x + wide - 1, word.box.y1 - 1), fill="black")
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return PagePicture(stream.getvalue(), 800, 1200, 2.0)


def page_of(words: Sequence[Word], bold: Sequence[Word] = (), drawn: Sequence[Pixels] = ()) -> PageContent:
    (page,) = contents([measured(picture(words, bold), Reading(tuple(words), tuple(drawn)), 1, (400.0, 600.0))])
    return page


BODY = [
    *line("sensors fail often under the river", 300, 20, number=1),
    *line("ice in winter and nobody sees them", 330, 20.6, number=2),
    *line("we measured how many of them fail", 360, 19.5, number=3),
]


def test_lines_of_nearly_one_size_are_one_type_and_others_are_not() -> None:
    page = page_of([*line("Methods of measurement", 250, 30, block=2), *BODY])
    sizes = [word.size for word in page.words]
    assert len(set(sizes[3:])) == 1
    assert sizes[0] == pytest.approx(15, abs=0.6), "in points, at 2 pixels a point"
    assert sizes[3] == pytest.approx(10, abs=0.5)
    assert [word.base for word in page.words[3:]] == [150.0] * 6 + [165.0] * 7 + [180.0] * 7
    assert page.words[3][:5] == ("sensors", 50.0, 144.8 + 0.2, 92.0, 150.0)


def test_darker_lines_are_bold() -> None:
    heading = line("Sites along the river", 250, 20, block=2)
    page = page_of([*heading, *BODY], bold=heading)
    assert [word.font.bold for word in page.words] == [True] * 4 + [False] * 20
    assert not any(word.font.bold for word in page_of([*heading, *BODY]).words)


def test_a_small_high_number_is_raised() -> None:
    raised = Word("1,2", Pixels(520, 278, 545, 290), 80.0, 1, 1, 1)
    words = [*BODY[:6], raised, *BODY[6:]]
    (found,) = [word for word in page_of(words).words if word.text == "1,2"]
    assert found.size < 0.8 * 10
    assert found.base < 148
    level = Word("12", Pixels(520, 286, 545, 300), 80.0, 1, 1, 1)
    (found,) = [word for word in page_of([*BODY[:6], level, *BODY[6:]]).words if word.text == "12"]
    assert (found.size, found.base) == (pytest.approx(10, abs=0.5), 150.0)


def test_numbers_that_hang_before_a_list_stand_before_their_lines() -> None:
    numbers = [*line("1.", 300, 20, left=40, block=7), *line("2.", 331, 20, left=40, block=8)]
    apart = line("3.", 500, 20, left=40, block=9)
    words = page_of([*numbers, *apart, *BODY]).words
    assert [line.text for line in lines_of(words)] == [
        "3.",
        "1. sensors fail often under the river",
        "2. ice in winter and nobody sees them",
        "we measured how many of them fail",
    ]


def test_specks_are_left_out_and_words_are_not() -> None:
    speck = Word("|-", Pixels(10, 10, 14, 20), 12.0, 3, 1, 1)
    unsure = Word("1982;12", Pixels(520, 286, 600, 300), 12.0, 1, 1, 1)
    words = [word.text for word in page_of([speck, *BODY[:6], unsure, *BODY[6:]]).words]
    assert "|-" not in words
    assert "1982;12" in words


def test_rules_are_thin_and_pictures_are_not() -> None:
    drawn = [Pixels(100, 400, 700, 407), Pixels(100, 400, 105, 500), Pixels(200, 600, 600, 900)]
    assert page_of(BODY, drawn=drawn).drawn == (
        Drawn("path", 50, 201.5, 350, 202.0),
        Drawn("path", 51.0, 200, 51.5, 250),
        Drawn("image", 100, 300, 300, 450),
    )


def test_a_page_of_nothing_has_nothing() -> None:
    page = page_of([])
    assert (page.words, page.drawn, page.width, page.height) == ((), (), 400.0, 600.0)
    assert contents([]) == []


@pytest.mark.parametrize(
    ("letters", "covered", "unmapped", "is_one"),
    [(0, 1.0, 0.0, True), (30, 1.0, 0.0, True), (300, 1.0, 0.0, False), (0, 0.2, 0.0, False), (300, 0.0, 0.6, True)],
)
def test_which_pages_are_scans(letters: int, covered: float, unmapped: float, is_one: bool) -> None:
    font = Font("", bold=False, italic=False, mono=False)
    word = Content("a" * letters, 0, 0, 9, 9, 9, 9, font, True, ())
    drawn = (Drawn("image", 0, 0, 400, 600 * covered), Drawn("path", 0, 0, 400, 600))
    page = PageContent(1, 400, 600, (word,) if letters else (), (), drawn, unmapped)
    assert is_scan(page) is is_one


def scanned_pdf(folder: Path) -> Path:
    """A PDF whose one page is a picture of a printed page."""
    lines = ["Sensors fail often under river ice. We measured", "how many of them were lost in the winter of a year,"]
    printed = [(40, 60, 20, "Results"), *((40, 100 + 14 * n, 11, lines[n % 2]) for n in range(8))]
    with open_pages(write_pdf(folder / "printed.pdf", [Printed(printed)])) as pages:
        picture = pages.picture(1, 3.0)
    Image.open(io.BytesIO(picture.png)).save(folder / "scan.pdf", resolution=216)
    return folder / "scan.pdf"


def bare() -> PageContent:
    return PageContent(1, 400, 600, (), (), (Drawn("image", 0, 0, 400, 600),))


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")
def test_a_scanned_page_is_read_like_a_printed_one(tmp_path: Path) -> None:
    with open_pages(scanned_pdf(tmp_path)) as pdf, PDFIUM:
        (page,), (repair,) = read_scans([bare()], pdf)
    lines = lines_of(page.words)
    assert [line.text for line in lines][:3] == [
        "Results",
        "Sensors fail often under river ice. We measured",
        "how many of them were lost in the winter of a year,",
    ]
    assert lines[0].size == pytest.approx(20, abs=1.5)
    (body,) = {line.size for line in lines[1:]}
    assert body == pytest.approx(11, abs=0.8)
    assert lines[0].rect == pytest.approx((40, 45, 106, 60), abs=3)
    assert repair.problem == "a page without text"
    assert repair.action.startswith("read by tesseract ")


def test_where_tesseract_is_missing_the_page_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pdf = scanned_pdf(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with open_pages(pdf) as pages:
        (page,), (repair,) = read_scans([bare()], pages)
    assert page == bare()
    assert repair.problem == "a page without text: tesseract, which reads scanned pages, is not installed"
    assert repair.action == "page left as a picture"
