"""`fields_by_entry`: what was read in the entries of a reference list, in words, for a page that shows it."""

from __future__ import annotations

from collections.abc import Mapping

from kag.export.references.bibtex import to_bibtex
from kag.export.references.records import BibliographicRecord, Person, bibliography
from kag.qa.paper import PaperGraph


def fields_by_entry(paper: PaperGraph) -> Mapping[str, Mapping[str, str]]:
    """The fields that are known of each entry by its IRI, in the order in which they are read; last its BibTeX."""
    return {record.node: _fields(record) for record in bibliography(paper.graph, paper.content)}


def _fields(record: BibliographicRecord) -> dict[str, str]:
    authors = [*map(_name, record.authors), *(["et al."] if record.more_authors else [])]
    told = {
        "authors": "; ".join(authors),
        "editors": "; ".join(map(_name, record.editors)),
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
    return {name: words for name, words in told.items() if words}


def _name(person: Person) -> str:
    return ", ".join(filter(None, (person.family, person.given)))
