"""The reference list of a graph as plain records, each with a key that is unique in the list."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kag.core.content import ContentStore
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
