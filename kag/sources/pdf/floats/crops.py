"""Figures cut from a page as pictures: the same page, rectangle and scale, the same bytes."""

from __future__ import annotations

import hashlib
import io
import os
import weakref
from collections.abc import Iterator, Mapping, Sequence
from tempfile import TemporaryFile
from typing import Any

from PIL import Image

from kag.core.types import FigureFile
from kag.sources.names import IN_RUN
from kag.sources.pdf.file.content import PageContent, Rect
from kag.sources.pdf.file.render import POINTS, PdfPages, fitting_scale
from kag.sources.pdf.floats.regions import Region
from kag.sources.pdf.writer import box_of


class Aside(Mapping[str, bytes]):
    """Bytes by name, on disk: a long paper's figures would take as much room as its text.

    >>> aside = Aside()
    >>> aside.put("a", b"ice")
    >>> dict(aside)
    {'a': b'ice'}
    """

    def __init__(self) -> None:
        self._file = TemporaryFile(prefix="kag-")  # noqa: SIM115 - it goes with this object
        self._places: dict[str, tuple[int, int]] = {}
        weakref.finalize(self, self._file.close)

    def put(self, name: str, data: bytes) -> None:
        """Store bytes under a name; raises `OSError` if the disk is full."""
        self._places[name] = self._file.seek(0, os.SEEK_END), len(data)
        self._file.write(data)

    def __getitem__(self, name: str) -> bytes:
        start, length = self._places[name]
        self._file.seek(start)
        return self._file.read(length)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __reduce__(self) -> Any:
        return _aside, (dict(self),)


def _aside(pictures: Mapping[str, bytes]) -> Aside:
    aside = Aside()
    for name, data in pictures.items():
        aside.put(name, data)
    return aside


_ROOM = 2.0  # points around the rectangle, so that no stroke at its edge is cut
_LEVEL = 2  # of compression: the usual 6 takes two thirds longer and saves three hundredths


def crops_of(
    pdf: PdfPages, pages: Sequence[PageContent], regions: Sequence[Sequence[Region]]
) -> tuple[tuple[FigureFile, ...], Mapping[str, bytes]]:
    """A picture of each figure that is shown, and its bytes by path."""
    figures: list[FigureFile] = []
    pictures = Aside()
    for content, found in zip(pages, regions, strict=True):
        shown = [region for region in found if region.kind == "figure" and region.shown]
        if not shown:
            continue
        with pdf.page(content.number) as page:
            for place, region in enumerate(shown, start=1):
                data = crop_of(page, content.on_sheet(region.rect))
                path = f"{IN_RUN}/{crop_name(content.number, place)}"
                with Image.open(io.BytesIO(data)) as image:
                    width, height = image.size
                box = box_of([region.rect], content)
                figures.append(
                    FigureFile(path, content.number, (box,), hashlib.sha256(data).hexdigest(), width, height)
                )
                pictures.put(path, data)
    return tuple(figures), pictures


def crop_of(page: Any, rect: Rect, scale: float = 2.0) -> bytes:
    """A rectangle of a page of pypdfium2, in points, as PNG on white; `scale` is pixels a point.

    It is less where the picture would have more than `render.MAX_PIXELS`. The caller holds `render.PDFIUM`.
    """
    width, height = page.get_size()
    x0, y0 = max(rect.x0 - _ROOM, 0.0), max(rect.y0 - _ROOM, 0.0)
    x1, y1 = min(rect.x1 + _ROOM, width), min(rect.y1 + _ROOM, height)
    scale = fitting_scale((max(x1 - x0, 1.0), max(y1 - y0, 1.0)), scale)
    bitmap = page.render(
        scale=scale, crop=(x0, height - y1, width - x1, y0), fill_color=(255, 255, 255, 255), rev_byteorder=True
    )
    stream = io.BytesIO()
    dots = scale * POINTS
    bitmap.to_pil().convert("RGB").save(stream, "PNG", dpi=(dots, dots), compress_level=_LEVEL)
    return stream.getvalue()


def crop_name(page: int, place: int) -> str:
    """The file of a page's figure, both counted from 1, named as OCR engines name theirs.

    >>> crop_name(3, 1)
    'fig_page003_01.png'
    """
    return f"fig_page{page:03d}_{place:02d}.png"
