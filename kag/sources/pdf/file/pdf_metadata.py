"""Metadata of a PDF: the info dictionary, XMP packets, the language.

Typesetting programs write these, and figures bring packets of their own: nothing here is trusted, what is no title of a
paper (a file's name, a number of the publisher's) is left out, and so is what two packets say differently.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as c

from kag.core.errors import SourceError
from kag.core.types import Metadata
from kag.sources.pdf.file.render import PDFIUM, PdfPages
from kag.sources.xml import Element, attribute, children, parse_xml, words_of

MAX_PACKETS, LARGEST_PACKET = 50, 1024 * 1024  # of a file; bytes of one
LONGEST = 1000  # characters of a value
MAX_AUTHORS = 5000

_BEGIN, _END = b"<rdf:RDF", b"</rdf:RDF>"
_DOI = re.compile(r"(?<![\w.])10\.\d{4,9}/[^\s\"<>{}|\\^`]+")
_ARXIV = re.compile(r"arxiv(?:\.org/(?:abs|pdf)/|:\s?)([a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})", re.I)
_NO_TITLE = re.compile(
    r"(?:microsoft word\b.*|untitled.*|.*\.(?:docx?|tex|dvi|indd|pdf|rtf|ai|eps|qxd|fm|3d)|pii:.*|doi:.*|\W*)", re.I
)
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?![^\W_])|[^\W\d_]*[\u3040-\u9fff\uac00-\ud7a3][^\W\d_]*")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")


def read_metadata(pdf: PdfPages) -> Metadata:
    """Return the metadata of the file."""
    packets = list(_packets(pdf.path, pdf.data))
    with PDFIUM:
        document = pdf.document
        title, author, subject = (info(document, key) for key in ("Title", "Author", "Subject"))
        doi = [info(document, key) for key in ("doi", "DOI", "WPS-ARTICLEDOI", "Subject", "Keywords", "Title")]
        arxiv = [info(document, "arXivID"), subject, title]
        language = _spoken(document)
    named = [clean(value) for packet in packets for value in _values(packet, "doi", "identifier")]
    return Metadata(
        title=next(filter(is_title, (title, *_agreed(_values(one, "title") for one in packets))), ""),
        authors=_agreed(_names(_values(one, "creator")) for one in packets) or _names([author]),
        doi=_one(found for text in (*doi, *named) for found in dois(text)),
        arxiv=_one(found for text in (*arxiv, *named) for found in _ARXIV.findall(text)),
        journal="".join(_agreed(_values(one, "publicationName")[:1] for one in packets)),
        language=next(filter(_LANGUAGE.fullmatch, (language, *_agreed(_values(p, "language") for p in packets))), ""),
    )


def info(document: pdfium.PdfDocument, key: str) -> str:
    """A value of the info dictionary on one line; "" where there is none. `PDFIUM` is held."""
    try:
        return clean(document.get_metadata_value(key))
    except UnicodeDecodeError:
        return ""


def clean(text: str) -> str:
    """Words on one line, of a length that a person writes.

    >>> clean(" River\\x00\\tice &amp; snow\\n")
    'River ice & snow'
    """
    return " ".join("".join(char if char.isprintable() else " " for char in unescape(text[:LONGEST])).split())


def is_title(text: str) -> bool:
    """Whether a text may be a paper's title, and not a file name.

    >>> [is_title(text) for text in ("River ice", "paper_final.docx", "Microsoft Word - ice", "PII: S0040", "-")]
    [True, False, False, False, False]
    """
    return _NO_TITLE.fullmatch(text) is None and len(_WORD.findall(text)) > 1


def dois(text: str) -> list[str]:
    """The DOIs in a text, in small letters.

    >>> dois("J. Ice 2020.10:1-9, doi:10.5555/ICE.7; see (10.5555/x).")
    ['10.5555/ice.7', '10.5555/x']
    """
    return [found.rstrip(".,;:)]").lower() for found in _DOI.findall(text)]


def _one(found: Iterable[str]) -> str:
    """Return the value if there is exactly one."""
    named = set(found)
    return named.pop() if len(named) == 1 else ""


def _names(values: Iterable[str]) -> tuple[str, ...]:
    """Names of persons out of lists of them; one word alone is that of a program or its user.

    >>> _names(["Ann Lee; Bo Chen"]), _names(["Ann Lee, Bo Chen and Cy Diaz"]), _names(["Lee, A.", "admin"])
    (('Ann Lee', 'Bo Chen'), ('Ann Lee', 'Bo Chen', 'Cy Diaz'), ('Lee, A.',))
    """
    found: list[str] = []
    for value in values:
        parts = value.split(";") if ";" in value else re.split(r",|\band\b|&", value)
        whole = ";" in value or all(len(part.split()) > 1 for part in parts if part.strip())
        found += (part.strip() for part in (parts if whole else [value]) if len(part.split()) > 1)
    return tuple(found[:MAX_AUTHORS])


def _agreed(found: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return the value that all packets with one agree on; none if they differ."""
    distinct = {tuple(values) for values in found} - {()}
    return distinct.pop() if len(distinct) == 1 else ()


def _spoken(document: pdfium.PdfDocument) -> str:
    length = c.FPDFCatalog_GetLanguage(document, None, 0)
    if not 2 < length <= LONGEST:
        return ""
    buffer = (ctypes.c_ushort * (length // 2))()
    c.FPDFCatalog_GetLanguage(document, buffer, length)
    return clean("".join(map(chr, buffer)).rstrip("\0"))


def _packets(path: Path, data: bytes) -> Iterator[Element]:
    """Return the uncompressed XMP packets in the file; packets that are not XML are skipped."""
    end = 0
    for _ in range(MAX_PACKETS):
        start = data.find(_BEGIN, end)
        end = data.find(_END, start)
        if start < 0 or end < 0:
            return
        end += len(_END)
        if end - start <= LARGEST_PACKET:
            try:
                yield parse_xml(path, data[start:end])
            except SourceError:
                continue


def _values(packet: Element, *names: str) -> list[str]:
    """The values of properties, also of those that are written as attributes."""
    found = []
    for described in children(packet, "Description"):
        for name in names:
            found.append(attribute(described, name))
            for element in children(described, name):
                items = [item for listed in children(element, "Alt", "Seq", "Bag") for item in children(listed, "li")]
                found += (words_of(item) for item in items or [element])
    return list(dict.fromkeys(cleaned for value in found if (cleaned := clean(value))))
