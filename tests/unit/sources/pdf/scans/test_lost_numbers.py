"""Numbers on pictures of pages that tesseract takes for specks: raised ones, and those before entries."""

from __future__ import annotations

import io
import shutil

import pytest
from PIL import Image, ImageDraw, ImageFont

from kag.sources.pdf.scans.ink import SetLine, find_raised, put_raised
from kag.sources.pdf.scans.lost_numbers import ONLY, counting, find_hanging, put_before, with_numbers
from kag.sources.pdf.scans.tesseract import Pixels, Reading, Word, read_only

SIZE, BASE = 40, 100
BOLD, SMALL = ImageFont.load_default(SIZE), ImageFont.load_default(SIZE * 0.62)


def drawn(*pieces: tuple[str, bool]) -> tuple[Image.Image, list[Pixels]]:
    """A line on a page, each piece set or raised, and where each one is."""
    page = Image.new("L", (1200, 200), 255)
    draw, at, boxes = ImageDraw.Draw(page), 120, []
    for text, is_raised in pieces:
        font, base = (SMALL, BASE - 0.36 * SIZE) if is_raised else (BOLD, BASE)
        draw.text((at, base), text, fill=0, font=font, anchor="ls")
        x0, y0, x1, y1 = (round(side) for side in draw.textbbox((at, base), text, font=font, anchor="ls"))
        boxes.append(Pixels(x0, y0, x1, y1))
        at = x1 + (1 if is_raised or text.isspace() else 3)
    return page, boxes


def word(text: str, *boxes: Pixels) -> Word:
    box = Pixels(boxes[0].x0, min(b.y0 for b in boxes), boxes[-1].x1, max(b.y1 for b in boxes))
    return Word(text, box, 80.0, 1, 1, 1)


def set_line(*words: Word) -> SetLine:
    return SetLine(words, BASE, SIZE)


def png(page: Image.Image) -> bytes:
    stream = io.BytesIO()
    page.save(stream, "PNG")
    return stream.getvalue()


def test_raised_numbers_are_found_and_what_else_is_high_is_not() -> None:
    page, boxes = drawn(("of cells.", False), ("12", True), ("   half Take", False))
    (found,) = find_raised(page, set_line(word("of", boxes[0]), word("Take", boxes[2])))
    assert tuple(found) == pytest.approx(tuple(boxes[1]), abs=5)
    page, boxes = drawn(("“It’s a” half - of HIT, ‘T’ Ferry: f", False))
    assert list(find_raised(page, set_line(word("all", boxes[0])))) == []


def test_a_number_takes_the_place_of_specks() -> None:
    at = Pixels(200, 50, 230, 66)
    whole = Word("cells.'*", Pixels(100, 60, 230, 100), 80.0, 1, 1, 1)
    after = Word("The", Pixels(250, 60, 300, 100), 80.0, 1, 1, 1)
    assert [(w.text, w.box.x1) for w in put_raised([whole, after], "12", at)] == [
        ("cells.", 200),
        ("12", 230),
        ("The", 300),
    ]
    alone = Word("!?", at, 80.0, 1, 1, 1)
    assert [
        w.text for w in put_raised([whole._replace(text="cells", box=Pixels(100, 60, 198, 100)), alone], "4", at)
    ] == [
        "cells",
        "4",
    ]
    marked = Word("levels'*,", Pixels(100, 60, 240, 100), 80.0, 1, 1, 1)
    assert [w.text for w in put_raised([marked], "12", at)] == ["levels", "12", ","]
    goes_on = Word("(87)801", Pixels(150, 60, 290, 100), 80.0, 1, 1, 1)
    assert put_raised([goes_on], "7", at) == [goes_on]


def test_what_hangs_before_a_line_is_found_where_no_word_is() -> None:
    page, boxes = drawn(("7.", False), (" ", False), (" ", False), ("Roe E. Ice", False))
    entry, number = set_line(word("Roe", boxes[3])), boxes[0]
    found = find_hanging(page, entry, [word("Roe", boxes[3])])
    assert found is not None
    assert (found.x0, found.x1) == pytest.approx((number.x0, number.x1), abs=3)
    assert find_hanging(page, entry, [word("7.", number), word("Roe", boxes[3])]) is None
    assert find_hanging(Image.new("L", page.size, 255), entry, []) is None


def test_only_numbers_that_count_on_are_believed() -> None:
    lines = [set_line(word(text, Pixels(100, 0, 200, 9))) for text in ("Roe", "ice.", "2.", "Poe", "Moe")]
    assert counting(lines, {0: 1, 3: 3, 4: 19}) == [0, 3]
    assert counting(lines, {1: 40}) == []
    assert [w.text for w in put_before(lines[0].words, 7, Pixels(0, 0, 9, 9))] == ["7.", "Roe"]


def test_nothing_is_asked_where_nothing_is_lost() -> None:
    def never(_: bytes) -> Reading:
        raise AssertionError

    page, boxes = drawn(("Sensors fail", False))
    line = set_line(word("Sensors", boxes[0]))
    assert with_numbers(png(page), [line], never) == [list(line.words)]
    assert with_numbers(png(page), [], never) == []


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")
def test_numbers_are_read_again() -> None:
    page, boxes = drawn(("in cells.", False), ("3,14", True), ("  The ice", False), ("28", True))
    words = [word("in", boxes[0])._replace(text="cells.*\"'"), word("ice!", boxes[2], boxes[3])]
    words[0] = words[0]._replace(box=words[0].box._replace(x1=boxes[1].x1))
    (mended,) = with_numbers(png(page), [set_line(*words)], lambda sheet: read_only(sheet, ONLY))
    assert [w.text for w in mended] == ["cells.", "3,14", "ice", "28"]
