"""Pictures of pages for agents: where a paper's pages are, and one of them with frames around the boxes of a node."""

from __future__ import annotations

import base64
import os
import threading
from pathlib import Path
from typing import Any

from kag.core.errors import BadValue, SourceError
from kag.core.types import Box
from kag.qa.page.embedded_pictures import page_names, page_picture
from kag.qa.paper import PaperGraph
from kag.qa.views.view_bounds import Names, text_of, whole_of
from kag.sources.names import safe_paper_id
from kag.sources.pictures import Picture, framed

_DRAWING = threading.Lock()
"""PDFium draws for one thread at a time."""

PICTURE = "picture"
"""Key of a result under which its picture is, in base64: it is sent as a picture, not as words."""


def page_view(paper: PaperGraph, sources: tuple[Path, ...], only: bool, node: str, page: int) -> dict[str, Any]:
    """Return a page as a result; raises `BadValue` if none is named, or it has no picture."""
    name, number = "", whole_of(page, "page", 0)
    boxes: tuple[tuple[int, int, int, int], ...] = ()
    if text_of(node, "the node").strip():
        iri = Names(paper).node(node)
        if iri not in paper.nodes:
            raise BadValue(
                f"{paper.name(iri)} is printed in several places", hint="Name a node: a paragraph, a figure."
            )
        found = paper.nodes[iri]
        name, number, boxes = found.name, found.page, found.boxes
    if number < 1:
        raise BadValue("a page or a node is needed", hint='Give node, as "ex:b_p001_0004", or page, from 1 on.')
    picture = drawn(paper.id, sources, only, number, tuple(Box(*box) for box in boxes))
    return {
        "ok": True,
        "paper": paper.id,
        "node": name,
        "page": number,
        "boxes": [list(box) for box in boxes],
        "media_type": picture.media_type,
        "width": picture.width,
        "height": picture.height,
        PICTURE: base64.b64encode(picture.data).decode(),
    }


def drawn(paper: str, sources: tuple[Path, ...], only: bool, number: int, boxes: tuple[Box, ...]) -> Picture:
    """Return a page with frames; raises `BadValue` if it has no picture."""
    source = source_of(paper, sources, only)
    if source is None:
        hint = "Whoever started the server can name the PDF or the folder of its pages with --source."
        raise BadValue(f"there are no pictures of {paper}", hint=hint)
    try:
        with _DRAWING:
            picture = page_picture(source, number)
        return framed(picture, boxes) if boxes else picture
    except SourceError as error:
        raise BadValue(error.message, hint=error.hint) from error


def source_of(paper: str, sources: tuple[Path, ...], only: bool) -> Path | None:
    """The PDF or folder whose name is the paper's id; with one paper and one source alone, that.

    Ids are compared with the names of files that are there: no path is made of an id.
    """
    places = [place for source in sources for place in _places(source)]
    named = [place for place in places if safe_paper_id(place.stem if place.is_file() else place.name) == paper]
    return named[0] if named else places[0] if only and len(places) == 1 else None


def _places(source: Path) -> list[Path]:
    """A source itself, or what is in a folder of sources."""
    if not source.is_dir() or page_names(source):
        return [source]
    inside = [source / name for name in sorted(os.listdir(source)) if not name.startswith(".")]
    return [path for path in inside if (path.is_dir() and page_names(path)) or path.suffix.lower() == ".pdf"]
