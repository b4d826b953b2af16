"""Reference lists: entries as records, and BibTeX, CSL-JSON and RIS as reference managers read them."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kag.core.content import ContentStore
from kag.qa.paper import PaperGraph
from kag.rdf.namespaces import DCTERMS, DEO, FABIO, KAG, PRISM
from kag.rdf.published import PublishedGraph

_GRAPH_FIELDS = {
    "title": DCTERMS.title,
    "year": FABIO.hasPublicationYear,
    "container": PRISM.publicationName,
    "volume": PRISM.volume,
    "issue": PRISM.number,
    "first_page": PRISM.startingPage,
    "last_page": PRISM.endingPage,
    "publisher": DCTERMS.publisher,
    "doi": PRISM.doi,
    "pmid": FABIO.hasPubMedId,
    "arxiv": FABIO.hasArXivId,
    "url": FABIO.hasURL,
    "text": KAG.citationText,
}
_STORE_FIELDS = ("pmcid", "place", "edition")
FIELDS = {
    **{f"{name}?": str for name in (*_STORE_FIELDS, "type")},
    "others?": bool,
    "editors?": [{"family": str, "given?": str}],
}
"""What is looked at of the fields that were read in a reference."""


@dataclass(frozen=True, slots=True)
class Person:
    """An author or editor; `given` is empty for a group."""

    family: str
    given: str = ""


@dataclass(frozen=True, slots=True)
class BibliographicRecord:
    """One reference; fields that are not known are empty. `text` is the reference as printed, without its number.

    `node` is the IRI of its entry in the graph.
    """

    key: str
    number: int
    kind: str = "other"
    authors: tuple[Person, ...] = ()
    more_authors: bool = False
    editors: tuple[Person, ...] = ()
    title: str = ""
    year: str = ""
    container: str = ""
    volume: str = ""
    issue: str = ""
    first_page: str = ""
    last_page: str = ""
    publisher: str = ""
    place: str = ""
    edition: str = ""
    doi: str = ""
    arxiv: str = ""
    pmid: str = ""
    pmcid: str = ""
    url: str = ""
    text: str = ""
    node: str = ""

    @property
    def pages(self) -> str:
        """ "12-15", "12", or nothing."""
        return f"{self.first_page}-{self.last_page}" if self.last_page else self.first_page


def bibliography(graph: PublishedGraph, content: ContentStore | None = None) -> list[BibliographicRecord]:
    """The references of a graph in the order of their numbers.

    What the graph says is taken from there; the content store adds kind, editors, place, edition and "et al.".
    """
    entries = graph.of_class(str(DEO.BibliographicReference))
    found = [_record(graph, node, _stored(graph, node, content)) for node in entries]
    return _with_keys(sorted(found, key=lambda record: (record.number, record.node)))


def _stored(graph: PublishedGraph, node: str, content: ContentStore | None) -> Mapping[str, Any]:
    ref = graph.value(node, str(KAG.parsedFields))
    stored: Mapping[str, Any] = (content.data(ref, FIELDS) if content else None) or {}
    return stored


def _record(graph: PublishedGraph, node: str, stored: Mapping[str, Any]) -> BibliographicRecord:
    values = {name: graph.value(node, str(property_)) for name, property_ in _GRAPH_FIELDS.items()}
    values |= {name: str(stored.get(name, "")) for name in _STORE_FIELDS}
    number = graph.value(node, str(KAG.citationNumber))
    listed = graph.value(node, str(KAG.authorList))
    return BibliographicRecord(
        "",
        int(number) if number.isdecimal() and len(number) < 10 else 0,
        str(stored.get("type", "article" if values["container"] else "other")),
        tuple(Person(*map(str.strip, name.split(",", 1))) for name in listed.split("; ") if name),
        bool(stored.get("others", False)),
        tuple(Person(person["family"], person.get("given", "")) for person in stored.get("editors", ())),
        node=node,
        **values,
    )


def _with_keys(records: Sequence[BibliographicRecord]) -> list[BibliographicRecord]:
    """Name each record: first author and year, with a letter where several have the same."""
    names = [_name(record) for record in records]
    shared, met = Counter(names), Counter[str]()
    named = []
    for record, name in zip(records, names, strict=True):
        met[name] += 1
        named.append(replace(record, key=name + (_letters(met[name]) if shared[name] > 1 else "")))
    return named


def _name(record: BibliographicRecord) -> str:
    first = record.authors[0].family if record.authors else record.title or "ref"
    letters = unicodedata.normalize("NFKD", first.split()[-1] if record.authors and first.split() else first)
    word = re.sub(r"[^a-z]", "", letters.casefold().partition(" ")[0]) or "ref"
    return f"{word}{record.year or 'nd'}"


def _letters(number: int) -> str:
    """1 is "a", 26 "z", 27 "aa"."""
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


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
