"""`open_pages`: the pages of a PDF as pictures (the same page and scale, the same bytes) and as bare words.

pdfium is not made for threads: whoever calls it holds `PDFIUM`.
"""

from __future__ import annotations

import hashlib
import io
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import pypdfium2
from PIL import Image

from kag.core.errors import SourceError
from kag.core.files import hint_for, read_regular, shown
from kag.core.types import Box
from kag.sources.loading import reason

PDFIUM = threading.RLock()
"""Held while pdfium is at work, in this process."""

LARGEST_FILE = 512 * 1024 * 1024  # bytes of a PDF
MAX_PAGES = 5_000
MAX_PIXELS = 40_000_000  # of a page's picture; A4 at 400 dots an inch has 15 million
FRESH = 50  # pages after which the file is opened anew: pdfium keeps what it has read of it as long as it is open
POINTS = 72  # to an inch; at scale 1 a point is a pixel

_SHADES = 8  # of 255: a page whose greys differ by less has nothing printed on it
_NO_LETTERS = str.maketrans({"\r": None, "\x02": "-", "\ufffe": "-", "\0": None})
_UNLOCK = "Give it with --password or in KAG_PDF_PASSWORD."
_WRONG = {
    "password": ("needs a password", _UNLOCK),
    "wrong password": ("is not opened by the password that was given", _UNLOCK),
    "security": ("is locked in a way that is not known", "Save it without a lock, or print it to a new PDF."),
    "data format": ("is not a readable PDF", "Check that the download is complete, or print it to a new PDF."),
}


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as PNG, 8-bit RGB; `scale` is pixels a point, below the one asked for where the page is very large.

    `blank` says that nothing is printed on it.
    """

    png: bytes
    width: int
    height: int
    scale: float
    blank: bool = False


class PdfPages:
    """An open PDF; pages count from 1. `data` and `sha256` are the file's, `document` is used with `PDFIUM` held.

    Threads may share it. Close it, or use a `with`.
    """

    def __init__(self, path: Path, data: bytes, opened: Callable[[], pypdfium2.PdfDocument]) -> None:
        self.path, self.data, self._opened = path, data, opened
        self._read = self._held = 0  # pages read since the file was opened, and those that are open now
        self.sha256 = hashlib.sha256(data).hexdigest()
        with PDFIUM:
            self.document = opened()
            self.count = len(self.document)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        with PDFIUM:
            self.document.close()

    def size(self, page: int) -> tuple[float, float]:
        """Width and height in points, as a reader sees the page (turned pages are turned)."""
        with self.page(page) as found:
            width, height = found.get_size()
        return float(width), float(height)

    def picture(self, page: int, scale: float = 2.0, box: Box | None = None) -> PagePicture:
        """The page, or the part of it in a box, at `scale` pixels a point, on white.

        Raises `SourceError` where pdfium cannot draw it.
        """
        with self.page(page) as found:
            scale = fitting_scale(found.get_size(), scale)
            image = found.render(scale=scale, fill_color=(255, 255, 255, 255), rev_byteorder=True).to_pil()
            image.load()
            image = image.copy()  # pdfium's own memory goes with the page
        if box is not None:
            image = image.crop(pixels_of(box, image.size))
        return PagePicture(_png(image, scale), image.width, image.height, scale, _is_blank(image))

    def words(self, page: int) -> str:
        """Return the text layer of the file, line by line; empty for a page that is only a picture."""
        with self.page(page) as found:
            layer = found.get_textpage()
            try:
                text: str = layer.get_text_bounded(errors="replace")
            finally:
                layer.close()
        return text.translate(_NO_LETTERS).strip()

    @contextmanager
    def page(self, page: int) -> Iterator[pypdfium2.PdfPage]:
        """A page, open, with `PDFIUM` held; raises `SourceError` where it cannot be read."""
        if not 1 <= page <= self.count:
            raise SourceError(f"{shown(self.path)} has no page {page}", hint=f"Its pages are 1 to {self.count}.")
        with PDFIUM:
            try:
                if self._read >= FRESH and not self._held:
                    self.document.close()
                    self.document, self._read = self._opened(), 0
                found = self.document[page - 1]
                self._read, self._held = self._read + 1, self._held + 1
                try:
                    yield found
                finally:
                    self._held -= 1
                    found.close()
            except pypdfium2.PdfiumError as error:
                problem = f"{shown(self.path)}: page {page} cannot be read: {error}"
                raise SourceError(problem, hint="Print it to a new PDF.") from error


def open_pages(path: Path, password: str = "") -> PdfPages:
    """Open a PDF; raises `SourceError` where it is none, is locked, or has too many pages or bytes."""
    try:
        data = read_regular(path, LARGEST_FILE)
    except OSError as error:
        raise SourceError(f"{shown(path)} {reason(error)}", hint=hint_for(error)) from error
    try:
        pages = PdfPages(path, data, lambda: pypdfium2.PdfDocument(data, password=password or None))
    except pypdfium2.PdfiumError as error:
        problem, hint = _wrong(str(error).lower(), password)
        raise SourceError(f"{shown(path)} {problem}", hint=hint) from None  # what it was called with is in its frames
    if not 1 <= pages.count <= MAX_PAGES:
        pages.close()
        raise SourceError(f"{shown(path)} has {pages.count} pages", hint=f"Give a PDF of 1 to {MAX_PAGES} pages.")
    return pages


def _wrong(message: str, password: str) -> tuple[str, str]:
    """Return the fault of a file that pdfium does not open, and the remedy."""
    mark = next((mark for mark in ("password", "security") if mark in message), "data format")
    return _WRONG["wrong password" if mark == "password" and password else mark]


def crop(png: bytes, box: Box, scale: float = 1.0) -> bytes:
    """The part of a page's picture in a box, as PNG; `scale` is the picture's, kept as its dots an inch."""
    with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
        return _png(image.crop(pixels_of(box, image.size)), scale)


def pixels_of(box: Box, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """A box in pixels of a picture of the whole page: all pixels that it touches, and at least one.

    >>> pixels_of(Box(0, 500, 333, 1000), (100, 200)), pixels_of(Box(1000, 7, 1000, 7), (100, 100))
    ((0, 100, 34, 200), (99, 0, 100, 1))
    """
    left, right = _span(box.x0, box.x1, size[0])
    top, bottom = _span(box.y0, box.y1, size[1])
    return left, top, right, bottom


def fitting_scale(size: tuple[float, float], scale: float) -> float:
    """`scale`, or as much less as a page of this size (in points) needs to stay below `MAX_PIXELS`.

    >>> fitting_scale((595, 842), 2.0), round(fitting_scale((14400, 14400), 2.0), 3)
    (2.0, 0.439)
    """
    width, height = size
    return min(scale, math.sqrt(MAX_PIXELS / max(width * height, 1.0)))


def _span(start: int, end: int, length: int) -> tuple[int, int]:
    first = min(start * length // 1000, length - 1)
    return first, max(first + 1, min(math.ceil(end * length / 1000), length))


def _is_blank(image: Image.Image) -> bool:
    used = [shade for shade, count in enumerate(image.convert("L").histogram()) if count]
    return used[-1] - used[0] < _SHADES


def _png(image: Image.Image, scale: float) -> bytes:
    stream = io.BytesIO()
    dots = scale * POINTS
    image.save(stream, "PNG", dpi=(dots, dots))
    return stream.getvalue()
