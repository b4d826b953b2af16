"""Reference lists as BibTeX, CSL-JSON and RIS, and the fields of each entry."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kag.export.references.records import BibliographicRecord, Person, bibliography
from kag.qa.paper import PaperGraph

_CSL_TYPES = {"article": "article-journal", "chapter": "chapter", "book": "book", "conference": "paper-conference",
          "thesis": "thesis", "preprint": "article", "report": "report", "webpage": "webpage", "software": "software",
          "dataset": "dataset", "patent": "patent"}  # fmt: skip


def to_csl_json(records: Sequence[BibliographicRecord]) -> str:
    """A JSON list with one item a record."""
    return json.dumps([csl_item(record) for record in records], indent=2, ensure_ascii=False) + "\n"


def csl_item(record: BibliographicRecord) -> dict[str, Any]:
    """One record as a CSL item; what is not known is left out."""
    item = {
        "id": record.key,
        "type": _CSL_TYPES.get(record.kind, "document"),
        "author": [*map(_csl_name, record.authors), *([{"literal": "others"}] if record.more_authors else [])],
        "editor": [_csl_name(person) for person in record.editors],
        "title": record.title,
        "container-title": record.container,
        "issued": {"date-parts": [[int(record.year)]]} if record.year.isdigit() else {},
        "volume": record.volume,
        "issue": record.issue,
        "page": record.pages,
        "edition": record.edition,
        "publisher": record.publisher,
        "publisher-place": record.place,
        "DOI": record.doi,
        "number": f"arXiv:{record.arxiv}" if record.arxiv else "",
        "PMID": record.pmid,
        "PMCID": record.pmcid,
        "URL": record.url,
        "note": "" if record.title else record.text,
    }
    return {name: value for name, value in item.items() if value}


def _csl_name(person: Person) -> dict[str, str]:
    return {"family": person.family, "given": person.given} if person.given else {"literal": person.family}


_RIS_TYPES = {"article": "JOUR", "chapter": "CHAP", "book": "BOOK", "conference": "CPAPER", "thesis": "THES",
          "preprint": "UNPB", "report": "RPRT", "webpage": "ELEC", "software": "COMP", "dataset": "DATA",
          "patent": "PAT"}  # fmt: skip


def to_ris(records: Sequence[BibliographicRecord]) -> str:
    """One record after the other, each from its TY to its ER."""
    return "".join(_ris_record(record) for record in records)


def _ris_record(record: BibliographicRecord) -> str:
    lines = [("TY", _RIS_TYPES.get(record.kind, "GEN")), *_ris_lines(record), ("ER", "")]
    return "".join(f"{tag}  - {' '.join(value.split())}\n" for tag, value in lines) + "\n"


def _ris_lines(record: BibliographicRecord) -> Iterable[tuple[str, str]]:
    values = [
        ("ID", record.key),
        *(("AU", _ris_name(person)) for person in record.authors),
        *(("ED", _ris_name(person)) for person in record.editors),
        ("TI", record.title),
        ("T2", record.container),
        ("PY", record.year),
        ("VL", record.volume),
        ("IS", record.issue),
        ("SP", record.first_page),
        ("EP", record.last_page),
        ("ET", record.edition),
        ("PB", record.publisher),
        ("CY", record.place),
        ("DO", record.doi),
        ("AN", f"PMID:{record.pmid}" if record.pmid else f"arXiv:{record.arxiv}" if record.arxiv else ""),
        ("UR", record.url),
        ("N1", "et al." if record.more_authors else ""),
        ("N1", "" if record.title else record.text),
    ]
    return ((tag, value) for tag, value in values if value)


def _ris_name(person: Person) -> str:
    return f"{person.family}, {person.given}" if person.given else person.family


_BIBTEX_TYPES = {"article": "article", "chapter": "incollection", "book": "book", "conference": "inproceedings",
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
    kind = _BIBTEX_TYPES.get(record.kind, "misc")
    lines = [
        f"  {name} = {{{_plain(value) if name in _VERBATIM else value}}},"
        for name, value in _bibtex_fields(record, kind)
    ]
    return "\n".join((f"@{kind}{{{record.key},", *lines, "}", ""))


def _bibtex_fields(record: BibliographicRecord, kind: str) -> Iterable[tuple[str, str]]:
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


def fields_by_entry(paper: PaperGraph) -> Mapping[str, Mapping[str, str]]:
    """The fields that are known of each entry by its IRI, in the order in which they are read; last its BibTeX."""
    return {record.node: _entry_fields(record) for record in bibliography(paper.graph, paper.content)}


def _entry_fields(record: BibliographicRecord) -> dict[str, str]:
    authors = [*map(_entry_name, record.authors), *(["et al."] if record.more_authors else [])]
    fields = {
        "authors": "; ".join(authors),
        "editors": "; ".join(map(_entry_name, record.editors)),
        "title": record.title,
        "year": record.year,
        "container": record.container,
        "volume": record.volume,
        "issue": record.issue,
        "pages": record.pages,
        "publisher": record.publisher,
        "place": record.place,
        "edition": record.edition,
        "doi": record.doi,
        "arxiv": record.arxiv,
        "pmid": record.pmid,
        "pmcid": record.pmcid,
        "url": record.url,
        "bibtex": to_bibtex([record]),
    }
    return {name: words for name, words in fields.items() if words}


def _entry_name(person: Person) -> str:
    return ", ".join(filter(None, (person.family, person.given)))
