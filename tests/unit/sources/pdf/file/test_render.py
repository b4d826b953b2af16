"""Pages of a PDF as pictures: sizes, crops, limits, and files that are none."""

from __future__ import annotations

import io
import os
import pickle
import threading
from pathlib import Path

import pytest
from PIL import Image

from kag.core.errors import SourceError
from kag.core.types import Box
from kag.sources.pdf.file import render
from kag.sources.pdf.file.render import crop, open_pages
from kag.sources.pdf.floats.crops import Aside
from tests.printed_pdf import Printed, write_pdf


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    bar = Printed([(40, 60, 12, "River ice (thick)")], bars=[(200, 300, 100, 60)])
    return write_pdf(tmp_path / "paper.pdf", [bar, Printed(), Printed(bars=[(0, 0, 100, 50)], turned=90)])


def pixels(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def test_a_page_is_drawn_at_its_scale_and_the_same_each_time(paper: Path) -> None:
    with open_pages(paper) as pages:
        assert pages.count == 3
        first = pages.picture(1, 2.0)
        assert first == pages.picture(1, 2.0)
    with open_pages(paper) as pages:
        assert first == pages.picture(1, 2.0)
    image = pixels(first.png)
    assert (image.format, image.mode, image.size) == ("PNG", "RGB", (800, 1200))
    assert (first.width, first.height, first.scale, first.blank) == (800, 1200, 2.0, False)
    assert image.getpixel((500, 660)) == (0, 0, 0)
    assert image.getpixel((390, 660)) == (255, 255, 255)
    assert image.info["dpi"] == pytest.approx((144, 144), abs=0.1)


def test_a_box_in_thousandths_is_cut_out(paper: Path) -> None:
    bar = Box(500, 500, 750, 600)  # the bar of the page, to the point
    with open_pages(paper) as pages:
        whole, part = pages.picture(1, 2.0), pages.picture(1, 2.0, bar)
    assert (part.width, part.height) == (200, 120)
    assert pixels(part.png).convert("L").getextrema() == (0, 0)
    assert crop(whole.png, bar, whole.scale) == part.png
    assert pixels(crop(whole.png, Box(999, 999, 999, 999))).size == (1, 1), "a box without width is what it touches"


def test_a_turned_page_is_drawn_and_measured_as_it_is_seen(paper: Path) -> None:
    with open_pages(paper) as pages:
        assert pages.size(3) == (600, 400)
        image = pixels(pages.picture(3, 1.0).png)
    assert image.size == (600, 400)
    assert image.getpixel((590, 5)) == (0, 0, 0), "the top left corner of the sheet is now the top right one"


def test_nothing_printed_is_blank_and_says_nothing(paper: Path) -> None:
    with open_pages(paper) as pages:
        assert [pages.picture(n, 0.5).blank for n in (1, 2, 3)] == [False, True, False]
        assert [pages.words(n) for n in (1, 2, 3)] == ["River ice (thick)", "", ""]


def test_a_very_large_page_is_drawn_smaller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = write_pdf(tmp_path / "poster.pdf", [Printed(bars=[(0, 0, 9, 9)], size=(4000, 1000))])
    monkeypatch.setattr(render, "MAX_PIXELS", 40_000)
    with open_pages(paper) as pages:
        picture = pages.picture(1, 2.0)
    assert (picture.width, picture.height, picture.scale) == (400, 100, 0.1)


def test_threads_may_share_a_pdf(paper: Path) -> None:
    found: list[bytes] = []
    with open_pages(paper) as pages:
        threads = [threading.Thread(target=lambda: found.append(pages.picture(1, 1.0).png)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_what_is_no_pdf_is_told(tmp_path: Path, paper: Path) -> None:
    (tmp_path / "words.pdf").write_text("no pdf")
    os.symlink(paper, tmp_path / "link.pdf")
    for name, problem in [
        ("words.pdf", "is not a readable PDF"),
        ("link.pdf", "is a symbolic link"),
        ("missing.pdf", "cannot be read: No such file"),
    ]:
        with pytest.raises(SourceError, match=problem) as error:
            open_pages(tmp_path / name)
        assert name in error.value.message
        assert error.value.hint
    with open_pages(paper) as pages, pytest.raises(SourceError, match="has no page 4"):
        pages.picture(4)


def test_a_pdf_of_too_many_pages_is_refused(paper: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "MAX_PAGES", 2)
    with pytest.raises(SourceError, match="has 3 pages"):
        open_pages(paper)


def test_what_is_laid_aside_comes_back_also_from_a_pickle():
    aside = Aside()
    for name, data in (("a", b"ice"), ("b", b""), ("c", bytes(range(256)))):
        aside.put(name, data)
    assert dict(aside) == {"a": b"ice", "b": b"", "c": bytes(range(256))}
    back = pickle.loads(pickle.dumps(aside))
    assert isinstance(back, Aside)
    assert back == aside
    assert len(Aside()) == 0
