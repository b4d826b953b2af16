"""Write a paper as a document of another format, its pictures next to it: `write_document`.

    graph -> Manuscript -> Markdown | HTML | JATS

Each is read back by `kag index` (but HTML, which is for people). The document is there with all of its pictures, or
not there.
"""

from __future__ import annotations

import base64
import re
import shutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import read_regular, shown, write_output
from kag.export.documents.html import to_html
from kag.export.documents.jats import to_jats
from kag.export.documents.manuscript import Links, Manuscript, manuscript
from kag.export.documents.markdown import to_markdown
from kag.export.folders import write_folder
from kag.qa.figure_files import figure_files
from kag.qa.paper import PaperGraph
from kag.sources.pictures import open_image, picture_path

WRITERS: Mapping[str, Callable[[Manuscript, Links], str]] = {"markdown": to_markdown, "html": to_html, "jats": to_jats}
_KINDS = {"PNG": ("png", "image/png"), "JPEG": ("jpg", "image/jpeg"), "WEBP": ("webp", "image/webp"),
          "GIF": ("gif", "image/gif")}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's bytes, its media type, and its file name next to a document."""

    data: bytes
    media_type: str
    name: str


@dataclass(frozen=True, slots=True)
class Found:
    """The pictures of a paper by figure, a panel each, and why others are not there."""

    pictures: Mapping[str, tuple[Picture, ...]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def document_text(paper: PaperGraph, form: str, pictures: Links | None = None) -> str:
    """The paper in one of `WRITERS`; `pictures` are links by figure, the paths that the graph states if None."""
    return WRITERS[form](manuscript(paper), figure_files(paper) if pictures is None else pictures)


def find_pictures(paper: PaperGraph, folder: Path | None = None) -> Found:
    """The pictures of the figures: those in the run, and in the folder that the paper was read from."""
    found: dict[str, tuple[Picture, ...]] = {}
    problems: dict[str, None] = {}
    taken: dict[str, Picture] = {}
    for figure, paths in figure_files(paper, folder).items():
        for path in paths:
            try:
                picture = (
                    taken[path] if path in taken else _picture(paper, path, folder, {p.name for p in taken.values()})
                )
            except SourceError as error:
                problems[error.message] = None
                continue
            taken[path] = picture
            found[figure] = (*found.get(figure, ()), picture)
    return Found(found, tuple(problems))


def _picture(paper: PaperGraph, path: str, folder: Path | None, names: Collection[str]) -> Picture:
    """A picture file; raises `SourceError` where it is not there, or none."""
    file = picture_path(path, folder or paper.path or Path(), run=paper.path)
    try:
        data = read_regular(file)
        with open_image(data) as image:
            end, media_type = _KINDS[image.format or ""]
            image.verify()
    except Exception as error:  # pillow's readers raise whatever the broken bytes lead them to
        raise SourceError(f"{shown(path)} is not a picture that can be read", hint="Save it as PNG or JPEG.") from error
    return Picture(data, media_type, _name(path, end, names))


def write_document(paper: PaperGraph, form: str, out: Path, found: Found) -> None:
    """Write a document, and its pictures into the folder `<name>_figures` next to it; HTML embeds them.

    Raises `RunError` where that folder is there with other things in it, `OSError` where nothing can be written.
    """
    if form == "html":
        write_output(out, document_text(paper, form, _links(found, _data_uri)))
        return
    folder = out.with_name(f"{out.stem}_figures")
    text = document_text(paper, form, _links(found, lambda picture: f"{folder.name}/{picture.name}"))
    pictures = {picture.name: picture.data for some in found.pictures.values() for picture in some}
    made = write_folder(folder, pictures) if pictures else False
    try:
        write_output(out, text)
    except BaseException:
        if made:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _links(found: Found, link: Callable[[Picture], str]) -> Links:
    return {figure: tuple(map(link, pictures)) for figure, pictures in found.pictures.items()}


def _data_uri(picture: Picture) -> str:
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"


def _name(path: str, end: str, taken: Collection[str]) -> str:
    """A file's own name, as far as every system can have it, with the ending of what it is."""
    stem = re.sub(r"[^A-Za-z0-9_-]+", "_", path.rpartition("/")[2].rpartition(".")[0])[:80] or "figure"
    free, number = f"{stem}.{end}", 1
    while free.lower() in {name.lower() for name in taken}:
        number += 1
        free = f"{stem}_{number}.{end}"
    return free
