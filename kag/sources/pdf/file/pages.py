"""`read_page`: all that a page of an open PDF holds, upright."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pypdfium2 as pdfium
import pypdfium2.raw as c

from kag.sources.pdf.file.characters import read_words
from kag.sources.pdf.file.content import PageContent
from kag.sources.pdf.file.drawing import drawn_on
from kag.sources.pdf.file.view import view_of
from kag.sources.pdf.file.visibility import concealed


def read_page(page: pdfium.PdfPage, number: int) -> PageContent:
    """All that a page holds. A page whose text runs up or down is read as if it were turned upright."""
    view = view_of(page)
    text = page.get_textpage()
    try:
        glyphs = c.FPDFText_CountChars(text.raw)
        found = read_words(text.raw, view, partial(concealed, page, (view.width, view.height), 0))
        quarter = _quarter(found.angles)
        if quarter:
            view = view.turned(quarter)
            found = read_words(text.raw, view, partial(concealed, page, (view.width, view.height), quarter))
    finally:
        text.close()
    drawn = tuple(drawn_on(page.raw, view, view.width, view.height))
    return PageContent(
        number, view.width, view.height, found.upright, found.turned, drawn,
        found.unmapped, quarter, glyphs=glyphs, concealed=found.concealed,
    )  # fmt: skip


def _quarter(angles: Mapping[int, int]) -> int:
    """1 where most characters of a page run upwards, 3 where most run downwards, else 0."""
    if max(angles.get(90, 0), angles.get(270, 0)) <= 2 * angles.get(0, 0):
        return 0
    return 1 if angles.get(90, 0) >= angles.get(270, 0) else 3
