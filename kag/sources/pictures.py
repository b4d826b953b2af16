"""A figure's picture as data: checked, made small enough to send to a model, and looked at without one.

What a file claims is not believed: only its bytes decide what it is, its size is checked before it is
decoded, and what is sent is encoded anew, so that nothing hidden in the file (position, owner, appended
data) leaves with it.
"""

from __future__ import annotations

import colorsys
import hashlib
import io
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageOps

from kag.core.errors import SourceError
from kag.core.files import own_file
from kag.core.types import Box
from kag.sources.loading import load
from kag.sources.ocr.figures import open_image

MAX_SIDE = 1568  # pixels; providers shrink larger pictures themselves, after they were sent
MAX_BYTES = 3_750_000  # of the encoded picture; in base64 this stays below the 5 MB that providers take
MAX_PIXELS = 64_000_000  # of the file; a page scanned at 600 dots an inch has 35 million

_LOOK_SIDE = 480  # pixels at which panels and colours are looked for
_GAP = 0.025  # width of the blank band between two panels, as a share of the picture's longer side
_PANEL = 0.12  # a panel's least width and height, as a share of the picture's
_LIKE = 0.4  # and of the largest panel beside it: what is smaller is an axis, a legend or a title
_CONTRAST = 24  # of 255: how far a pixel is from the background when it is printed
_COLOUR_SHARE = 0.005  # a colour on a smaller share of the picture is not named
_MAX_COLOURS = 6
_FRAME = (214, 39, 40)  # red, as no running text is printed


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture ready to be sent: `data` is PNG or JPEG; the hash, width and height are the file's own."""

    data: bytes
    media_type: str
    sha256: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Look:
    """What can be said of a picture without a model: pixels, estimated panels, colours by share (0 to 1)."""

    width: int
    height: int
    panels: int
    colours: tuple[tuple[str, float], ...]


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
    """Whether a path is what it says, without symbolic links; False for one that no system could have."""
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


def look_at(path: Path) -> Look:
    """Size, panels and colours of a picture; raises `SourceError` as `read_picture` does."""
    image, _, (width, height) = _decode(load(path).data, path.name)
    image.thumbnail((_LOOK_SIDE, _LOOK_SIDE), Image.Resampling.NEAREST, reducing_gap=None)
    return Look(width, height, _panels(image), _colours(image))


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
            f"{name} is not an image that can be read: {type(error).__name__}",
            hint="Save it again as PNG or JPEG.",
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


# panels ---------------------------------------------------------------------------------------


def _panels(image: Image.Image) -> int:
    """How many parts of like size blank bands cut the picture into, one way and then the other; 1 when blank."""
    colours = [(count, c) for count, c in image.getcolors(image.width * image.height) or [] if isinstance(c, tuple)]
    background = Image.new("RGB", image.size, max(colours)[1])
    difference = ImageChops.difference(image, background)
    printed = _strongest(difference).point([0] * _CONTRAST + [255] * (256 - _CONTRAST))
    return max(1, len(_cut(printed, printed.size)))


def _strongest(image: Image.Image) -> Image.Image:
    """The largest of each pixel's three channels."""
    red, green, blue = image.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)


def _cut(printed: Image.Image, whole: tuple[int, int]) -> list[Image.Image]:
    """The panels inside a part of the picture, by recursive cuts at its blank bands."""
    box = printed.getbbox()
    if box is None:
        return []
    part = printed.crop(box)
    columns, rows = part.getprojection()
    gap = max(3, round(_GAP * max(whole)))
    for axis, marks in ((0, columns), (1, rows)):
        spans = _spans(marks, gap, round(_PANEL * whole[axis]))
        if len(spans) > 1:
            boxes = [(a, 0, b, part.height) if axis == 0 else (0, a, part.width, b) for a, b in spans]
            return [panel for inner in boxes for panel in _cut(part.crop(inner), whole)]
    return [part]


def _spans(marks: Sequence[int], gap: int, least: int) -> list[tuple[int, int]]:
    """Runs of printed lines parted by at least `gap` blank ones; one run where they are not of like size."""
    spans: list[tuple[int, int]] = []
    start, blank = 0, 0
    for place, mark in enumerate([*marks, *([0] * gap)]):
        if mark:
            start = place if blank >= gap else start
            blank = 0
        else:
            blank += 1
            if blank == gap:
                spans.append((start, place - gap + 1))
    sizes = [end - start for start, end in spans]
    return spans if min(sizes) >= max(least, _LIKE * max(sizes)) else [(0, len(marks))]


# colours --------------------------------------------------------------------------------------


def _colours(image: Image.Image) -> tuple[tuple[str, float], ...]:
    """The named colours that cover the picture, the largest share first."""
    pixels = image.width * image.height
    shares: Counter[str] = Counter()
    for count, colour in ImageOps.posterize(image, 4).getcolors(pixels) or []:
        if isinstance(colour, tuple):
            shares[_colour_name(*(channel / 240 for channel in colour))] += count
    ranked = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    named = [(name, round(count / pixels, 3)) for name, count in ranked if count >= _COLOUR_SHARE * pixels]
    return tuple(named[:_MAX_COLOURS])


_HUES = ((15, "red"), (40, "orange"), (68, "yellow"), (160, "green"), (200, "cyan"), (255, "blue"), (290, "purple"))


def _colour_name(red: float, green: float, blue: float) -> str:
    """The everyday name of a colour, channels from 0 to 1.

    >>> _colour_name(0.1, 0.2, 0.8), _colour_name(0.5, 0.5, 0.5), _colour_name(0.5, 0.3, 0.1)
    ('blue', 'grey', 'brown')
    """
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if value < 0.2:
        return "black"
    if saturation < 0.15:
        return "white" if value > 0.9 else "grey"
    name = next((name for end, name in _HUES if hue * 360 < end), "pink" if hue * 360 < 345 else "red")
    return "brown" if name == "orange" and value < 0.65 else name
