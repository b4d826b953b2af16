"""Pictures of a paper's pages and figures as files, small enough for a page, with a list of what there is.

They are drawn once, by a process of its own, when a paper comes in: drawing reads what strangers made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.core.errors import KagError, SourceError
from kag.core.files import own_file, read_object, write_whole
from kag.qa.figure_files import figure_files
from kag.qa.page.embedded_pictures import PageView, Pictures, page_names, pages_at, small
from kag.qa.page.page_nodes import Line, Lines, pdf_lines
from kag.qa.paper import PaperGraph
from kag.sources.pdf.file.render import open_pages
from kag.sources.pictures import Picture, picture_path, read_picture, small_picture

LIST = "pictures.json"
LINES = "lines.json"
_LARGEST = 1 << 26
_BYTES = 400_000  # of a picture
_SIDE = 1400.0  # pixels of a page's longer side
_ENDS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif"}
_FILE = re.compile(r"(?:page|figure)_[0-9]{1,6}\.(?:png|jpg|webp|gif)")


@dataclass(frozen=True, slots=True)
class ToDraw:
    """A run, what it was made from, and the folder that the pictures go to."""

    run: Path
    source: Path | None
    target: Path


def draw(to_draw: ToDraw) -> int:
    """Draw all that can be; returns how many pictures there are. What cannot be drawn is left out."""
    pages = {str(number): _kept(f"page_{number:03d}", made, to_draw) for number, made in _pages(to_draw.source)}
    figures: dict[str, Any] = {}
    with suppress(KagError):
        found = figure_files(PaperGraph.load(to_draw.run), to_draw.source if _is_folder(to_draw.source) else None)
        names = sorted({name for names in found.values() for name in names})
        for place, name in enumerate(names, start=1):
            with suppress(SourceError, OSError):
                figures[name] = _kept(f"figure_{place:03d}", _figure(name, to_draw), to_draw)
    write_whole(to_draw.target / LINES, json.dumps(_lines(to_draw.source), ensure_ascii=False) + "\n")
    write_whole(to_draw.target / LIST, json.dumps({"pages": pages, "figures": figures}) + "\n")
    return len(pages) + len(figures)


def _lines(source: Path | None) -> Mapping[int, Any]:
    """The lines of a PDF."""
    with suppress(SourceError):
        pdf = pages_at(source)[1] if source else None
        return pdf_lines(pdf) if pdf else {}
    return {}


def _is_folder(source: Path | None) -> bool:
    return source is not None and source.is_dir()


def _pages(source: Path | None) -> Iterator[tuple[int, Picture]]:
    """The pages of a source, one after the other."""
    if source is None:
        return
    try:
        folder, pdf = pages_at(source)
    except SourceError:
        return
    if pdf is not None:
        with suppress(SourceError), open_pages(pdf) as opened:
            for number in range(1, opened.count + 1):
                with suppress(SourceError):
                    scale = _SIDE / max(*opened.size(number), 1.0)
                    yield number, _smaller(opened.picture(number, scale).png, f"page {number}")
        return
    for number, name in page_names(folder).items():
        with suppress(SourceError, OSError):
            path = picture_path(name, folder)
            yield number, small(lambda side, path=path: read_picture(path, side, _BYTES))  # type: ignore[misc]


def _smaller(png: bytes, name: str) -> Picture:
    return small(lambda side: small_picture(png, name, side, _BYTES))


def _figure(name: str, to_draw: ToDraw) -> Picture:
    folder = to_draw.source if to_draw.source is not None and to_draw.source.is_dir() else to_draw.run
    path = picture_path(name, folder, run=to_draw.run)
    read: Callable[[int], Picture] = lambda side: read_picture(path, side, _BYTES)  # noqa: E731
    return small(read)


def _kept(stem: str, picture: Picture, to_draw: ToDraw) -> dict[str, Any]:
    """Write a picture; return its row in the list."""
    name = f"{stem}.{_ENDS.get(picture.media_type, 'png')}"
    write_whole(to_draw.target / name, picture.data)
    return {"file": name, "width": picture.width, "height": picture.height}


# for readers ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawn:
    """The pictures of a paper that there are: files of pages by number, of figures by the path the graph names."""

    folder: Path
    pages: Mapping[int, Mapping[str, Any]]
    figures: Mapping[str, Mapping[str, Any]]

    def as_pictures(self, address: str) -> Pictures:
        """For the evidence viewer: each picture by its address on the server."""
        pages = {n: PageView(f"{address}/{one['file']}", one["width"], one["height"]) for n, one in self.pages.items()}
        figures = {path: f"{address}/{one['file']}" for path, one in self.figures.items()}
        return Pictures(pages, figures, lines=self._lines())

    def _lines(self) -> Lines:
        """The lines of the pages; none where they are not known, or the file is damaged."""
        try:
            pages = read_object(self.folder / LINES, _LARGEST)
            return {int(n): [Line(str(text), _box(box)) for text, box in rows] for n, rows in pages.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def file(self, name: str) -> Path | None:
        """The file of a picture by its name; None for a name that none can have, or that is not there."""
        path = self.folder / name
        return path if _FILE.fullmatch(name) and own_file(path) else None


def _box(given: Any) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = map(int, given)
    return x0, y0, x1, y1


def drawn(folder: Path) -> Drawn:
    """Return the pictures drawn into a folder; none if nothing was drawn."""
    try:
        row = read_object(folder / LIST)
        pages = {int(number): _sized(one) for number, one in row["pages"].items()}
        return Drawn(folder, pages, {path: _sized(one) for path, one in row["figures"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Drawn(folder, {}, {})


def _sized(one: Mapping[str, Any]) -> Mapping[str, Any]:
    if not (_FILE.fullmatch(one["file"]) and one["width"] > 0 and one["height"] > 0):
        raise ValueError("no picture")
    return one
