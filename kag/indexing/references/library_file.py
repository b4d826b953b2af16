"""A library of a reference manager, BibTeX or Zotero RDF: its entries with keys, fields and PDFs.

`compared` compares what the file states with what the paper prints. Only PDFs in the folder of the library, or in one
that the user names, are taken.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from kag.core.errors import SourceError, needed_extra
from kag.core.files import shown, source_text
from kag.text.plain import plain

LARGEST = 1 << 26  # bytes
FIELDS = ("title", "year", "doi")
_DC = "http://purl.org/dc/elements/1.1/"
_ZOTERO = "http://www.zotero.org/namespaces/export#"
_LINK = "http://purl.org/rss/1.0/modules/link/link"
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_DOI = re.compile(r"10\.\d{4,9}/[^\s{}\"<>]+")

State = Literal["same", "differs", "found", "printed"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper of a library; fields that it does not state are empty. `files` are paths as they are written there."""

    key: str
    title: str = ""
    year: str = ""
    doi: str = ""
    files: tuple[str, ...] = ()


def read_bibtex(path: Path) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """The entries of a BibTeX file, and what of it could not be read. Raises `SourceError`, `MissingExtra`."""
    with needed_extra("bibtex"):
        from bibtexparser.entrypoint import parse_string
        from bibtexparser.middlewares import LatexDecodingMiddleware
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # what it cannot read is told by us
    text = source_text(path, LARGEST)
    printed = {block.start_line: block for block in parse_string(text).entries}
    decoded = parse_string(text, append_middleware=[LatexDecodingMiddleware()])
    problems = tuple(
        f"line {(block.start_line or 0) + 1}: {getattr(block, 'key', '') or 'an entry'} is not read"
        for block in decoded.failed_blocks
    )
    return tuple(_bibtex(entry, printed[entry.start_line]) for entry in decoded.entries), problems


def _bibtex(entry: Any, raw: Any) -> Entry:
    values = {field.key.lower(): str(field.value) for field in entry.fields}
    written = {field.key.lower(): str(field.value) for field in raw.fields}  # paths and DOIs are no LaTeX
    return Entry(
        entry.key,
        plain(values.get("title", "").replace("{", "").replace("}", "")),
        _first(_YEAR, values.get("year") or values.get("date", "")),
        _first(_DOI, written.get("doi", "").replace("\\", "")),
        tuple(_files(written.get("file", ""))),
    )


def _files(field: str) -> Iterator[str]:
    r"""The PDFs of a `file` field: paths, or `name:path:type`, parted by ";"; a backslash takes a sign as it is.

    >>> list(_files(r"Full Text:files/12/a\;b.pdf:application/pdf;x.html:a.html:text/html")), list(_files("C\:/a.pdf"))
    (['files/12/a;b.pdf'], ['C:/a.pdf'])
    """
    for one in re.split(r"(?<!\\);", field):
        parts = [re.sub(r"\\([:;\\{}_&%$# ])", r"\1", part) for part in re.split(r"(?<!\\):(?![/\\])", one)]
        named = [part.strip() for part in parts if part.strip().lower().endswith(".pdf")]
        yield from named[-1:]


def read_zotero(path: Path) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """The entries of a Zotero RDF export, and what of it could not be read. Raises `SourceError`."""
    from rdflib import Graph, URIRef

    data = source_text(path, LARGEST)
    if "<!DOCTYPE" in data or "<!ENTITY" in data:
        raise SourceError(
            f"{shown(path)} declares a document type, and is not read", hint="Export it from Zotero again."
        )
    data = re.sub(r"<(/?)rdf:resource(?=[\s/>])", r"<\1z:path", data)  # Zotero's name for a path is no name in RDF
    try:
        graph = Graph().parse(data=data, format="xml", publicID="file:///")
    except Exception as error:  # rdflib raises what its XML reader does
        hint = "Export the library from Zotero as Zotero RDF, with its files."
        raise SourceError(f"{shown(path)} is not Zotero RDF: {str(error)[:200]}", hint=hint) from error
    entries = []
    for item in sorted(set(graph.subjects(URIRef(f"{_DC}title"))), key=str):
        kind = str(graph.value(item, URIRef(f"{_ZOTERO}itemType")) or "")
        if kind and kind not in ("attachment", "note"):
            entries.append(_zotero(graph, item))
    return tuple(entries), ()


def _zotero(graph: Any, item: Any) -> Entry:
    from rdflib import URIRef

    def first(name: str) -> str:
        return min((str(value) for value in graph.objects(item, URIRef(name))), default="")

    attached = sorted(graph.objects(item, URIRef(_LINK)), key=str)
    paths = [str(value) for one in attached for value in graph.objects(one, URIRef(f"{_ZOTERO}path"))]
    paths = [unquote(urlsplit(one).path).lstrip("/") if one.startswith("file:///") else one for one in paths]
    identifiers = [str(value) for value in graph.objects(item, URIRef(f"{_DC}identifier"))]
    identifiers += [str(value) for value in graph.objects(item, URIRef(f"{_DC}description"))]
    title, year = first(f"{_DC}title"), _first(_YEAR, first(f"{_DC}date"))
    key = first(f"{_ZOTERO}citationKey") or "_".join(filter(None, (*title.split()[:3], year)))
    doi = next((one for one in map(lambda text: _first(_DOI, text), sorted(identifiers)) if one), "")
    return Entry(key, plain(title), year, doi, tuple(one for one in paths if one.lower().endswith(".pdf")))


def pdf_of(entry: Entry, folders: Sequence[Path]) -> Path | None:
    """The first PDF of an entry that is a file within one of the folders; links that lead out of them do not count."""
    for name in entry.files:
        for folder in folders:
            home = folder.resolve()
            path = (home / name.replace("\\", "/")).resolve()
            if path.is_relative_to(home) and path.is_file():
                return path
    return None


def compared(entry: Entry, printed: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Compare each printed field with the one found; fields that neither has are left out.

    >>> compared(Entry("k", "Ice, again", "2020"), {"title": "ICE AGAIN", "year": "2019", "doi": "10.1/x"})["year"]
    {'printed': '2019', 'found': '2020', 'state': 'differs'}
    """
    rows = {}
    for field in FIELDS:
        here, there = printed.get(field, ""), getattr(entry, field)
        if here or there:
            rows[field] = {"printed": here, "found": there, "state": _state(here, there)}
    return rows


def _state(printed: str, found: str) -> State:
    if not printed or not found:
        return "printed" if printed else "found"
    return "same" if _letters(printed) == _letters(found) else "differs"


def _letters(text: str) -> str:
    return "".join(sign for sign in plain(text).casefold() if sign.isalnum())


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[0] if match else ""
