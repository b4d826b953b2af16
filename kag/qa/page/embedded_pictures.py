"""Pictures of pages and figures embedded in the page: found next to the OCR output or drawn from a PDF, reduced.

They are written as data URIs.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import own_file, shown
from kag.qa.page.page_nodes import Lines, pdf_lines
from kag.sources.pdf.file.render import PdfPages, open_pages
from kag.sources.pictures import Picture, picture_path, read_picture, small_picture
from kag.sources.reader_registry import kind_of

SIDES = (1400, 1000, 700)  # pixels of the longer side, the largest that is small enough is taken
LARGEST = 400_000  # bytes of one picture
_PAGE = re.compile(r"page_0*([1-9][0-9]{0,5})\.(?:png|jpe?g|webp)", re.I)


@dataclass(frozen=True, slots=True)
class PageView:
    """A page's picture as a data URI, its width and height in pixels of the file it was made from."""

    uri: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pages by number, data URIs of figures by path, in words what could not be shown, and the lines of pages."""

    pages: Mapping[int, PageView] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    lines: Lines = field(default_factory=dict)


def find_pictures(source: Path, figures: Iterable[str], most_bytes: int, run: Path | None = None) -> Pictures:
    """The pictures of a paper's pages, and those of its figures (paths in the source's folder or in the run).

    `source` is a PDF, whose pages are drawn; or a folder with `page_NNN.png` (or jpg, webp), or with one PDF. Each
    gets an equal share of `most_bytes`, base64 included; one that cannot be made so small is left out. Raises
    `SourceError` where the source is not there, or is a file of another kind.
    """
    folder, pdf = pages_at(source)
    paths = sorted(set(figures))
    if pdf is not None:
        with open_pages(pdf) as pages:
            share = _share(most_bytes, pages.count + len(paths))
            drawn = {n: _drawn(pages, n, share) for n in range(1, pages.count + 1)}
            pictures = _found(drawn, _figures(paths, folder, share, run))
        return replace(pictures, lines=pdf_lines(pdf))
    names = page_names(folder)
    share = _share(most_bytes, len(names) + len(paths))
    read = {n: _reader(picture_path, name, folder, share, run) for n, name in names.items()}
    return _found(read, _figures(paths, folder, share, run))


def page_picture(source: Path, number: int) -> Picture:
    """One page, at most 1,400 pixels high or wide and 400 kB; raises `SourceError` where there is none."""
    folder, pdf = pages_at(source)
    if pdf is not None:
        with open_pages(pdf) as pages:
            return _drawn(pages, number, LARGEST)()
    names = page_names(folder)
    if number not in names:
        hint = f"There are pictures of {len(names)} pages." if names else "Name the folder with page_NNN.png, or a PDF."
        raise SourceError(f"{shown(source)} has no picture of page {number}", hint=hint)
    return _reader(picture_path, names[number], folder, LARGEST, None)()


Read = Callable[[], Picture]


def pages_at(source: Path) -> tuple[Path, Path | None]:
    """The folder of the pictures, and the PDF that the pages are drawn from, if they are."""
    if os.path.isdir(source):
        files = [source / name for name in sorted(os.listdir(source)) if name.lower().endswith(".pdf")]
        only = [path for path in files if own_file(path)]
        return source, only[0] if len(only) == 1 and not page_names(source) else None
    if not os.path.lexists(source):
        raise SourceError(
            f"{shown(source)} is not there", hint="Give the folder that holds the paper's pages, or a PDF."
        )
    if kind_of(source) != "pdf":
        hint = "Give the PDF of the paper, or the folder that holds its pages."
        raise SourceError(f"{shown(source)} has no pages that can be shown", hint=hint)
    return source.parent, source


def page_names(folder: Path) -> dict[int, str]:
    pages: dict[int, str] = {}
    for name in sorted(os.listdir(folder)):
        if match := _PAGE.fullmatch(name):
            pages.setdefault(int(match[1]), name)
    return dict(sorted(pages.items()))


def _share(most_bytes: int, count: int) -> int:
    return min(LARGEST, most_bytes * 3 // 4 // max(count, 1))


def _figures(paths: Iterable[str], folder: Path, share: int, run: Path | None) -> dict[str, Read]:
    return {path: _reader(picture_path, path, folder, share, run) for path in paths}


def _reader(find: Callable[..., Path], path: str, folder: Path, share: int, run: Path | None) -> Read:
    return lambda: small(lambda side: read_picture(find(path, folder, run=run), side, share))


def _drawn(pages: PdfPages, number: int, share: int) -> Read:
    """A page drawn at the largest size that fits."""

    def read() -> Picture:
        scale = SIDES[0] / max(*pages.size(number), 1.0)
        png = pages.picture(number, scale).png
        return small(lambda side: small_picture(png, f"page {number}", side, share))

    return read


def _found(pages: Mapping[int, Read], figures: Mapping[str, Read]) -> Pictures:
    """All that can be read, and what was said of the rest."""
    problems: list[str] = []

    def read(make: Read) -> Picture | None:
        try:
            return make()
        except SourceError as error:
            problems.append(error.message)
            return None

    views = {
        n: PageView(_data_uri(picture), picture.width, picture.height)
        for n, make in pages.items()
        if (picture := read(make))
    }
    uris = {path: _data_uri(picture) for path, make in figures.items() if (picture := read(make))}
    return Pictures(views, uris, tuple(problems))


def small(read: Callable[[int], Picture]) -> Picture:
    """Return the picture at the largest size that fits; raises `SourceError` if none does, or there is no picture."""
    for side in SIDES[:-1]:
        with suppress(SourceError):
            return read(side)
    return read(SIDES[-1])


def _data_uri(picture: Picture) -> str:
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"
