"""Pictures of strangers: checked, made small enough to send to a model, and taken from a converter's output.

Only the bytes of a file decide what it is. Its size is checked before it is decoded, and what is sent is encoded anew,
so that nothing hidden in the file (position, owner, appended data) leaves with it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import os
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

from kag.core.errors import SourceError
from kag.core.files import own_file, read_regular, shown
from kag.core.types import Box, FigureFile, Repair
from kag.sources.loading import load, reason
from kag.sources.names import IN_RUN

MAX_SIDE = 1568  # pixels; providers shrink larger pictures themselves, after they were sent
MAX_BYTES = 3_750_000  # of the encoded picture; in base64 this stays below the 5 MB that providers take
MAX_PIXELS = 64_000_000  # of the file; a page scanned at 600 dots an inch has 35 million

_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_LARGEST, _MOST = 16 * 1024 * 1024, 256 * 1024 * 1024  # bytes of one picture of a converter, and of all
_DATA = re.compile(r"data:image/[a-z+.-]{1,20};base64,", re.I)
_ENDS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "GIF": "gif"}
_FRAME = (214, 39, 40)  # red, as no running text is printed


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture ready to be sent: `data` is PNG or JPEG; the hash, width and height are the file's own."""

    data: bytes
    media_type: str
    sha256: str
    width: int
    height: int


def open_image(data: bytes) -> Image.Image:
    """A picture whose pixels are not read yet; raises whatever pillow's readers raise.

    Pillow warns of pictures above 89 million pixels, and refuses those above twice as many.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        return Image.open(io.BytesIO(data), formats=_FORMATS)


def checked_image(data: bytes) -> tuple[int, int, str]:
    """Width, height and format of a picture; raises `ValueError` for bytes that are none or are broken."""
    try:
        with open_image(data) as image:
            (width, height), kind = image.size, image.format or ""
            image.verify()
    except Exception as error:  # pillow's readers raise whatever the broken bytes lead them to
        raise ValueError("is not an image that can be read") from error
    return width, height, kind


def picture_path(path: str, folder: Path, figures: Path | None = None, run: Path | None = None) -> Path:
    """The file of a figure, given its path relative to the paper's folder, or to its `run` where reading made it.

    Only files inside the folder, inside `figures`, inside the sibling `<name>_figures`, or inside the run are given
    out, and no link inside them is followed. Raises `SourceError` for any other, and for one that is not there.
    """
    if run is not None:
        whole = Path(os.path.realpath(run))
        made = Path(os.path.normpath(whole / path))
        if made.is_relative_to(whole) and own_file(made) and _without_links(made):
            return made
    whole = Path(os.path.realpath(folder))
    places = [whole, whole.parent / f"{whole.name.removesuffix('_ocr')}_figures"]
    places += [Path(os.path.realpath(figures))] if figures else []
    found = Path(os.path.normpath(whole / path))
    if not any(found.is_relative_to(place) for place in places) or not _without_links(found):
        raise SourceError(
            f"{path} is outside of the paper's folders, or a link leads to it",
            hint="Keep figure files beside the pages.",
        )
    if not os.path.isfile(found):
        raise SourceError(f"{path} is not there", hint="Give the folder the paper was indexed from, with its figures.")
    return found


def _without_links(path: Path) -> bool:
    """Whether a path has no symbolic links; False for an invalid one."""
    try:
        return os.path.realpath(path) == str(path)
    except ValueError:
        return False


def read_picture(path: Path, max_side: int = MAX_SIDE, max_bytes: int = MAX_BYTES) -> Picture:
    """Read, check and shrink a picture; raises `SourceError` when it is none, broken, empty or too large."""
    return small_picture(load(path).data, path.name, max_side, max_bytes)


def small_picture(data: bytes, name: str, max_side: int = MAX_SIDE, max_bytes: int = MAX_BYTES) -> Picture:
    """A picture's bytes, checked and shrunk as `read_picture` does; `name` is what errors call it."""
    image, sha256, (width, height) = _decode(data, name)
    image.thumbnail((max_side, max_side), Image.Resampling.LANCZOS)
    for media_type, options in (("image/png", {}), *(("image/jpeg", {"quality": q}) for q in (90, 75, 50))):
        stream = io.BytesIO()
        image.save(stream, media_type.removeprefix("image/"), **options)
        if stream.tell() <= max_bytes:
            return Picture(stream.getvalue(), media_type, sha256, width, height)
    raise SourceError(f"{name} cannot be made smaller than {max_bytes} bytes", hint="Save it smaller.")


def framed(picture: Picture, boxes: Sequence[Box]) -> Picture:
    """The picture of a whole page with a frame around each box, as PNG.

    The frame is drawn two pixels outside of what it is about, so that no letter is covered.
    """
    image = _decode(picture.data, "the page")[0]
    draw = ImageDraw.Draw(image)
    for box in boxes:
        left, right = (side * image.width // 1000 for side in (box.x0, box.x1))
        top, bottom = (side * image.height // 1000 for side in (box.y0, box.y1))
        draw.rectangle((left - 4, top - 4, right + 4, bottom + 4), outline=_FRAME, width=3)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return replace(picture, data=stream.getvalue(), media_type="image/png")


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture in pixels; raises `SourceError` as `read_picture` does."""
    return _decode(load(path).data, path.name)[2]


def _decode(data: bytes, name: str) -> tuple[Image.Image, str, tuple[int, int]]:
    """The first frame as RGB on white, the right way up; the file's hash; its size in pixels."""
    try:
        with open_image(data) as image:
            _check_size(name, *image.size)
            image.load()
            upright = ImageOps.exif_transpose(image)
            return _rgb(upright), hashlib.sha256(data).hexdigest(), upright.size
    except SourceError:
        raise
    except Image.DecompressionBombError:
        raise _too_large(name) from None
    except Exception as error:  # pillow's readers raise whatever the broken bytes lead them to
        raise SourceError(
            f"{name} is not an image that can be read: {type(error).__name__}", hint="Save it again as PNG or JPEG."
        ) from error


def _check_size(name: str, width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise SourceError(f"{name} has no pixels", hint="Save it again as PNG or JPEG.")
    if width * height > MAX_PIXELS:
        raise _too_large(name)


def _too_large(name: str) -> SourceError:
    return SourceError(f"{name} has more than {MAX_PIXELS} pixels", hint="Save it at a lower resolution.")


def _rgb(image: Image.Image) -> Image.Image:
    """Any mode as RGB: 16-bit greys scaled rather than cut off, transparent parts on white."""
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value * (1 / 256) + 0).convert("L")
    if image.has_transparency_data:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image)
    return image.convert("RGB")


@dataclass(slots=True)
class Gallery:
    """The pictures that come with a converter's output: in it as base64, or in regular files in or below `folder`.

    They go into the run.
    """

    folder: Path
    figures: list[FigureFile] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    repairs: list[Repair] = field(default_factory=list)
    _size: int = 0

    def add(self, page: int, boxes: tuple[Box, ...], where: object) -> None:
        """Take a picture that is printed in a box: a path, a data URI, or base64 alone; nothing for anything else."""
        if not isinstance(where, str) or not where or not boxes:
            return
        try:
            data = self._bytes(where)
            width, height, kind = checked_image(data)
        except (OSError, ValueError) as error:
            problem = reason(error) if isinstance(error, OSError) else str(error)
            self.repairs.append(Repair(page, 0, f"{shown(where[:80])} {problem}", "picture left out"))
            return
        self._size += len(data)
        place = 1 + sum(figure.page == page for figure in self.figures)
        path = f"{IN_RUN}/fig_page{page:03d}_{place:02d}.{_ENDS.get(kind, 'png')}"
        self.pictures[path] = data
        self.figures.append(FigureFile(path, page, boxes, hashlib.sha256(data).hexdigest(), width, height))

    def _bytes(self, where: str) -> bytes:
        coded = _DATA.match(where)
        if coded or (len(where) > 1000 and "." not in where[:100]):
            try:
                data = base64.b64decode(where[coded.end() if coded else 0 :], validate=True)
            except binascii.Error as error:
                raise ValueError("is not valid base64") from error
        else:
            data = read_regular(self._inside(where), _LARGEST)
        if len(data) > _LARGEST or self._size + len(data) > _MOST:
            raise ValueError("is too large, or all pictures together are")
        return data

    def _inside(self, where: str) -> Path:
        """The file that a path names, if it lies in the folder and no link is on the way."""
        whole = Path(os.path.realpath(self.folder))
        path = Path(os.path.normpath(whole / where.replace("\\", "/").removeprefix("file://")))
        if "\0" in where or not path.is_relative_to(whole) or os.path.realpath(path) != str(path):
            raise ValueError("lies outside of the folder, or a link leads to it")
        return path
