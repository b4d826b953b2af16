"""Small PDFs, written by hand: pages of lines in Helvetica, filled rectangles, links, operators of PDF, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Printed:
    """A page in points, origin top left: lines (left, baseline, size, words) and black rectangles (x, y, w, h).

    `links` are rectangles with the page, from 1, and the point that they lead to: (x, y, w, h, page, x, y). `drawn` is
    PDF as it is; its fonts are those of `FONTS` and its origin is at the bottom.
    """

    lines: Sequence[tuple[int, int, int, str]] = ()
    bars: Sequence[tuple[int, int, int, int]] = ()
    size: tuple[int, int] = (400, 600)
    turned: int = 0
    links: Sequence[tuple[int, int, int, int, int, int, int]] = ()
    drawn: str = ""
    face: str = "Courier"


FONTS = {"B": "Helvetica-Bold", "I": "Helvetica-Oblique", "X": "Times-Roman"}
"""Fonts beside F, which is Helvetica, and M, which is the page's `face`.

In X the signs 1, 2, 3 are a dotless i and the ligatures fi and ffi, and b, c, d an acute accent, a cedilla and a
diaeresis.
"""
_CODES = "/Differences [49 /dotlessi /fi /ffi 98 /acute /cedilla /dieresis]"


def write_pdf(
    path: Path, pages: Sequence[Printed], *, title: str = "", outline: Sequence[tuple[str, int, int]] = ()
) -> Path:
    """Write the pages as a PDF."""
    path.write_bytes(pdf_of(pages, title=title, outline=outline))
    return path


def pdf_of(pages: Sequence[Printed], *, title: str = "", outline: Sequence[tuple[str, int, int]] = ()) -> bytes:
    """The pages as a PDF; words are Latin-1. `outline` is of title, page from 1 and height from the top."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for n, page in enumerate(pages):
        drawn = _drawn(page)
        width, height = page.size
        fonts = f"/F 3 0 R {_FONTS} /M {_font(page.face)}" if page.drawn else "/F 3 0 R"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Rotate {page.turned} "
            f"/Resources << /Font << {fonts} >> >> /Contents {5 + 2 * n} 0 R{_links(page, pages)} >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
        ]
    if outline:
        objects[0] = b"<< /Type /Catalog /Pages 2 0 R /Outlines %d 0 R >>" % (len(objects) + 1)
        objects += _outline(outline, pages, len(objects) + 1)
    if title:
        objects.append(f"<< /Title ({_escaped(title)}) >>".encode("latin-1"))
    return pdf_file(objects, f"/Info {len(objects)} 0 R" if title else "")


def _font(name: str) -> str:
    codes = f"<< /BaseEncoding /WinAnsiEncoding {_CODES} >>" if name == "Times-Roman" else "/WinAnsiEncoding"
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding {codes} >>"


_FONTS = " ".join(f"/{key} {_font(name)}" for key, name in FONTS.items())


def _links(page: Printed, pages: Sequence[Printed]) -> str:
    if not page.links:
        return ""
    high = page.size[1]
    made = (
        f"<< /Type /Annot /Subtype /Link /Rect [{x} {high - y - h} {x + w} {high - y}] "
        f"/Dest [{2 + 2 * to} 0 R /XYZ {to_x} {pages[to - 1].size[1] - to_y} 0] >>"
        for x, y, w, h, to, to_x, to_y in page.links
    )
    return f" /Annots [{' '.join(made)}]"


def _outline(entries: Sequence[tuple[str, int, int]], pages: Sequence[Printed], root: int) -> list[bytes]:
    last = root + len(entries)
    made = [f"<< /Type /Outlines /First {root + 1} 0 R /Last {last} 0 R /Count {len(entries)} >>"]
    for at, (title, page, y) in enumerate(entries, start=root + 1):
        beside = f"/Next {at + 1} 0 R" if at < last else ""
        dest = f"[{2 + 2 * page} 0 R /XYZ 0 {pages[page - 1].size[1] - y} 0]"
        made.append(f"<< /Title ({_escaped(title)}) /Parent {root} 0 R {beside} /Dest {dest} >>")
    return [one.encode("latin-1") for one in made]


def _drawn(page: Printed) -> bytes:
    height = page.size[1]
    bars = [f"{x} {height - y - h} {w} {h} re f" for x, y, w, h in page.bars]
    lines = [f"BT /F {size} Tf {x} {height - y} Td ({_escaped(words)}) Tj ET" for x, y, size, words in page.lines]
    return "\n".join([*bars, *lines, *([page.drawn] if page.drawn else [])]).encode("latin-1")


def _escaped(words: str) -> str:
    return words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def pdf_file(objects: Sequence[bytes], told: str = "") -> bytes:
    """A PDF of these objects; the first one is its catalogue."""
    data, places = b"%PDF-1.4\n", []
    for number, written in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, written)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    tail = f"trailer << /Size {len(objects) + 1} /Root 1 0 R {told} >>\nstartxref\n{len(data)}\n%%EOF\n".encode()
    return data + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode() + table + tail
