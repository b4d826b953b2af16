"""`View`: from a file's coordinates (origin bottom left, before rotation) to those of the page as a reader sees it."""

from __future__ import annotations

from dataclasses import dataclass

import pypdfium2 as pdfium


@dataclass(frozen=True, slots=True)
class View:
    """A page of `width` and `height` points: across is `sx * x + x0`, down is `sy * y + y0`.

    On a page that lies on its side x and y of the file change places first.
    """

    sideways: bool
    sx: int
    x0: float
    sy: int
    y0: float
    width: float
    height: float

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the file is seen."""
        if self.sideways:
            x, y = y, x
        return self.sx * x + self.x0, self.sy * y + self.y0

    def turned(self, quarter: int) -> View:
        """The page with the head turned to text that runs upwards (1) or downwards (3)."""
        wide, high = self.width, self.height
        if quarter == 1:
            return View(not self.sideways, -self.sy, high - self.y0, self.sx, self.x0, high, wide)
        return View(not self.sideways, self.sy, self.y0, -self.sx, wide - self.x0, high, wide)


def view_of(page: pdfium.PdfPage) -> View:
    """How an open page is seen: what of its crop box lies on the sheet, turned as it says."""
    left, bottom, right, top = page.get_bbox()
    wide, high = right - left, top - bottom
    match page.get_rotation() % 360:
        case 90:
            return View(True, 1, -bottom, 1, -left, high, wide)
        case 180:
            return View(False, -1, right, 1, -bottom, wide, high)
        case 270:
            return View(True, -1, top, -1, right, high, wide)
        case _:
            return View(False, 1, -left, -1, top, wide, high)
