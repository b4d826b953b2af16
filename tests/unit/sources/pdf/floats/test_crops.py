"""Figures cut from pages, and what is drawn on these."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
from PIL import Image

from kag.sources.pdf.file.content import Rect
from kag.sources.pdf.file.drawing import drawn_on
from kag.sources.pdf.floats.crops import crop_of
from tests.printed_pdf import Printed, write_pdf


def test_a_crop_shows_its_part_of_the_page_the_same_each_time(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "paper.pdf", [Printed(bars=[(200, 300, 100, 60)])])
    document = pypdfium2.PdfDocument(path)
    page = document[0]
    high = page.get_size()[1]
    (bar,) = [made for made in drawn_on(page.raw, lambda x, y: (x, high - y), *page.get_size())]
    png = crop_of(page, Rect(*bar[1:]), 2.0)
    assert png == crop_of(page, Rect(*bar[1:]), 2.0)
    image = Image.open(io.BytesIO(png))
    assert image.size == (208, 128)  # two points around
    assert image.getpixel((104, 64)) == (0, 0, 0)
    assert image.getpixel((1, 1)) == (255, 255, 255)


def test_a_crop_is_bounded(tmp_path: Path) -> None:
    document = pypdfium2.PdfDocument(write_pdf(tmp_path / "paper.pdf", [Printed()]))
    page = document[0]
    width, height = Image.open(io.BytesIO(crop_of(page, Rect(0, 0, 400, 600), 400.0))).size
    assert width * height < 41_000_000
