"""Measures rich text, breaks it into lines and draws them; the fonts are those that matplotlib ships."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser
from PIL import Image, ImageDraw, ImageFont

from .inline import Piece, Rich

DPI = 110
BASELINE = 0.76  # of the leading: how far it is below a line's top
_SMALL = 0.7
_FACES = {
    "stix": {"normal": "STIXGeneral", "bold": "STIXGeneralBol", "italic": "STIXGeneralItalic"},
    "serif": {"normal": "DejaVuSerif", "bold": "DejaVuSerif-Bold", "italic": "DejaVuSerif-Italic"},
    "sans": {"normal": "DejaVuSans", "bold": "DejaVuSans-Bold", "italic": "DejaVuSans-Oblique"},
    "mono": {"normal": "DejaVuSansMono", "bold": "DejaVuSansMono-Bold", "italic": "DejaVuSansMono-Oblique"},
}


@dataclass(frozen=True, slots=True)
class Look:
    """How a text is set: font family, size and leading in pixels, face, alignment, indents in pixels."""

    family: str
    size: int
    leading: int
    face: str = "normal"
    align: str = "justify"
    hang: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """One line: pieces with their x from the line's left edge, its extent, and its place in the Markdown."""

    pieces: tuple[tuple[float, Piece], ...]
    left: float
    right: float
    start: int
    end: int


@lru_cache(maxsize=64)
def font(family: str, face: str, size: int) -> ImageFont.FreeTypeFont:
    """A font of matplotlib's, laid out by Pillow's own engine so that every machine agrees."""
    return ImageFont.truetype(str(face_file(family, face)), size, layout_engine=ImageFont.Layout.BASIC)


def face_file(family: str, face: str) -> Path:
    """The file of a font."""
    return Path(matplotlib.get_data_path()) / "fonts" / "ttf" / f"{_FACES[family][face]}.ttf"


@lru_cache(maxsize=512)
def maths(latex: str, size: int) -> tuple[Image.Image, float]:
    """A formula as an ink mask, and its depth under the baseline in pixels."""
    parsed = MathTextParser("agg").parse(f"${latex}$", DPI, maths_font(size))
    return Image.fromarray(np.asarray(parsed.image).astype(np.uint8), "L"), float(parsed.depth)


def maths_font(size: int) -> FontProperties:
    """The font of formulas, for a size in pixels."""
    return FontProperties(size=size * 72 / DPI, math_fontfamily="stix")


def piece_font(piece: Piece, look: Look) -> ImageFont.FreeTypeFont:
    """The font a piece is drawn in."""
    return font(look.family, *piece_face(piece, look))


def piece_face(piece: Piece, look: Look) -> tuple[str, int]:
    """Face and size in pixels of a piece that is no formula."""
    if piece.style in ("up", "down"):
        return look.face, round(look.size * _SMALL)
    return piece.style if piece.style in ("bold", "italic") else look.face, look.size


def shift_of(piece: Piece, look: Look) -> float:
    """How far a piece is below the baseline, in pixels."""
    return {"up": -0.36, "down": 0.18}.get(piece.style, 0.0) * look.size


def piece_width(piece: Piece, look: Look) -> float:
    """Pixels a piece takes."""
    if piece.style == "maths":
        return maths(piece.text, look.size)[0].width + 2.0
    return piece_font(piece, look).getlength(piece.text)


def words(rich: Rich) -> list[list[Piece] | None]:
    """Pieces that no line may part, in order; None is a forced line end."""
    result: list[list[Piece] | None] = []
    current: list[Piece] = []

    def close() -> None:
        if current:
            result.append(list(current))
            current.clear()

    for piece in rich.pieces:
        if piece.style in ("up", "down", "maths"):
            current.append(piece)
            continue
        position = piece.start
        for part in _parts(piece.text):
            if part[0] in " \n":
                close()
                result += [None] * part.count("\n")
            else:
                current.append(Piece(part, piece.style, position, position + len(part)))
            position += len(part)
    close()
    return result


def _parts(text: str) -> list[str]:
    parts: list[str] = []
    for character in text:
        if parts and (character in " \n") == (parts[-1][0] in " \n"):
            parts[-1] += character
        else:
            parts.append(character)
    return parts


def break_lines(rich: Rich, width: float, look: Look) -> list[Line]:
    """Fill lines greedily; raises `ValueError` when a word is wider than the column."""
    space = font(look.family, look.face, look.size).getlength(" ")
    lines: list[Line] = []
    row: list[list[Piece]] = []

    def room() -> float:
        return width - (look.hang if lines else 0)

    def flush(last: bool) -> None:
        if row:
            lines.append(_line(row, room(), look, look.hang if lines else 0, space, last))
            row.clear()

    used = 0.0
    for word in words(rich):
        if word is None:
            flush(last=True)
            used = 0.0
            continue
        size = sum(piece_width(piece, look) for piece in word)
        if size > width:
            raise ValueError(f"word wider than its column: {''.join(piece.text for piece in word)!r}")
        if row and used + space + size > room():
            flush(last=False)
            used = 0.0
        used += size + (space if row else 0)
        row.append(word)
    flush(last=True)
    return lines


def _line(row: list[list[Piece]], room: float, look: Look, indent: float, space: float, last: bool) -> Line:
    sizes = [sum(piece_width(piece, look) for piece in word) for word in row]
    spare = room - sum(sizes) - space * (len(row) - 1)
    gap = space
    if look.align == "justify" and not last and len(row) > 1:
        stretch = spare / (len(row) - 1)
        gap += stretch if stretch < 2.5 * space else 0  # a very loose line is left ragged
    x = indent + (spare / 2 if look.align == "center" else 0)
    left = x
    placed: list[tuple[float, Piece]] = []
    for word in row:
        for piece in word:
            placed.append((x, piece))
            x += piece_width(piece, look)
        x += gap
    return Line(tuple(placed), left, x - gap, row[0][0].start, row[-1][-1].end)


def draw_line(canvas: Image.Image, line: Line, x: float, y: float, look: Look) -> None:
    """Draw a line whose box has its top left corner at (x, y) and is `look.leading` high."""
    draw = ImageDraw.Draw(canvas)
    baseline = y + look.leading * BASELINE
    for offset, piece in line.pieces:
        if piece.style == "maths":
            mask, depth = maths(piece.text, look.size)
            corner = (round(x + offset + 1), round(baseline + depth - mask.height))
            canvas.paste(0, (*corner, corner[0] + mask.width, corner[1] + mask.height), mask)
            continue
        at = (x + offset, baseline + shift_of(piece, look))
        draw.text(at, piece.text, font=piece_font(piece, look), fill=0, anchor="ls")
