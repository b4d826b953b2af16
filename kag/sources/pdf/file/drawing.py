"""Drawn objects of a page besides its text: pictures, paths, and forms, which hold other objects.

Some files put each figure into a form, others the whole page: a large form is looked into, a small one is one thing.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pypdfium2.raw as c

MAX_OBJECTS = 20_000
"""Drawn objects of a page that are looked at: a plot may have a hundred thousand, and its frame comes first."""
_DEPTH = 5  # forms within forms that are looked into
_LARGE = 0.3  # of the page: a form as large may hold more than one thing
_WHOLE = 0.97  # of both sides: what is drawn over all of the page is its ground
_PLAIN = 40.0  # points: a path larger than that both ways may be a white ground
_KINDS = {c.FPDF_PAGEOBJ_IMAGE: "image", c.FPDF_PAGEOBJ_PATH: "path", c.FPDF_PAGEOBJ_SHADING: "path"}

_FEW = 12
_LOOKED_AT = 200  # objects of a small form

Place = Callable[[float, float], tuple[float, float]]
Bounds = tuple[float, float, float, float]


class Drawn(NamedTuple):
    """Something drawn: a picture, a path, or a form (a figure set as a whole)."""

    kind: str
    x0: float
    y0: float
    x1: float
    y1: float


def drawn_on(page: Any, place: Place, width: float, height: float) -> Iterator[Drawn]:
    """All that is drawn within a page of this size in points; `place` leads from the file's coordinates to the page's.

    Left out are paths that nobody sees, grounds of the whole page, and forms of nothing but text.
    """
    left = MAX_OBJECTS
    whole = (0.0, 0.0, width, height)
    waiting = [(c.FPDFPage_GetObject, page, n, place, 0) for n in range(min(c.FPDFPage_CountObjects(page), left))][::-1]
    while waiting and left:
        get, holder, n, at, depth = waiting.pop()
        made = get(holder, n)
        kind = c.FPDFPageObj_GetType(made)
        if kind == c.FPDF_PAGEOBJ_TEXT:
            continue
        left -= 1
        rect = _bounds(made, at, whole)
        if rect is None:
            continue
        if kind == c.FPDF_PAGEOBJ_FORM:
            inner, within = min(c.FPDFFormObj_CountObjects(made), left), _through(made, at)
            if depth < _DEPTH and (rect[2] - rect[0]) * (rect[3] - rect[1]) > _LARGE * width * height:
                waiting += [(c.FPDFFormObj_GetObject, made, m, within, depth + 1) for m in range(inner)][::-1]
            else:
                yield from (Drawn("form", *art) for art in _art_in(made, min(inner, _LOOKED_AT), within, rect))
        elif kind in _KINDS and _is_seen(made, kind, rect, width, height):
            yield Drawn(_KINDS[kind], *rect)


def _art_in(form: Any, count: int, at: Place, limit: Bounds) -> list[Bounds]:
    """Return a small form's drawing besides text: each of a few objects, else the rectangle of all, within the form's
    own."""
    found: list[Bounds] = []
    for n in range(count):
        made = c.FPDFFormObj_GetObject(form, n)
        kind = c.FPDFPageObj_GetType(made)
        if kind == c.FPDF_PAGEOBJ_FORM:
            return [limit]
        rect = _bounds(made, at, limit) if kind != c.FPDF_PAGEOBJ_TEXT else None
        if rect:
            found.append(rect)
    if len(found) <= _FEW:
        return found
    x0s, y0s, x1s, y1s = zip(*found, strict=True)
    return [limit if count == _LOOKED_AT else (min(x0s), min(y0s), max(x1s), max(y1s))]


def _bounds(made: Any, at: Place, limit: Bounds) -> Bounds | None:
    """Return the part of an object's rectangle on the page and within its clipping path, if any."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not c.FPDFPageObj_GetBounds(made, *(ctypes.byref(edge) for edge in (left, bottom, right, top))):
        return None
    corners = (at(left.value, bottom.value), at(right.value, top.value))
    rect = _cut(_spanned(corners), limit)
    if rect and min(rect[2] - rect[0], rect[3] - rect[1]) > _PLAIN:
        clip = _clip(made, at)
        return _cut(rect, clip) if clip else rect
    return rect


def _spanned(points: Sequence[tuple[float, float]]) -> Bounds:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _cut(rect: Bounds, limit: Bounds) -> Bounds | None:
    x0, y0, x1, y1 = max(rect[0], limit[0]), max(rect[1], limit[1]), min(rect[2], limit[2]), min(rect[3], limit[3])
    return (x0, y0, x1, y1) if x1 >= x0 and y1 >= y0 else None


def _clip(made: Any, at: Place) -> Bounds | None:
    """The rectangle around an object's clipping path, where that is one simple path."""
    path = c.FPDFPageObj_GetClipPath(made)
    if not path or c.FPDFClipPath_CountPaths(path) != 1:
        return None
    x, y = ctypes.c_float(), ctypes.c_float()
    points = []
    for n in range(min(c.FPDFClipPath_CountPathSegments(path, 0), 100)):
        segment = c.FPDFClipPath_GetPathSegment(path, 0, n)
        if c.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y)):
            points.append(at(x.value, y.value))
    return _spanned(points) if len(points) > 2 else None


def _through(form: Any, at: Place) -> Place:
    """From the coordinates within a form to those of the page."""
    m = c.FS_MATRIX()
    c.FPDFPageObj_GetMatrix(form, ctypes.byref(m))
    a, b, cc, d, e, f = m.a, m.b, m.c, m.d, m.e, m.f
    return lambda x, y: at(a * x + cc * y + e, b * x + d * y + f)


def _is_seen(made: Any, kind: int, rect: Bounds, width: float, height: float) -> bool:
    wide, high = rect[2] - rect[0], rect[3] - rect[1]
    if kind != c.FPDF_PAGEOBJ_PATH:
        return True
    if wide > _WHOLE * width and high > _WHOLE * height:
        return False
    return min(wide, high) < _PLAIN or _has_ink(made)


def _has_ink(path: Any) -> bool:
    """Whether a path has a stroke, or a fill that is not white."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if not c.FPDFPath_GetDrawMode(path, ctypes.byref(fill), ctypes.byref(stroke)) or stroke.value:
        return True
    parts = [ctypes.c_uint() for _ in range(4)]
    known = c.FPDFPageObj_GetFillColor(path, *(ctypes.byref(part) for part in parts))
    return bool(fill.value) and not (known and (parts[3].value == 0 or min(part.value for part in parts[:3]) > 250))
