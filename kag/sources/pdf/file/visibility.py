"""`concealed`: the text of a page that no reader sees: printed white, under a picture, off
the page, cut off by a clip path, or too small.

Such text would be evidence that nobody can check, and a way to slip words to whoever reads the file by machine. Whether
text that may be covered or white is seen is decided by drawing the page with and without it.

The text layer of a scan is no hidden text: it lies under, or unseen above, pictures that fill the page, and is most of
what the page has.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as c
from PIL import Image, ImageChops

from kag.sources.pdf.file.content import Rect, Word

SMALLEST = 1.2  # points: type that is smaller is read by nobody
_FLAT = 2.0  # points of height: some fonts claim to be small and print large letters
_WHITE, _CLEAR = 245, 12  # of 255: shades from which, and opacity to which, letters may be unseen
_SHADES = 12  # of 255: what changes the page by less is not seen
_SCALE, _PIXELS = 2.0, 8_000_000  # pixels a point of the drawing, and its pixels at most
_OBJECTS = 100_000  # that are looked at
_DEPTH = 12  # forms within forms
_SEGMENTS = 1_000  # of a path that clips
_CELLS = 256  # of the grid, each way
_RULE = 1.5  # points: a thinner path is a rule, and hides no word by itself
_SCAN = 0.5  # of the page: pictures that cover more make it a scan

Bounds = tuple[float, float, float, float]


class Run(NamedTuple):
    """A word, the object of the file that prints it, and whether it is marked as invisible."""

    made: int
    unshown: bool
    word: Word


class _Object(NamedTuple):
    """Something drawn, in the order of drawing; `bounds` in the file's coordinates; a clip path may hide `is_cut`."""

    made: int
    kind: int
    bounds: Bounds
    is_cut: bool


class _Scene(NamedTuple):
    """The objects of a page in drawing order, its texts by address, and the share that pictures cover."""

    drawn: list[_Object]
    texts: dict[int, _Object]
    pictures: float


def concealed(page: pdfium.PdfPage, size: tuple[float, float], quarter: int, runs: Sequence[Run]) -> frozenset[int]:
    """The places in `runs` of those that no reader sees; `size` and `quarter` are of the page as its words are set."""
    found = {n for n, (_, _, word) in enumerate(runs) if _is_off(word, size) or _is_tiny(word)}
    doubtful = {n for n, run in enumerate(runs) if run.unshown and n not in found}
    if len(found) < len(runs):
        scene = _scene(page)
        printed = {run.made for run in runs if run.made}
        pale = {made for made in scene.texts if made in printed and _is_pale(made)}
        under = _covered(scene, page.get_bbox()) & printed
        under |= {made for made, text in scene.texts.items() if text.is_cut and made in printed}
        looked = {n for n, run in enumerate(runs) if run.made in pale | under and n not in found | doubtful}
        unseen = _unseen(page, size, quarter, runs, looked, _copies(scene, runs, looked)) if looked else set()
        found |= {n for n in unseen if runs[n].made in pale}
        doubtful |= {n for n in unseen if runs[n].made not in pale}
        if doubtful and _is_text_layer(scene, page, runs, doubtful):
            doubtful = set()
    return frozenset(found | doubtful)


def _is_off(word: Word, size: tuple[float, float]) -> bool:
    return word.x0 >= size[0] or word.y0 >= size[1] or word.x1 <= 0 or word.y1 <= 0


def _is_tiny(word: Word) -> bool:
    return word.size <= SMALLEST and word.y1 - word.y0 <= _FLAT


def _is_text_layer(scene: _Scene, page: pdfium.PdfPage, runs: Sequence[Run], doubtful: set[int]) -> bool:
    """Whether the page is a scan, and the text that is not shown is what was read from it."""
    width, height = page.get_size()
    letters = sum(len(runs[n].word.text) for n in doubtful)
    whole = sum(len(run.word.text) for run in runs)
    return scene.pictures > _SCAN * width * height and letters > 0.5 * whole


# what is drawn --------------------------------------------------------------------------------


def _scene(page: pdfium.PdfPage) -> _Scene:
    drawn = list(_objects(page.raw))
    texts = {one.made: one for one in drawn if one.kind == c.FPDF_PAGEOBJ_TEXT}
    pictures = (one.bounds for one in drawn if one.kind == c.FPDF_PAGEOBJ_IMAGE)
    return _Scene(drawn, texts, sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in pictures))


def _objects(page: Any) -> Iterator[_Object]:
    """All objects that are drawn, those of forms in the place of the form, in the page's coordinates."""
    count = c.FPDFPage_CountObjects(page)
    waiting: list[tuple[Any, Any, int, int, Callable[[Bounds], Bounds]]] = [
        (c.FPDFPage_GetObject, page, n, 0, lambda bounds: bounds) for n in range(min(count, _OBJECTS) - 1, -1, -1)
    ]
    left = _OBJECTS
    edges = [ctypes.c_float() for _ in range(4)]
    into = [ctypes.byref(edge) for edge in edges]
    while waiting and left:
        get, holder, n, depth, place = waiting.pop()
        made = get(holder, n)
        left -= 1
        kind = c.FPDFPageObj_GetType(made)
        if kind == c.FPDF_PAGEOBJ_FORM:
            if depth == _DEPTH:
                continue
            within = _through(made, place)
            inside = min(c.FPDFFormObj_CountObjects(made), left)
            waiting += [(c.FPDFFormObj_GetObject, made, m, depth + 1, within) for m in range(inside - 1, -1, -1)]
            continue
        if c.FPDFPageObj_GetBounds(made, *into):
            address = ctypes.cast(made, ctypes.c_void_p).value or 0
            bounds = (edges[0].value, edges[1].value, edges[2].value, edges[3].value)
            is_cut = kind == c.FPDF_PAGEOBJ_TEXT and _is_cut_off(made, bounds)
            yield _Object(address, kind, place(bounds), is_cut)


def _is_cut_off(text: Any, bounds: Bounds) -> bool:
    """Whether the text lies outside its clipping path, as that of a page of which only a figure is shown."""
    clip = c.FPDFPageObj_GetClipPath(text)
    for path in range(c.FPDFClipPath_CountPaths(clip) if clip else 0):
        points: list[tuple[float, float]] = []
        for n in range(min(c.FPDFClipPath_CountPathSegments(clip, path), _SEGMENTS)):
            x, y = ctypes.c_float(), ctypes.c_float()
            c.FPDFPathSegment_GetPoint(c.FPDFClipPath_GetPathSegment(clip, path, n), ctypes.byref(x), ctypes.byref(y))
            points.append((x.value, y.value))
        xs, ys = [x for x, _ in points], [y for _, y in points]
        if points and not _meet((min(xs), min(ys), max(xs), max(ys)), bounds):
            return True
    return False


def _through(form: Any, place: Callable[[Bounds], Bounds]) -> Callable[[Bounds], Bounds]:
    """From the coordinates within a form to those of the page."""
    m = c.FS_MATRIX()
    c.FPDFPageObj_GetMatrix(form, ctypes.byref(m))
    a, b, cc, d, e, f = m.a, m.b, m.c, m.d, m.e, m.f

    def lead(bounds: Bounds) -> Bounds:
        x0, y0, x1, y1 = bounds
        ax, bx = sorted((a * x0, a * x1)), sorted((b * x0, b * x1))
        cy, dy = sorted((cc * y0, cc * y1)), sorted((d * y0, d * y1))
        return place((ax[0] + cy[0] + e, bx[0] + dy[0] + f, ax[1] + cy[1] + e, bx[1] + dy[1] + f))

    return lead


def _is_filled(path: int) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    c.FPDFPath_GetDrawMode(_handle(path), ctypes.byref(fill), ctypes.byref(stroke))
    return bool(fill.value)


def _handle(made: int) -> Any:
    return ctypes.cast(made, c.FPDF_PAGEOBJECT)


# what may be unseen ---------------------------------------------------------------------------


def _covered(scene: _Scene, sheet: Bounds) -> set[int]:
    """Return the text objects that later drawings may cover: both touch one cell of a grid over the page.

    Of rules, as of fractions and tables, two in a cell hide nothing; three may be strips that hide a word together.
    """
    hidden, once, twice, found = [0] * _CELLS, [0] * _CELLS, [0] * _CELLS, set()
    for one in reversed(scene.drawn):
        if one.kind == c.FPDF_PAGEOBJ_PATH and not _is_filled(one.made):
            continue
        (left, right), (low, high) = _cells(one.bounds, sheet)
        columns = (1 << right + 1) - (1 << left)
        x0, y0, x1, y1 = one.bounds
        if one.kind == c.FPDF_PAGEOBJ_TEXT:
            if any(hidden[row] & columns for row in range(low, high + 1)):
                found.add(one.made)
        elif one.kind == c.FPDF_PAGEOBJ_PATH and (x1 - x0 < _RULE or y1 - y0 < _RULE):
            for row in range(low, high + 1):
                hidden[row] |= twice[row] & columns
                twice[row] |= once[row] & columns
                once[row] |= columns
        else:
            for row in range(low, high + 1):
                hidden[row] |= columns
    return found


def _cells(bounds: Bounds, sheet: Bounds) -> tuple[tuple[int, int], tuple[int, int]]:
    """The columns and the rows of the grid that a rectangle touches, from the first to the last."""

    def span(start: float, end: float, least: float, most: float) -> tuple[int, int]:
        size = max(most - least, 1.0) / _CELLS
        first, last = (min(max(int((edge - least) / size), 0), _CELLS - 1) for edge in (start, end))
        return first, max(first, last)

    return span(bounds[0], bounds[2], sheet[0], sheet[2]), span(bounds[1], bounds[3], sheet[1], sheet[3])


def _is_pale(text: int) -> bool:
    """Whether letters are filled with white, or with nothing."""
    handle = _handle(text)
    if c.FPDFTextObj_GetTextRenderMode(handle) not in (c.FPDF_TEXTRENDERMODE_FILL, c.FPDF_TEXTRENDERMODE_FILL_CLIP):
        return False
    parts = [ctypes.c_uint() for _ in range(4)]
    if not c.FPDFPageObj_GetFillColor(handle, *map(ctypes.byref, parts)):
        return False
    *shades, opacity = (part.value for part in parts)
    return min(shades) >= _WHITE or opacity <= _CLEAR


def _copies(scene: _Scene, runs: Sequence[Run], looked: set[int]) -> set[int]:
    """Texts that print the words that are looked at once more, as for bold type: pdfium reads such words once."""
    read = {run.made for run in runs}
    own = [scene.texts[made].bounds for made in {runs[n].made for n in looked} if made in scene.texts]
    again = [one for made, one in scene.texts.items() if made not in read]
    if not own or not again:
        return set()
    lefts, lows, rights, highs = zip(*own, strict=True)
    around = (min(lefts), min(lows), max(rights), max(highs))
    near = (one for one in again if _meet(one.bounds, around))
    return {one.made for one in near if any(_meet(one.bounds, bounds) for bounds in own)}


def _meet(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _unseen(
    page: pdfium.PdfPage,
    size: tuple[float, float],
    quarter: int,
    runs: Sequence[Run],
    looked: set[int],
    copies: set[int],
) -> set[int]:
    """Return those of the words that change nothing in the picture of the page."""
    width, height = page.get_size()
    boxes = {n: _on_sheet(runs[n].word, size, quarter) for n in looked}
    x0s, y0s, x1s, y1s = zip(*boxes.values(), strict=True)
    part = Rect(max(min(x0s) - 1, 0), max(min(y0s) - 1, 0), min(max(x1s) + 1, width), min(max(y1s) + 1, height))
    if part.width < 1 or part.height < 1:
        return looked
    with_text = _drawn(page, part)
    objects = {runs[n].made for n in looked} | copies
    for made in objects:
        c.FPDFPageObj_SetIsActive(_handle(made), False)
    try:
        without = _drawn(page, part)
    finally:
        for made in objects:
            c.FPDFPageObj_SetIsActive(_handle(made), True)
    difference = ImageChops.difference(with_text, without)
    return {n for n, box in boxes.items() if not _is_changed(difference, box, part)}


def _drawn(page: pdfium.PdfPage, part: Rect) -> Image.Image:
    """The picture of a part of a page, in shades of grey."""
    width, height = page.get_size()
    scale = min(_SCALE, (_PIXELS / max(width * height, 1.0)) ** 0.5)
    crop = (part.x0, height - part.y1, width - part.x1, part.y0)
    image: Image.Image = page.render(scale=scale, grayscale=True, draw_annots=False, crop=crop).to_pil()
    return image.convert("L")  # a copy: pdfium's own memory goes with the picture


def _on_sheet(word: Word, size: tuple[float, float], quarter: int) -> Rect:
    """The box of a word on the page as the file shows it."""
    if quarter == 1:
        return Rect(word.y0, size[0] - word.x1, word.y1, size[0] - word.x0)
    if quarter == 3:
        return Rect(size[1] - word.y1, word.x0, size[1] - word.y0, word.x1)
    return Rect(word.x0, word.y0, word.x1, word.y1)


def _is_changed(difference: Image.Image, box: Rect, part: Rect) -> bool:
    """Whether the picture of a part of a page differs within the box of a word."""
    sx, sy = difference.width / part.width, difference.height / part.height
    x0, y0 = max(int((box.x0 - part.x0) * sx), 0), max(int((box.y0 - part.y0) * sy), 0)
    x1 = min(int((box.x1 - part.x0) * sx) + 1, difference.width)
    y1 = min(int((box.y1 - part.y0) * sy) + 1, difference.height)
    if x0 >= x1 or y0 >= y1:
        return False
    extrema = difference.crop((x0, y0, x1, y1)).getextrema()
    return bool(extrema[1] > _SHADES)  # type: ignore[operator]  # of one band: two numbers
