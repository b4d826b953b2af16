"""Small PDFs, written by hand: pages of lines in Helvetica, filled rectangles, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Printed:
    """A page in points, origin top left: lines (left, baseline, size, words) and black rectangles (x, y, w, h)."""

    lines: Sequence[tuple[int, int, int, str]] = ()
    bars: Sequence[tuple[int, int, int, int]] = ()
    size: tuple[int, int] = (400, 600)
    turned: int = 0


def write_pdf(path: Path, pages: Sequence[Printed]) -> Path:
    """Write the pages as a PDF; words are Latin-1."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for n, page in enumerate(pages):
        drawn = _drawn(page)
        width, height = page.size
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Rotate {page.turned} "
            f"/Resources << /Font << /F 3 0 R >> >> /Contents {5 + 2 * n} 0 R >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
        ]
    path.write_bytes(_file(objects))
    return path


def _drawn(page: Printed) -> bytes:
    height = page.size[1]
    bars = [f"{x} {height - y - h} {w} {h} re f" for x, y, w, h in page.bars]
    lines = [f"BT /F {size} Tf {x} {height - y} Td ({_escaped(words)}) Tj ET" for x, y, size, words in page.lines]
    return "\n".join(bars + lines).encode("latin-1")


def _escaped(words: str) -> str:
    return words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _file(objects: Sequence[bytes]) -> bytes:
    data, places = b"%PDF-1.4\n", []
    for number, written in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, written)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    tail = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n".encode()
    return data + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode() + table + tail
