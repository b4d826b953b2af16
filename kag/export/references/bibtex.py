"""BibTeX. Letters stay as they are (UTF-8); the characters that mean something to TeX are escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kag.export.references.records import BibliographicRecord, Person

_TYPES = {"article": "article", "chapter": "incollection", "book": "book", "conference": "inproceedings",
          "thesis": "phdthesis", "report": "techreport"}  # fmt: skip
_HOLDERS = {"article": "journal", "incollection": "booktitle", "inproceedings": "booktitle"}
_MEANT = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "{": r"\{", "}": r"\}"} | {
    char: "\\" + char for char in "&%$#_"
}
_VERBATIM = frozenset(("doi", "url", "eprint"))


def to_bibtex(records: Sequence[BibliographicRecord]) -> str:
    """One entry a record, parted by empty lines."""
    return "\n".join(_entry(record) for record in records)


def escape(text: str) -> str:
    """A text on one line that TeX prints as it is.

    >>> escape("R&D of 50% {sic}")
    'R\\\\&D of 50\\\\% \\\\{sic\\\\}'
    """
    return "".join(_MEANT.get(char, char) for char in " ".join(text.split()))


def _entry(record: BibliographicRecord) -> str:
    kind = _TYPES.get(record.kind, "misc")
    lines = [
        f"  {name} = {{{_plain(value) if name in _VERBATIM else value}}}," for name, value in _fields(record, kind)
    ]
    return "\n".join((f"@{kind}{{{record.key},", *lines, "}", ""))


def _fields(record: BibliographicRecord, kind: str) -> Iterable[tuple[str, str]]:
    house = {"phdthesis": "school", "techreport": "institution"}.get(kind, "publisher")
    fields = {
        "author": _names(record.authors, record.more_authors),
        "editor": _names(record.editors, False),
        "title": escape(record.title),
        _HOLDERS.get(kind, "howpublished"): escape(record.container),
        "year": escape(record.year),
        "volume": escape(record.volume),
        "number": escape(record.issue),
        "pages": escape(record.pages.replace("-", "--", 1)),
        "edition": escape(record.edition),
        house: escape(record.publisher),
        "address": escape(record.place),
        "doi": record.doi,
        "eprint": record.arxiv,
        "archiveprefix": "arXiv" if record.arxiv else "",
        "pmid": record.pmid,
        "pmcid": record.pmcid,
        "url": record.url,
        "note": "" if record.title else escape(record.text),
    }
    return ((name, value) for name, value in fields.items() if value)


def _plain(value: str) -> str:
    """Identifiers and addresses are read as they are, but a brace alone would end the field."""
    return re.sub(r"[{}\s]", lambda found: f"%{ord(found.group()):02X}", value)


def _names(people: Sequence[Person], more: bool) -> str:
    names = [f"{escape(p.family)}, {escape(p.given)}" if p.given else f"{{{escape(p.family)}}}" for p in people]
    return " and ".join([*names, *(["others"] if more and names else [])])
