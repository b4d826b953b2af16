"""PDFs that are damaged, locked or made to harm, written by hand: the bytes of each, and what is to become of it."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

WORDS = b"BT /F 12 Tf 40 500 Td (River ice hides sensors from the sky in winter.) Tj ET"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
PASSWORD = "open sesame 42"
PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")  # ISO 32000-1, 7.6.3.3


def pdf_file(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """Objects numbered from 1, the first the catalog, with a table of where they are."""
    parts, places, end = [b"%PDF-1.7\n"], [], 9
    for number, written in enumerate(objects, start=1):
        places.append(end)
        parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, written))
        end += len(parts[-1])
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    tail = b"trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, end)
    return b"".join(parts) + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + tail


def stream(data: bytes, keys: bytes = b"") -> bytes:
    """A stream as it stands in a file."""
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), keys, data)


def page(contents: int = 5, box: bytes = b"0 0 400 600", more: bytes = b"") -> bytes:
    """A page whose parent is object 2 and whose font is object 4."""
    return (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [%s] /Resources << /Font << /F 4 0 R >> %s >> /Contents %d 0 R >>"
        % (box, more, contents)
    )


def paper(
    catalog: bytes = b"",
    pages: bytes = b"/Kids [3 0 R] /Count 1",
    first: bytes = page(),
    contents: bytes = b"",
    rest: Sequence[bytes] = (),
    trailer: bytes = b"",
) -> bytes:
    """A sound paper of one page, but for what is given; `rest` are objects from 6 on."""
    root = b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog
    return pdf_file([root, b"<< /Type /Pages %s >>" % pages, first, FONT, contents or stream(WORDS), *rest], trailer)


def locked(user: str = PASSWORD, content: bytes = WORDS) -> bytes:
    """A paper under a password (RC4 of 40 bits, ISO 32000-1, 7.6.3)."""
    rights, name = -4, b"0123456789abcdef"
    padded = (user.encode("latin-1") + PAD)[:32]
    owner = _rc4(hashlib.md5(padded).digest()[:5], padded)
    key = hashlib.md5(padded + owner + rights.to_bytes(4, "little", signed=True) + name).digest()[:5]
    own = hashlib.md5(key + (5).to_bytes(3, "little") + b"\0\0").digest()[:10]
    lock = b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P %d >>" % (
        owner.hex().encode(),
        _rc4(key, PAD).hex().encode(),
        rights,
    )
    contents = stream(_rc4(own, content))
    return paper(
        contents=contents, rest=[lock], trailer=b"/Encrypt 6 0 R /ID [<%s> <%s>]" % ((name.hex().encode(),) * 2)
    )


def _rc4(key: bytes, data: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    made, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        made.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(made)


@dataclass(frozen=True, slots=True)
class Hostile:
    """A file. `refused` are words of the error, "" where it must be read; `told` words of a repair.

    A `bomb` may take more than a process is given.
    """

    make: Callable[[], bytes]
    refused: str = ""
    told: str = ""
    bomb: bool = False


def _flate(data: bytes) -> bytes:
    return stream(zlib.compress(data, 9), b"/Filter /FlateDecode")


def _many_objects() -> bytes:
    return paper(rest=[b"<< /A %d /B [1 2 3] >>" % n for n in range(100_000)])


def _outline_circle() -> bytes:
    item = b"<< /Title (Ice) /Parent 6 0 R /Next 7 0 R /First 7 0 R /Dest [3 0 R /Fit] >>"
    return paper(b"/Outlines 6 0 R", rest=[b"<< /First 7 0 R /Last 7 0 R /Count 1 >>", item])


def _long_outline(count: int = 20_000) -> bytes:
    items = [
        b"<< /Title (Entry %d) /Parent 6 0 R /Next %d 0 R /Dest [3 0 R /Fit] >>" % (n, 8 + n) for n in range(count - 1)
    ]
    last = b"<< /Title (Last) /Parent 6 0 R >>"
    return paper(b"/Outlines 6 0 R", rest=[b"<< /First 7 0 R /Last %d 0 R >>" % (6 + count), *items, last])


def _form_in_itself() -> bytes:
    form = stream(
        b"/X Do " + WORDS, b"/Type /XObject /Subtype /Form /BBox [0 0 400 600] /Resources << /XObject << /X 6 0 R >> >>"
    )
    return paper(first=page(more=b"/XObject << /X 6 0 R >>"), contents=stream(WORDS + b" /X Do"), rest=[form])


def _forms_of_forms(depth: int = 24) -> bytes:
    """Each form draws the next one four times: 4^24 in all."""
    forms = [
        stream(
            b"/X Do " * 4,
            b"/Type /XObject /Subtype /Form /BBox [0 0 400 600] /Resources << /XObject << /X %d 0 R >> >>" % (7 + n),
        )
        for n in range(depth)
    ]
    last = stream(b"0 0 9 9 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]")
    return paper(
        first=page(more=b"/XObject << /X 6 0 R >>"), contents=stream(WORDS + b" /X Do"), rest=[*forms, last]
    )  # fmt: skip


def _picture(side: int) -> bytes:
    """A page that a picture of so many pixels a side fills; its bytes are few."""
    keys = b"/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 1 /ColorSpace /DeviceGray" % (
        side,
        side,
    )
    image = stream(zlib.compress(b"\xff" * (side // 8 * 64), 9), keys + b" /Filter /FlateDecode")
    drawn = stream(b"q 400 0 0 600 0 0 cm /X Do Q")
    return paper(first=page(more=b"/XObject << /X 6 0 R >>"), contents=drawn, rest=[image])


def _deep_pages(depth: int = 2000) -> bytes:
    nodes = [b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (7 + n) for n in range(depth - 1)]
    last = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return paper(pages=b"/Kids [6 0 R] /Count 1", rest=[*nodes, last])


HOSTILE: Mapping[str, Hostile] = {
    "empty": Hostile(lambda: b"", "not a readable PDF"),
    "only a head": Hostile(lambda: b"%PDF-1.7\n", "not a readable PDF"),
    "HTML by the name of a PDF": Hostile(lambda: b"<html><body>Not found</body></html>", "not a readable PDF"),
    "no table of objects": Hostile(
        lambda: paper().replace(b"xref", b"xxxx").replace(b"startxxxx", b"startxref"), told="list of its objects"
    ),
    "a table that leads astray": Hostile(lambda: paper().replace(b"000 n", b"999 n")),
    "cut in its table": Hostile(lambda: paper()[:-120], "not a readable PDF"),
    "cut at its end": Hostile(lambda: paper()[:-8], told="breaks off"),
    "cut in its page": Hostile(lambda: paper()[:150], "not a readable PDF"),
    "no pages": Hostile(lambda: paper(pages=b"/Kids [] /Count 0"), "not a readable PDF"),
    "a page that is its own parent": Hostile(lambda: paper(pages=b"/Kids [2 0 R] /Count 1"), "page"),
    "pages nested in pages": Hostile(_deep_pages, "page"),
    "an outline in a circle": Hostile(_outline_circle),
    "a long outline": Hostile(_long_outline, told="an outline of more than"),
    "a hundred thousand objects": Hostile(_many_objects),
    "too many pages": Hostile(lambda: paper(pages=b"/Kids [%s] /Count 6000" % (b"3 0 R " * 6000)), "6000 pages"),
    "a sheet of no size": Hostile(lambda: paper(first=page(box=b"0 0 0.01 0.01")), "points"),
    "a sheet as large as a town": Hostile(lambda: paper(first=page(box=b"0 0 9000000 9000000")), "points"),
    "a sheet inside out": Hostile(lambda: paper(first=page(box=b"400 600 0 0"))),
    "a sheet of words": Hostile(lambda: paper(first=page(box=b"/A /B /C /D"))),
    "a script that opens": Hostile(
        lambda: paper(
            b"/OpenAction << /S /JavaScript /JS (app.alert\\('x'\\)) >> "
            b"/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (app.beep\\(0\\)) >>] >> >>"
        ),
        told="1 scripts",
    ),
    "a file attached": Hostile(
        lambda: paper(
            b"/Names << /EmbeddedFiles << /Names [(evil.exe) 6 0 R] >> >>",
            rest=[b"<< /Type /Filespec /F (evil.exe) /EF << /F 7 0 R >> >>", stream(b"MZ", b"/Type /EmbeddedFile")],
        ),
        told="1 files attached",
    ),
    "an XFA form": Hostile(
        lambda: paper(
            b"/AcroForm << /Fields [] /XFA 6 0 R >>", rest=[stream(b"<xdp:xdp><script>x</script></xdp:xdp>")]
        ),
        told="XFA",
    ),
    "a form in itself": Hostile(_form_in_itself),
    "forms of forms": Hostile(_forms_of_forms, bomb=True),
    "arrays in arrays": Hostile(lambda: paper(rest=[b"[" * 100_000 + b"]" * 100_000])),
    "a stream that unfolds": Hostile(lambda: paper(contents=_flate(WORDS + b"\n" * 300_000_000)), bomb=True),
    "a stream of a million words": Hostile(
        lambda: paper(contents=_flate(b"BT /F 12 Tf 40 500 Td " + b"(River ice hides it) Tj " * 1_000_000 + b"ET")),
        "things are drawn",
    ),
    "a picture of a billion pixels": Hostile(lambda: _picture(32_000), "no text", bomb=True),
    "a key that is not there": Hostile(
        lambda: paper(rest=[b"<< /Filter /Unknown.Lock /V 9 /R 9 >>"], trailer=b"/Encrypt 6 0 R"), "locked"
    ),
    "locked": Hostile(locked, "needs a password"),
}
