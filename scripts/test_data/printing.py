"""Prints a composed paper as a PDF: letters as letters, the outline, and links from call-outs to what they name.

The same paper and the same versions of fpdf2, fontTools and matplotlib give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

from fpdf import FPDF
from matplotlib.mathtext import MathTextParser
from PIL import Image

from .ink import Set
from .inline import Mention, Piece
from .items import HEIGHT, WIDTH, Page
from .model import Paper
from .typeset import BASELINE, DPI, face_file, maths_font, piece_face, piece_width, shift_of

_POINTS = 72 / DPI  # of a pixel
_NAMED = {"citation": "r", "figure": "fig:", "table": "tab:", "equation": "e"}
_MADE = datetime(2021, 7, 2, tzinfo=UTC)
_COLOURS = 64
_XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq>{creators}</rdf:Seq></dc:creator>
<prism:publicationName>{journal}</prism:publicationName><prism:doi>{doi}</prism:doi>
</rdf:Description></rdf:RDF></x:xmpmeta>"""


def printed(paper: Paper, title: str, pages: Sequence[Page]) -> bytes:
    """The PDF of a paper; `title` in plain words."""
    return _Press(paper, title).run(pages)


class _Press:
    """Prints one paper; fonts are added when a letter of theirs is set."""

    def __init__(self, paper: Paper, title: str) -> None:
        self._pdf = FPDF(unit="pt", format=(WIDTH * _POINTS, HEIGHT * _POINTS))
        self._fonts: set[str] = set()
        self._ends: dict[str, int] = {}
        pdf, front = self._pdf, paper.front
        pdf.set_auto_page_break(False)
        pdf.set_creation_date(_MADE)
        pdf.set_producer("kag test data")
        pdf.set_lang("en")
        pdf.set_title(title)
        names = [f"{given} {family}" for family, given in paper.authors]
        pdf.set_author("; ".join(names))
        pdf.set_subject(f"{front['journal']}, doi:{front['doi']}")
        creators = "".join(f"<rdf:li>{escape(name)}</rdf:li>" for name in names)
        told = {"title": title, "journal": front["journal"], "doi": front["doi"]}
        pdf.set_xmp_metadata(_XMP.format(creators=creators, **{name: escape(words) for name, words in told.items()}))

    def run(self, pages: Sequence[Page]) -> bytes:
        """Print the pages; where all ends of links are is told before the first link is set."""
        for number, page in enumerate(pages, 1):
            for name, (x, y) in page.ink.places.items():
                if name not in self._ends:
                    self._ends[name] = self._pdf.add_link(y=y * _POINTS, x=x * _POINTS, page=number)
        for page in pages:
            self._pdf.add_page()
            self._page(page)
        return bytes(self._pdf.output())

    def _page(self, page: Page) -> None:
        pdf, ink = self._pdf, page.ink
        for level, words, y in ink.titles:
            pdf.set_y(y * _POINTS)
            pdf.start_section(words, level - 1, strict=False)
        pdf.set_draw_color(120)
        pdf.set_line_width(0.5)
        for x0, y0, x1, y1 in ink.rules:
            pdf.rect(x0 * _POINTS, y0 * _POINTS, (x1 - x0) * _POINTS, (y1 - y0) * _POINTS)
        for image, (x0, y0, x1, y1) in ink.pictures:
            pdf.image(_png(image), x0 * _POINTS, y0 * _POINTS, (x1 - x0) * _POINTS, (y1 - y0) * _POINTS)
        for line in ink.lines:
            self._line(line)

    def _line(self, one: Set) -> None:
        baseline = one.y + one.look.leading * BASELINE
        for offset, piece in one.line.pieces:
            x = one.x + offset
            if piece.style == "maths":
                self._formula(piece.text, x + 1, baseline, one.look.size)
                continue
            face, size = piece_face(piece, one.look)
            base = baseline + shift_of(piece, one.look)
            file = str(face_file(one.look.family, face))
            self._letters(file, size, x, base, piece.text, piece_width(piece, one.look))
            self._link(piece, one, x, base, size)

    def _link(self, piece: Piece, one: Set, x: float, baseline: float, size: float) -> None:
        """A link over a piece of a call-out, to the first thing that it names."""
        for mention in one.mentions:
            end = self._ends.get(_end_of(mention))
            if end is not None and piece.start < mention.end and mention.start < piece.end:
                width, height = piece_width(piece, one.look) * _POINTS, size * _POINTS
                self._pdf.link(x * _POINTS, baseline * _POINTS - 0.8 * height, width, height, end)
                return

    def _formula(self, latex: str, x: float, baseline: float, size: int) -> None:
        parsed = MathTextParser("path").parse(f"${latex}$", DPI, maths_font(size))
        for font, points, code, _, right, up in parsed.glyphs:
            self._letters(str(font.fname), float(points) / _POINTS, x + float(right), baseline - float(up), chr(code))
        for left, up, width, height in parsed.rects:
            top = baseline - float(up) - float(height)
            self._pdf.set_fill_color(0)
            self._pdf.rect(
                (x + float(left)) * _POINTS, top * _POINTS, float(width) * _POINTS, float(height) * _POINTS, "F"
            )  # fmt: skip

    def _letters(self, file: str, size: float, x: float, baseline: float, text: str, width: float = 0.0) -> None:
        """Set letters; with `width` as wide as that, since pixels made letters wider or narrower than they are."""
        name = file.rpartition("/")[2].lower().removesuffix(".ttf")
        if name not in self._fonts:
            self._pdf.add_font(name, fname=file)
            self._fonts.add(name)
        self._pdf.set_font(name, size=size * _POINTS)
        own = self._pdf.get_string_width(text) / _POINTS
        self._pdf.set_stretching(100 * width / own if width and own else 100)
        self._pdf.text(x * _POINTS, baseline * _POINTS, text)
        self._pdf.set_stretching(100)


def _end_of(mention: Mention) -> str:
    return _NAMED.get(mention.kind, "?") + mention.numbers[0]


def _png(image: Image.Image) -> io.BytesIO:
    """A picture of few colours, which a PDF keeps small."""
    buffer = io.BytesIO()
    few = image.quantize(_COLOURS, dither=Image.Dither.NONE) if image.mode == "RGB" else image
    few.save(buffer, "PNG", optimize=True)
    buffer.seek(0)
    return buffer
